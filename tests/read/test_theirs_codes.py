"""Files of codes that people have: tables of codes, ranks, paths, MeSH, ICD, with their hierarchies
written by hand.
"""

import random
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import Hierarchy, InputError, evaluate
from hiermeasures.cli import main
from hiermeasures.read import convert, read_hierarchy, read_hierarchy_text, write_hierarchy_text

GOOGLE = [
    "Home & Garden",
    "Home & Garden > Lamps, Shades",
    "Home & Garden > Tools",
    "Home & Garden > Tools > Saws",
]
GOOGLE_EDGES = {(GOOGLE[0], GOOGLE[1]), (GOOGLE[0], GOOGLE[2]), (GOOGLE[2], GOOGLE[3])}
TAXA = {
    ("k__Bacteria", "k__Bacteria; p__Firmicutes"),
    ("k__Bacteria; p__Firmicutes", "k__Bacteria; p__Firmicutes; c__Bacilli"),
    ("k__Bacteria", "k__Bacteria; p__Proteobacteria"),
}
ISCO = {("1", "11"), ("11", "112"), ("2", "21")}
ISCO_TITLES = {
    "1": "Managers",
    "11": "Chief executives",
    "112": "Directors, chief",
    "2": "Professionals",
}
# Our own headings and numbers, in MeSH's form. Breast has two numbers, so it is below both of the
# first two.
MESH = [
    ("Body Regions", "A01"),
    ("Skin System", "A17"),
    ("Breast", "A01.236"),
    ("Breast", "A17.500"),
]
MESH += [("Nipples", "A01.236.500"), ("Nipples", "A17.500.700")]
MESH_EDGES = {("Body Regions", "Breast"), ("Skin System", "Breast"), ("Breast", "Nipples")}
TITLED = [
    ("1", "Managers", ""),
    ("11", "Chief executives", "1"),
    ("112", '"Directors, chief"', "11"),
]
TITLED += [("2", "Professionals", ""), ("21", "", "2")]

FILES = {
    "parents.csv": (["code,title,parent", *map(",".join, TITLED)], ISCO, ISCO_TITLES),
    "parents first.csv": (["Parent ID,ID,Name", *(f"{p},{c},{t}" for c, t, p in TITLED)], ISCO, ISCO_TITLES),
    "parents.tsv": (["code\tparent\ttitle", *(f"{c}\t{p}\t{t}" for c, t, p in TITLED)], ISCO, None),
    "codes.csv": (["ISCO Code,Title EN,note", *(f"{c},{t},x" for c, t, _ in TITLED)], ISCO, ISCO_TITLES),
    "ranks.csv": (
        ["level1,level2,level3", "A,B,C", "A,D,", "E,,"],
        {("A", "A > B"), ("A > B", "A > B > C"), ("A", "A > D")}, None,
    ),
    "ranks.tsv": (["id\tfamily\tgenus", "1\tFelidae\tFelis", "2\tFelidae\t"], {("Felidae", "Felidae > Felis")}, None),
    "google.txt": (["# Google_Product_Taxonomy_Version: 2021-09-21", *GOOGLE], GOOGLE_EDGES, None),
    "google ids.txt": (
        ["# Google_Product_Taxonomy_Version: "
            "2021-09-21", *(f"{k} - {path}" for k, path in enumerate(GOOGLE, 536))],
        GOOGLE_EDGES, None,
    ),
    "qiime.tsv": (
        ["Feature ID\tTaxon\tConfidence", "f1\tk__Bacteria; p__Firmicutes; c__Bacilli; s__\t0.98",
         "f2\tk__Bacteria; "
             "p__Proteobacteria\t0.7", "f3\tk__Bacteria; p__Firmicutes; "
             "c__\t0.8"], TAXA, None,
    ),
    "greengenes.txt": (
        ["", "228054\tk__Bacteria; p__Firmicutes; "
            "c__Bacilli", "73627\tk__Bacteria; "
            "p__Proteobacteria; c__"],
        TAXA, None,
    ),
    "silva.tsv": (
        ["", "Archaea;\t2\tdomain\t\t", "Archaea;Aenigmarchaeota;\t11084\tphylum\t\t123"],
        {("Archaea", "Archaea;Aenigmarchaeota")}, None,
    ),
    "silva qiime.txt": (
        ["", "AB1\tD_0__Archaea;D_1__Eury;D_2__", "AB2\tD_0__Archaea;D_1__Thaum"],
        {("D_0__Archaea", "D_0__Archaea;D_1__Eury"), ("D_0__Archaea", "D_0__Archaea;D_1__Thaum")}, None,
    ),
    "mtrees2024.bin": (["", *map(";".join, MESH)], MESH_EDGES, {}),
    "mtrees.txt": (["", *map(";".join, MESH)], MESH_EDGES, {}),
    "descriptors.csv": (
        ["DescriptorUI,DescriptorName,TreeNumbers", "D1,Body Regions,A01", "D2,Skin System,A17",
         "D3,Breast,A01.236|A17.500", "D4,Nipples,A01.236.500; A17.500.700"],
        {("D1", "D3"), ("D2", "D3"), ("D3", "D4")},
        {"D1": "Body Regions", "D2": "Skin System", "D3": "Breast", "D4": "Nipples"},
    ),
    "numbers.tsv": (["Heading\tTree Number", *map("\t".join, MESH)], MESH_EDGES, {}),
}  # fmt: skip


