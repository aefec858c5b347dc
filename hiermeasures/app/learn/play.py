"""A player's screen on a page of Streamlit: one component draws it, and what a person does comes back
as its state value.
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import streamlit as st

from hiermeasures.app.binding import Slot
from hiermeasures.app.learn.model import change, learn
from hiermeasures.app.scripts import mount
from hiermeasures.explorer import heard
from hiermeasures.explorer.controls import Controls
from hiermeasures.explorer.outbox import Receiver
from hiermeasures.explorer.player.model import Player
from hiermeasures.explorer.player.screen import drawn

KEY = "player"


@dataclass(frozen=True)
class Played:
    """The last drawn screen of a player, and what each wish of a person leads to."""

    receiver: Receiver
    screen: Callable[[Player], Controls] = lambda player: ()
    wishes: Mapping[str, Callable[[], object]] | None = None


PLAYED: Slot[Played] = Slot("played", lambda: Played(Receiver(secrets.token_hex(8))))


def play(screen: Callable[[Player], Controls], wishes: Mapping[str, Callable[[], object]]) -> None:
    """Put the screen on the page; `receive` comes before it in a run."""
    PLAYED.change(screen=screen, wishes=wishes)
    player = learn().player
    mount(drawn(player, PLAYED.value.receiver, screen(player)), key=KEY, on_gestures=receive)


def receive() -> None:
    """Apply what a person did, each gesture once and in order."""
    state = st.session_state.get(KEY)
    played = PLAYED.value
    for gesture in played.receiver.unseen(state.get("pending") if isinstance(state, Mapping) else None):
        PLAYED.change(receiver=replace(PLAYED.value.receiver, seen=gesture.number))
        player = learn().player
        made = heard.after(player, played.screen(player), gesture.component, gesture.kind, gesture.value)
        change(player=replace(made, wish=""))
        if made.wish:
            (played.wishes or {})[made.wish]()
