"""The command line: what it prints, its exit status, and one plain line for bad input."""

import io
import json
import os
import shutil
import socket
import sys
from pathlib import Path

import pytest

from hiermeasures.app import server
from hiermeasures.cli import main
from hiermeasures.explorer.location import VARIABLE, opened
from hiermeasures.measures import CATALOGUE
from tests.cases.helpers import FIGURE, write

FIGURE_11A = "A B\nA C\nB T1\nB P1\nB P2\n"


@pytest.fixture
def figure(tmp_path):
    path = tmp_path / "figure11a.txt"
    path.write_text(FIGURE_11A)
    return str(path)


@pytest.fixture
def started(monkeypatch):
    """Record the arguments of each call that would start Streamlit."""
    called = []
    monkeypatch.setattr("streamlit.web.cli.main", lambda arguments, **how: called.append(arguments))
    for variable in (server.LESSONS, VARIABLE):  # what the command leaves in the environment goes with the test
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
        ("scor F", "unknown command 'scor'; nearest known: 'score'"),
        ("score F --true T1 --predicted P1 --mesures", "unknown argument '--mesures'; nearest known: '--measures'"),
        ("--hlep", "unknown argument '--hlep'; nearest known: '--help'"),
        ("xyz", "unknown command 'xyz' (see hiermeasures --help)"),
        ("evaluate --output x", "unknown argument '--output' (see hiermeasures evaluate --help)"),
        ("evaluate", "evaluate needs --hierarchy, --true and --predicted, or one TABLE (see"),
        ("evaluate --hierarchy h --true t p.csv", "p.csv is taken for one table, of which --predicted must"),
        ("score h --true A --predicted B --measures hF SDL", "'SDL' belongs to no option (see hiermeasures score"),
        ("compare --hierarchy h --true t --predicted p q --like hF", "--like takes a whole signature, in quotes"),
        ("score F --true T7 --predicted P1", "unknown class 'T7'; nearest known: 'T1'"),
        ("score F --true T1 --predicted P1 --set d_max=5", "unknown option 'd_max'; nearest known: 'dmax'"),
        ("score F --true T1 --predicted P1 --set dmax=-1", "option dmax: "),
        ("score F --true T1 --predicted P1 --set dmax", "--set takes OPTION=VALUE"),
        ("find hF", "'hF': this is a number, and a condition is needed"),
        ("app --lessons nowhere", "no folder 'nowhere'"),
        ("app --port 0", "no port 0"),
        ("app --port x", "--port"),
        ("app --address my_computer", "'my_computer' is no address"),
        ("app --address 192.0.2.1", "nothing can answer at '192.0.2.1'"),  # an address of documentation's
        ("app --hierarchy nowhere.txt", "nowhere.txt: there is no such file"),
        ("app --case kosmopoulos2015/figure-11", "nearest known: 'kosmopoulos2015/figure-11"),
        ("app --case kosmopoulos2015/figure-11a --true T9", "unknown class 'T9'; nearest known: 'T1'"),
        ("app --case kosmopoulos2015/figure-11a --set d_max=3", "nearest known: 'dmax'"),
        ("app --true T1", "--hierarchy or --case names it"),
        ("sheet --out new --questions clik", "unknown kind of question 'clik'; nearest known: 'click'"),
        ("sheet --out new --questions ,", "--questions names nothing"),
        ("sheet --out new --format pdf", "unknown format 'pdf'"),
        ("sheet --out new --variants 1000000000", "1 to 200 variants, not 1000000000"),
        ("sheet --out new --measures flat --labels 1", "with one label flat measures are 0 or 1"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_line(typed, said, figure, started, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert said in refusal(capsys, *(figure if word == "F" else word for word in typed.split()))
    assert not started
    assert not Path("new").exists()


def test_no_command_shows_what_there_is(capsys):
    assert main([]) == 0
    assert "score" in capsys.readouterr().out


class TestScore:
    def test_figure_11a_as_json(self, figure, capsys):
        for more, keys in (([], set(CATALOGUE)), (["--all"], {k for k, m in CATALOGUE.items() if m.by_default})):
            assert main(["score", figure, "--true", "T1", "--predicted", "P1,P2", "--json", *more]) == 0
            values = json.loads(capsys.readouterr().out)
            assert set(values) == keys
            found = {k: round(values[k], 3) for k in ("hP", "hR", "hF", "SDL")}
            assert found == {"hP": 0.5, "hR": 0.667, "hF": 0.571, "SDL": 3}

    def test_an_undefined_value_is_null_in_json_and_a_dash_in_the_table(self, figure, capsys):
        # Two predicted classes cannot each have the one true one.
        of = ["score", figure, "--true", "T1", "--predicted", "P1,P2", "--measures", "core,TIE"]
        main([*of, "--json"])
        assert json.loads(capsys.readouterr().out)["TIE"] is None
        main(of)
        assert any(line.split()[:2] == ["TIE", "–"] for line in capsys.readouterr().out.splitlines())

    def test_a_name_with_a_comma_stands_in_quotes(self, tmp_path, capsys):
        path = tmp_path / "h.csv"
        path.write_text('R,"Arts, crafts"\nR,Music\n')
        assert main(["score", str(path), "--true", '"Arts, crafts"', "--predicted", "Music", "--json"]) == 0


class TestFilesOfLabels:
    @pytest.fixture
    def files(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        (tmp_path / "h.txt").write_text("A B\nA C\nB D\nB E\nC F\nC G\n")
        (tmp_path / "t.csv").write_text("id,labels\nx,D\ny,E\n")
        (tmp_path / "p.csv").write_text("id,labels\nx,D\ny,Ee\n")
        return ["--hierarchy", "h.txt", "--true", "t.csv", "--predicted", "p.csv"]

    def test_an_unknown_class_is_named_with_file_instance_and_nearest(self, files, capsys):
        assert (
            refusal(capsys, "evaluate", *files)
            == "hiermeasures: unknown class 'Ee' in p.csv, instance 'y'; nearest known: 'E'"
        )

    def test_a_signature_is_printed_and_taken_back(self, files, capsys):
        files = [*files[:-1], "t.csv"]
        assert main(["evaluate", *files, "--measures", "hF,GIE", "--set", "dmax=2", "--signature", "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert main(["evaluate", *files, "--like", found["signature"], "--signature", "--json"]) == 0
        assert json.loads(capsys.readouterr().out) == found
        assert main(["evaluate", *files, "--like", found["signature"], "--signature"]) == 0
        assert capsys.readouterr().out.splitlines()[-1] == found["signature"]
        fewer = found["signature"].replace("|n:", "|n:1")
        assert main(["evaluate", *files, "--like", fewer]) == 0
        assert "the signature is of 1" in capsys.readouterr().out
        told = refusal(capsys, "evaluate", *files, "--like", fewer, "--set", "dmax=3")
        assert told == "hiermeasures: --like says what --set would say: leave it out"

    def test_weights_of_a_file_count_and_classes_that_it_leaves_out_are_named(self, files, tmp_path, capsys):
        (tmp_path / "p.csv").write_text("id,labels\nx,E\ny,F\n")
        (tmp_path / "w.tsv").write_text("B\t1\nC\t2\nD\t3\nE\t4\n")
        assert main(["evaluate", *files, "--class-weights", "w.tsv", "--measures", "mi,ru", "--json"]) == 0
        printed = capsys.readouterr()
        # E for D: 4 wrong, 3 missed; F for E: C and F wrong, B and E missed.
        assert json.loads(printed.out) == {"mi": (4 + 2) / 2, "ru": (3 + 1 + 4) / 2}
        assert "note: w.tsv: classes without a weight weigh 0: 'A', 'F', 'G'" in printed.err.splitlines()
        (tmp_path / "w.tsv").write_text("Q\t1\n")
        assert "w.tsv: unknown class 'Q'" in refusal(capsys, "evaluate", *files, "--class-weights", "w.tsv")

    @pytest.mark.parametrize(("target", "why"), [("nowhere/a.csv", "no such folder"), (".", "a folder")])
    def test_what_cannot_be_written_is_said_before_the_work(self, files, target, why, capsys):
        assert why in refusal(capsys, "evaluate", *files, "--csv", target)


class TestOwnMeasures:
    def test_score_lists_an_own_measure_before_the_families(self, figure, capsys):
        sides = ["--true", "T1", "--predicted", "P1,P2", "--explain"]
        assert main(["score", figure, *sides, "--define", "cost:lower=GIE / len_P"]) == 0
        first, row = capsys.readouterr().out.splitlines()[:2]
        assert first == "Your own"
        assert row.split(maxsplit=2) == ["cost", "3.5000", "lower is better     With GIE 7, len_P 2."]

    def test_a_case_file_defines_its_own_measures(self, tmp_path, monkeypatch, capsys):
        monkeypatch.chdir(tmp_path)
        path = Path("case.yaml")
        text = "figure: F\nhierarchy: A>B A>C\ntrue: B\npredicted: C\ndefine: {mine: 2*hF, cost:lower: GIE / len_P}\n"
        path.write_text(text)
        assert main(["score", str(path), "--json"]) == 0
        values = json.loads(capsys.readouterr().out)
        assert (values["mine"], values["cost"]) == (1.0, 2.0)
        path.write_text(text.replace("2*hF", "2*hG"))
        assert "case.yaml, line 5: '2*hG': unknown name 'hG'" in refusal(capsys, "score", str(path))


class TestFindInFiles:
    @pytest.fixture
    def files(self, tmp_path):
        """Instances 0, 1, 2 of Figure 11(a); hF is 4/7, 4/5 and 1/2 in a, 4/7, 4/6 and 2/3 in b."""
        texts = {"h": FIGURE_11A, "true": "T1\nT1\nC\n", "a": "P1 P2\nB\nT1 C\n", "b": "P1 P2\nP1\nC P1\n"}
        for name, text in texts.items():
            (tmp_path / f"{name}.txt").write_text(text)
        sides = [f"--hierarchy={tmp_path}/h.txt", f"--true={tmp_path}/true.txt"]
        return [*sides, "--predicted", f"{tmp_path}/a.txt"]

    def test_the_instances_of_a_file_where_a_condition_holds_most_extreme_first(self, files, capsys):
        # hF: {A B T1} with {A B P1 P2} 4/7; with {A B} 4/5; {A C} with {A B T1 C} 4/6.
        assert main(["find", "hF < 0.75", *files]) == 0
        head, *rows = capsys.readouterr().out.splitlines()
        assert head.startswith("2 of 3 instances, most extreme first: by how far the condition holds")
        assert rows == [
            "0: 0.1786; hF 0.5714",
            "  true T1; predicted P1, P2",
            "2: 0.0833; hF 0.6667",
            "  true C; predicted C, T1",
        ]

    def test_a_second_file_has_its_names_and_own_measures_are_known(self, files, capsys):
        # Instance 1: {A B} 4/5 against {A B P1} 4/6.
        both = [*files, files[-1].replace("a.txt", "b.txt")]
        assert main(["find", "mine > mine_2", *both, "--define", "mine=100*hF", "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert (found["instances"], found["found"], found["undefined"]) == (3, 1, 0)
        assert found["examples"][0]["id"] == 1
        assert found["examples"][0]["extreme"] == pytest.approx(80 - 100 * 4 / 6)
        assert list(found["examples"][0]["predicted"].values()) == [["B"], ["P1"]]

    @pytest.mark.parametrize(
        ("arguments", "says"),
        [
            (["hF_2 > 0.5"], "there is only one system, and no number 2 (character 1)"),
            (["hF + 1"], "a condition is needed"),
            (["hG > 1"], "nearest known: 'hF'"),
            (["1 > 0"], "names no measure"),
            ([], "found by a condition, or by --disagree"),
            (["hF > 0.5", "--edit", "add"], "--edit is about made-up instances"),
            (["--disagree", "hF,GIE"], "and --predicted two files"),
        ],
    )
    def test_what_cannot_be_asked_of_files_is_refused(self, files, arguments, says, capsys):
        assert says in refusal(capsys, "find", *arguments, *files)


@pytest.mark.parametrize(
    ("encoding", "name", "status", "words"),
    [
        ("ascii", "höher 🌳.txt", 0, "1 - "),
        ("cp1252", "/Höhe 🌳.txt", 2, "Höhe \\ud83c\\udf33.txt: there is no such file"),
    ],
)  # a short path: of a long one a message shows the beginning only
def test_a_character_that_the_output_does_not_know_is_written_plainly(
    encoding, name, status, words, tmp_path, monkeypatch
):
    """An explained error says "1 − 3 / 5"; a file may be called by any name."""
    (tmp_path / "höher 🌳.txt").write_text(FIGURE_11A)
    streams = {each: io.TextIOWrapper(io.BytesIO(), encoding=encoding) for each in ("stdout", "stderr")}
    with monkeypatch.context() as patched:
        for each, stream in streams.items():
            patched.setattr(sys, each, stream)
        found = main(["score", str(tmp_path / name), "--true", "T1", "--predicted", "P1,P2", "--explain"])
    for stream in streams.values():
        stream.flush()
    out, err = (stream.buffer.getvalue().decode(encoding) for stream in streams.values())
    assert (found, bool(out), bool(err)) == (status, status == 0, status == 2)
    assert words in out + err


class TestVerify:
    def test_what_is_openly_unexplained_is_counted_and_accepted_unless_strict(self, capsys):
        """Table 2 of Falis et al. prints two values that nothing gives, as its case file says."""
        assert main(["verify", "--paper", "falis2021"]) == 0
        assert capsys.readouterr().out.splitlines()[-1].endswith("2 unexplained (as the case files say)")
        assert main(["verify", "--paper", "falis2021", "--strict"]) == 1

    def test_a_cell_that_differs_from_what_its_file_says_is_not_accepted(self, tmp_path, capsys):
        folder = write(tmp_path, figure=FIGURE.replace("SDL: 2", "SDL: 3"))
        assert main(["verify", "--cases", str(folder)]) == 1
        openly = "discrepancies:\n  - {source: Table 1, cells: SDL, explanation: Nobody knows.}\n"
        write(tmp_path, figure=FIGURE.replace("SDL: 2", "SDL: 3") + openly)
        assert main(["verify", "--cases", str(folder)]) == 0
        assert main(["verify", "--cases", str(folder), "--strict"]) == 1


class TestBehaviour:
    """One measure and trees of 3 classes: the known answer is worked out in tests/behaviour."""

    ARGUMENTS = "behaviour --measures GIE --properties more_truth_never_hurts --trees 3 --dags 3".split()

    def test_json_is_by_property_and_measure(self, capsys):
        assert main([*self.ARGUMENTS, "--json"]) == 0
        verdict = json.loads(capsys.readouterr().out)["more_truth_never_hurts"]["GIE"]
        assert (verdict["holds"], verdict["size"], verdict["values"]) == (False, 3, [2, 5])
        example = verdict["example"]
        assert (example["hierarchy"], example["true"], example["predicted"]) == ("R>a R>b", ["a"], ["b"])

    def test_an_example_is_a_case_that_score_accepts(self, tmp_path, capsys):
        main([*self.ARGUMENTS, "--set", "dmax=6", "--json"])
        verdict = json.loads(capsys.readouterr().out)["more_truth_never_hurts"]["GIE"]
        case = tmp_path / "case.json"
        for side, value in (("example", 2), ("after", 6)):
            case.write_text(json.dumps(verdict[side]))
            assert main(["score", str(case), "--json"]) == 0
            assert json.loads(capsys.readouterr().out)["GIE"] == value

    def test_class_weights_and_the_settings_under_which_a_cell_changes(self, capsys):
        """R→a→b: a has one child and weighs as much as its leaf, so that b weighs nothing."""
        arguments = ("behaviour", "--measures", "wF", "--properties", "too_deep_costs", "--trees", "3", "--dags", "3")
        assert main([*arguments, "--class-weights", "leaves"]) == 0
        assert "wF            broken   R>a a>b; T = {a}, P = {b} → {a}: 1 → 1" in capsys.readouterr().out
        assert main([*arguments, "--all-settings", "--json"]) == 0
        verdict = json.loads(capsys.readouterr().out)["too_deep_costs"]["wF"]
        assert (verdict["known"], verdict["changes"]) == (
            "theorem",
            ["DAGs and trees, the root counted, class weights that differ"],
        )


class TestFind:
    def test_a_condition(self, capsys):
        assert main(["find", "hF > 0.6 and accuracy == 0", "--trees", "3", "--dags", "0"]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[0] == "R>a a>b; T = {a}, P = {b}"
        assert lines[1:] == ["  accuracy          0.0000", "  hF                0.8000"]

    def test_two_measures_that_disagree_as_json(self, capsys):
        assert main(["find", "--disagree", "hF,GIE", "--trees", "3", "--dags", "3", "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["values"] == {"hF": [0.5, 0.8], "GIE": [2, 5]}
        assert found["after"]["predicted"] == ["a", "b"]

    def test_nothing_found_is_status_1(self, capsys):
        assert main(["find", "hF > 2", "--trees", "3", "--dags", "0"]) == 1
        assert capsys.readouterr().out == "none in 26 instances: trees up to 3, DAGs up to 0 classes\n"


def free_port():
    with socket.create_server(("localhost", 0)) as probe:
        return probe.getsockname()[1]


class TestApp:
    def test_streamlit_gets_the_port_and_the_app_the_folder_of_lessons(self, started, tmp_path, capsys):
        port = free_port()
        assert main(["app", "--port", str(port), "--lessons", str(tmp_path)]) == 0
        assert started[0][:2] == ["run", str(server.entry())]
        assert {f"--server.port={port}", "--server.address=localhost"} <= set(started[0])
        assert os.environ[server.LESSONS] == str(tmp_path)
        assert f"http://localhost:{port};" in capsys.readouterr().out

    def test_a_taken_port_is_refused_where_it_was_asked_for_and_passed_over_where_not(
        self, started, monkeypatch, capsys
    ):
        with socket.create_server(("localhost", 0)) as other:
            taken = other.getsockname()[1]
            monkeypatch.setattr(server, "FIRST_PORT", taken)
            assert f"port {taken} is taken" in refusal(capsys, "app", "--port", str(taken))
            assert main(["app"]) == 0
        (port,) = (int(word.partition("=")[2]) for word in started[0] if word.startswith("--server.port="))
        assert taken < port < taken + server.PORTS_TRIED

    def test_it_opens_in_the_instance_that_is_named(self, started, figure, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        shutil.copy(figure, "mine.txt")
        main(["app", "--hierarchy", "mine.txt", "--true", "T1", "--predicted", "P1,P2", "--set", "dmax=3"])
        monkeypatch.chdir("/")
        shown = opened().shown
        assert (shown.title, shown.instance.true, shown.instance.predicted) == ("mine.txt", {"T1"}, {"P1", "P2"})
        # GIE pairs T1 with one of them at distance 2 and charges the other dmax.
        assert shown.explained()["GIE"] == 2 + 3


class TestSheet:
    ASKED = ("sheet", "--questions", "value,click", "--number", "2", "--seed", "7")

    def test_a_document_for_each_student_and_one_with_the_solutions(self, tmp_path, capsys):
        assert main([*self.ASKED, "--variants", "3", "--out", str(tmp_path / "new")]) == 0
        assert "3 worksheets of 2 exercises" in capsys.readouterr().out
        names = "solutions.html solutions.tex variant-01.tex variant-02.tex variant-03.tex worksheets.html"
        assert sorted(p.name for p in (tmp_path / "new").iterdir()) == names.split()

    def test_nothing_is_replaced_unless_it_is_asked_for_and_then_it_is_said(self, tmp_path, capsys):
        sheet = [*self.ASKED, "--format", "html", "--out", str(tmp_path)]
        assert main(sheet) == 0
        before = (tmp_path / "worksheets.html").read_text()
        capsys.readouterr()
        assert "worksheets.html is there already; --overwrite replaces it" in refusal(capsys, *sheet, "--seed", "8")
        assert (tmp_path / "worksheets.html").read_text() == before
        assert main([*sheet, "--seed", "8", "--overwrite"]) == 0
        assert "worksheets.html was replaced" in capsys.readouterr().err
        assert (tmp_path / "worksheets.html").read_text() != before