def text_of(lines):
    return "\n".join(line for line in lines if line) + "\n"


def edges(h):
    return {(above, below) for above, below in h.edges if above != "(root)"}


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_theirs_is_the_hierarchy_that_it_says(name):
    lines, expected, titles = FILES[name]
    h = read_hierarchy_text(text_of(lines), name)
    assert edges(h) == expected
    assert titles is None or h.titles == titles


@pytest.mark.parametrize("name", FILES)
def test_the_order_of_lines_does_not_matter(name):
    (first, *rest), _, _ = FILES[name]
    h = read_hierarchy_text(text_of([first, *rest]), name)
    shuffle = random.Random(7)
    for _ in range(5):
        shuffle.shuffle(rest)
        other = read_hierarchy_text(text_of([first, *rest]), name)
        assert (other, other.titles, other.fingerprint) == (h, h.titles, h.fingerprint)


def test_edge_lists_of_names_that_hold_paths_are_edge_lists_still():
    assert edges(read_hierarchy_text("parent,child\nA,A > B\nA,A > C\n")) == {
        ("A", "A > B"),
        ("A", "A > C"),
    }
    assert edges(read_hierarchy_text("A\tA > B\nA\tA > C\n")) == {("A", "A > B"), ("A", "A > C")}
    h = Hierarchy.from_paths(["A > B > C", "A > D"])
    for format in ("csv", "edges", "json", "obo"):
        assert read_hierarchy_text(write_hierarchy_text(h, format), f"h.{format}") == h


BAD = {
    "own parent": ("code,title,parent\n1,A,\n2,B,2\n", "line 3: class '2'"),
    "unknown parent": (
        "code,title,parent\nL92,A,\nL92.8,B,L92\nx,C,L928\n",
        "line 4: class 'x' has the unknown parent 'L928'",
    ),
    "no class": ("code,title,parent\n1,A,\n,B,1\n", "line 3: "),
    "cycle": ("code,title,parent\n1,A,\n2,B,3\n3,C,2\n", "a cycle"),
    "too many cells": ("code,title,parent\n1,A,,x\n", "line 2: 4 cells"),
    "weight": ("code,title,parent,weight\n1,A,,\n2,B,1,heavy\n", "line 3: "),
    "two class weights": ("code,title,parent,class_weight\n1,A,,1\n2,B,1,1\n2,B,1,2\n", "line 4: class '2'"),
    "no parents": ("code,title\nx,A\nyy,B\n", "no code"),
    "skipped rank": ("level1,level2,level3\nA,B,C\nA,,D\n", "line 3: path 'A > > D'"),
    "separator in a rank": ("level1,level2\nA > B,C\n", "line 2: 'A > B'"),
    "mixed paths": ("Feature "
        "ID\tTaxon\n1\tA;B\n2\tA;C\n3\tA|D\n", "1 have '|'"),
    "no paths": ("Feature ID\tTaxon\n1\tcat\n2\tdog\n", "paths nor codes"),
    "no tree number": ("name,tree "
        "number\nBody,A01\nSkin,17.8\n", "line 3: '17.8'"),
    "two headings": ("Body;A01\nSkin;A01\n", "line 2: tree number A01"),
    "number without parent": ("Body;A01\nSkin;A02.500\n", "line 2: "),
    "skipped level": ("A > B > C\nA >  > D\n", "line 2: path 'A > > D'"),
}  # fmt: skip


