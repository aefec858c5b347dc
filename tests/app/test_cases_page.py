"""The library says what the verifier found: counts, every cell with its status, and faults."""

import html
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from hiermeasures.app.cases import page as cases_page
from hiermeasures.explore.library import figure as figure_of
from hiermeasures.verify import Verification, load_cases, verify
from hiermeasures.verify.library import default_folder, own_cases
from hiermeasures.verify.verification import STATUSES, Counts
from tests.teach.test_sheets import Markup

from .screen import gesture, page_at, run, sent

HOSTILE = "<img src=x onerror=alert(1)>"


def opened(figure: str = "") -> AppTest:
    return run(page_at("cases", **({"figure": figure} if figure else {})))


def bodies(app: AppTest) -> str:
    return "\n".join(element.proto.body for element in app.get("html"))


def in_words(app: AppTest) -> str:
    """The text of the page without tags."""
    return re.sub(
        r"\s+", " ", re.sub(r"<style>.*?</style>|<[^>]*>", " ", bodies(app), flags=re.DOTALL)
    )


def counted_in(app: AppTest) -> list[int]:
    """The counts of all papers together: of cells, and of each status."""
    (found,) = re.findall(r"All papers((?: \d+)+)", in_words(app))
    return [int(n) for n in found.split()]


def cards(app: AppTest) -> list[str]:
    """The names of the figures that the cards lead to."""
    found = re.findall(r'data-leads="figure [^"]+" title="[^"]*">([^<]*)</a>', bodies(app))
    return [html.unescape(name) for name in found]


@pytest.fixture(scope="module")
def report() -> Verification:
    return verify()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A library of one's own with the paper of Falis et al., for the page to show."""
    shutil.copytree(default_folder() / "falis2021", tmp_path / "falis2021")
    monkeypatch.setattr(cases_page, "case_folders", lambda: (str(tmp_path),))
    return tmp_path


def test_the_overview_has_the_verifier_s_counts_every_file_and_claim_and_tools_after_the_papers(
    report: Verification,
) -> None:
    app = opened()
    counts = report.counts_of(paper for paper in report.papers if paper.kind == "paper")
    assert counted_in(app) == list(counts.as_json().values())
    text = html.unescape(in_words(app))
    papers, tools = text.split("What tools print")
    for paper in report.papers:
        c = Counts.of(report.of_paper(paper.key))
        counted = " ".join(map(str, (paper.name, *c.as_json().values()))) in text
        assert counted == (paper.kind == "paper")
        assert paper.title in (tools if paper.kind == "tool" else papers)
        assert all(words in text for words in (paper.note, *paper.unchecked, *paper.texts.values()))
    assert len(cards(app)) == len(load_cases().files)
    assert all(f"{claim.label} {claim.kind_words}" in text for claim in report.claims)
    assert "?figure=kosmopoulos2015/figure-18" in bodies(app)
    withdrawn = [claim.withdrawn for claim in report.claims if claim.paper == "kosmopoulos2015"]
    label = next(e.label for e in app.expander if e.label.startswith("Errata: "))
    assert re.findall(r"\d+", label) == [str(withdrawn.count(False)), str(withdrawn.count(True))]


def test_every_page_shows_every_cell_of_its_file_with_its_status_in_a_word(
    report: Verification,
) -> None:
    app = opened()
    kinds = STATUSES
    word = rf'<td class="[^"]*?({"|".join(kinds)})">(?:(?!</td>).)*<span class="status \1"'
    for file in load_cases().files:
        app.query_params["figure"] = f"{file.paper}/{file.stem}"
        words = re.findall(word, bodies(run(app)))
        counts = Counts.of([c for c in report.cells if c.file == file.document.name]).as_json()
        assert counts == {"cells": len(words), **{s: words.count(s) for s in kinds}}


def test_every_figure_and_claim_is_searched_and_leads_to_its_place(report: Verification) -> None:
    app = opened()
    (data,) = sent(app, "contents")
    found = {entry["key"]: entry["text"] for entry in data["entries"]}
    assert len(found) == len(load_cases().files) + len(report.claims)
    assert all(claim.explanation in found[f"claim {claim.label}"] for claim in report.claims)
    gesture(app, "choose", component="cases_contents", key="figure kosmopoulos2015/figure-11")
    assert app.query_params["figure"] == "kosmopoulos2015/figure-11"
    app.button(key="cases_back").click().run()
    assert "figure" not in app.query_params
    gesture(app, "choose", component="cases_contents", key="claim kosmopoulos2015-26")
    assert app.query_params["claim"] == "kosmopoulos2015-26"
    assert '<span class="num" id="kosmopoulos2015-26">' in bodies(app)
    gesture(app, "choose", component="cases_contents", key="figure no-such")
    assert app.query_params["figure"] == "kosmopoulos2015/figure-18"


