"""The list of terms: each term once, and a text explains a term once."""

from collections import Counter

from hiermeasures.hierarchy.words import pluralize
from hiermeasures.measures.terms import TERMS, split_at_terms


def test_a_name_or_a_form_belongs_to_one_term() -> None:
    names = Counter(name for term in TERMS for name in {term.name, *term.forms})
    assert not [name for name, times in names.items() if times > 1]


def test_every_form_and_its_plural_gets_the_definition() -> None:
    for term in TERMS:
        for form in term.forms:
            for word in (form, pluralize(form)):
                parts = list(split_at_terms(f"See {word}, {word}.", set()))
                assert parts == [("See ", ""), (word, term.text), (f", {word}.", "")], word


def test_a_longer_term_wins_and_parts_of_names_are_no_terms() -> None:
    explained = [
        part for part, meaning in split_at_terms("LCA graphs, F_LCA, LCA", set()) if meaning
    ]
    assert explained == ["LCA graphs", "LCA"]


def test_a_known_term_is_not_explained_again() -> None:
    known: set[str] = set()
    assert [bool(m) for _, m in split_at_terms("Ancestors.", known)] == [True, False]
    assert [bool(m) for _, m in split_at_terms("Ancestors.", known)] == [False]
