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
    terms = terms_of(text, Source("f.obo", limits=limits))
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


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("[Term]\nname: a\n[Term]\nid: B", 0, "first id"),
        ("[Term]\nid: A\n[Term]\nid: ! B\n", 0, "'A' id"),
        ("[Term]\nid: A\nname: a\nid: B", 0, "'A' second 'B'"),
        ("[Term]\nid: A\nis_a: ! A", 0, "is_a"),
        ("[Term]\nid: A\n nonsense\nname: x", 3, "'nonsense'"),
        ("[Term]\nid: A\n[Term]\nid: B\nis_a A", 5, "'is_a A'"),
        ("[Term]\nid: A\n[Term]\nid: B\nis", 5, "'is'"),
        ("format-version 1.4\n[Term]\nid: A\n", 1, "'format-version"),
        ("[Term]\nid: A\n[Typedef]\nid: r\nname r\n", 5, "'name"),
        ("[Term]\nid: A\n\n[Term'\nid: B\n", 4, "[Term]"),
        ("[Term]\nid: A\n[Tern]\nid: B\n", 3, "'[Tern]'"),
        ("[Term]\nid: A\n[term]\nid: B\n", 3, "'[term]'"),
        ("[Term]\nid: A\nnamespac: N", 3, "'namespac:' `namespace:`"),
        ("[Term]\nid: A\nis_a : B", 3, "`is_a:`"),
        ("[Term]\nid: A\nIs_A: B", 3, "'Is_A:' `is_a:`"),
        ("default-namspace: N\n[Term]\nid: A", 1, "'default-namspace:'"),
        ("[Term]\nid: A\nis_obsolete: ture", 0, "'ture'"),
        ("[Term]\nid: A\nis_a: A", 0, "'A' parent"),
        ("[Term]\nid: A\nis_a: B\n[Term]\nid: B\nis_a: A", 0, "cycle 'A' 'B'"),
        ("[Term]\nid: A\nis_a: " + "é" * 1001, 0, "1,001 characters"),
        ("[Term]\nid: A\nis_a: " + "x" * 4001, 0, "4,001 characters"),
        ("[Term]\nid: A\nis_a: \ud800", 0, "surrogate"),
    ],
)
def test_what_is_no_ontology_is_refused(text, line, words):
    with pytest.raises(InputError) as raised:
        read_hierarchy_text(text, name="f.obo")
    message = str(raised.value)
    assert message.startswith(f"f.obo, line {line}: " if line else "f.obo")
    assert all(word in message for word in words.split())


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
