"""The terms that docs, glossary and lessons use, each with its one definition.

Our name comes first. The names that papers and other programs use are next to it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from hiermeasures.hierarchy.words import pluralize


@dataclass(frozen=True)
class GlossaryTerm:
    """A term with its definition and its other names.

    A text explains the term at the first of its `forms`. Common words have no forms, because most
    texts need no explanation of them.
    """

    name: str
    meaning: str
    others: str = ""
    forms: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The definition with the other names."""
        return f"{self.meaning} Also called: {self.others}." if self.others else self.meaning


def _special(name: str, meaning: str, others: str = "", *forms: str) -> GlossaryTerm:
    return GlossaryTerm(name, meaning, others, forms or (name,))


TERMS = (
    GlossaryTerm(
        "hierarchy",
        "A tree or a DAG of classes with one root. If your file has several top classes, a "
        "virtual root joins them.",
        "taxonomy, ontology",
    ),
    GlossaryTerm(
        "class", "A node of the hierarchy, such as Jazz.", "node, category, concept, code"
    ),
    GlossaryTerm(
        "instance",
        "One item to classify, with its true and predicted classes.",
        "document, sample, target (CAFA)",
    ),
    _special(
        "true class",
        "A class that the instance really has. Drawings show it in a circle.",
        "gold label, reference",
    ),
    _special("predicted class", "A class that the classifier chose. Drawings show it in a box."),
    GlossaryTerm("hit", "A predicted class that is also true.", "true positive (TP)"),
    _special(
        "DAG",
        "A hierarchy in which a class can have several parents, so several paths can lead to it.",
        "directed acyclic graph",
    ),
    GlossaryTerm(
        "root", "The class above all other classes. The option count_root decides if it counts."
    ),
    _special(
        "ancestor",
        "A class above another one: its parent, a parent of its parent, and so on.",
        "hypernym (WordNet)",
    ),
    _special(
        "descendant",
        "A class below another one: its child, a child of its child, and so on.",
        "hyponym (WordNet)",
    ),
    _special("sibling", "Another class with the same parent."),
    _special("leaf", "A class without children."),
    GlossaryTerm(
        "path",
        "The classes from the root down to a class, each the parent of the next.",
        "allocation path (Riehl et al.), lineage",
    ),
    GlossaryTerm(
        "level",
        "The number of edges on the longest path from the root to a class.",
        "rank (biology)",
    ),
    _special(
        "too specific",
        "The prediction is below the true class.",
        "too deep, over-specialization (Kosmopoulos et al.), over-prediction",
        "too specific",
        "too deep",
    ),
    _special(
        "too general",
        "The prediction is above the true class.",
        "too high, under-specialization (Kosmopoulos et al.), under-classified (Bokulich et al.)",
        "too general",
        "too high",
    ),
    GlossaryTerm("measure", "A number for an answer. It is read from a structure.", "metric"),
    GlossaryTerm(
        "structure",
        "The object behind a value, such as two augmented sets or a pairing. You can see it.",
    ),
    _special(
        "augmented set",
        "The true or predicted classes with the classes that a rule adds, such as ancestors, "
        "descendants, or the classes of an LCA graph.",
        "Y_aug (Kosmopoulos et al.)",
    ),
    _special(
        "lowest common ancestor (LCA)",
        "The top of a shortest path that goes up from one class and down to the other. In a DAG "
        "two classes can have several.",
        "",
        "lowest common ancestor",
        "LCA",
    ),
    _special(
        "LCA graph",
        "The paths that join the true or the predicted classes with their LCAs. The minimal "
        "graphs keep as few LCAs as possible, the extended graphs keep all.",
        "G_t and G_p (Kosmopoulos et al.)",
        "LCA graph",
        "minimal graph",
        "extended graph",
    ),
    _special(
        "pairing",
        "Pairs of a predicted and a true class, chosen so that the sum of their distances is as "
        "small as possible.",
        "flow network (Kosmopoulos et al.)",
    ),
    _special(
        "default class",
        "A stand-in partner for a class without a partner. A pair with it costs D_max.",
    ),
    _special("D_max", "The cost of a class without a partner. It is the option dmax.", "Max"),
    GlossaryTerm(
        "pairing error",
        "The total cost of the cheapest pairing, before MGIA turns it into an accuracy.",
        "fnerror (Kosmopoulos et al.)",
    ),
    _special(
        "information",
        "How rare a class is, in bits. Half as many instances add one bit.",
        "information content (IC)",
    ),
    GlossaryTerm(
        "weight",
        "The number that a class adds to the sums of the weighted measures. The option "
        "class_weights chooses it.",
        "information accretion (CAFA), cost (Cesa-Bianchi et al.)",
    ),
    GlossaryTerm("score", "A measure whose higher values are better."),
    GlossaryTerm("error", "A measure whose lower values are better.", "loss, distance"),
    GlossaryTerm(
        "option",
        "A choice that papers leave open, such as D_max or the value of 0/0 (zero_division).",
    ),
    GlossaryTerm(
        "undefined",
        "Without a value, such as TIE for an empty answer. Averages leave such instances out and "
        "show how many they are.",
        "nan",
    ),
    GlossaryTerm(
        "mean over instances",
        "Each instance counts equally. This is the average samples, our default.",
        "macro (HiClass)",
    ),
    GlossaryTerm(
        "micro average",
        "One value from the counts of all instances together. This is the average micro.",
        "ratio of sums",
    ),
    GlossaryTerm("macro average", "Each class counts equally. This is the average macro."),
)


@cache
def _forms() -> tuple[re.Pattern[str], dict[str, GlossaryTerm]]:
    """Return a pattern for all forms, the longest first, and the term of each form."""
    terms = {
        word.casefold(): term
        for term in TERMS
        for form in term.forms
        for word in (form, pluralize(form))
    }
    words = "|".join(re.escape(word) for word in sorted(terms, key=len, reverse=True))
    return re.compile(rf"\b(?:{words})\b", re.IGNORECASE), terms


def split_at_terms(text: str, known: set[str]) -> Iterator[tuple[str, str]]:
    """Split a text at the terms that are not yet known, and add these to `known`.

    Parameters
    ----------
    text : str
        A text in English.
    known : set of str
        The names of the terms that an earlier text has explained.

    Yields
    ------
    tuple of str
        A part of the text, and the definition if the part is a term, or "".

    See Also
    --------
    TERMS : All terms.

    Examples
    --------
    >>> parts = list(split_at_terms("Two siblings. A sibling of Rock.", set()))
    >>> [(part, bool(meaning)) for part, meaning in parts]
    [('Two ', False), ('siblings', True), ('. A sibling of Rock.', False)]
    """
    pattern, terms = _forms()
    end = 0
    for found in pattern.finditer(text):
        term = terms[found[0].casefold()]
        if term.name not in known:
            known.add(term.name)
            yield from [(text[end : found.start()], "")] * (found.start() > end)
            yield found[0], term.text
            end = found.end()
    yield from [(text[end:], "")] * (end < len(text))
