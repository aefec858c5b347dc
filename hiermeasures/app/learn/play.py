"""A player's screen on a page of Streamlit, and its gestures."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import streamlit as st

from hiermeasures.app.binding import Slot
from hiermeasures.app.components import mount
from hiermeasures.app.learn.model import LEARN, Learn, learn
from hiermeasures.explorer import controls
from hiermeasures.explorer.controls import Controls
from hiermeasures.explorer.outbox import Gesture, Inbox, Receiver
from hiermeasures.explorer.player.model import Player
from hiermeasures.explorer.player.screen import drawn

KEY = "player"
Wish = Callable[[Learn], Learn]


@dataclass(frozen=True)
class Played:
    """The last drawn screen of a player, and what a wish of a person makes of the page. A wish that
    is not here stays in the player, for the page to follow in its run.
    """

    inbox: Inbox
    screen: Callable[[Player], Controls] = lambda player: ()
    wishes: Mapping[str, Wish] = field(default_factory=dict)


PLAYED: Slot[Played] = Slot("played", lambda: Played(Inbox(Receiver(secrets.token_hex(8)))))


def play(screen: Callable[[Player], Controls], wishes: Mapping[str, Wish]) -> None:
    """Put the screen on the page; `receive` comes before it in a run."""
    PLAYED.change(screen=screen, wishes=wishes)
    player = learn().player
    mount(drawn(player, PLAYED.value.inbox.receiver, screen(player)), key=KEY, on_gestures=receive)


def receive() -> None:
    """Apply what a person did, each gesture once and in order."""
    state = st.session_state.get(KEY)
    played = PLAYED.value
    pending = state.get("pending") if isinstance(state, Mapping) else None
    played.inbox.apply(pending, lambda gesture: _apply(played, gesture))


def _apply(played: Played, gesture: Gesture) -> None:
    """Apply one; a wish is followed in the same change, for at the next the run may end."""
    player = learn().player
    made = controls.after(player, played.screen(player), gesture.component, gesture.kind, gesture.value)
    wish = played.wishes.get(made.wish)
    at = replace(learn(), player=made if wish is None else replace(made, wish=""))
    LEARN.set(at if wish is None else wish(at))
