"""The command line: what it prints, its exit status, and one plain line for bad input."""

import io
import json
import os
import socket
import sys
from pathlib import Path

import pytest

from hiermeasures.app import server
from hiermeasures.cli import main
from hiermeasures.explore.location import VARIABLE, opened
from hiermeasures.explore.present import NetworkAddress
from hiermeasures.measures import CATALOGUE
from tests.verify.helpers import FIGURE, write

FIGURE_11A = "A B\nA C\nB T1\nB P1\nB P2\n"
# Instances 0, 1, 2 of Figure 11(a); hF is 4/7, 4/5 and 4/6 in a, 4/7, 4/6 and 4/6 in b.
TEXTS = {
    "f.txt": FIGURE_11A,
    "true.txt": "T1\nT1\nC\n",
    "a.txt": "P1 P2\nB\nT1 C\n",
    "b.txt": "P1 P2\nP1\nC P1\n",
}
FILES = "--hierarchy f.txt --true true.txt --predicted"
TEXTS |= {"h.txt": "A B\nA C\nB D\nB E\nC F\nC G\n"}
TEXTS |= {
    "t.csv": "id,labels\nx,D\ny,E\n",
    "p.csv": "id,labels\nx,D\ny,Ee\n",
    "q.csv": "id,labels\nx,E\ny,F\n",
}
SCORE = "score f.txt --true T1 --predicted P1,P2"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """A folder with small files."""
    monkeypatch.chdir(tmp_path)
    for name, text in TEXTS.items():
        Path(name).write_text(text)
    return tmp_path


@pytest.fixture
def printed(capsys):
    """Run a command and return its output: a line of words, and words that hold blanks."""

    def run(line, *words, status=0):
        capsys.readouterr()
        assert main([*line.split(), *words]) == status
        return capsys.readouterr().out

    return run


@pytest.fixture
def values(printed):
    return lambda line, *words: json.loads(printed(line, *words, "--json"))


@pytest.fixture
def started(monkeypatch):
    """Record the arguments of each call that would start Streamlit."""
    called = []
    monkeypatch.setattr("streamlit.web.cli.main", lambda arguments, **how: called.append(arguments))
    # what the command leaves in the environment goes with the test
    for variable in (server.LESSONS, VARIABLE):
        monkeypatch.setenv(variable, "")
        monkeypatch.delenv(variable)
    return called


