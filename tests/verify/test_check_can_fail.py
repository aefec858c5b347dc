"""The check can fail: one published string, one edge, one class, one score or one formula changed,
and it is noticed.
"""

import re
from dataclasses import replace
from functools import partial

import pytest

from hiermeasures.measures import CATALOGUE
from hiermeasures.verify import load_cases, verify
from hiermeasures.verify.format import FigureFile
from tests.verify.helpers import CASES, changed_copy, shipped


def sample() -> list[tuple[str, str]]:
    """Every figure of Kosmopoulos et al. with published values, and a file of each other paper."""
    found: dict[tuple[str, str], tuple[str, str]] = {}
    for file in load_cases().files:
        if isinstance(file.entries, FigureFile) and file.entries.published:
            found.setdefault(
                (file.paper, file.stem if file.paper == "kosmopoulos2015" else ""),
                (file.paper, file.stem),
            )
    return list(found.values())


def noticed(folder) -> bool:
    report = verify([folder])
    return report.exit_status != 0 and bool(report.counts.unexplained or report.faults)


def misprinted(text: str) -> str:
    """The string with the last compared digit off by four, or a class of a set renamed."""
    if text.strip().startswith("{") or not re.search(r"\d", text):
        return re.sub(r"\w[\w.]*", "X", text, count=1)
    compared = re.sub(r"(\.\d{8})\d+", r"\1", text)
    return re.sub(r"\d(?=\D*$)", lambda m: str((int(m[0]) + 4) % 10), compared, count=1)


def strings(data):
    """Every published cell of a figure file: its text, and what puts another in its place."""

    def of_row(cells, put):
        for k, text in enumerate(cells):
            yield text, lambda new, k=k: put("|".join([*cells[:k], new, *cells[k + 1 :]]))

    for block in data["published"]:
        for name, text in block.get("cells", {}).items():
            yield text, partial(block["cells"].__setitem__, name)
        for name, row in block.get("rows", {}).items():
            place, key, cells = (
                (row, "cells", row["cells"])
                if isinstance(row, dict)
                else (block["rows"], name, row)
            )
            yield from of_row(cells.split("|"), partial(place.__setitem__, key))


