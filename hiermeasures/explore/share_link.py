"""The share link: encode the Explorer's screen as one word for the address, and decode it.

`encoded` and `decoded` are pure functions. A word from an address is untrusted. Its length is
limited before and during unpacking, and its content is checked entry by entry. Every fault is one
plain sentence. sharing.py shows the link.
"""

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from hiermeasures.draw.views import OPENING, VIEWS, ViewState, with_measure, with_view
from hiermeasures.explore.library import figure, figures, title_of
from hiermeasures.explore.shown import Shown
from hiermeasures.hierarchy.class_weights import ATTRIBUTES
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.expressions import MAX_LENGTH
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.options import Options
from hiermeasures.measures import CATALOGUE, find_measure
from hiermeasures.measures.catalogue import SIDES, Path
from hiermeasures.measures.explain import checked_path
from hiermeasures.measures.own import MOST_OWN, own_measure
from hiermeasures.read.hierarchies.building import check_nodes, class_weights_if_any, is_small
from hiermeasures.read.source import MOST_CLASSES, MOST_EDGES, MOST_MARKED, UPLOAD, Limits, Source
from hiermeasures.read.untrusted import parse
from hiermeasures.verify.paper_file import PaperFile

VERSION = "1"
UNPACKED = Limits(bytes=400_000, lines=1, nesting=6)
LONGEST_DEFINITION = MAX_LENGTH + 100

Number = Annotated[int, Field(strict=True, ge=0, lt=MOST_CLASSES)]
Edges = Annotated[
    list[tuple[Number, Number] | tuple[Number, Number, float]], Field(max_length=MOST_EDGES)
]
Weights = Annotated[list[float], Field(max_length=MOST_CLASSES)]
Titles = Annotated[
    list[Annotated[str, Field(max_length=UPLOAD.label)]], Field(max_length=MOST_CLASSES)
]
Marked = Annotated[list[Number], Field(max_length=MOST_MARKED)]
Paths = (
    Annotated[
        list[Annotated[list[Number], Field(min_length=1, max_length=MOST_CLASSES)]],
        Field(max_length=MOST_MARKED),
    ]
    | None
)