def refusal(capsys, *arguments):
    """The one line that a refused command prints."""
    try:
        status = main(arguments)
    except SystemExit as stop:
        status = stop.code
    assert status == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "Traceback" not in printed.err
    lines = printed.err.splitlines()
    assert len(lines) == 1
    return lines[0]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("scor f.txt", "'score'"),
        ("score f.txt --true T1 --predicted P1 --mesures", "'--measures'"),
        ("--hlep", "'--help'"),
        ("xyz", "unknown command 'xyz' (see hiermeasures --help)"),
        ("evaluate --output x", "'--output'"),
        ("evaluate", "--hierarchy, --true and --predicted"),
        ("evaluate --hierarchy h --true t p.csv", "p.csv"),
        ("score h --true A --predicted B --measures hF SDL", "'SDL'"),
        (
            "score h --true A --predicted B --measures hF SDL",
            "by commas, such as hF,F_LCA, and put quotes around",
        ),
        ("find hF", "unquoted >"),
        ("find hF --hierarchy h --true t --predicted p", "unquoted >"),
        ("score f.txt --true T7 --predicted P1", "'T1'"),
        ("score f.txt --true T1 --predicted P1 --set d_max=5", "'dmax'"),
        ("score f.txt --true T1 --predicted P1 --set dmax=-1", "option dmax: "),
        ("score f.txt --true T1 --predicted P1 --set dmax", "--set takes OPTION=VALUE"),
        ("evaluate --hierarchy h.txt --true t.csv --predicted p.csv --unknown error", "'E'"),
        (
            "evaluate --hierarchy h.txt --true t.csv --predicted t.csv --csv nowhere/a.csv",
            "no such folder",
        ),
        ("evaluate --hierarchy h.txt --true t.csv --predicted t.csv --csv .", "a folder"),
        (f"find hF_2>0.5 {FILES} a.txt", "one system"),
        (f"find hF+1 {FILES} a.txt", "not a condition"),
        (f"find hG>1 {FILES} a.txt", "did you mean 'hF'"),
        (f"find 1>0 {FILES} a.txt", "names no measure"),
        (f"find {FILES} a.txt", "--disagree"),
        (f"find hF>0.5 --edit add {FILES} a.txt", "--edit"),
        (f"find --disagree hF,GIE {FILES} a.txt", "--predicted"),
        ("find hF", "'hF'"),
        ("app --lessons nowhere", "'nowhere' is not a folder"),
        ("app --port 0", "port 0"),
        ("app --port x", "--port"),
        ("app --address my_computer", "'my_computer'"),
        # an address of documentation's
        ("app --address 192.0.2.1", "'192.0.2.1'"),
        ("app --hierarchy nowhere.txt", "nowhere.txt"),
        ("app --case kosmopoulos2015/figure-11", "did you mean 'kosmopoulos2015/figure-11"),
        ("app --case kosmopoulos2015/figure-11a --true T9", "'T1'"),
        ("app --case kosmopoulos2015/figure-11a --set d_max=3", "did you mean 'dmax'"),
        ("app --true T1", "--hierarchy or --case"),
        ("sheet --out new --questions clik", "'click'"),
        ("sheet --out new --questions ,", "--questions is empty"),
        ("sheet --out new --format pdf", "unknown format 'pdf'"),
        ("sheet --out new --variants 1000000000", "1 to 200 variants, not 1000000000"),
        ("sheet --out new --measures flat --labels 1", "flat measures"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_line(typed, said, started, capsys):
    assert said in refusal(capsys, *typed.split())
    assert not started
    assert not Path("new").exists()


def test_no_command_shows_what_there_is(printed):
    assert "score" in printed("")


# --- score --------------------------------------------------------------------------------------


def test_figure_11a_as_json(values):
    for more, keys in (
        ("", set(CATALOGUE)),
        (" --all", {k for k, m in CATALOGUE.items() if m.by_default}),
    ):
        found = values(SCORE + more)
        assert set(found) == keys
        assert {k: round(found[k], 3) for k in ("hP", "hR", "hF", "SDL")} == {
            "hP": 0.5,
            "hR": 0.667,
            "hF": 0.571,
            "SDL": 3,
        }


def test_own_measures_are_listed_before_the_families_and_a_case_file_defines_them(
    printed, values, capsys
):
    first, row = printed(f"{SCORE} --explain --define", "cost:lower=GIE / len_P").splitlines()[:2]
    assert first == "Your own"
    assert row.split(maxsplit=2) == ["cost", "3.5000", "lower is better     With GIE 7, len_P 2."]
    text = "figure: F\nhierarchy: A>B A>C\ntrue: B\npredicted: C\ndefine: {mine: 2*hF, cost:lower: GIE / len_P}\n"
    Path("case.yaml").write_text(text)
    found = values("score case.yaml")
    assert (found["mine"], found["cost"]) == (1.0, 2.0)
    Path("case.yaml").write_text(text.replace("2*hF", "2*hG"))
    assert "case.yaml, line 5: '2*hG': unknown name 'hG'" in refusal(capsys, "score", "case.yaml")


@pytest.mark.parametrize(
    ("encoding", "name", "status", "words"),
    [
        ("ascii", "höher 🌳.txt", 0, "1 - "),
        ("cp1252", "/Höhe 🌳.txt", 2, "Höhe \\ud83c\\udf33.txt: there is no such file"),
    ],
)
def test_a_character_that_the_output_does_not_know_is_written_plainly(
    encoding, name, status, words, monkeypatch
):
    """An explained error says "1 − 3 / 5"; a file may be called by any name."""
    Path("höher 🌳.txt").write_text(FIGURE_11A)
    streams = {
        each: io.TextIOWrapper(io.BytesIO(), encoding=encoding) for each in ("stdout", "stderr")
    }
    with monkeypatch.context() as patched:
        for each, stream in streams.items():
            patched.setattr(sys, each, stream)
        found = main(
            [
                "score",
                name,
                "--true",
                "T1",
                "--predicted",
                "T1,P1",
                "--explain",
                "--measures",
                "MGIA",
            ]
        )
    for stream in streams.values():
        stream.flush()
    out, err = (stream.buffer.getvalue().decode(encoding) for stream in streams.values())
    assert (found, bool(out), bool(err)) == (status, status == 0, status == 2)
    assert words in out + err


# --- evaluate -----------------------------------------------------------------------------------


def test_weights_of_a_file_count_and_classes_that_it_leaves_out_are_named(capsys):
    files = (
        "evaluate --hierarchy h.txt --true t.csv --predicted q.csv --class-weights w.tsv".split()
    )
    Path("w.tsv").write_text("B\t1\nC\t2\nD\t3\nE\t4\n")
    assert main([*files, "--measures", "mi,ru", "--json"]) == 0
    out, err = capsys.readouterr()
    # E for D: 4 wrong, 3 missed; F for E: C and F wrong, B and E missed.
    assert json.loads(out) == {"mi": (4 + 2) / 2, "ru": (3 + 1 + 4) / 2}
    assert "w.tsv" in err
    Path("w.tsv").write_text("Q\t1\n")
    assert "w.tsv: unknown class 'Q'" in refusal(capsys, *files)


# --- find ---------------------------------------------------------------------------------------


def test_the_instances_of_files_where_a_condition_holds_most_extreme_first(printed, values):
    head, *rows = printed("find", "hF < 0.75", *f"{FILES} a.txt".split()).splitlines()
    assert head.startswith("2 of 3 instances, most extreme first: by the margin of the condition")
    assert rows[::2] == ["1: 0.1786; hF 0.5714", "3: 0.0833; hF 0.6667"]
    assert rows[1::2] == ["  true T1; predicted P1, P2", "  true C; predicted C, T1"]
    # The second instance: {A B T1} with {A B} 4/5, with {A B P1} 4/6.
    found = values("find", "mine > mine_2", *f"{FILES} a.txt b.txt --define mine=100*hF".split())
    (example,) = found["examples"]
    assert (found["instances"], found["found"], found["undefined"], example["id"]) == (3, 1, 0, 2)
    assert example["extreme"] == pytest.approx(80 - 100 * 4 / 6)
    assert list(example["predicted"].values()) == [["B"], ["P1"]]


def test_the_smallest_instance_where_something_holds_or_none(printed, values):
    lines = printed("find --trees 3 --dags 0", "hF > 0.6 and accuracy == 0").splitlines()
    assert lines == [
        "R>a a>b; T = {a}, P = {b}",
        "  accuracy          0.0000",
        "  hF                0.8000",
    ]
    found = values("find --disagree hF,GIE --trees 3 --dags 3")
    assert found["values"] == {"hF": [0.5, 0.8], "GIE": [2, 5]}
    assert found["after"]["predicted"] == ["a", "b"]
    none = "no such instance among 26: trees up to 3, DAGs up to 0 classes\n"
    assert printed("find --trees 3 --dags 0", "hF > 2", status=1) == none


# --- behaviour, verify --------------------------------------------------------------------------


def test_a_property_is_judged_with_examples_that_score_accepts(values):
    """One measure and trees of 3 classes: the known answer is worked out in tests/behaviour."""
    asked = "behaviour --measures GIE --properties more_truth_never_hurts --trees 3 --dags 3 --set dmax=6"
    verdict = values(asked)["more_truth_never_hurts"]["GIE"]
    assert (verdict["holds"], verdict["size"], verdict["values"]) == (False, 3, [2, 6])
    example = verdict["example"]
    assert (example["hierarchy"], example["true"], example["predicted"]) == (
        "R>a R>b",
        ["a"],
        ["b"],
    )
    for side, value in (("example", 2), ("after", 6)):
        Path("case.json").write_text(json.dumps(verdict[side]))
        assert values("score case.json")["GIE"] == value


def test_class_weights_and_the_settings_under_which_a_cell_changes(printed, values):
    """R→a→b: a has one child and weighs as much as its leaf, so that b weighs nothing."""
    asked = "behaviour --measures wF --properties too_deep_costs --trees 3 --dags 3"
    assert "wF            broken   R>a a>b; T = {a}, P = {b} → {a}: 1 → 1" in printed(
        f"{asked} --class-weights leaves"
    )
    verdict = values(f"{asked} --all-settings")["too_deep_costs"]["wF"]
    assert (verdict["known"], verdict["changes"]) == ("theorem", [])


def test_what_is_openly_unexplained_is_counted_and_accepted_unless_strict_and_else_not(
    printed, here
):
    """Table 26 of Kosmopoulos et al. prints a value that nothing gives, as its case file says."""
    last = printed("verify --paper kosmopoulos2015").splitlines()[-1]
    assert last.endswith("1 unexplained (as the case files say)")
    printed("verify --paper kosmopoulos2015 --strict", status=1)
    wrong = FIGURE.replace("SDL: 2", "SDL: 3")
    printed("verify --cases", str(write(here / "cases", figure=wrong)), status=1)
    printed("verify", str(here / "cases" / "figure.yaml"), status=1)
    openly = "discrepancies:\n  - {source: Table 1, cells: SDL, explanation: Nobody knows.}\n"
    printed("verify --cases", str(write(here / "cases", figure=wrong + openly)))


# --- app, sheet ---------------------------------------------------------------------------------


def test_streamlit_gets_the_port_and_the_app_the_folder_of_lessons(
    started, here, monkeypatch, capsys, printed
):
    with socket.create_server(("localhost", 0)) as other:
        taken = other.getsockname()[1]
        monkeypatch.setattr(server, "FIRST_PORT", taken)
        assert f"port {taken} is in use" in refusal(capsys, "app", "--port", str(taken))
        said = printed("app --lessons", str(here))  # passes over it
    (port,) = (
        int(word.partition("=")[2]) for word in started[0] if word.startswith("--server.port=")
    )
    assert taken < port < taken + server.PORTS_TRIED
    assert started[0][:2] == ["run", str(server.entry())]
    assert "--server.address=localhost" in started[0]
    assert os.environ[server.LESSONS] == str(here)
    assert f"http://localhost:{port};" in said


@pytest.mark.parametrize(
    ("asked", "address"),
    [("app --classroom", "0.0.0.0"), ("app --classroom --address localhost", "localhost")],
)
def test_a_class_reaches_the_app_unless_an_address_says_otherwise(
    started, monkeypatch, printed, asked, address
):
    home = NetworkAddress("192.168.1.5", "wlan0")
    monkeypatch.setattr(server, "find_addresses", lambda: [home])
    monkeypatch.delenv(server.CLASSROOM, raising=False)
    said = printed(asked)
    assert f"--server.address={address}" in started[0]
    assert ("http://192.168.1.5:" in said) == (address == "0.0.0.0")


def test_the_app_opens_in_the_instance_that_is_named(started, monkeypatch, printed):
    printed("app --hierarchy f.txt --true T1 --predicted P1,P2 --set dmax=3")
    monkeypatch.chdir("/")
    shown = opened().shown
    assert (shown.title, shown.instance.true, shown.instance.predicted) == (
        "f.txt",
        {"T1"},
        {"P1", "P2"},
    )
    # GIE pairs T1 with one of them at distance 2 and charges the other dmax.
    assert shown.explained()["GIE"] == 2 + 3


def test_sheets_replace_nothing_unless_it_is_asked_for_and_then_it_is_said(printed, capsys):
    asked = "sheet --questions value,click --number 2 --variants 3 --out new --seed"
    assert "3 worksheets of 2 exercises" in printed(f"{asked} 7")
    names = (
        "solutions.html solutions.tex variant-01.tex variant-02.tex variant-03.tex worksheets.html"
    )
    assert sorted(p.name for p in Path("new").iterdir()) == names.split()
    before = Path("new/worksheets.html").read_text()
    assert "--overwrite" in refusal(capsys, *asked.split(), "8")
    assert Path("new/worksheets.html").read_text() == before
    assert main([*asked.split(), "8", "--overwrite"]) == 0
    assert "worksheets.html was replaced" in capsys.readouterr().err
    assert Path("new/worksheets.html").read_text() != before


def test_levels_are_printed_for_each_file(printed, values):
    # Level 1 of Figure 11(a): {B}, {B}, {C} against {B}, {B}, {B, C}: 3 of 4 predicted are shared.
    line = f"evaluate {FILES} a.txt --by-level"
    first = values(line)["1"]
    assert (first["precision"], first["recall"], first["iou"]) == (3 / 4, 1.0, 3 / 4)
    assert first["accuracy"] == 2 / 3
    assert "0.7500" in printed(line)
    assert printed(line, "--csv", "-").splitlines()[2].startswith("a.txt,1,2,3,4,3,0.75,1.0")
    assert r"a.txt & 1 & 2 & 3 & 4 & 3 & 0.7500" in printed(line, "--latex", "-")
    assert set(values(f"evaluate {FILES} a.txt b.txt --by-level")) == {"a.txt", "b.txt"}


def test_an_option_that_acts_on_no_measure_is_named_for_one_instance_too(printed, capsys):
    for words, note in (
        ("--measures hF --set dmax=3", "note: an option that no measure here uses: dmax"),
        ("--measures hF,GIE --set dmax=3", ""),
        ("--measures hF", ""),
    ):
        assert main(f"{SCORE} {words}".split()) == 0
        assert capsys.readouterr().err.strip() == note
