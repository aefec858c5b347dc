"""The form of scored terms: which files. It only asks; data.py reads."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from hiermeasures.ui.binding import button
from hiermeasures.ui.columns import stacking_columns
from hiermeasures.ui.systems.data import File
from hiermeasures.ui.systems.form import FileInput, files_by_path, files_in, remarks, waits_for
from hiermeasures.ui.systems.scored.data import ScoredField, ScoredRequest
from hiermeasures.ui.systems.scored.example import example_archive
from hiermeasures.ui.systems.scored.model import change, model

INPUTS: Mapping[ScoredField, FileInput] = {
    "ontology": FileInput("scored_ontology", "Ontology", "An OBO file; `is_a` and `part_of` lead upwards."),
    "true": FileInput("scored_true", "Truth", "A line per true term: target, tab, term. Text, gzip or Parquet."),
    "systems": FileInput(
        "scored_systems",
        "Predictions",
        "One file per system, with a line per term: target, tab, term, tab, score from 0 to 1. Text, gzip or Parquet.",
        several=True,
    ),
    "information": FileInput(
        "scored_information",
        "Information (optional)",
        "A line per term: term, tab, weight. Without it the information of terms is counted over the truth.",
    ),
}


def form(faults: Mapping[str, str]) -> ScoredRequest | None:
    """Draw the form. The request, in the run in which its button has been pressed and all files are there."""
    by_path = files_by_path("scored_from", model().form.source, partial(_set, "source"))
    given: dict[ScoredField, list[File]] = {}
    for name, column in zip(INPUTS, stacking_columns("scored_form", 4, gap="medium"), strict=True):
        with column:
            given[name] = files_in(INPUTS[name], getattr(model().form, name), partial(_set_in, name), by_path)
            remarks(faults.get(name), ())
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        button("Evaluate", key="scored_evaluate", action=partial(_set, "asked", True), type="primary")
        st.download_button(
            "The example's files",
            example_archive,
            "utensils.zip",
            icon=":material/download:",
            key="scored_example",
            type="tertiary",
            on_click="ignore",
        )
    absent = [INPUTS[name].title for name, files in given.items() if not files and name != "information"]
    if not model().form.asked or waits_for(absent):
        return None
    _set("asked", False)
    information = given["information"][0] if given["information"] else None
    return ScoredRequest(given["ontology"][0], given["true"][0], tuple(given["systems"]), information)


def _set(name: str, value: Any) -> None:
    change(form=replace(model().form, **{name: value}))


def _set_in(name: ScoredField, part: str, value: Any) -> None:
    """Change one part of what is given in a field."""
    _set(name, replace(getattr(model().form, name), **{part: value}))
