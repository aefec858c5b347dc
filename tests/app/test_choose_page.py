"""The page "Which one to report" without a browser: answers, links, and the way to the Explorer."""

from streamlit.testing.v1 import AppTest

from hiermeasures.app.choose import CHOOSE
from hiermeasures.app.explore.model import EXPLORER
from hiermeasures.draw.views import OPENING
from hiermeasures.explore import share_link
from hiermeasures.explore.library import to_compare
from hiermeasures.verify.claims import instances
from hiermeasures.verify.selector import CLAIMS, protocol

from .screen import bound, codes, errors, page_at, run, use

GUESS = next(claim for claim in CLAIMS if "hF can reward a wrong guess" in claim.says)


def opened(**parameters: str) -> AppTest:
    return run(page_at("choose", **parameters))


def answers(app: AppTest) -> dict[str, str]:
    return dict(app.session_state[CHOOSE.name].answers)


def test_the_card_is_the_selectors_and_follows_the_answers():
    app = opened()
    first = protocol(answers(app))
    assert codes(app)[:3] == [first.command, first.python, first.caption]
    bound(app, "choose_shape").set_value("dag").run()
    bound(app, "choose_labels").set_value("several").run()
    now = protocol(answers(app))
    assert (answers(app)["shape"], answers(app)["labels"]) == ("dag", "several")
    assert "MGIA" in now.report
    assert codes(app)[:3] == [now.command, now.python, now.caption]
    assert any(GUESS.says in text.value for text in app.markdown)


def test_a_link_restores_the_answers_and_a_changed_answer_is_in_the_address():
    app = opened(shape="dag", labels="several", elsewhere="kept")
    assert (answers(app)["shape"], answers(app)["labels"]) == ("dag", "several")
    assert codes(app)[-1].endswith("?show=choose&shape=dag&labels=several")
    bound(app, "choose_average").set_value("micro").run()
    given = {
        name: value[0] if isinstance(value, list) else value
        for name, value in app.query_params.items()
    }
    assert given == {"shape": "dag", "labels": "several", "average": "micro", "elsewhere": "kept"}
    app.query_params.clear()  # as when one comes back from another page
    assert answers(app.run())["shape"] == "dag"


def test_a_bad_answer_of_a_link_is_said_until_something_is_answered_and_contradictions_above_the_card():
    app = opened(shape="bush", labels="several")
    (said,) = errors(app)
    assert "Ignored" in said
    assert "bush" in said
    bound(app, "choose_exclusive").set_value("yes").run()
    assert not errors(app)
    assert [warning.value.partition(",")[0] for warning in app.warning] == [
        "Siblings exclude each other"
    ]


def test_a_pitfall_opens_in_the_explorer_with_the_first_answer_pinned():
    """R has a, e and b, and b has c and d; true is c, and d joins the wrong answers a and e."""
    app = opened(labels="several")
    use(app, f"choose_open_{CLAIMS.index(GUESS)}")
    explorer = app.session_state[EXPLORER.name]
    assert explorer.history.present.instance.predicted == {"a", "e", "d"}
    assert explorer.pinned.shown.instance.predicted == {"a", "e"}
    assert explorer.view_state.measure == "hF"
    assert explorer.back.page == "choose"
    assert explorer.back.parameters == {"labels": "several"}


def test_every_instance_of_a_claim_opens_and_fits_into_a_link():
    named = [claim for claim in CLAIMS if claim.instance]
    assert len(named) > 25
    for claim in named:
        shown, before = to_compare(instances(claim.instance), "x")
        found = share_link.decoded(share_link.encoded(shown, OPENING, before)).shown
        for part in ("hierarchy", "true", "predicted", "options"):
            assert getattr(found.instance, part) == getattr(shown.instance, part)
