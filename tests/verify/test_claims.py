"""The claims about the papers: quoted words are the papers' own, and every claim has what a claim
takes; the errata page, and the format's documentation.
"""

import re
import unicodedata
import warnings
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from hiermeasures.verify import errata_page, verify
from hiermeasures.verify.errata import computed, paper_errata
from hiermeasures.verify.format import EVERY_TEXT, ClaimKind
from hiermeasures.verify.quantities import KINDS
from hiermeasures.verify.verification import KIND_WORDS, CaseClaim
from tests.verify.helpers import FIGURE, shipped_report, write

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


def texts_of(claim: CaseClaim) -> list[tuple[str, str]]:
    """Every text in which a claim's quotation has to be found, with the quotation."""
    if set(claim.quotation) != {EVERY_TEXT}:
        return list(claim.quotation.items())
    return [(text, claim.quotation[EVERY_TEXT]) for paper, text in TEXTS if paper == claim.paper]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.label)
def test_every_quotation_is_found_in_the_text_of_the_paper(claim):
    searched = [
        (TEXTS[claim.paper, text], quote)
        for text, quote in texts_of(claim)
        if (claim.paper, text) in TEXTS
    ]
    if not searched:
        without_text = claim.paper not in {paper for paper, _ in TEXTS}
        assert claim.kind in ("code", "tool") or without_text
    for name, quote in searched:
        if not (PAPERS / name).is_file():
            pytest.skip(f"the text {name} is not beside this checkout (../shared/papers)")
        text, at = compact((PAPERS / name).read_text(encoding="utf-8")), 0
        for part in quote.split(" … "):
            found = text.find(compact(part), at)
            assert found >= 0, f"{claim.label}: {part!r} is not in {name}"
            at = found + 1


def test_every_claim_has_its_quotation_a_reading_considered_and_if_of_a_number_a_value_of_ours():
    for claim in CLAIMS:
        if claim.kind != "tool":  # of a tool the cells are all that is printed
            assert claim.quotation, claim.label
            assert claim.places, claim.label
        assert claim.considered, claim.label
        if claim.kind in ("number", "unreproduced", "tool"):
            assert claim.checked or "correlations agree" in claim.explanation, claim.label


def test_the_labels_that_were_cited_are_still_there_and_say_what_became_of_them():
    for paper, numbers in (
        ("kosmopoulos2015", 31),
        ("riehl2023", 9),
        ("plaud2024", 6),
        ("falis2021", 2),
    ):
        assert {f"{paper}-{k}" for k in range(1, numbers + 1)} <= set(BY_LABEL)
    withdrawn = {label: claim.explanation for label, claim in BY_LABEL.items() if claim.withdrawn}
    assert set(withdrawn) == {f"kosmopoulos2015-{k}" for k in (13, 15, 32, 33, 34)}
    assert "3.6 says" in withdrawn["kosmopoulos2015-15"]


# --- what claims rest on that no case shows -----------------------------------------------------


def test_printed_ranks_against_the_scores_are_named_by_a_claim():
    found = {
        (check.ranking, *contradiction[1:])
        for check in REPORT.rankings
        for contradiction in check.printed.contradictions()
    }
    assert found == {("Table 14", "B2", "F2"), ("Table 20", "D3", "C3")}
    for table, better, worse in found:
        assert any(
            claim.where.startswith(table) and f"{better} is ranked before" in claim.explanation
            for claim in CLAIMS
        )
        assert any(worse in claim.where for claim in CLAIMS)


def test_the_notebooks_mcc_is_what_32_bit_integers_give():
    # What the authors' notebooks print, from the counts that they print beside it.
    def of(integer, tp, tn, fp, fn):
        tp, tn, fp, fn = (integer(n) for n in (tp, tn, fp, fn))
        return (tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))

    with np.errstate(over="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert of(np.int32, 3613, 28863, 584, 857) == pytest.approx(3218.0743277230877)
        assert of(np.int32, 366, 630, 18776, 26523) == pytest.approx(-74960.68745765577)
    assert of(float, 3613, 28863, 584, 857) == pytest.approx(0.80994, abs=1e-5)
    assert of(float, 366, 630, 18776, 26523) == pytest.approx(-0.95580, abs=1e-5)


ERRATUM = """\
errata:
  - kind: text
    where: Section 1
    quotation: two words
    places: Section 1
    considered: nothing
    explanation: They are three.
"""


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ("kind: text\n    ", "", "no entry 'kind'"),
        ("    quotation: two words\n", "", "'quotation'"),
        ("    places: Section 1\n", "", "no entry 'places'"),
        ("    considered: nothing\n", "", "'considered'"),
        ("quotation: two words", "quotation: {draft: two words}", "paper 'draft'"),
        ("kind: text", "kind: number", "no 'shows'"),
    ],
)
def test_an_erratum_without_what_a_claim_takes_is_refused(tmp_path, before, after, reason):
    (fault,) = verify([write(tmp_path, one=FIGURE + ERRATUM.replace(before, after))]).faults
    assert reason in fault.reason