@pytest.mark.parametrize(("paper", "stem"), sample())
def test_a_changed_published_string_is_noticed(paper, stem, tmp_path):
    total = len(list(strings(shipped(paper, stem))))
    for n in range(0, total, 1 + total // 4):
        data = shipped(paper, stem)
        text, put = list(strings(data))[n]
        put(misprinted(text))
        assert noticed(changed_copy(tmp_path / str(n), paper, stem, data)), (
            f"{text} as {misprinted(text)}"
        )


@pytest.mark.parametrize(
    ("paper", "stem", "before", "after"),
    [
        ("kosmopoulos2015", "figure-8", "3>2.1 3>3.2.2}", "3>3.2.2}"),
        ("kosmopoulos2015", "figure-11", "A>B A>C B>T1 B>P1 B>P2", "A>B A>C B>T1 B>P1 C>P2"),
        ("kosmopoulos2015", "figure-13", "B>P1 C>P1", "B>P1"),
        ("kosmopoulos2015", "figure-17", "0>B 0>E B>T1 E>P1 E>P2", "0>B B>E B>T1 E>P1 E>P2"),
        ("riehl2023", "figure-4", "D>K E>L", "E>K E>L"),
        ("falis2021", "figure-2", "364.2>364.24", "364.1>364.24"),
        ("plaud2024", "figure-3", "1>5", "2>5"),
        ("kosmopoulos2015", "figure-7", "true: C", "true: B"),
        ("kosmopoulos2015", "figure-9", "true: 2.1 3.2.1 3.3", "true: 2.1 3.2.1 3.1"),
        ("kosmopoulos2015", "figure-11", "predicted: P1 P2", "predicted: P1"),
        ("riehl2023", "figure-4", "R>A>D>J R>B", "R>A>D>J"),
        ("falis2021", "figure-2", "true: 364.11 364.24 364.9", "true: 364.11 364.24"),
        ("plaud2024", "figure-4", "3: .55", "3: .45"),
    ],
)
def test_a_changed_edge_class_path_or_probability_is_noticed(paper, stem, before, after, tmp_path):
    text = (CASES / paper / f"{stem}.yaml").read_text(encoding="utf-8")
    assert before in text
    assert noticed(changed_copy(tmp_path, paper, stem, text.replace(before, after, 1)))


MEASURES_CHECKED = {
    **dict.fromkeys(
        "hP hR hF SDL GIE MGIA MGIA_error P_LCA R_LCA F_LCA".split(), "kosmopoulos2015"
    ),
    "SP": "plaud2024",
}


@pytest.fixture(scope="module")
def figures(tmp_path_factory):
    """For each paper a folder with its figures alone, without rankings, which take longest."""
    folder = tmp_path_factory.mktemp("figures")
    for paper in set(MEASURES_CHECKED.values()):
        for path in (CASES / paper).glob("figure-*.yaml"):
            changed_copy(folder / paper, paper, path.stem, path.read_text(encoding="utf-8"))
    return {path.name: (path, verify([path]).counts) for path in folder.iterdir()}


@pytest.mark.parametrize(("key", "paper"), MEASURES_CHECKED.items())
def test_a_changed_formula_is_noticed(key, paper, figures, monkeypatch):
    folder, before = figures[paper]
    measure = CATALOGUE[key]
    monkeypatch.setitem(
        CATALOGUE,
        key,
        replace(measure, read=lambda c, options: 0.9 * measure.read(c, options) + 0.02),
    )
    after = verify([folder]).counts
    assert after.unexplained > before.unexplained
    assert after.match < before.match


def test_an_explanation_whose_variant_does_not_reproduce_the_print_explains_nothing(tmp_path):
    data = shipped("kosmopoulos2015", "figure-12")
    data["discrepancies"][0]["variant"] = {"measure": "SDL"}
    report = verify([changed_copy(tmp_path, "kosmopoulos2015", "figure-12", data)])
    assert [(c.row, c.quantity) for c in report.with_status("unexplained")] == [
        ("a", "GIE"),
        ("b", "GIE"),
    ]
    assert report.exit_status == 1


def test_a_value_shown_for_an_erratum_that_does_not_come_out_is_noticed(tmp_path):
    data = shipped("kosmopoulos2015", "figure-12")
    data["errata"][0]["shows"][0]["gives"] = "0.5"
    report = verify([changed_copy(tmp_path, "kosmopoulos2015", "figure-12", data)])
    assert report.exit_status == 1
    assert "gives 0.8, not 0.5" in report.as_text()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("18", "0.662", "0.672"),
        ("18", "0.838", "-0.838"),
        ("17", "25.775", "3.000"),
        ("17", "0.709", "0.309"),
    ],
)
def test_a_changed_score_or_correlation_is_noticed(name, before, after, tmp_path):
    folder = changed_copy(
        tmp_path, "kosmopoulos2015", "table-17", shipped("kosmopoulos2015", "table-17")
    )
    for table in ("17", "18"):
        text = (CASES / "kosmopoulos2015" / f"table-{table}.csv").read_text(encoding="utf-8")
        assert before in text or table != name
        changed = text.replace(before, after, 1) if table == name else text
        (folder / "kosmopoulos2015" / f"table-{table}.csv").write_text(changed, encoding="utf-8")
    assert verify([folder]).counts.match < 15


def test_a_changed_sign_of_table_9_is_noticed(tmp_path):
    folder = tmp_path / "kosmopoulos2015"
    folder.mkdir()
    for path in (CASES / "kosmopoulos2015").iterdir():
        text = path.read_text(encoding="utf-8")
        (folder / path.name).write_text(
            text.replace('"- | + | + | + | +"', '"+ | + | + | + | +"'), encoding="utf-8"
        )
    report = verify([tmp_path])
    assert [c.place for c in report.with_status("unexplained") if c.source == "Table 9"] == [
        "Table 9, row Pairing Problem, GIE"
    ]
