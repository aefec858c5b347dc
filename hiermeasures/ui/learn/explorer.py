"""From a card to the Explorer as it stands, with the way back to its place."""

from hiermeasures.lessons import Card
from hiermeasures.measures import Instance
from hiermeasures.measures.own import is_definition
from hiermeasures.ui.explore import model as explorer
from hiermeasures.ui.learn import answering, location
from hiermeasures.ui.learn.model import Place, answer_of, learn
from hiermeasures.ui.pages import leave_for
from hiermeasures.ui.state import Shown


def open_in_explorer(at: Place) -> None:
    """Show the card of a lesson there."""
    open_card(at.card, at.card_key, f"{at.lesson.title}, card {at.index + 1}")


def open_card(card: Card, key: str, name: str) -> None:
    """Show a card there; of two predictions on the same hierarchy the second, with the first pinned. `key` is that of
    the answer, `name` what the way back leads to.
    """
    answer = answer_of(key)
    first, *more = (shown(card, answering.instance_of(card, k, answer)) for k in range(len(card.instances)))
    back = explorer.WayBack(f"Back to {name}", "learn", location.parameters(learn()))
    explorer.open_shown(first, measures=card.measures, back=back)
    own = (key for key in card.measures if is_definition(key))
    explorer.change(own=explorer.explorer().own.with_more(own))
    explorer.set_view_state(answering.looked_at(card, learn().chosen.get(key, "")))
    for second in more:
        if second.hierarchy == first.hierarchy:
            explorer.show(second)
            explorer.change(pinned=explorer.Pinned(first))
    leave_for("explore")


def shown(card: Card, instance: Instance) -> Shown:
    """An instance of a card as the Explorer shows it."""
    same = instance in card.instances[:1]
    return Shown(instance, card.title, card.case or None if same else None)
