"""The hierarchy as the options ask for it: with what its classes and its edges weigh.

`explain` and the array engine both begin with it. Where classes get their weights from is in
hiermeasures.class_weights; that of edges in hiermeasures.hierarchy.
"""

from hiermeasures.errors import InputError
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.options import Options


def as_asked(hierarchy: Hierarchy, options: Options) -> Hierarchy:
    """The hierarchy with the class weights and the edge weights that the options ask for.

    Raises
    ------
    InputError
        Where information is asked for, which needs true labels to be counted, and the hierarchy has none; and where
        edges are to weigh what classes weigh, and these are no positive numbers, or differ too much.
    """
    hierarchy = with_asked_weights(hierarchy, options)
    if options.edge_weights == "given":
        return hierarchy
    return hierarchy.with_weights(options.edge_weights, options.weight_base)


def with_asked_weights(hierarchy: Hierarchy, options: Options) -> Hierarchy:
    """The hierarchy with the class weights that the options ask for; raises as `as_asked`."""
    asked = options.class_weights
    if asked == "one":
        return hierarchy if hierarchy.class_weights is None else hierarchy.with_class_weights(None)
    if asked == "leaves" or asked == "depth":
        return hierarchy.with_class_weights(asked)
    if asked == "information" and hierarchy.class_weights is None:
        raise InputError(
            "information is counted over the true labels of many instances: evaluate them, or give the hierarchy the "
            "weights of hiermeasures.batch.information"
        )
    return hierarchy
