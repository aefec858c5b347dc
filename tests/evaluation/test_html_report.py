"""The HTML page of an evaluation: its numbers, its labels as text, and that it needs nothing else."""

import re
from base64 import b64decode
from html.parser import HTMLParser

import pytest
from markupsafe import escape

from hiermeasures import Hierarchy, compare, evaluate
from hiermeasures.cli import main
from hiermeasures.draw.text import as_text, printable
from hiermeasures.evaluation.compare import compare_reports
from hiermeasures.evaluation.html_report import write_page
from hiermeasures.evaluation.html_report.page import PageFocus
from hiermeasures.evaluation.html_report.wording import break_words
from tests.conftest import needs_data
from tests.evaluation.test_germeval import germeval

HOSTILE = "<script>alert(1)</script>\"'&\u202e{{ 7 }}"
H = Hierarchy.from_edges([("R", "A"), ("R", "B"), ("A", HOSTILE), ("A", "A2"), ("B", "B1")])
TRUE = [{HOSTILE}, {"A2"}, {"B1"}, {"B1"}]
NEAR, FAR = [{"A2"}, {"A2"}, {"B"}, {"B1"}], [{"B1"}, set(), {"A2"}, {"B1"}]
KEYS = ["hF", "GIE", "accuracy"]


class Page(HTMLParser):
    """The elements of a page: tags with attributes, text, and the rows of its tables."""

    def __init__(self, source):
        super().__init__()
        self.tags, self.words, self.rows, self.tables, self.cell = [], "", [], [], False
        self.feed(source)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag == "table":
            self.tables.append([])
        if tag == "tr":
            self.rows.append([])
            self.tables[-1].append(self.rows[-1])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.cell = True

    def handle_endtag(self, tag):
        self.cell = self.cell and tag not in ("td", "th")

    def handle_data(self, data):
        self.words += data
        if self.cell:
            self.rows[-1][-1] += data

    def row(self, first, head=""):
        """The first row with a name, in a table whose head begins with `head`."""
        tables = (table for table in self.tables if table[0][0].startswith(head))
        return next(row for table in tables for row in table if row[0] == first)


def evaluate_two(first, second):
    return compare(H, TRUE, {first: NEAR, second: FAR}, measures=KEYS)


@pytest.fixture(scope="module")
def comparison():
    systems = {"near": NEAR, f"far {HOSTILE}": FAR}
    return compare(H, TRUE, systems, measures=KEYS, intervals=0.95)


def test_scores_are_those_of_the_report():
    report = evaluate(H, TRUE, NEAR, measures=KEYS)
    page = Page(report.to_html("My data"))
    for key in KEYS:
        (row,) = [row for row in page.rows if row[0].split(" ")[0] == key]
        assert row[2] == as_text(report[key])
    assert ("title", {}) in page.tags
    low, high = report.intervals(0.9).loc["hF"]
    page_with_ends = Page(report.to_html(intervals=0.9))
    assert (
        page_with_ends.row("hF ↑")[2] == f"{as_text(report['hF'])}[{as_text(low)}, {as_text(high)}]"
    )
    assert "90 % confidence" in page_with_ends.words
    assert "My data" in page.words
    assert report.signature in page.words


def test_a_comparison_has_ranks_intervals_and_the_p_values_of_every_pair(comparison):
    page = Page(comparison.to_html())
    low, high = comparison.intervals["hF"].loc["near"]
    assert page.row("near")[1] == (
        f"{as_text(comparison.scores.at['near', 'hF'])} ({comparison.rank('near', 'hF')})"
        f"[{as_text(low)}, {as_text(high)}]"
    )
    assert [row[0] for row in page.rows].count("better") == len(KEYS)
    assert comparison.signature in page.words


def test_kinds_of_mistakes_are_those_of_the_report():
    # FAR: row 1 meets B1 in the root, row 2 predicts nothing, row 3 meets A2 in the root, row 4 is right.
    page = Page(evaluate(H, TRUE, FAR, measures=KEYS).to_html())
    assert page.row("right")[1] == "1 (25.0%)"
    assert page.row("other top class")[1] == "2 (50.0%)"
    assert page.row("no answer")[1] == "1 (25.0%)"
    assert not [row for row in page.rows if row[0] == "sibling"]
    widths = [a["style"] for tag, a in page.tags if tag == "i"]
    assert "width:50.00%" in widths


