"""The command line: what it prints, its exit status, and one plain line for bad input."""

import json

import pytest

from hiermeasures.cli import main
from tests.conftest import needs_data

FIGURE_11A = "A B\nA C\nB T1\nB P1\nB P2\n"


@pytest.fixture
def figure(tmp_path):
    path = tmp_path / "figure11a.txt"
    path.write_text(FIGURE_11A)
    return str(path)


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


class TestScore:
    def test_figure_11a_as_json(self, figure, capsys):
        assert main(["score", figure, "--true", "T1", "--predicted", "P1,P2", "--json"]) == 0
        values = json.loads(capsys.readouterr().out)
        assert {k: round(values[k], 3) for k in ("hP", "hR", "hF", "SDL")} == {"hP": 0.5, "hR": 0.667, "hF": 0.571, "SDL": 3}

    def test_an_undefined_value_is_null_in_json_and_a_dash_in_the_table(self, figure, capsys):
        main(["score", figure, "--true", "T1", "--predicted", "P1,P2", "--json"])
        assert json.loads(capsys.readouterr().out)["TIE"] is None  # two predicted classes cannot each have the one true one
        main(["score", figure, "--true", "T1", "--predicted", "P1,P2"])
        assert any(line.split()[:2] == ["TIE", "–"] for line in capsys.readouterr().out.splitlines())

    def test_options_change_the_values(self, figure, capsys):
        main(["score", figure, "--true", "T1", "--predicted", "P1,P2", "--set", "dmax=3", "--json"])
        assert json.loads(capsys.readouterr().out)["GIE"] == 2 + 3

    def test_a_name_with_a_comma_stands_in_quotes(self, tmp_path, capsys):
        path = tmp_path / "h.csv"
        path.write_text('R,"Arts, crafts"\nR,Music\n')
        assert main(["score", str(path), "--true", '"Arts, crafts"', "--predicted", "Music", "--json"]) == 0

    def test_the_germeval_hierarchy_scores(self, capsys):
        path = str(needs_data("germeval2019/hierarchy.txt"))
        arguments = ["--true", "Romane & Erzählungen", "--predicted", "Literatur & Unterhaltung", "--json"]
        assert main(["score", path, *arguments]) == 0
        # The virtual root does not count: {Literatur, Romane} against {Literatur}.
        assert json.loads(capsys.readouterr().out)["hR"] == 0.5

    def test_every_sentence_can_be_printed(self, figure, capsys):
        assert main(["score", figure, "--true", "T1", "--predicted", "P1,P2", "--explain"]) == 0
        assert "T1 pairs with P1 at distance 2; P2 has no partner and costs 5." in capsys.readouterr().out


class TestBadInput:
    def test_an_unknown_class_names_it_and_the_nearest_known_one(self, figure, capsys):
        assert refusal(capsys, "score", figure, "--true", "T7", "--predicted", "P1").endswith("unknown class 'T7'; nearest known: 'T1'")

    def test_a_cycle_names_its_nodes(self, tmp_path, capsys):
        path = tmp_path / "h.txt"
        path.write_text("A B\nB C\nC B\n")
        message = refusal(capsys, "score", str(path), "--true", "A", "--predicted", "B")
        assert "cycle" in message
        assert "'B'" in message
        assert "'C'" in message

    def test_a_malformed_line_says_its_number(self, tmp_path, capsys):
        path = tmp_path / "h.txt"
        path.write_text("A B\nA C\nA B C D\n")
        assert "line 3" in refusal(capsys, "score", str(path), "--true", "B", "--predicted", "C")

    def test_a_file_that_is_not_there(self, capsys):
        assert "nowhere.txt" in refusal(capsys, "score", "nowhere.txt", "--true", "A", "--predicted", "B")

    @pytest.mark.parametrize(("setting", "words"), [
        ("d_max=5", "nearest known: 'dmax'"), ("dmax=-1", "greater than 0"), ("dmax", "OPTION=VALUE"), ("graphs=tiny", "'minimal'"),
    ])  # fmt: skip
    def test_options(self, figure, capsys, setting, words):
        assert words in refusal(capsys, "score", figure, "--true", "T1", "--predicted", "P1", "--set", setting)

    @pytest.mark.parametrize("arguments", [(), ("scor",), ("score",), ("score", "x", "--true")])
    def test_a_wrong_call_is_one_line_too(self, capsys, arguments):
        assert refusal(capsys, *arguments).startswith("hiermeasures")
