"""Measures made up for the tests, any function of an instance."""

from hiermeasures.measures.catalogue import Derivation, Family, Measure, Structure

FAMILY = Family(key="invented", title="Invented", description="", rank=99)


def invented(value, key="invented", better="higher", low=None, high=None):
    """A measure whose value is `value(hierarchy, true, predicted)`."""
    structure = Structure(
        key=key,
        family=FAMILY,
        build=lambda instance: instance,
        columns=("value",),
        row=lambda instance, _: (
            float(value(instance.hierarchy, instance.true, instance.predicted)),
        ),
        whole=False,
    )
    return Measure(
        key=key,
        symbol="x",
        name="Invented",
        structure=structure,
        read=lambda columns, _: columns.value,
        formula="x",
        derive=lambda *_: Derivation("", ""),
        description="",
        source="",
        better=better,
        low=low,
        high=high,
    )
