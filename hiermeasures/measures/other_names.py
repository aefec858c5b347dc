"""The same under another name: what the field calls what is read off the three sums of weighted classes, and under
which condition it is the same.

The Glossary and docs/weighted-classes.md show this table. A property test per entry holds it to the definition of its
source, written out over sets of classes (tests/measures/test_other_names.py).
"""

from dataclasses import dataclass

ONE_CLASS = "one class on each side of a tree"
GIVEN_PARENT = "weights are the information of a class given its parent"


@dataclass(frozen=True)
class OtherName:
    """One claim: `measures` (keys, or none where the catalogue has no measure for it), read off the sums by `formula`,
    are `called` so by their `source`, where `condition` holds (empty: always).
    """

    key: str
    measures: tuple[str, ...]
    formula: str
    called: str
    source: str
    condition: str = ""

    @property
    def when(self) -> str:
        """The condition in words."""
        return self.condition or "always, with the weights of the source"


OTHER_NAMES = (
    OtherName(
        "weighted",
        ("wP", "wR", "wF"),
        "tp / (tp + mi), tp / (tp + ru), 2 tp / (2 tp + mi + ru)",
        "weighted precision, recall and F",
        "Clark and Radivojac 2013",
    ),
    OtherName(
        "info",
        ("wP", "wR", "wF"),
        "tp / (tp + mi), tp / (tp + ru), 2 tp / (2 tp + mi + ru)",
        "Info-P, Info-R and Info-F1",
        "Valmadre 2022",
        f"{ONE_CLASS}; {GIVEN_PARENT}",
    ),
    OtherName(
        "hierarchical",
        ("hP", "hR", "hF"),
        "tp / (tp + mi), tp / (tp + ru), 2 tp / (2 tp + mi + ru)",
        "hierarchical precision, recall and F",
        "Kiritchenko et al. 2005",
        "every class weighs 1",
    ),
    OtherName(
        "lin", ("wF",), "2 tp / (2 tp + mi + ru)", "Lin's similarity", "Lin 1998", f"{ONE_CLASS}; {GIVEN_PARENT}"
    ),
    OtherName(
        "wu_palmer",
        ("wF", "hF"),
        "2 tp / (2 tp + mi + ru)",
        "Wu and Palmer's similarity",
        "Wu and Palmer 1994",
        f"{ONE_CLASS}; every class weighs 1, and the root is counted (its level is 1, not 0)",
    ),
    OtherName("resnik", (), "tp", "Resnik's similarity", "Resnik 1995", f"{ONE_CLASS}; {GIVEN_PARENT}"),
    OtherName(
        "uncertainty",
        ("mi", "ru", "S"),
        "mi, ru, √(mi² + ru²)",
        "misinformation, remaining uncertainty and semantic distance",
        "Clark and Radivojac 2013",
        "one instance; CAFA takes S of the means of mi and ru",
    ),
    OtherName(
        "difference",
        ("SDL",),
        "mi + ru",
        "symmetric difference loss",
        "Kosmopoulos et al. 2015",
        "every class weighs 1",
    ),
    OtherName(
        "jiang_conrath",
        (),
        "mi + ru",
        "Jiang and Conrath's distance",
        "Jiang and Conrath 1997",
        f"{ONE_CLASS}; {GIVEN_PARENT}",
    ),
    OtherName(
        "simgic",
        ("simGIC",),
        "tp / (tp + mi + ru)",
        "simGIC",
        "Pesquita et al. 2007",
        "weights are the information of a class by itself, which are `given`; with `information` it is that of a class "
        "given its parents",
    ),
    OtherName(
        "icm",
        ("ICM",),
        "tp − mi − ru",
        "information contrast model, α₁ = α₂ = 2, β = 3",
        "Amigó and Delgado 2022",
        "weights are `information`, which in a DAG are others for ICM than for the rest",
    ),
    OtherName(
        "icm_norm",
        ("ICM_norm",),
        "max(0, (2 tp − mi) / (2 (tp + ru)))",
        "normalised ICM",
        "Amigó and Delgado 2022",
        "the sums are over all instances; weights as for ICM",
    ),
)
