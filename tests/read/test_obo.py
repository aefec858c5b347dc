"""OBO ontologies: what stanzas say, however it is written, and what is refused with its line."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hiermeasures import InputError
from hiermeasures.read import UPLOAD, Limits, read_hierarchy_text
from hiermeasures.read.hierarchies.obo import TAGS, terms_of
from hiermeasures.read.source import Source


def said(text, limits=UPLOAD):
    """Return (tag, id, value) of each statement on a term, in the order of tags."""
    terms = terms_of(text, Source("f.obo"), limits)
    return [(tag, term, value) for tag in TAGS for term, value in terms.of(tag)]


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("is_a: A", "A"),
        ("is_a:A ! a name", "A"),
        (" \tis_a: A \t", "A"),
        ('is_a: A {source="x!"} ! a', "A"),
        (r"is_a: a\Wb", "a b"),
        (r"is_a: a\!b\{c ! d", "a!b{c"),
        (r"is_a: a\\! b", "a\\"),
        (r"is_a: \n\t\r\W", "\n\t\r "),
        ("is_a: é\xa0", "é\xa0"),
        ("is_a: \x01", "\x01"),
    ],
)
def test_a_value_is_what_stands_before_comments_its_escapes_resolved(line, value):
    assert said(f"[Term]\nid: B\n{line}")[-1] == ("is_a", "B", value)


def test_stanzas_and_lines_that_say_nothing_of_a_term_are_passed_over():
    text = "x: y\ndefault-namespace: N\n\n[Formula]\nids: z\n[Typedef]\nid: x\nis_a: y\n"
    text += '[Term] ! one\nid: A\nname: "[x"\n! is_a: B\ndef: id: C\nhomepage: D\nrelationship: part_of B ! b\n'
    text += "relationship: regulates B\nrelationship: part_of\nalt_id:\nnamespace:\nis_obsolete: false\n"
    assert said(text) == [
        ("id", "A", "A"),
        ("relationship", "A", "part_of B"),
        ("relationship", "A", "regulates B"),
        ("relationship", "A", "part_of"),
        ("is_obsolete", "A", "false"),
        ("name", "A", '"[x"'),
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[Term]\nname: a\n[Term]\nid: B", "the first term has no id"),
        ("[Term]\nid: A\n[Term]\nid: ! B\n", "the term behind 'A' has no id"),
        ("[Term]\nid: A\nname: a\nid: B", "the term behind 'A' has a second id, 'B'"),
        ("[Term]\nid: A\nis_a: ! A", "is_a without a parent"),
        ("[Term]\nid: A\n nonsense\nname: x", "line 3: a line is `tag: value`, not 'nonsense'"),
        ("[Term]\nid: A\n[Term]\nid: B\nis_a A", "line 5: a line is `tag: value`, not 'is_a A'"),
        ("[Term]\nid: A\n[Term]\nid: B\nis", "line 5: a line is `tag: value`, not 'is'"),
        (
            "format-version 1.4\n[Term]\nid: A\n",
            "line 1: a line is `tag: value`, not 'format-version 1.4'",
        ),
        (
            "[Term]\nid: A\n[Typedef]\nid: r\nname r\n",
            "line 5: a line is `tag: value`, not 'name r'",
        ),
        ("[Term]\nid: A\n\n[Term'\nid: B\n", 'line 4: a term begins with [Term], not "[Term\'"'),
        ("[Term]\nid: A\n[Tern]\nid: B\n", "line 3: a term begins with [Term], not '[Tern]'"),
        ("[Term]\nid: A\n[term]\nid: B\n", "line 3: a term begins with [Term], not '[term]'"),
        ("[Term]\nid: A\nnamespac: N", "line 3: unknown tag 'namespac:'; is `namespace:` meant?"),
        ("[Term]\nid: A\nis_a : B", "line 3: unknown tag 'is_a :'; is `is_a:` meant?"),
        ("[Term]\nid: A\nIs_A: B", "line 3: unknown tag 'Is_A:'; is `is_a:` meant?"),
        ("default-namspace: N\n[Term]\nid: A", "line 1: unknown tag 'default-namspace:'"),
        ("[Term]\nid: A\nis_obsolete: ture", "is_obsolete is true or false, not 'ture'"),
        ("[Term]\nid: A\nis_a: A", "class 'A' is its own parent"),
        (
            "[Term]\nid: A\nis_a: B\n[Term]\nid: B\nis_a: A",
            "the hierarchy has a cycle: 'A' > 'B' > 'A'",
        ),
        ("[Term]\nid: A\nis_a: " + "é" * 1001, "a class name of 1,001 characters"),
        ("[Term]\nid: A\nis_a: " + "x" * 4001, "a class name of 4,001 characters"),
        ("[Term]\nid: A\nis_a: \ud800", "half a surrogate pair"),
    ],
)
def test_what_is_no_ontology_is_refused(text, reason):
    with pytest.raises(InputError) as raised:
        read_hierarchy_text(text, name="f.obo")
    assert str(raised.value).startswith("f.obo")
    assert reason in str(raised.value)


names = st.sampled_from(
    [*"ABCDE", "longer than 8", "é", "a:b", "a\\Wb", "a\\!b", "x ! y", "z {w}", "\xa0", ""]
)
TAGGED = [
    "is_a: ",
    "is_a: ",
    "is_a:",
    "relationship: part_of ",
    "relationship: regulates ",
    "namespace: ",
    "alt_id: ",
]
TAGGED += [
    "name: ",
    "is_obsolete: true ! ",
    "is_obsolete:",
    "id: ",
    "!",
    " is_a: ",
    "nonsense: ",
    "part_of: ",
]


@st.composite
def stanzas(draw):
    lines = draw(st.sampled_from([[], ["format-version: 1.4", ""], ["default-namespace: N"]]))
    for kind, name in draw(
        st.lists(st.tuples(st.sampled_from(["[Term]"] * 5 + ["[Typedef]", "[Term] x"]), names))
    ):
        lines += [kind, f"id: {name}"]
        lines += [
            tag + value
            for tag, value in draw(st.lists(st.tuples(st.sampled_from(TAGGED), names), max_size=3))
        ]
    return "\n".join(lines)


@given(text=stanzas(), limits=st.sampled_from([UPLOAD, Limits(bytes=4_000, lines=40, label=12)]))
@example("[Term]\nid: a\\Wb\n[Term]\nid: c\nis_a: a b", UPLOAD)
def test_terms_are_what_a_plain_reading_line_by_line_finds(text, limits):
    expected, inside, term = [], False, ""
    for line in text.split("\n"):
        line = line.strip(" \t")
        if line.startswith("["):
            inside = line.startswith("[Term]")
        elif inside and line and not line.startswith("!"):
            tag, _, value = line.partition(":")
            for mark in ("\\!", "\\W"):
                value = value.replace(mark, chr(0xE000 + ord(mark[1])))
            value = value.split("!")[0].split("{")[0].strip(" \t")
            value = value.replace(chr(0xE000 + ord("!")), "!").replace(chr(0xE000 + ord("W")), " ")
            if tag == "id":
                term = value
            if tag in TAGS and value:
                expected.append((tag, term, value))
    try:
        found = said(text, limits)
    except InputError:
        return
    assert found == sorted(expected, key=lambda entry: TAGS.index(entry[0]))


def test_two_ways_to_write_a_name_are_one_class():
    h = read_hierarchy_text("[Term]\nid: a\\Wb\n[Term]\nid: c\nis_a: a b\n")
    assert h.edges == (("a b", "c"),)


@pytest.mark.parametrize("length", [1_000, 1_001, 5_000])
def test_a_name_that_is_too_long_for_a_title_refuses_nothing(length):
    h = read_hierarchy_text(f"[Term]\nid: A\n\n[Term]\nid: B\nname: {'n' * length}\nis_a: A\n")
    assert h.title("B") == ("n" * length if length == 1_000 else "B")
