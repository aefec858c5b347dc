"""The page "Your paper": a figure is added, a table pasted, and the file is saved and opened again."""

from streamlit.testing.v1 import AppTest

from hiermeasures.app.explore.model import EXPLORER, ExplorerState
from hiermeasures.explore.shown import History, Shown
from hiermeasures.verify.paper_file import PaperFile, read_paper_file
from tests.conftest import hierarchy_of

from .screen import page_at, run


def paper_of(app: AppTest) -> PaperFile:
    found = app.session_state[EXPLORER.name].written_paper
    assert found is not None
    return read_paper_file(found.as_yaml().encode())


def field(app: AppTest, kind: str, key: str):  # type: ignore[no-untyped-def]
    """The field of a name, whatever its turn."""
    return next(each for each in app.get(kind) if (each.key or "").startswith(key))


def test_a_figure_and_a_pasted_table_are_added_checked_and_saved() -> None:
    app = page_at("own_paper")
    shown = Shown.make(hierarchy_of("A>B A>C"), {"B"}, {"C"}, title="Two classes")
    app.session_state[EXPLORER.name] = ExplorerState(History(shown))
    run(app)
    run(app, field(app, "text_input", "own_paper_name").input("Figure 7"))
    run(app, field(app, "button", "own_paper_add").click())
    assert next(iter(paper_of(app).cases.values())).label == "Figure 7"
    run(app, field(app, "text_area", "own_paper_pasted").input("Row hP Nothing\nFigure 7 0.50 3"))
    assert field(app, "selectbox", "own_paper_column_0").value == "hP"
    assert field(app, "selectbox", "own_paper_column_1").value == "left out"
    run(app, field(app, "selectbox", "own_paper_column_1").select("hR"))
    run(app, field(app, "button", "own_paper_table").click())
    found = {cell.quantity: (cell.printed, cell.status) for cell in paper_of(app).cells("")}
    # A of A, B and of A, C
    assert found == {"hP": ("0.50", "match"), "hR": ("3", "unexplained")}
    run(app, field(app, "text_input", "own_paper_remark_0_1").input("A slip."))
    assert paper_of(app).cells("")[1].explanation == "A slip."
    run(app, field(app, "text_input", "own_paper_title_0").input("One for one"))
    assert paper_of(app).case("").title == "One for one"


def test_a_table_that_is_none_is_refused_in_words() -> None:
    app = run(page_at("own_paper"))
    run(app, field(app, "button", "own_paper_add").click())
    run(app, field(app, "text_area", "own_paper_pasted").input("one line"))
    assert not [b for b in app.button if b.key == "own_paper_table"]
