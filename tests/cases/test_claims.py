"""The claims about the papers: quoted words are the papers' own, and every claim has what a claim
takes; the errata page, and the format's documentation.
"""

import re
import unicodedata
from pathlib import Path

import pytest

from hiermeasures.cases import errata_page, verify
from hiermeasures.cases.format import EVERY_TEXT
from hiermeasures.cases.quantities import KINDS
from hiermeasures.cases.verification import KIND_WORDS, Claim
from tests.cases.helpers import FIGURE, shipped_report, write

PAPERS = Path(__file__).resolve().parents[3] / "shared" / "papers"
TEXTS = {
    ("kosmopoulos2015", "PDF"): "kosmopoulos2013-measures.txt",
    ("kosmopoulos2015", "HTML"): "kosmopoulos2013-measures-html.txt",
    ("falis2021", "text"): "falis2021-cophe.txt",
    ("plaud2024", "text"): "plaud2024-revisiting-htc.txt",
    ("riehl2023", "text"): "riehl2023-hierarchical-confusion-matrix.txt",
}
REPORT = shipped_report()
CLAIMS = [claim for claim in REPORT.claims if not claim.withdrawn]
BY_LABEL = {claim.label: claim for claim in REPORT.claims}


def compact(text: str) -> str:
    """Text without what a conversion changes: white space, hyphens, and the forms of letters."""
    return re.sub(r"[\s\-\u00ad\u2010]", "", unicodedata.normalize("NFKC", text))


def texts_of(claim: Claim) -> list[tuple[str, str]]:
    """Every text in which a claim's quotation has to be found, with the quotation."""
    if set(claim.quotation) != {EVERY_TEXT}:
        return list(claim.quotation.items())
    return [(text, claim.quotation[EVERY_TEXT]) for paper, text in TEXTS if paper == claim.paper]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.label)
def test_every_quotation_is_found_in_the_text_of_the_paper(claim):
    searched = [(TEXTS[claim.paper, text], quote) for text, quote in texts_of(claim) if (claim.paper, text) in TEXTS]
    if not searched:
        assert claim.kind in ("code", "tool")
    for name, quote in searched:
        if not (PAPERS / name).is_file():
            pytest.skip(f"the text {name} is not beside this checkout (../shared/papers)")
        text, at = compact((PAPERS / name).read_text(encoding="utf-8")), 0
        for part in quote.split(" … "):
            found = text.find(compact(part), at)
            assert found >= 0, f"{claim.label}: {part!r} is not in {name}"
            at = found + 1


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.label)
def test_every_claim_has_its_quotation_places_a_reading_considered_and_if_of_a_number_a_value_of_ours(claim):
    assert claim.kind in KIND_WORDS
    if claim.kind != "tool":  # of a tool the cells are all that is printed
        assert claim.quotation
        assert claim.places
    assert claim.considered
    assert claim.number is not None
    if claim.kind in ("number", "unreproduced", "tool"):
        assert claim.checked or "correlations come out" in claim.explanation


def test_the_labels_that_were_cited_are_still_there_and_say_what_became_of_them():
    assert {f"kosmopoulos2015-{k}" for k in range(1, 32)} <= set(BY_LABEL)
    assert {f"riehl2023-{k}" for k in range(1, 10)} <= set(BY_LABEL)
    assert {f"plaud2024-{k}" for k in range(1, 7)} <= set(BY_LABEL)
    assert {"falis2021-1", "falis2021-2"} <= set(BY_LABEL)
    withdrawn = {claim.label for claim in REPORT.claims if claim.withdrawn}
    assert withdrawn == {"kosmopoulos2015-13", "kosmopoulos2015-15"}
    assert "an ancestor of it, as Section 3.6 says" in BY_LABEL["kosmopoulos2015-15"].explanation


def test_the_correlations_fit_the_printed_scores_better_than_the_printed_ranks():
    found = {check.correlations: (len(check.search.plain.matched), check.search.by_ranks) for check in REPORT.rankings}
    fit = {12: (10, 3), 15: (7, 4), 18: (15, 6), 21: (6, 10), 24: (10, 10), 26: (9, 6)}
    assert found == {f"Table {n}": numbers for n, numbers in fit.items()}


ERRATUM = """\
errata:
  - kind: text
    where: Section 1
    quotation: two words
    places: Section 1
    considered: nothing
    explanation: They are three.
"""


@pytest.mark.parametrize("entry", ["kind: text", "quotation: two words", "places: Section 1", "considered: nothing"])
def test_an_erratum_without_what_a_claim_takes_is_refused(tmp_path, entry):
    text = FIGURE + ERRATUM.replace(f"  - {entry}\n    ", "  - ").replace(f"    {entry}\n", "")
    (fault,) = verify([write(tmp_path, one=text)]).faults
    assert f"an erratum needs '{entry.partition(':')[0]}'" in fault.reason


