"""The errata page and the format's documentation."""

import re
from pathlib import Path

from hiermeasures.cases import errata_page, verify
from hiermeasures.cases.quantities import KINDS
from tests.cases.helpers import FIGURE, shipped_report, write

DOCS = Path(__file__).resolve().parents[2] / "docs"
REPORT = shipped_report()
PAGE = errata_page(REPORT)


def test_every_cell_that_differs_is_on_the_page():
    for cell in REPORT.with_status("explained", "unexplained"):
        if cell.case:
            assert f"printed {cell.printed}, computed {cell.ours_text}" in PAGE
        elif cell.paper == "falis2021":
            assert f"{cell.printed} " in next(line for line in PAGE.splitlines() if line.startswith("**falis2021-2.**"))
        else:
            assert f"{cell.source}, correlations of" in PAGE


def test_every_paragraph_has_a_label_of_its_own():
    labels = re.findall(r"^\*\*([\w-]+)\.\*\*", PAGE, re.M)
    assert len(labels) == len(set(labels)) > 25
    assert {label.rpartition("-")[0] for label in labels} == {claim.paper for claim in REPORT.claims}


def test_small_slips_come_after_the_others_of_their_paper():
    for part in PAGE.split("\n## ")[1:]:
        listed = [line.partition(".**")[0][2:] for line in part.splitlines() if line.startswith("**")]
        small = [claim.label for claim in REPORT.claims if claim.small and claim.label in listed]
        assert listed[len(listed) - len(small) :] == small
        assert ("Small slips" in part) == bool(small)
    assert any(claim.small for claim in REPORT.claims)


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
