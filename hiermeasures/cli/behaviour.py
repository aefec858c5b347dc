"""`behaviour`: the properties of measures in every small hierarchy."""

import argparse
from collections.abc import Mapping
from typing import Any

from hiermeasures.cli import declare
from hiermeasures.cli.printing import Progress, as_json, show


@declare.command(
    "behaviour",
    "test the properties of measures",
    "Test the properties of each measure on every small hierarchy. For a broken property "
    "you see the smallest counterexample. Example: hiermeasures behaviour --measures "
    "hF,F_LCA --trees 3 --dags 0",
    [
        declare.MEASURES,
        declare.argument("--properties", "K,…", "only these properties, by key"),
        *declare.sizes(trees=5, dags=4),
        declare.argument(
            "--beyond",
            "N",
            "also test the kept properties on random hierarchies of up to N classes",
            type=int,
        ),
        declare.argument("--seed", "N", "the seed of the random search (0)", type=int, default=0),
        declare.SETTINGS,
        declare.choice(
            "--class-weights",
            ["one", "leaves", "depth"],
            "the weights of classes, like --set class_weights=…",
        ),
        declare.flag(
            "--all-settings",
            "list the settings that change a verdict: only trees, or the root not counted",
        ),
        declare.flag(
            "--proofs", "also print the proofs of the theorems and the meaning of their letters"
        ),
        declare.DEFINE,
        declare.flag("--json", "print {property: {measure: …}}, with counterexamples as cases"),
    ],
)
def behaviour(arguments: argparse.Namespace) -> int:
    from hiermeasures.debug.search import JUDGED, Verdicts, search_beyond, study
    from hiermeasures.hierarchy.options import Options
    from hiermeasures.measures.own import own_measures

    own = list(own_measures(declare.definitions_of(arguments.define)).values())
    settings = declare.settings_of(arguments.settings)
    settings |= {"class_weights": arguments.class_weights} if arguments.class_weights else {}
    asked: dict[str, Any] = {
        "measures": [*(declare.keys_of(arguments.measures, "--measures") or JUDGED), *own],
        "properties": declare.keys_of(arguments.properties, "--properties"),
        "trees": arguments.trees,
        "dags": arguments.dags,
        "options": Options.make(settings),
    }
    with Progress("behaviour", "hierarchies") as progress:
        found = study(**asked, progress=progress)
    turned = _turned(asked) if arguments.all_settings else {}
    beyond: Verdicts = {}
    if arguments.beyond is not None:
        with Progress("at random", "hierarchies") as progress:
            beyond = search_beyond(
                found, measures=own, size=arguments.beyond, seed=arguments.seed, progress=progress
            )
        found = found.with_sampled(beyond)
    if not arguments.json:
        show(found.as_text(beyond, turned, arguments.proofs))
        return 0
    content = found.as_json()
    for (prop, key), names in turned.items():
        content[prop][key]["changes"] = names
    for prop, row in beyond.items():
        for key, sampled in row.items():
            content[prop][key]["beyond"] = {"instances": sampled.instances, "size": sampled.size}
    print(as_json(content))
    return 0


def _turned(asked: Mapping[str, Any]) -> dict[tuple[str, str], list[str]]:
    """Return the settings that change each cell, by property and measure."""
    from hiermeasures.debug.search import Setting, changes, survey

    base = Setting.of(asked["options"], trees=asked["dags"] == 0)
    with Progress("behaviour", "settings") as progress:
        found = survey(**asked, progress=progress)
    return {
        (prop, key): [setting.less(base).name for setting in changes(found, prop, key, base)]
        for prop, row in found[base].verdicts.items()
        for key in row
    }