def test_a_quotation_from_a_text_that_the_paper_does_not_name_is_refused(tmp_path):
    text = FIGURE + ERRATUM.replace("quotation: two words", "quotation: {draft: two words}")
    (fault,) = verify([write(tmp_path, one=text)]).faults
    assert "unknown text of the paper 'draft'" in fault.reason


def test_a_claim_about_a_number_without_a_value_of_ours_is_refused(tmp_path):
    (fault,) = verify([write(tmp_path, one=FIGURE + ERRATUM.replace("kind: text", "kind: number"))]).faults
    assert "needs 'shows'" in fault.reason


def test_two_claims_do_not_share_a_number(tmp_path):
    one = ERRATUM.replace("kind: text", "label: 1\n    kind: text")
    two = one.replace("errata:\n", "").replace("three", "four")
    (fault,) = verify([write(tmp_path, one=FIGURE + one + two)]).faults
    assert "two claims have the number" in fault.reason


def test_a_claim_without_a_number_gets_the_next_one(tmp_path):
    numbered = ERRATUM.replace("kind: text", "label: 4\n    kind: text")
    report = verify([write(tmp_path, one=FIGURE + numbered + ERRATUM.replace("errata:\n", "").replace("three", "two"))])
    assert [claim.number for claim in report.claims] == [4, 5]


DERIVED = """\
table: Table 3
title: Ratios
columns: one | two
given:
  a: 1,000 | 30
  b: 3     | 4
rows:
  a per b: {printed: 333.3 | 7.5, equals: a / b}
  below:   {printed: 9000 | 130, at_most: a * b}
"""


def test_printed_numbers_are_checked_against_those_they_follow_from(tmp_path):
    report = verify([write(tmp_path, one=DERIVED)])
    assert [(c.row, c.column, c.status) for c in report.cells] == [
        ("a per b", "one", "match"),
        ("a per b", "two", "match"),
        ("below", "one", "unexplained"),
        ("below", "two", "match"),  # 30 and 4 may be 30.5 and 4.5: 137
    ]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("equals: a / b", "equals: a / c", "unknown given number 'c'"),
        ("333.3 | 7.5", "333.3", "has 1 numbers; the table has 2 columns"),
        ("equals: a / b", "teaches: x", "unknown entry"),
        (", at_most: a * b", "", "either what it 'equals'"),
    ],
)
def test_a_derived_table_that_cannot_be_used_says_why(tmp_path, old, new, reason):
    faults = verify([write(tmp_path, one=DERIVED.replace(old, new))]).faults
    assert any(reason in fault.reason for fault in faults)


DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = errata_page(REPORT)


def test_every_cell_that_differs_is_on_the_page():
    for cell in REPORT.with_status("explained", "unexplained"):
        if cell.case:
            assert f"printed {cell.printed}, computed {cell.ours_text}" in PAGE
        elif cell.paper == "falis2021":
            assert f"{cell.printed} " in next(line for line in PAGE.splitlines() if line.startswith("**falis2021-2.**"))
        else:
            assert f"{cell.source}, correlations of" in PAGE


def test_text_from_a_case_file_stays_text_on_the_page(tmp_path):
    nasty = "<img src=x> [link](http://x) `code` **bold**"
    entry = (
        "errata:\n  - kind: text\n    where: Section 1\n    quotation: a\n    places: Section 1\n    considered: b\n"
        f"    explanation: {nasty!r}\n"
    )
    page = errata_page(verify([write(tmp_path, one=FIGURE + entry)]))
    assert "&lt;img src=x> \\[link\\](http://x) \\`code\\` \\*\\*bold\\*\\*" in page


def test_the_example_in_the_docs_works(tmp_path):
    blocks = re.findall(r"```yaml\n(.*?)```", (DOCS / "cases.md").read_text(encoding="utf-8"), re.S)
    figure, paper, discrepancy, claim, about, judgements, derived = blocks[:7]
    folder = write(tmp_path, one=figure)
    (folder / "paper.yaml").write_text(paper, encoding="utf-8")
    report = verify([folder])
    assert (report.faults, report.exit_status, report.counts.match) == ((), 0, 11)
    assert discrepancy.startswith("discrepancies:")
    with_claim = write(tmp_path / "claim", one=figure + claim)
    (with_claim / "two.yaml").write_text(derived, encoding="utf-8")
    (with_claim / "paper.yaml").write_text(paper + about, encoding="utf-8")
    report = verify([with_claim])
    assert (report.faults, report.broken, report.counts.match) == ((), (), 13)
    assert [(claim.label, claim.withdrawn) for claim in report.claims] == [("claim-8", False), ("claim-15", True)]
    assert judgements.startswith("table:")


def test_the_docs_name_every_quantity():
    text = (DOCS / "cases.md").read_text(encoding="utf-8")
    for name in KINDS:
        assert f"`{name}`" in text or f"`{name}(" in text or name == "measure"
