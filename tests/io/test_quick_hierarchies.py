"""Ordinary hierarchies that are written in a language (OBO) are read as arrays, everything else by the careful readers:
whichever does it, the same comes out.
"""

from contextlib import suppress

from hypothesis import example, given
from hypothesis import strategies as st

from hiermeasures.io import Limits, read_hierarchy_text
from hiermeasures.io.hierarchies import obo_terms
from hiermeasures.io.source import UPLOAD, Source
from hiermeasures.io.words import Unusual
from tests.io.test_as_arrays import mutated

SMALL = Limits(bytes=4_000, lines=40, nesting=3, label=12)
limits = st.sampled_from([UPLOAD, SMALL])
names = st.sampled_from([*"ABCDE", "longer than 8", "é", "a:b", "a\\Wb", "a\\!b", "x ! y", "z {w}", "\xa0", ""])


def text_of(data):
    return data.decode("utf-8", "replace")


# --- OBO ----------------------------------------------------------------------------------------------------------

TAGS = ["is_a: ", "is_a: ", "is_a:", "relationship: part_of ", "relationship: regulates ", "namespace: ", "alt_id: "]
TAGS += ["name: ", "is_obsolete: true ! ", "is_obsolete:", "id: ", "!", "", " is_a: ", "nonsense ", "part_of: "]
TAGS += ["relationship: part\\_of ", "relationship:part_of\t"]


@st.composite
def stanzas(draw):
    lines = draw(st.sampled_from([[], ["format-version: 1.4", ""], ["default-namespace: N"]]))
    for kind, name in draw(st.lists(st.tuples(st.sampled_from(["[Term]"] * 5 + ["[Typedef]", "[Term] x"]), names))):
        lines += [kind, f"id: {name}"]
        lines += [tag + value for tag, value in draw(st.lists(st.tuples(st.sampled_from(TAGS), names), max_size=3))]
    return "\n".join(lines)


def said(terms):
    return terms.names, terms.tag.tolist(), terms.term.tolist(), terms.value.tolist(), terms.line.tolist()


@given(data=mutated(stanzas()), limits=limits)
@example(b"[Term]\nid: A\n[Term]\nid: B\nis_a: A ! a\nrelationship: part_of A {x=y}\nnamespace: N\nname: b", UPLOAD)
@example(b"[Term]\nid: A\nnamespace:\nis_obsolete: false\n[Typedef]\nid: A\n[Term]\nid: a\\Wb\nalt_id:", UPLOAD)
@example(b"[Term]\nid: a\\Wb\nis_a: a b", UPLOAD)
@example(b"[Term]\nid: A\nrelationship: part\\_of B\nrelationship: part_of \xc2\xa0B", UPLOAD)
def test_terms_read_as_arrays_are_what_the_careful_reader_reads(data, limits):
    text = text_of(data)
    with suppress(Unusual):
        quick = said(obo_terms._terms_as_arrays(text, limits))
        assert quick == said(obo_terms._terms_line_by_line(text, Source("f.obo")))


def test_ordinary_terms_are_read_as_arrays(monkeypatch):
    monkeypatch.setattr(obo_terms, "_terms_line_by_line", None)
    text = '[Term]\nid: A\ndef: "\xa0: [\\"a\\"]" [x]\n\n[Typedef]\nid: x\n\n[Term]\nid: B\\Wb\nis_a: A {x="y"} ! a\n'
    assert read_hierarchy_text(text).edges == (("A", "B b"),)
