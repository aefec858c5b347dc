"""The options as types, for checkers: each name and its type as in `Options`, to which a test holds
them.
"""

from typing import Literal, TypedDict

Credit = Literal["wrong", "right", "ignored"]


class Settings(TypedDict, total=False):
    """Options as keyword arguments."""

    dmax: float
    normaliser: Literal["union", "symmetric_difference"]
    count_root: bool | None
    too_specific: Credit
    too_general: Credit
    path: Literal["ancestor", "any"]
    max_pair_distance: float | None
    alpha_p: int | None
    beta_p: int | None
    alpha_t: int | None
    beta_t: int | None
    default_classes: bool
    graphs: Literal["minimal", "extended"]
    solver: Literal["auto", "exact", "greedy"]
    negatives: Literal["children", "descendants"]
    path_derivation: Literal["greedy", "benevolent"]
    path_ties: Literal["structure", "names"]
    max_level: int | None
    rank: int | None
    hops: float
    edge_weights: Literal["given", "constant", "level", "exponential", "classes"]
    weight_base: float
    class_weights: Literal["one", "given", "information", "leaves", "depth"]
    information_smoothing: Literal["unseen", "dummy"]
    max_ancestor_distance: int | None
    zero_division: float
