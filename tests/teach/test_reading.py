"""Reading lessons: what of a card is kept, what comes with the library, and lessons that are wrong
on purpose, each refused with file, card and reason.
"""

import re
from pathlib import Path

import pytest

from hiermeasures.cli import main
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.teach import load_lessons, read_lesson
from hiermeasures.teach.cards import LONGEST_TEXT, MOST_CARDS
from hiermeasures.teach.library import card_entries, lesson_yaml, verify_lessons
from tests.teach import FIGURE_11A, HEAD, TWO, asked, card, lesson, lesson_text, refusal

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_a_card_of_a_figure_has_its_instance_and_says_where_it_is_from():
    made = card(FIGURE_11A, "measures: GIE hF", "view: pairing", "hidden: values view")
    (x,) = made.explained
    # Table 1 of Kosmopoulos et al. 2015
    assert (x.true, x.predicted, x["GIE"]) == ({"T1"}, {"P1", "P2"}, 7.0)
    assert (made.case, made.source) == (
        "kosmopoulos2015/figure-11a",
        "Figure 11(a), Kosmopoulos et al. 2015",
    )
    assert (made.measures, made.view, made.hidden) == (("GIE", "hF"), "pairing", {"values", "view"})
    assert x is made.explained[0]


def test_what_a_card_gives_stands_over_the_figure():
    made = card(FIGURE_11A, "predicted: P1", "options: {dmax: 3}")
    assert made.instances[0].predicted == {"P1"}
    assert made.instances[0].options.dmax == 3.0
    assert made.source == "after Figure 11(a), Kosmopoulos et al. 2015"
    added = card(
        "hierarchy: {like: kosmopoulos2015/figure-11a, edges: C>D}", "true: D", "predicted: T1"
    )
    assert added.instances[0].hierarchy.parents("D") == ("C",)
    assert added.case == ""


WEIGHED = "hierarchy: {edges: A>B A>C, weights: {A: 0, B: 1, C: 3}}\ntrue: B\npredicted: C\noptions: {class_weights: given}"


def test_what_classes_weigh_travels_with_a_card():
    (instance,) = card(WEIGHED).instances
    assert [instance.hierarchy.class_weight(c) for c in "ABC"] == [0, 1, 3]
    written = {
        "lesson": "L",
        "learns": "l",
        "minutes": "1",
        "cards": [card_entries(instance, title="t")],
    }
    (again,) = read_lesson(lesson_yaml(written).encode(), "some.yaml").cards[0].instances
    assert (again.hierarchy, again.options) == (instance.hierarchy, instance.options)
    # With a hierarchy that is drawn as an answer, too: C weighs 3 and D, which is new, 1.
    question = asked(
        WEIGHED, 'kind: make, change: hierarchy, condition: mi == 4, answer: "A>B A>D D>C"'
    )
    assert question.judge(question.read("A>B A>D D>C")).right


def test_own_measures_travel_as_definitions():
    made = card(TWO, "define: {mine: 1 - hF, 'cost:lower': GIE / 2}", "measures: cost mine hF")
    assert made.measures == ("cost:lower=GIE / 2", "mine=1 - hF", "hF")
    assert made.explained[0][made.measures[0]] == 1.0  # P1 to T1 is 2


def test_lessons_are_in_the_order_of_their_files_and_found_by_key_and_every_fault_is_told(tmp_path):
    for stem in ("10-b", "2-a"):
        (tmp_path / f"{stem}.yaml").write_text(lesson_text(FIGURE_11A), encoding="utf-8")
    (tmp_path / "3-c.yaml").write_text("lesson: [", encoding="utf-8")
    wrong = lesson_text(f"{FIGURE_11A}\nclaims: [hF > 1, GIE = 1]", f"{FIGURE_11A}\nmeasures: hX")
    (tmp_path / "4-d.yaml").write_text(wrong, encoding="utf-8")
    library = load_lessons(tmp_path)
    assert [found.key for found in library.lessons] == ["2-a", "10-b"]
    assert library.faults[0].file == "3-c.yaml"
    told = [(fault.line, fault.reason[:6]) for fault in library.faults[1:]]
    assert told == [(7, "card 1"), (7, "card 1"), (10, "card 2")]
    assert library.broken == library.faults[1:3]
    assert library.lesson("2-a").entries.minutes == 5
    with pytest.raises(InputError, match="did you mean '10-b'"):
        library.lesson("10-c")
    assert [found.key for found in load_lessons(tmp_path / "2-a.yaml").lessons] == ["2-a"]


