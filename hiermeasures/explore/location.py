"""The Explorer's first instance, and the Explorer in the address bar.

The first instance is a story, or the instance in the command `hiermeasures app`. A link may name a
figure (`?figure=kosmopoulos2015/figure-11a`). The address contains a word for every state. A link
opens its state, a reload keeps it, and the browser's buttons go from state to state. The word comes
from the share link (share_link.py), followed by the progress of a presentation. The browser writes
it (location.js). Its back and forward buttons send a gesture.
"""

import json
import os
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import parse_qsl, urlencode

from hiermeasures.draw.views import OPENING as OPENING_VIEW
from hiermeasures.explore import share_link
from hiermeasures.explore.library import figure, figure_of, figures
from hiermeasures.explore.loading import story
from hiermeasures.explore.model import Pinned, State
from hiermeasures.explore.outbox import Inbox
from hiermeasures.explore.present import PRESENTED, Presenting, presenting_in
from hiermeasures.explore.share_link import Shared
from hiermeasures.explore.shown import History, Shown
from hiermeasures.hierarchy.errors import InputError, nearest
from hiermeasures.hierarchy.errors import shown as quoted
from hiermeasures.hierarchy.options import Options
from hiermeasures.read import read_hierarchy
from hiermeasures.read.source import UPLOAD
from hiermeasures.verify.library import case_file_in
from hiermeasures.verify.paper_file import read_paper_file, same_instance

S = TypeVar("S", bound=State)
PARAMETER = "state"
FIGURE = "figure"
KEY = "location"
SAFE = "*/"  # characters that the page's scripts, too, leave as they are
MOST_VISITED = 200
UNNAMED = "unnamed-"  # before a random name of a state that is too large for an address
TOO_LARGE = "This screen was too large for an address. Open its file again."


def opening(state: S, parameters: Mapping[str, str]) -> S:
    """Return the state of a link, or the reason why the link cannot be opened."""
    state, word = replace(state, presenting=presenting_in(parameters)), parameters.get(PARAMETER)
    key = parameters.get(FIGURE)
    if word is None and key is None:
        return state
    try:
        shared = _figure(key or "") if word is None else _decoded(word)
    except InputError as fault:
        fault_of_link = (state.shown, f"{fault} You see the first example instead.")
        return replace(state.visited(link_fault=fault_of_link), presenting=None)
    own = replace(state.own, definitions=shared.own)
    shown = _in_paper(state, shared.shown)
    return replace(_at(state, shared), history=History(shown), own=own)


def _in_paper(state: State, shown: Shown) -> Shown:
    """Return a link's instance as a figure of the person's own paper, if the paper contains it.

    The marked classes may differ if the hierarchy belongs to only one figure.
    """
    if (paper := state.paper) is None:
        return shown
    alike = [part for part, case in paper.cases.items() if case.hierarchy == shown.hierarchy]
    same = [part for part in alike if same_instance(paper.cases[part], shown.instance)]
    found = same or alike
    return replace(shown, figure=(paper.token, found[0])) if len(found) == 1 else shown


def _at(state: S, visit: Shared) -> S:
    """Return to a visited state, with its pin and its second measure."""
    pinned = Pinned(visit.pinned) if visit.pinned else None
    return replace(state, view_state=visit.view_state, pinned=pinned, second=visit.second)


def _decoded(word: str) -> Shared:
    if word.startswith(UNNAMED):
        raise InputError(TOO_LARGE)
    return share_link.decoded(word)


def _figure(key: str) -> Shared:
    """Return a paper's figure in its first state. InputError names the nearest key."""
    if key not in figures():
        near = nearest(key, figures())
        told = f" The nearest is {quoted(near)}." if near else ""
        raise InputError(f"There is no figure {quoted(key)}.{told}")
    return Shared(figure(key), OPENING_VIEW)


def visited(state: S) -> S:
    """Return the state after recording its content as the last visit, under its word.

    The word of an unchanged figure is its key. A link's fault disappears with the next instance.
    """
    if state.visiting.link_fault is not None and state.visiting.link_fault[0] is not state.shown:
        state = state.visited(link_fault=None)
    pinned = state.pinned.shown if state.pinned else None
    now = Shared(state.shown, state.view_state, pinned, state.definitions, state.second)
    word = next(
        (word for word in reversed(state.visiting.visits) if state.visiting.visits[word] == now),
        None,
    )
    if word is not None and word == _word(state):
        return state
    if word is None:
        word = _short_word(now)
    if word is None:
        try:
            word = _encode(now)
        except InputError:
            word = UNNAMED + secrets.token_hex(4)
    others = [(key, visit) for key, visit in state.visiting.visits.items() if key != word][
        1 - MOST_VISITED :
    ]
    return state.visited(visits={**dict(others), word: now})


def _encode(visit: Shared) -> str:
    """Return the word of a state. InputError if the state is too large for a link."""
    return share_link.encoded(
        visit.shown, visit.view_state, visit.pinned, visit.own, second=visit.second
    )


def _short_word(now: Shared) -> str | None:
    """Return the word of the unchanged story or figure of a paper, or None for other states."""
    if opens_as_ever() and now == Shared(story(), OPENING_VIEW):
        return ""
    key = now.shown.case
    return _figure_word(key) if key in figures() and now == _figure(key) else None


