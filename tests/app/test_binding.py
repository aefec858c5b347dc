"""Fields that show a value of a model: entries reach it, its changes reach the field, and what is
no entry is none.
"""

from streamlit.testing.v1 import AppTest

from .screen import errors


def script() -> None:
    """A page of one model with a side, a size and a note, whose field for the size is away while
    `away` is set.
    """
    from dataclasses import dataclass, replace

    import streamlit as st

    from hiermeasures.app.binding import apply_entries, attempt, bind, changing, show_fault
    from hiermeasures.app.inbox import Slot
    from hiermeasures.hierarchy.errors import InputError

    @dataclass(frozen=True)
    class Model:
        side: str | None = "true"
        size: int = 5
        note: str = ""
        saved: str = ""

    slot = Slot("model", Model)

    def resize(size: int) -> None:
        if size < 0:
            raise InputError(f"{size} is below 0")
        slot.set(replace(slot.value, size=min(size, 9)))

    def save() -> None:
        apply_entries()
        slot.set(replace(slot.value, saved=slot.value.note))

    def refuse() -> None:
        raise InputError("this file cannot be read")

    model = slot.value
    bind(st.segmented_control, "side", model.side, changing(slot, "side"))(
        "Side", ["true", "predicted"]
    )
    if not st.session_state.get("away"):
        bind(st.number_input, "size", model.size, resize)("Size", step=1)
        show_fault("size")
    bind(st.text_input, "note", model.note, changing(slot, "note"))("Note")
    st.button("Save", on_click=save)
    st.button("Upload", on_click=lambda: attempt("upload", refuse))
    show_fault("upload")
    st.button("Seven", on_click=lambda: resize(7))


def opened() -> AppTest:
    app = AppTest.from_function(script).run()
    assert not app.exception
    return app


def press(app: AppTest, label: str) -> AppTest:
    return next(b for b in app.button if b.label == label).click().run()


def size(app: AppTest) -> tuple[int, int, str]:
    """The model's size, the field's value and its key."""
    field = app.number_input[0]
    return app.session_state.model.size, field.value, field.key


def test_entries_reach_the_model_and_its_changes_the_field_under_a_new_key() -> None:
    app = opened()
    assert size(app) == (5, 5, "size")
    app.number_input[0].set_value(6).run()
    assert size(app) == (6, 6, "size")
    press(app, "Seven")
    assert size(app) == (7, 7, "size_1")
    app.session_state["size"] = 3  # a page that is a moment behind still sends the old field
    assert size(app.run()) == (7, 7, "size_1")
    app.number_input[0].set_value(20).run()
    assert size(app)[:2] == (9, 9), "as the model has it"
    app.session_state["away"] = True
    assert not app.run().number_input
    app.session_state["away"] = False
    assert app.run().number_input[0].value == 9


def test_a_refused_entry_is_said_beside_the_field_which_shows_the_model_again() -> None:
    app = opened()
    app.number_input[0].set_value(-1).run()
    assert errors(app) == ["-1 is below 0"]
    assert size(app)[:2] == (5, 5)
    app.text_input[0].set_value("x").run()  # another field does not answer it
    assert errors(app) == ["-1 is below 0"]
    app.number_input[0].set_value(-1).run()  # the same again is refused again
    assert errors(app) == ["-1 is below 0"]
    assert errors(press(app, "Seven")) == []
    assert errors(press(app, "Upload")) == ["this file cannot be read"]


def test_a_choice_that_is_let_go_is_no_entry_and_text_typed_before_a_press_counts() -> None:
    app = opened()
    app.button_group[0].set_value(None).run()
    assert (app.session_state.model.side, app.button_group[0].value) == ("true", "true")
    app.text_input[0].set_value("typed")
    press(app, "Save")
    assert app.session_state.model.saved == "typed"
