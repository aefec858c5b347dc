"""The way from a card of a lesson, or an exercise, to the Explorer and back."""

from dataclasses import replace

from hiermeasures.app.explore import model as explorer
from hiermeasures.app.learn import location, model
from hiermeasures.app.learn.model import learn
from hiermeasures.app.pages import leave, leave_for
from hiermeasures.explorer.player.drawing import shared
from hiermeasures.lessons import Card


def follow(card: Card, key: str, name: str) -> None:
    """Leave for the Explorer with a card, where a person wished for it: of two predictions on the
    same hierarchy the second, with the first pinned. `key` is that of the answer, `name` what the
    way back leads to. The wish stands until all of it was done, for the run may end before.
    """
    if learn().player.wish != "explorer":
        return
    found = shared(learn().player, card, key)
    back = explorer.WayBack(f"Back to {name}", "learn", location.parameters(learn()))
    explorer.open_shown(found.shown, pinned=found.pinned, measures=card.measures, back=back)
    explorer.EXPLORER.change(own=explorer.explorer().own.with_more(found.own), view_state=found.view_state)
    leave_for("explore")
    model.change(player=replace(learn().player, wish=""))
    leave()
