"""Exercises without end, the other part of the Learn page."""

from hiermeasures.ui.show_text import show_text


def practice() -> None:
    """All of it."""
    show_text("Exercises are being prepared.", "note", key="practice_soon")