def test_a_case_opens_in_the_explorer_with_its_options_and_from_a_row_of_a_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Row b of Table 1 is Figure 11(b)."""
    went: list[object] = []
    monkeypatch.setattr(st, "switch_page", lambda page, **address: went.append(page))
    app = opened("riehl2023/figure-4")
    run(app, app.button(key="explore_4").click())
    shown = app.session_state.explorer_model.history.present
    assert (shown.case, shown.instance.predicted_paths) == (
        "riehl2023/figure-4b2",
        (("R", "D", "J"),),
    )
    app = opened("kosmopoulos2015/figure-11")
    assert 'data-leads="case kosmopoulos2015/figure-11b"' in bodies(app)
    gesture(app, "choose", component="cases_contents", key="case kosmopoulos2015/figure-11b")
    assert app.session_state.explorer_model.history.present.case == "kosmopoulos2015/figure-11b"
    assert len(went) == 2


def test_the_overview_leads_with_three_claims_about_different_papers_and_their_drawings() -> None:
    app = opened()
    first = bodies(app).partition("published values")[0]
    leading = re.search(r'<div class="matters">(.*?)</figure>\s*</div>', first, re.DOTALL)
    assert leading
    labels = re.findall(r'data-leads="claim ([\w-]+)-\d+"', leading[1])
    assert len(set(labels)) == 3
    assert leading[1].count("<img ") == 3
    gesture(app, "choose", component="cases_contents", key="claim kosmopoulos2015-5")
    assert app.query_params["figure"] == "kosmopoulos2015/figure-17"


def test_an_unknown_figure_is_named_and_the_overview_is_shown() -> None:
    app = opened("kosmopoulos2015/figure-111")
    assert "figure-11." in in_words(app)  # the nearest
    assert len(cards(app)) > 1


def test_a_broken_file_is_shown_with_line_and_reason_and_the_rest_still_works(folder: Path) -> None:
    file = folder / "falis2021" / "figure-1.yaml"
    file.write_text(file.read_text().replace("true: 364.11", "treu: 364.11"))
    app = opened()
    line = next(
        k for k, text in enumerate(file.read_text().splitlines(), 1) if text.startswith("treu")
    )
    assert re.search(rf"falis2021/figure-1\.yaml {line} .*treu", in_words(app))
    assert cards(app)


def test_a_changed_file_is_checked_anew_without_a_restart(folder: Path) -> None:
    app = opened()
    unexplained = counted_in(app)[-1]
    file = folder / "falis2021" / "figure-2.yaml"
    file.write_text(file.read_text().replace("6 | 5 | 2 | 54.5", "7 | 5 | 2 | 54.5"))
    app.run()
    assert counted_in(app)[-1] == unexplained + 1


def test_a_folder_without_cases_is_one_plain_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cases_page, "case_folders", lambda: (str(tmp_path),))
    assert "no case file" in in_words(opened())


def test_text_of_a_case_file_is_never_markup(folder: Path) -> None:
    paper = folder / "falis2021" / "paper.yaml"
    text = paper.read_text().replace("Falis et al. 2021", HOSTILE)
    paper.write_text(text.replace("https://", "javascript:"))
    case = """figure: 'X'\ntitle: 'X'\nteaches: 'X'\nreconstructed: 'X'\nhierarchy: ['root>Y', 'root>b']
true: ['Y']\npredicted: b\npublished:\n  - source: '<script>alert(1)</script>'\n    cells: {hF: 0}
discrepancies:\n  - source: '<script>alert(1)</script>'\n    cells: hF\n    explanation: 'X'
    variant: {measure: hP}\n    quotation: 'X'\n    places: 'X'\n    considered: 'X'\n"""
    case = case.replace("X", HOSTILE).replace("Y", HOSTILE.replace(">", ""))
    (folder / "falis2021" / "figure-1.yaml").write_text(case)
    for figure in ("", "falis2021/figure-1"):
        # which refuses addresses that are scripts, and what listens
        found = Markup(bodies(opened(figure)))
        assert "script" not in found.elements
        assert HOSTILE in found.text
    assert cards(opened())[0] == HOSTILE


def test_a_folder_of_one_s_own_is_listed_after_the_papers_and_opens_in_the_explorer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.yaml").write_text(
        "figure: My figure\ntitle: Mine\nhierarchy: A>B A>C\ntrue: B\npredicted: C\n"
        "published: [{source: Table 1, cells: {hP: 0.50, hR: 0.6}}]\n"
    )
    monkeypatch.setenv("HIERMEASURES_CASES", str(tmp_path))
    own_cases.cache_clear()
    try:
        app = opened()
        names = cards(app)
        assert "My figure" in names
        assert names.index("Figure 11") < names.index("My figure")
        assert figure_of("mine/mine").hierarchy.nodes == ("A", "B", "C")
        # A and C of A and B: precision and recall 1/2
        assert "0.6" in in_words(opened("mine/mine"))
    finally:
        own_cases.cache_clear()