@pytest.mark.parametrize("fault", BAD)
def test_bad_files_are_refused_in_plain_words(fault, tmp_path, capsys):
    text, message = BAD[fault]
    path = tmp_path / "h.txt"
    path.write_text(text)
    assert main(["score", str(path), "--true", "A", "--predicted", "A"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"hiermeasures: {path}")
    assert message in printed.err
    assert len(printed.err.splitlines()) == 1


# --- faulty entries -----------------------------------------------------------------------------

DIRTY = [  # a class, its parent, whether the row is faulty: unknown, its own, again, of a cycle
    ("L92", "", 0),
    ("L92.8", "L92", 0),
    ("L92.9", "L928", 1),
    ("E11", "E11", 1),
    ("L92.8", "L92", 1),
    ("a", "b", 1),
    ("b", "c", 1),
    ("c", "a", 1),
    ("d", "a", 0),
]
CLEAN = {("L92", "L92.8"), ("a", "d")}


def test_faulty_rows_are_left_out_and_listed():
    frame = pd.DataFrame([(c, p or None) for c, p, _ in DIRTY], columns=["code", "parent"])
    text = "code,parent,title\n" + "\n".join(f"{c},{p},x" for c, p, _ in DIRTY)
    for h, where in (
        (Hierarchy.from_frame(frame, child="code", parent="parent", errors="drop"), "row"),
        (read_hierarchy_text(text, "h.csv", errors="drop"), "line"),
        (
            read_hierarchy_text(
                text.replace(",title", "").replace(",x", ""), "h.csv", errors="drop"
            ),
            "line",
        ),
    ):
        assert edges(h) == CLEAN
        assert set(h.nodes) == {"(root)", *(c for c, _, _ in DIRTY)}  # all classes are there still
        rows = [(k + (where == "line"), c) for k, (c, _, bad) in enumerate(DIRTY, 1) if bad]
        assert [d.split(" ", 4)[:4] for d in h.dropped] == [
            [where, f"{k}:", "class", repr(c)] for k, c in rows
        ]
    with pytest.raises(InputError, match=r"row 3: class 'L92\.9'.*'L928'.*'L92\.8'"):
        Hierarchy.from_frame(frame, child="code", parent="parent")


@pytest.mark.parametrize(
    ("text", "name", "expected", "lines"),
    [
        ("A\tB\nB\tB\nC\tD\nD\tC\n", "", ("A", "B"), [2, 3, 4]),
        ("Body;A01\nSkin;A02.500\nNo number\nFoot;A01.378\n", "m.bin", ("Body", "Foot"), [2, 3]),
        ("A > B\nA >  > C\n", "p.paths", ("A", "A > B"), [2]),
    ],
)
def test_faults_of_other_formats_are_left_out_too(text, name, expected, lines):
    h = read_hierarchy_text(text, name, errors="drop")
    assert edges(h) == {expected}
    assert [int(d.split()[1].strip(":")) for d in h.dropped] == lines


@given(st.lists(st.tuples(*[st.sampled_from("abcde")] * 2), min_size=1, max_size=9))
def test_what_is_left_is_every_edge_without_a_fault_in_any_order(rows):
    """By brute force: an edge is of a cycle if its upper end is reached from its lower one."""
    below = {label: {c for c, p in rows if p == label and c != p} for label in "abcde"}

    def reached(start):
        seen, ahead = set(), [start]
        while ahead:
            found = below[ahead.pop()] - seen
            seen |= found
            ahead += found
        return seen

    expected = {(p, c) for c, p in rows if p != c and p not in reached(c)}
    for order in (rows, rows[::-1], sorted(rows)):
        h = Hierarchy.from_frame(
            pd.DataFrame(order, columns=["c", "p"]), child="c", parent="p", errors="drop"
        )
        assert edges(h) == expected
        assert len(h.dropped) == len(rows) - len(expected)


def test_the_command_line_prints_all_that_was_left_out(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("h.csv").write_text("code,title,parent\n1,A,\n11,B,1\n12,C,l1\n13,D,13\n")
    Path("answers.csv").write_text("truth,answer\n11,12\n11,11\n")
    columns = "--true truth --predicted answer --measures hF --hierarchy h.csv"
    for command in (f"evaluate answers.csv {columns}", "convert h.csv clean.csv"):
        assert main(command.split()) == 2
        assert "h.csv, line 4: class '12'" in capsys.readouterr().err
        assert main([*command.split(), "--errors", "drop"]) == 0
        said = [line for line in capsys.readouterr().err.splitlines() if "left out:" in line]
        assert ["line 4: class '12'" in said[0], "line 5: class '13'" in said[1]] == [True] * 2
    assert read_hierarchy("clean.csv").titles == {"1": "A", "11": "B", "12": "C", "13": "D"}
    assert "titles" in convert("clean.csv", "clean.obo").notes[-1]
    assert "no place" not in str(convert("clean.csv", "clean.tsv").notes)


# --- as labels of one table ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("truth", "answers", "expected", "taxonomy"),
    [
        # hF = 2 shared / (true + predicted), classes with their ancestors; the virtual root does
        # not count.
        (["1171 - " + GOOGLE[3], "536 - " + GOOGLE[0]], [GOOGLE[2], GOOGLE[0]], (2 * 2 / 5 + 1) / 2, None),
        (["k__B; p__F; c__X; s__", "k__B; p__P"], ["k__B; p__F; c__; s__", "k__B;p__P"], (2 * 2 / 5 + 1) / 2, None),
        (["D12.776.157", "D12"], ["D12.776", "D12"], (2 * 2 / 5 + 1) / 2, None),
        # Breast with both parents is 3 classes, Nipples 4: 2 * 3 / 7.
        (["Nipples", "Body Regions"], ["Breast", "Body Regions"], (2 * 3 / 7 + 1) / 2, ("m.bin", "mtrees2024.bin")),
    ],
    ids=["google", "qiime", "tree numbers", "mesh"],
)  # fmt: skip
def test_codes_of_theirs_are_labels_of_one_table(truth, answers, expected, taxonomy):
    if isinstance(taxonomy, tuple):
        taxonomy = read_hierarchy_text(text_of(FILES[taxonomy[1]][0]), taxonomy[0])
    elif taxonomy:
        taxonomy = read_hierarchy(taxonomy)
    table = pd.DataFrame({"truth": truth, "answer": answers})
    report = evaluate(table, true="truth", predicted="answer", taxonomy=taxonomy, measures="hF")
    assert report["hF"] == pytest.approx(expected)
    assert len(report.answers.rows["unknown"]) == 0