def test_the_matrix_has_the_counts_of_the_report(comparison):
    report = comparison.reports["near"]
    page = Page(report.to_html())
    table = report.confusion()
    # A and B are the top classes: 2 and 2 labels, all paired within their top class.
    assert page.row("A", "true")[:4] == ["A", "2", "2", ""]
    assert page.row("B", "true")[:4] == ["B", "2", "", "2"]
    assert table.loc["A"].tolist() == [2, 0, 2]
    # B has two labels on the diagonal, of which one is a mistake below it: the bar has half a width.
    assert any(
        "--i:50%" in attributes.get("style", "") for tag, attributes in page.tags if tag == "td"
    )
    # Below B: one of two is right, the other is predicted as B itself.
    (below,) = [row for row in page.rows if row[0] == "B1" and row[1:3] == ["2", "1"]]
    assert sorted(below[2:]) == ["1", "1"]
    both = Page(comparison.to_html())
    # The difference of the systems: far has no label right below A, and one below B is elsewhere.
    assert both.row("A", "true")[:4] == ["A", "0", "+2", "−1"]


def test_classes_have_their_support_and_the_f1_of_every_system(comparison):
    page = Page(comparison.to_html())
    # B1: true in rows 3 and 4. Near predicts it in row 4 only: P = 1, R = 1/2. Far in rows 1 and 4.
    assert page.row("B1", "class")[1:] == ["2", "0.6667", "0.5000"]
    one = Page(comparison.reports["near"].to_html())
    row = one.row("B1", "class")
    assert row[2:7] == ["2", "1", "1", "1.0000", "0.5000"]


def test_two_systems_have_the_reason_why_two_measures_differ(comparison):
    page = Page(comparison.to_html())
    split = comparison.why("accuracy", "hF")
    assert printable(split.sentence) in page.words
    _, rows = split.rows(split.kinds)
    assert [row[-1] for row in page.rows if row[:2] == rows[0][:2]] == [rows[0][-1]]
    three = dict.fromkeys("abc", comparison.reports["near"])
    assert "Why " not in Page(compare_reports(three).to_html()).words
    chosen = comparison.why("GIE", "hF")
    assert printable(chosen.sentence) in Page(comparison.to_html(split=chosen)).words


def test_a_page_opens_on_what_was_looked_at(comparison):
    names = list(comparison.reports)
    split = comparison.why("accuracy", "hF")
    rising = split.kinds.sort_values("hF", kind="stable")
    for parts in (rising, rising.iloc[::-1]):
        tables = {"levels": split.levels, "subtrees": split.subtrees, "kinds": parts}
        focus = PageFocus([names[1]], tables.__getitem__)
        source = write_page(comparison.reports, comparison, split=split, focus=focus)
        page = Page(source)
        (table,) = [t for t in page.tables if t[0][:2] == [printable(name) for name in names]]
        assert [tuple(row[:2]) for row in table[1:]] == list(parts.index)
    heads = re.findall(r"<h2>(.*?)</h2>", source)
    places = [
        next(k for k, head in enumerate(heads) if head.startswith(start))
        for start in ("Scores", "Why", "Which mistakes", "Confusion")
    ]
    assert places == sorted(places)
    assert f'<p class="answer">{escape(printable(split.sentence))}</p>' in source
    assert opened_matrix(source) == Page(f"<p>{break_words(names[1])}</p>").words
    # Two chosen systems: their difference, as it was chosen.
    both = write_page(comparison.reports, comparison, focus=PageFocus(names[::-1]))
    assert opened_matrix(both) == printable(f"{names[1]} − {names[0]}")


def opened_matrix(source):
    """The title of the confusion matrix that is open; there is one, and it is the first."""
    matrices = re.search(r"<h2>Confusion matrices</h2>.*?</section>", source, re.DOTALL)[0]
    titles = re.findall(r"<details( open)?><summary>(.*?)</summary>", matrices)
    assert [k for k, (opened, _) in enumerate(titles) if opened] == [0]
    return Page(titles[0][1]).words


def test_the_worst_instances_are_drawn_the_worst_first():
    report = evaluate(H, TRUE, FAR, measures=KEYS)
    page = Page(report.to_html())
    images = [attributes for tag, attributes in page.tags if tag == "img"]
    assert len(images) == 3
    # Row 2 predicts nothing: hF 0. Rows 1 and 3 share the root alone of three and three classes.
    assert re.findall(r"row (\d)", page.words) == ["2", "1", "3"]
    assert "True: A2." in images[0]["alt"]