def _figure_word(key: str) -> str:
    return f"&{urlencode({FIGURE: key}, safe=SAFE)}"


def in_address(state: State, inbox: Inbox, model: str) -> dict[str, Any]:
    """Return the data of location.js: the word of a visited state."""
    word = _with_presenting(_word(state), state.presenting)
    return {**inbox.address(model), "key": KEY, "word": word}


def link(state: State, address: str, **more: str) -> str:
    """Return the address of the present state, with more parameters.

    InputError if it is too large.
    """
    word = _word(state)
    if word.startswith(UNNAMED):
        _encode(state.visiting.visits[word])  # says why
    named = f"{PARAMETER}={word}" if word and not word.startswith("&") else word
    parts = (_with_presenting(named, state.presenting).lstrip("&"), urlencode(more))
    made = "&".join(part for part in parts if part)
    return before(address) + made if made else address


def before(address: str) -> str:
    """Return the address, ready for parameters.

    It ends in a question mark. It keeps a "#" at its end, because browsers do not send fragments to
    the server.
    """
    return address if address.endswith("#") else f"{address.rstrip('/')}/?"


def _word(state: State) -> str:
    return next(reversed(state.visiting.visits), "")


def _with_presenting(word: str, presenting: Presenting | None) -> str:
    return f"{word}&{urlencode(presenting.parameters(), safe=SAFE)}" if presenting else word


def walked(state: S, value: Any) -> S:
    """Return the state of another word in the address. A new word is untrusted."""
    given = value.get("word") if isinstance(value, Mapping) else None
    if not isinstance(given, str):
        return state
    word, _, more = given.partition("&")
    parameters = dict(parse_qsl(more))
    if not word and FIGURE in parameters:
        word = _figure_word(parameters[FIGURE])
    state, known = (
        replace(state, presenting=presenting_in(parameters)),
        state.visiting.visits.get(word),
    )
    try:
        visit = known or _visit(state, word)
    except InputError as fault:
        told = f"{fault} You see the earlier screen instead."
        return state.visited(link_fault=(state.shown, told))
    own, past = state.own if known else state.own.with_more(visit.own), state.history
    # back and forward are undo and redo, where they lead to the same
    if past.past and past.past[-1] is visit.shown:
        history = past.undo()
    elif past.future and past.future[-1] is visit.shown:
        history = past.redo()
    else:
        history = past.to(visit.shown)
    return replace(_at(state, visit), history=history, own=own)


def _visit(state: State, word: str) -> Shared:
    if not word:
        return opened()
    if word.startswith("&"):
        return _figure(dict(parse_qsl(word)).get(FIGURE, ""))
    shared, h = _decoded(word), state.shown.hierarchy
    if (
        instance := shared.shown.instance
    ).hierarchy == h:  # the same object, so that its drawing stays
        return replace(shared, shown=replace(shared.shown, instance=replace(instance, hierarchy=h)))
    return shared


@cache
def constants() -> str:
    return f"const ADDRESS_PARAMETERS = {json.dumps([PARAMETER, FIGURE, *PRESENTED])};\n"


VARIABLE = "HIERMEASURES_OPENING"  # the environment's name for the arguments


@dataclass(frozen=True)
class StartInstance:
    """An instance from the command line.

    It is a file with a hierarchy or a case, or the key of a figure. The classes of each side may
    replace those of the case, and options have names.
    """

    hierarchy: str | None = None
    case: str | None = None
    true: Iterable[str] | None = None
    predicted: Iterable[str] | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)

    def environment(self) -> dict[str, str]:
        """Return the environment variables for the app. They are empty for the default start.

        InputError if something cannot be opened. It names the nearest known key.
        """
        if self == StartInstance():
            return {}
        if self.hierarchy is None and self.case is None:
            raise InputError(
                "classes and options need an instance; name it by --hierarchy or --case"
            )
        path = None if self.hierarchy is None else str(Path(self.hierarchy).absolute())
        text = json.dumps(asdict(replace(self, hierarchy=path)))
        _read(text)  # and kept: the sessions of this process find it, whatever becomes of the file
        return {VARIABLE: text}

    def opened(self) -> Shared:
        own: tuple[str, ...] = ()
        paper = None
        if self.hierarchy is None:
            shown = figure(self.case) if self.case else story()
        elif found := case_file_in(path := Path(self.hierarchy)):
            paper = read_paper_file(*found)
            part, case = next(iter(paper.cases.items()))
            shown, own = figure_of(paper, part), case.definitions
        else:
            shown = Shown.make(read_hierarchy(path, limits=UPLOAD), title=path.name)
        if self.true is not None:
            shown = shown.with_classes("true", self.true)
        if self.predicted is not None:
            shown = shown.with_classes("predicted", self.predicted)
        options = shown.instance.options.changed
        shown = shown.with_options(Options.make({**options, **self.settings}))
        shown.explained()
        return Shared(shown.shallow(), OPENING_VIEW, own=own, paper=paper)


def opened() -> Shared:
    return _read(os.environ.get(VARIABLE, "{}"))


def opens_as_ever() -> bool:
    """Return True for the first figure, which needs no word in the address."""
    return VARIABLE not in os.environ


@cache
def _read(text: str) -> Shared:
    return StartInstance(**json.loads(text)).opened()
