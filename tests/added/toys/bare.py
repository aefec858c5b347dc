"""A measure with the least declared: no view, no sentences, no meanings, no exercises."""

from hiermeasures.measures.catalogue import Derivation, Family, Measure, Structure

MEASURES = (
    Measure(
        key="label_count",
        function="label_count_score",
        symbol="n",
        name="Label count",
        structure=Structure(
            key="labels",
            family=Family(key="bare", title="Bare", description="Labels.", rank=10),
            build=lambda instance: instance,
            columns=("labels",),
            row=lambda instance, options: (len(instance.true) + len(instance.predicted),),
        ),
        read=lambda c, options: c.labels,
        formula="n",
        derive=lambda instance, value, options: Derivation("n", "The labels, counted."),
        description="How many labels there are.",
        source="made up",
        high=None,
        perfect_varies=True,
    ),
)
