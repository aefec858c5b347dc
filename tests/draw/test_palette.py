"""Colours have one source, the palette. Contrasts of the drawings as WCAG counts them: text needs
4.5, a shape that carries a meaning 3. Pages are looked at by axe (tests/browser).
"""

import tomllib
from pathlib import Path

import pytest

from hiermeasures.draw import palette
from hiermeasures.draw.matrix import DARKEST
from hiermeasures.draw.palette import DARK, LIGHT, Tones

PROJECT = Path(palette.__file__).parents[2]


def test_the_pages_ground_is_that_of_the_drawings() -> None:
    theme = tomllib.loads((PROJECT / ".streamlit/config.toml").read_text("utf-8"))["theme"]
    grounds = {name: theme[name]["backgroundColor"].lower() for name in ("light", "dark")}
    assert grounds == {"light": LIGHT.ground.lower(), "dark": DARK.ground.lower()}


TEXT, SHAPE = 4.5, 3.0
Colour = tuple[float, float, float, float]  # red, green, blue from 0 to 255; and how opaque it is


def _hex(text: str) -> Colour:
    digits = text.lstrip("#")
    digits = "".join(2 * d for d in digits) if len(digits) == 3 else digits
    red, green, blue = (int(digits[i : i + 2], 16) for i in (0, 2, 4))
    return red, green, blue, 1.0


def _over(top: Colour, ground: Colour, opacity: float = 1.0) -> Colour:
    a = top[3] * opacity
    return (*(t * a + g * (1 - a) for t, g in zip(top[:3], ground[:3], strict=True)), 1.0)  # type: ignore[return-value]


def _luminance(colour: Colour) -> float:
    parts = [
        c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4
        for c in colour[:3]
    ]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: Colour, other: Colour) -> float:
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("tones", [LIGHT, DARK], ids=["light", "dark"])
def test_outlines_edges_and_text_of_the_drawings_stand_out(tones: Tones) -> None:
    ground = _hex(tones.ground)
    sides = {side: _hex(getattr(tones, side)) for side in ("true", "predicted", "both")}
    lines = {f"outline of {side}": (colour, 1.0) for side, colour in sides.items()}
    lines |= {
        f"edge of {side}": (sides.get(side, _hex(tones.line)), s.opacity)
        for side, s in palette.EDGES.items()
    }
    inked = {
        "link": palette.LINKS,
        "badge": palette.BADGES,
        "": {"ring": palette.RINGED, "size": palette.SIZE},
    }
    lines |= {
        f"{k} {n}": (_hex(tones.ink), s.opacity)
        for k, strokes in inked.items()
        for n, s in strokes.items()
    }
    weak = {
        name
        for name, (colour, a) in lines.items()
        if contrast(_over(colour, ground, a), ground) < SHAPE
    }
    assert not weak
    ink = _hex(tones.ink)
    fills = [_over(c, ground, tones.class_fill) for c in sides.values()] + [
        ground,
        _hex(tones.badge),
    ]
    assert min(contrast(_over(ink, fill, palette.STRUCK_TEXT), fill) for fill in fills) >= TEXT
    assert min(contrast(_hex(c), ground) for c in (tones.better, tones.worse)) >= TEXT


@pytest.mark.parametrize("tones", [LIGHT, DARK], ids=["light", "dark"])
def test_a_number_on_the_darkest_cell_of_a_matrix_can_be_read(tones: Tones) -> None:
    colours = (tones.mistake, tones.better, tones.worse)
    fills = [_over(_hex(c), _hex(tones.ground), DARKEST) for c in colours]
    assert min(contrast(_hex(tones.ink), fill) for fill in fills) >= TEXT
    assert min(contrast(_hex(c), _hex(tones.ground)) for c in colours) >= SHAPE