def test_two_claims_do_not_share_a_number(tmp_path):
    one = ERRATUM.replace("kind: text", "label: 1\n    kind: text")
    two = one.replace("errata:\n", "").replace("three", "four")
    (fault,) = verify([write(tmp_path, one=FIGURE + one + two)]).faults
    assert "two claims" in fault.reason


def test_a_claim_without_a_number_gets_the_next_one(tmp_path):
    numbered = ERRATUM.replace("kind: text", "label: 4\n    kind: text")
    report = verify(
        [
            write(
                tmp_path,
                one=FIGURE + numbered + ERRATUM.replace("errata:\n", "").replace("three", "two"),
            )
        ]
    )
    assert [claim.number for claim in report.claims] == [4, 5]


def test_changes_that_order_the_systems_alike_count_once():
    # Seven systems: 15 pairs of columns with 21 · 21 swaps, and in each of 6 columns 70 cycles of
    # three and 105 pairs of swaps.
    check = next(check for check in REPORT.rankings if check.correlations == "Table 15")
    assert (
        (check.search.best.tried, check.search.best.alternatives)
        == (15 * 21 * 21 + 6 * (70 + 105), 2)
        == (7665, 2)
    )
    # J3 given the F_LCA of H3 and H3 given that of J3 are the same tie.
    assert (
        next(
            check for check in REPORT.rankings if check.correlations == "Table 26"
        ).search.best.alternatives
        == 1
    )


DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = errata_page(REPORT)


def test_every_cell_that_differs_is_on_the_page():
    for cell in REPORT.with_status("explained", "conjectured", "unexplained"):
        numbers = f"printed {cell.printed}, computed {cell.ours_text}"
        assert numbers in PAGE or f"{cell.source}, correlations of" in PAGE


def test_every_paragraph_has_a_label_of_its_own():
    labels = re.findall(r"^\*\*([\w-]+)\.\*\*", PAGE, re.M)
    assert len(labels) == len(set(labels)) > 25
    assert sorted(labels) == sorted(BY_LABEL)


def test_a_page_leads_with_three_claims_and_has_a_row_for_each_by_severity():
    text = paper_errata(REPORT, next(p for p in REPORT.papers if p.key == "kosmopoulos2015"))
    head, *rows = re.findall(r"^\|.*\|$", text, re.M)
    first = text.partition(head)[0]
    leading = ["kosmopoulos2015-5", "kosmopoulos2015-12", "kosmopoulos2015-2"]
    assert re.findall(r"\(#(.*?)\)", first) == leading
    assert first.count("<img ") == 3
    changes = [row.split(" | ")[-2] for row in rows[1:]]
    assert changes == sorted(changes, key=["a conclusion", "a number", "a word"].index)
    assert len(changes) == sum(claim.paper == "kosmopoulos2015" for claim in CLAIMS)
    assert changes[0] == "a conclusion"


def test_long_calculations_are_in_the_case_file_and_not_on_the_page():
    claim = BY_LABEL["riehl2023-8"]
    assert max(map(len, claim.checked)) > 300
    assert max(map(len, computed(claim))) < 100
    assert claim.file in computed(claim)[-1]


def test_text_from_a_case_file_stays_text_on_the_page(tmp_path):
    entry = ERRATUM.replace("They are three.", "'<img src=x> [link](http://x) `code` **bold**'")
    page = errata_page(verify([write(tmp_path, one=FIGURE + entry)]))
    assert "&lt;img src=x> \\[link\\](http://x) \\`code\\` \\*\\*bold\\*\\*" in page


def test_the_example_in_the_docs_works(tmp_path):
    blocks = re.findall(r"```yaml\n(.*?)```", (DOCS / "cases.md").read_text(encoding="utf-8"), re.S)
    figure, paper, discrepancy, claim, about, judgements = blocks[:6]
    folder = write(tmp_path, one=figure)
    (folder / "paper.yaml").write_text(paper, encoding="utf-8")
    report = verify([folder])
    assert (report.faults, report.exit_status, report.counts.match) == ((), 0, 11)
    assert discrepancy.startswith("discrepancies:")
    with_claim = write(tmp_path / "claim", one=figure + claim)
    (with_claim / "paper.yaml").write_text(paper + about, encoding="utf-8")
    report = verify([with_claim])
    assert (report.faults, report.broken, report.counts.match) == ((), (), 11)
    assert [(claim.label, claim.withdrawn) for claim in report.claims] == [
        ("claim-8", False),
        ("claim-15", True),
    ]
    assert judgements.startswith("table:")


def test_the_docs_name_every_kind_of_claim_and_every_quantity():
    text = (DOCS / "cases.md").read_text(encoding="utf-8")
    assert set(KIND_WORDS) == set(get_args(ClaimKind))
    for name in {*KIND_WORDS, *KINDS}:
        assert f"`{name}`" in text or f"`{name}(" in text