def test_every_lesson_that_comes_with_the_project_holds():
    report = verify_lessons()
    assert (report.faults, report.broken, report.exit_status) == ((), (), 0)


def test_the_example_in_the_docs_works():
    blocks = re.findall(
        r"```yaml\n(.*?)```", (DOCS / "lessons.md").read_text(encoding="utf-8"), re.S
    )
    example = read_lesson(blocks[0].encode(), "example.yaml")
    assert [c.question.kind for c in example.cards if c.question] == ["prefers", "pair"]
    for question in blocks[1].strip().splitlines():
        assert lesson(f"{FIGURE_11A}\n{question}").cards[0].question


def question(entries: str, instance: str = FIGURE_11A) -> str:
    return f"{instance}\nquestion: {{{entries}}}"


_TOO_MANY = " ".join(f"A>B{k}" for k in range(5001)) + " A>T1 A>P1 A>P2"
NOTHING = "hierarchy: A>B\ntrue: B\npredicted: []"
WRONG = [
    # an answer that does not follow
    (question("kind: value, value: hF, answer: 2/3"), "4/7"),
    (question("kind: prefers, measure: GIE, answer: second", TWO), "the first"),
    (question("kind: click, set: G_t, answer: T1"), "B, T1"),
    (question("kind: pair, measure: GIE, answer: P1>T1 P2>T1"), "P2 left over"),
    (question("kind: make, condition: hF > 0.9, answer: B"), "answer"),
    (question("kind: which, choices: hF F_LCA, says: X = 0.4, answer: hF"), "F_LCA"),
    # an expression that does not hold
    (f"{FIGURE_11A}\nclaims: [hF > 0.6]", "0.5714"),
    (question('kind: value, value: hF, answer: 4/7, explain: "{hF > 1}"'), "hF > 1"),
    # a class that is not there
    (f"{FIGURE_11A}\ntrue: T2", "'T2'"),
    (question("kind: click, set: G_t, answer: B T9"), "'T9'"),
    (question("kind: pair, measure: GIE, answer: P9>T1"), "'P9'"),
    # a card with nothing to answer
    (f"{FIGURE_11A}\nquestion:", "'kind'"),
    (question("kind: value, answer: 1"), "'value'"),
    (question("kind: value, value: hF"), "'answer'"),
    (question("kind: make, condition: hF > 0.5, answer: T1"), "hF > 0.5 is true at the start"),
    (question("kind: which, choices: hF hP, says: X > 0, answer: hF"), "all choices are right"),
    (question("kind: which, choices: hF hP, says: X > 1, answer: hF"), "none of the choices"),
    (question("kind: prefers, measure: hF, answer: first"), "one prediction"),
    (question("kind: value, value: TIE, answer: 1"), "TIE has no value"),
    (question("kind: value, value: 2/3, answer: 2/3"), "no measure"),
    (question("kind: click, set: augmented(predicted), answer: A", NOTHING), "empty"),
    (
        question("kind: pair, measure: GIE, answer: P1>", "hierarchy: A>B\ntrue: []\npredicted: B"),
        "one side has no class",
    ),
    (f"{FIGURE_11A}\nhidden: values", "no values to hide"),
    ("text: No instance", "'hierarchy'"),
    # what is not known, with the nearest that is
    (f"{FIGURE_11A}\nmeasures: hF FLCA", "'F_LCA'"),
    (f"{FIGURE_11A}\nview: ancestor", "'ancestors'"),
    (f"{FIGURE_11A}\nhidden: value", "'values'"),
    ("case: kosmopoulos2015/figure-11", "'kosmopoulos2015/figure-11"),
    (f"{FIGURE_11A}\noptions: {{d_max: 3}}", "'dmax'"),
    (f"{FIGURE_11A}\nquestion: {{kind: prefer, measure: hF}}", "'prefers'"),
    (f"{FIGURE_11A}\nquestoin: x", "'question'"),
    # an entry of another kind
    (question("kind: click, set: hF, answer: A"), "set of classes"),
    (question("kind: pair, measure: hF, answer: P1>T1"), "hF pairs no classes"),
    (question("kind: value, value: G_t, answer: 1"), "not a number"),
    (question("kind: make, condition: hF, answer: A"), "not a condition"),
    (question("kind: which, choices: hF hP, says: hF > 1, answer: hF"), "X,"),
    (question("kind: value, value: hF, set: G_t, answer: 4/7"), "'set'"),
    (f"{FIGURE_11A}\ndefine: {{hF: GIE}}", "'hF'"),
    (question("kind: value, value: hF, answer: {a: b}"), "'answer'"),
    (f"{FIGURE_11A}\nmeasures: {{a: b}}", "'measures'"),
    (f"{FIGURE_11A}\nsecond: x", "'second'"),
    # too large
    (f"{FIGURE_11A}\ntext: {'x' * (LONGEST_TEXT + 1)}", "'text'"),
    (
        question(f"kind: make, change: hierarchy, condition: hF == 1, answer: {_TOO_MANY}"),
        "5,000 classes",
    ),
    (f"hierarchy: {_TOO_MANY}", "5,000 classes"),
]