def test_a_drawing_has_only_the_marked_classes_and_their_ancestors():
    h = Hierarchy.from_edges(
        [("R", f"T{k}") for k in range(9)] + [("T1", f"x{k}") for k in range(9)]
    )
    report = evaluate(h, ["x1"], ["x2"], measures=["hF"])
    (image,) = [a["src"] for tag, a in Page(report.to_html()).tags if tag == "img"]
    drawing = b64decode(image.partition("base64,")[2]).decode()
    # R, T1, x1 and x2 of 19 classes.
    assert "and 15 more classes, not drawn" in drawing
    assert not re.search(r">(T2|x3)<", drawing)


def test_a_long_name_can_go_on_in_the_next_line_where_a_part_begins():
    name = "team__a_very_long_system_name"
    page = evaluate_two("one", name).to_html()
    assert f'<th scope="row">{name.replace("_", "_<wbr>").replace("_<wbr>_", "__")}</th>' in page
    assert Page(page).row(name, "system")[0] == name
    # A word without parts goes on after 20 letters, and what is escaped stays so.
    assert break_words("<" * 21) == "&lt;" * 20 + "<wbr>&lt;"
    assert break_words("Ganzheitliches") == "Ganzheitliches"


def test_a_page_for_a_colleague_names_no_command(comparison):
    assert not re.search(r"\bcommand\b", Page(comparison.to_html()).words)


def test_labels_and_names_are_text_and_no_script_can_run(comparison):
    source = write_page(comparison.reports, comparison, title=HOSTILE, remarks=[HOSTILE])
    page = Page(source)
    assert not [tag for tag, _ in page.tags if tag in ("script", "link", "iframe", "object")]
    (policy,) = [a["content"] for tag, a in page.tags if a.get("http-equiv")]
    assert policy.startswith("default-src 'none'")
    assert "script-src" not in policy
    assert "\u202e" not in source
    assert page.words.count("<script>alert(1)</script>") > 3
    assert "{{ 7 }}" in page.words
    addresses = [a.get("src") or a.get("href") for _, a in page.tags]
    assert all(each is None or each.startswith("data:image/svg+xml;base64,") for each in addresses)


def test_a_report_of_sums_has_a_page_without_instances():
    report = evaluate(H, TRUE, NEAR, measures=KEYS, keep_instances=False)
    page = Page(report.to_html())
    assert as_text(report["hF"]) in page.words
    assert "Worst instances" not in page.words


def test_the_command_line_s_page_has_the_notes_on_the_files(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "h.txt").write_text("R A\nR B\n")
    (tmp_path / "t.csv").write_text("id,labels\n1,A\n2,B\n")
    (tmp_path / "one.csv").write_text("id,labels\n1,A\n")
    files = ["--hierarchy", "h.txt", "--true", "t.csv", "--predicted", "one.csv"]
    assert main(["evaluate", *files, "--measures", "hF", "--html", "page.html"]) == 0
    page = Page((tmp_path / "page.html").read_text("utf-8"))
    assert page.words.split()[0] == "t.csv"
    assert "one.csv: 1 instance without a prediction" in page.words
    assert main(["evaluate", *files, "--html", "h.txt"]) == 2
    assert "h.txt: cannot be written (it is read)" in capsys.readouterr().err


def test_a_small_page_leaves_out_the_parts_of_some_systems():
    h = Hierarchy.from_edges([(f"T{k}", f"{k}{x}") for k in range(30) for x in "ab"])
    systems = {name: ["0a", "1a"] for name in "pqrs"}
    comparison = compare(h, ["0a", "1b"], systems, measures=["hF"])
    page = Page(comparison.to_html())
    matrices = [a for tag, a in page.tags if tag == "table" and a.get("class") == "matrix"]
    # 31 matrices of a system: 3 systems have all, the fourth has only the top classes.
    assert len(matrices) == 3 * 31 + 1
    assert "some systems show only the matrix of top classes" in page.words


@pytest.mark.slow
def test_the_page_of_eight_systems_of_germeval_is_below_a_megabyte():
    folder = needs_data("germeval2019")
    names = sorted(path.stem for path in (folder / "submissions").glob("*.txt"))
    reports = {name: evaluate(*germeval(name, "b", folder)) for name in names}
    page = compare_reports(reports, intervals=0.95).to_html("GermEval 2019")
    assert len(names) == 8
    assert len(page.encode()) < 1_000_000