class _Pin(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    title: Annotated[str, Field(max_length=UPLOAD.label)]
    case: Annotated[str, Field(max_length=200)] | None = None
    true: Marked = []
    predicted: Marked = []
    true_paths: Paths = None
    predicted_paths: Paths = None
    options: dict[str, str | bool | int | float | None] = {}


class _State(_Pin):
    """The content of a link.

    Class names come first, beginning with the root. The rest refers to classes by number. `origin`
    is the instance that the title names, unless it is a figure of the library.
    """

    origin: _Pin | None = None
    classes: Annotated[list[str], Field(min_length=1, max_length=MOST_CLASSES)]
    edges: Edges = []
    virtual: Annotated[bool, Field(strict=True)] = False
    titles: Titles = []
    class_weight: Weights = []
    icm_weight: Weights = []
    define: Annotated[
        list[Annotated[str, Field(max_length=LONGEST_DEFINITION)]], Field(max_length=MOST_OWN)
    ] = []
    measure: Annotated[str, Field(max_length=LONGEST_DEFINITION)] = ""
    view: Annotated[str, Field(max_length=50)] = ""
    graphs: Literal["minimal", "extended"] | None = None
    path: Annotated[int, Field(strict=True, ge=0, le=10_000)] | None = None
    step: Annotated[int, Field(strict=True, ge=0, le=10_000)] | None = None
    what_if: Annotated[bool, Field(strict=True)] = False
    second: Annotated[str, Field(max_length=LONGEST_DEFINITION)] = ""
    pin: _Pin | None = None


@dataclass(frozen=True)
class Shared:
    shown: Shown
    view_state: ViewState
    pinned: Shown | None = None
    own: tuple[str, ...] = ()
    second: str = ""
    paper: PaperFile | None = None  # of what the app was started with; no link has it


def encoded(
    shown: Shown,
    view_state: ViewState,
    pinned: Shown | None = None,
    own: tuple[str, ...] = (),
    second: str = "",
) -> str:
    """Return the state as a word for an address: a version, a point, and compressed JSON in
    base64url.

    A pinned state of another hierarchy is left out. Titles are left out if the word gets too long.
    `own` contains definitions of own measures, and `second` is the measure next to the chosen one.
    InputError if the word is too long for a link.
    """
    h = shown.hierarchy
    pinned = pinned if pinned is not None and pinned.hierarchy == h else None
    # A title may name an instance that the link cannot hold: one of another hierarchy.
    fits = shown.case is not None or shown.origin is None or shown.origin.hierarchy == h
    held = shown, pinned or shown, shown.original if fits else shown
    if not is_small(h, *(s.classes(side) for s in held for side in SIDES)):
        most = f"{MOST_CLASSES:,} classes, {MOST_EDGES:,} edges and {MOST_MARKED} classes of a side"
        raise InputError(f"A link can contain at most {most}. {INSTEAD}")
    of_pin = (
        _instance(pinned, pinned.title if pinned.case else title_of(pinned)) if pinned else None
    )
    # A figure of the library is its own origin.
    begun = shown.case is None and shown.origin and fits
    content = {
        **_hierarchy_content(h),
        **_instance(shown, shown.title if fits else title_of(shown)),
        "origin": _instance(shown.original, "") if begun else None,
        **{name: getattr(view_state, name) for name in _LOOKED_AT},
        "pin": of_pin,
        "define": list(own),
        "second": second,
    }
    state = {
        name: value
        for name, value in content.items()
        if value not in (None, [], {}, "") and value is not False
    }

    try:
        return _packed_state(state)
    except InputError:
        if "titles" not in state:
            raise
        return _packed_state({**state, "titles": []})


def _packed_state(state: Mapping[str, object]) -> str:
    text = json.dumps(state, ensure_ascii=False, separators=(",", ":"))
    return packed(text, UNPACKED, before=f"{VERSION}.")


_LOOKED_AT = ("measure", "view", "graphs", "path", "step", "what_if")


def _hierarchy_content(h: Hierarchy) -> dict[str, object]:
    weights = class_weights_if_any(h).values()
    return {
        "classes": list(h.nodes),
        "virtual": h.virtual_root,
        "edges": [
            [parent, child, *([weight] if weight != 1.0 else [])]
            for child in range(len(h))  # so that children stay in the same order
            for parent, weight in h.rows.weighted_parents(child)
        ],
        "titles": [h.titles.get(label, "") for label in h.nodes] if h.titles else None,
        **{name: [found[name] for found in weights if name in found] for name in ATTRIBUTES},
    }


def _instance(shown: Shown, title: str) -> dict[str, object]:
    i, at = shown.instance, shown.hierarchy.numbering

    def numbered(paths: tuple[Path, ...] | None) -> list[list[int]] | None:
        return None if paths is None else [[at[label] for label in path] for path in paths]

    return {
        "title": title[: UPLOAD.label] or " ",
        "case": shown.case,
        "true": sorted(at[label] for label in i.true),
        "predicted": sorted(at[label] for label in i.predicted),
        "true_paths": numbered(i.true_paths),
        "predicted_paths": numbered(i.predicted_paths),
        "options": i.options.changed,
    }


def decoded(word: str) -> Shared:
    """Return the state that a word encodes.

    InputError if the word is too long, has another version, was cut or changed, or describes
    something impossible.
    """
    try:
        version, _, text = word.partition(".")
        if version != VERSION:
            raise Unreadable("This link has an unknown version. It may come from a newer program.")
        return _shared(
            _State.model_validate(parse(unpacked(text, UNPACKED), Source(limits=UNPACKED)))
        )
    except ValidationError as error:
        first = error.errors()[0]
        where = ", ".join(str(step) for step in first["loc"][:2])
        raise InputError(f"{BROKEN}: {where or 'its content'} is not as expected.") from None
    except Unreadable as fault:
        raise InputError(str(fault)) from None
    except InputError as fault:
        raise InputError(f"{BROKEN}: {fault}.") from None


def _shared(state: _State) -> Shared:
    h, own = _hierarchy(state), tuple(dict.fromkeys(state.define))
    shown = _state_of(state, h, state.classes)
    pinned = _state_of(state.pin, h, state.classes) if state.pin else None
    for definition in own:
        own_measure(definition)
    known = {*CATALOGUE, *own}
    measure = state.measure if state.measure in known else OPENING.measure
    at = with_measure(OPENING, measure)
    if state.view in VIEWS and VIEWS[state.view].draws(find_measure(measure)):
        at = with_view(at, state.view)
    at = replace(at, graphs=state.graphs, path=state.path, step=state.step, what_if=state.what_if)
    return Shared(shown, at, pinned, own, state.second if state.second in known else "")


def _state_of(state: _Pin, h: Hierarchy, classes: list[str]) -> Shown:
    """Return one state of a link after computing all its values, because some options have none."""

    def labels(numbers: list[int]) -> tuple[str, ...]:
        if any(k >= len(h) for k in numbers):
            raise InputError("it names a class that does not exist")
        return tuple(classes[k] for k in numbers)

    def named(paths: list[list[int]] | None) -> tuple[Path, ...] | None:
        return None if paths is None else tuple(checked_path(h, labels(path)) for path in paths)

    shown = Shown.make(
        h,
        labels(state.true),
        labels(state.predicted),
        title=state.title.strip(),
        case=state.case if state.case in figures() else None,
        options=Options.make(state.options),
        true_paths=named(state.true_paths),
        predicted_paths=named(state.predicted_paths),
    )
    shown.explained()
    if shown.case is not None:
        return replace(shown, origin=figure(shown.case).instance, title=figure(shown.case).title)
    if isinstance(state, _State) and state.origin is not None:
        return replace(shown, origin=_state_of(state.origin, h, classes).instance)
    return shown


def _hierarchy(state: _State) -> Hierarchy:
    names, weighed = state.classes, state.classes[state.virtual :]
    if len(set(names)) < len(names):
        raise InputError("a class is named twice")
    if any(max(edge[0], edge[1]) >= len(names) for edge in state.edges):
        raise InputError("an edge leads to a class that does not exist")
    edges = [
        (names[e[0]], names[e[1]], *e[2:]) for e in state.edges if not (state.virtual and e[0] == 0)
    ]
    h = Hierarchy.from_edges(edges, weighed, names[0] if state.virtual else names[0] + " ")
    if set(h.nodes) != set(names) or h.virtual_root != state.virtual or h.root != names[0]:
        raise InputError("its hierarchy does not have exactly one root")
    h = h.with_titles(zip(names, state.titles, strict=False)) if state.titles else h
    attributes: dict[str, dict[str, object]] = {name: {} for name in weighed}
    for key in ATTRIBUTES:
        weights: list[float] = getattr(state, key)
        if weights and len(weights) != len(weighed):
            raise InputError(f"it has {len(weights):,} weights for {len(weighed):,} classes")
        for name, weight in zip(weighed, weights, strict=False):
            attributes[name][key] = weight
    return check_nodes(h, Source()).with_class_attributes(attributes)


LONGEST = 12_000  # characters of the word; what mail programs, chats and servers let through
INSTEAD = "Save it as a file instead."
BROKEN = "This link is faulty"


class Unreadable(InputError):
    """A fault with a complete sentence."""


def packed(text: str, limits: Limits, before: str = "") -> str:
    """Pack a text into a word for `unpacked`, with the prefix `before`.

    InputError if the text is larger than the limits, or the word is too long for a link.
    """
    data = text.encode("utf-8", "replace")
    if len(data) > limits.bytes:
        raise InputError(f"This is too large for a link. {INSTEAD}")
    word = before + base64.urlsafe_b64encode(zlib.compress(data, 9)).decode("ascii").rstrip("=")
    if len(word) > LONGEST:
        raise InputError(
            f"This is too large for a link: {len(word):,} characters of at most {LONGEST:,}. "
            f"{INSTEAD}"
        )
    return word


def unpacked(word: str, limits: Limits) -> str:
    """Return the text of a word, up to a limit. Unreadable if the word is invalid."""
    if len(word) > LONGEST:
        raise Unreadable(f"This link is too long. It may have at most {LONGEST:,} characters.")
    try:
        data = base64.b64decode(
            word.encode("ascii") + b"=" * (-len(word) % 4), altchars=b"-_", validate=True
        )
        unpacking = zlib.decompressobj()
        text = unpacking.decompress(data, limits.bytes)
        if not unpacking.eof and unpacking.unconsumed_tail:
            raise Unreadable("The content of this link is too large.")
        if not unpacking.eof:
            raise zlib.error
        return text.decode("utf-8")
    except (binascii.Error, zlib.error, UnicodeError):
        raise Unreadable(f"{BROKEN}: it is cut off or was changed on its way.") from None