@pytest.mark.parametrize(("card", "reason"), WRONG)
def test_a_wrong_card_is_refused_with_its_number_and_the_reason(card, reason):
    words = refusal(FIGURE_11A, card)
    assert words.startswith("some.yaml, line ")
    assert ": card 2: " in words
    assert reason in words
    assert "\n" not in words


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the file is empty"),
        ("- a", "a lesson file"),
        ("lesson: [", ": not YAML"),
        (HEAD + "\t- title: a", "spaces"),
        (HEAD + "  - title: a\n    text: Note: this", "quotation marks"),
        (
            HEAD.replace("minutes: 5", "minutes: soon") + "  - {title: a, hierarchy: A>B}",
            "'minutes'",
        ),
        (lesson_text(*[FIGURE_11A] * (MOST_CARDS + 1)), "60"),
        ("lesson: x\nlearns: y\nminutes: 3\ncards: []", "'cards'"),
        ("a: " + "[" * 40 + "]" * 40, "nested"),
        ("a: &b [x]\nc: *b", "anchors"),
        ("lesson: " + "x" * 1_000_001, "larger than 1000 kB"),
        (HEAD.replace("A lesson", "x" * 201) + "  - {title: a, hierarchy: A>B}", "'lesson'"),
    ],
)
def test_a_file_that_is_no_lesson_is_refused(text, reason):
    with pytest.raises(InputError) as caught:
        read_lesson(text.encode(), "some.yaml")
    assert reason in str(caught.value)
    assert str(caught.value).startswith("some.yaml")


def test_a_hierarchy_with_more_paths_than_can_be_listed_is_refused_at_once():
    # Sixty layers of two classes, each below both of the layer above: 2 to the power of 60 paths.
    layers = " ".join(f"{x}{k}>{y}{k + 1}" for k in range(60) for x in "ab" for y in "ab")
    words = refusal(
        f"hierarchy: R>a0 R>b0 {layers}\ntrue: a60\npredicted: b60\ntext: "
        f'"{{paths_from_root(a60)}}"'
    )
    assert "1,000 paths" in words
    assert "'a60'" in words


@pytest.mark.parametrize(
    ("card", "status", "line"),
    [
        (FIGURE_11A, 0, "1 card"),
        (f"{FIGURE_11A}\nclaims: [hF > 1]", 1, "1 claim"),
        (f"{FIGURE_11A}\nmeasures: hX", 2, "1 fault"),
    ],
)
def test_verify_ends_with_what_it_found(tmp_path, capsys, card, status, line):
    (tmp_path / "one.yaml").write_text(lesson_text(card), encoding="utf-8")
    assert main(["verify", "--lessons", str(tmp_path)]) == status
    shown = capsys.readouterr()
    assert line in shown.out
    assert ("one.yaml, line" in shown.err) == bool(status)
    assert main(["verify", "--lessons", str(tmp_path / "one.yaml"), "--json"]) == status
    assert '"lessons": {' in capsys.readouterr().out
