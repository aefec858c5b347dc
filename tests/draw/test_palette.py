"""Colours have one source, the palette. Contrasts of the interface's texts and shapes as WCAG
counts them, computed from the theme, the palette and the style sheets, on a light page and on a
dark one: text needs 4.5, a shape that carries a meaning 3.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from hiermeasures.app import components
from hiermeasures.draw import palette
from hiermeasures.draw.palette import DARK, LIGHT, Tones

PROJECT = Path(palette.__file__).parents[2]
SOURCES = [
    p
    for p in (PROJECT / "hiermeasures").rglob("*")
    if p.suffix in {".py", ".js", ".css", ".svg", ".html"}
]


NAMES = ("true", "predicted", "both", "ink", "line", "badge", "better", "worse")
PALETTE = {getattr(tones, name).lower() for tones in (LIGHT, DARK) for name in NAMES} | {
    palette.EXPLAINED.lower(),
    palette.UNEXPLAINED.lower(),
}


def _colours(text: str) -> Iterator[str]:
    """Every colour in a text as six hexadecimal digits, however it is written."""
    for digits in re.findall(r"#([0-9a-fA-F]{8}|[0-9a-fA-F]{6}|[0-9a-fA-F]{3,4})\b", text):
        short = len(digits) < 6
        yield "#" + ("".join(2 * d for d in digits[:3]) if short else digits[:6]).lower()
    for parts in re.findall(r"rgba?\(\s*(\d+)[,\s]+(\d+)[,\s]+(\d+)", text):
        yield "#" + "".join(f"{int(part):02x}" for part in parts)


def test_no_file_but_the_palette_holds_one_of_its_colours() -> None:
    assert len(SOURCES) > 100
    copies = {
        str(path.relative_to(PROJECT)): sorted(found)
        for path in SOURCES
        if path.name != "palette.py" and (found := PALETTE & set(_colours(path.read_text("utf-8"))))
    }
    assert not copies


def test_a_copy_would_be_found_in_any_spelling() -> None:
    assert set(_colours("#0072B2 #0072b2e0 rgb(0, 114, 178) rgba(0 114 178 / 0.5)")) == {
        LIGHT.true.lower()
    }


def test_every_style_sheet_gets_the_sides_for_light_and_dark_pages() -> None:
    for name, made in components.COMPONENTS.items():
        if made.css:
            sheet = components.COMPONENTS[name].style_sheet()
            for side in ("true", "predicted", "both"):
                assert (
                    f"--{side}: light-dark({getattr(LIGHT, side)}, {getattr(DARK, side)});" in sheet
                )
                assert len(re.findall(rf"--{side}:", sheet)) == 1, f"{made.css} sets --{side} again"


def test_the_pages_ground_is_that_of_the_drawings() -> None:
    theme = tomllib.loads((PROJECT / ".streamlit/config.toml").read_text("utf-8"))["theme"]
    grounds = {name: theme[name]["backgroundColor"].lower() for name in ("light", "dark")}
    assert grounds == {"light": LIGHT.ground.lower(), "dark": DARK.ground.lower()}


PACKAGE = Path(palette.__file__).parents[1]
SHEETS = {str(p.relative_to(PACKAGE)): p.read_text("utf-8") for p in PACKAGE.rglob("*.css")}
TEXT, SHAPE = 4.5, 3.0
# selectors of what holds none: SHAPES, what a word beside it repeats, and what only decorates
NO_TEXT = re.compile(
    r"\.(bar|swatch|tip|tip-used|track|fill|grip|edge|reach)\b|\bpath|\bline\.|rect|::backdrop|progress|img"
)
SHAPES = (
    ".bar i",
    ".edge",
    ".fill",
    ".grip",
    "line.idle",
    "line.used",
    "path.tip",
    ".star",
    ".mark",
)
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


class Scheme:
    """The colours of a light or a dark page."""

    def __init__(self, name: str, tones: Tones) -> None:
        theme = tomllib.loads((PACKAGE.parent / ".streamlit/config.toml").read_text("utf-8"))[
            "theme"
        ][name]
        self.name, self.tones = name, tones
        ours = ("background", "secondaryBackground", "text", "primary", "border")
        self.variables = {
            f"--st-{re.sub('[A-Z]', lambda m: '-' + m[0].lower(), part)}-color": theme[
                f"{part}Color"
            ]
            for part in ours
        }
        self.variables |= {
            f"--{side}": getattr(tones, side) for side in "true predicted both better worse".split()
        }
        self.variables |= {
            "--hm-explained": palette.EXPLAINED,
            "--hm-unexplained": palette.UNEXPLAINED,
        }
        self.text = _hex(theme["textColor"])
        self.grounds = [_hex(theme["backgroundColor"]), _hex(theme["secondaryBackgroundColor"])]

    def colour(self, text: str) -> Colour | None:
        """Return a colour of a style sheet as numbers; None if only a browser knows it."""
        text = text.replace("!important", "").strip()
        if text in ("inherit", "currentColor", "currentcolor"):
            return self.text
        if text in ("none", "transparent"):
            return 0.0, 0.0, 0.0, 0.0
        if re.fullmatch(r"#[0-9a-fA-F]{3}|#[0-9a-fA-F]{6}", text):
            return _hex(text)
        function, _, inside = text.partition("(")
        parts = [part.strip() for part in re.split(r",(?![^(]*\))", inside.removesuffix(")"))]
        if function == "var":
            known = self.variables.get(parts[0])
            return self.colour(known if known else parts[1]) if known or parts[1:] else None
        if function == "light-dark":
            return self.colour(parts[self.name == "dark"])
        if function == "color-mix" and parts[0] == "in srgb":
            first, _, share = parts[1].rpartition(" ")
            one, other, a = (
                self.colour(first),
                self.colour(parts[2]),
                float(share.rstrip("%")) / 100,
            )
            if one is None or other is None:
                return None
            return (*one[:3], one[3] * a) if other[3] == 0 else _over((*one[:3], a), other)
        return None


SCHEMES = [Scheme("light", LIGHT), Scheme("dark", DARK)]


def _rules() -> Iterator[tuple[str, str, dict[str, str]]]:
    """Every rule of the style sheets: where it stands, its selector, and what it declares."""
    for name, sheet in SHEETS.items():
        sheet = re.sub(r"/\*.*?\*/|</?style>|url\([^)]*\)", "", sheet, flags=re.DOTALL)
        for selector, body in re.findall(r"([^{};]+)\{([^{}]*)\}", sheet):
            declared = dict(re.findall(r"([\w-]+):\s*([^;]+)", body))
            yield name, " ".join(selector.split()), declared


def _seen(scheme: Scheme, declared: dict[str, str], paint: str) -> Iterator[float]:
    """The contrast of what a rule writes or draws, on each ground that it may stand on."""
    front = scheme.colour(declared.get(paint, "inherit"))
    back = scheme.colour(declared.get("background-color", declared.get("background", "none")))
    if front is None or back is None:
        return
    opacity = float(declared.get("opacity", 1)) * float(declared.get(f"{paint}-opacity", 1))
    for ground in scheme.grounds:
        behind = _over(back, ground)
        yield contrast(
            _over(front, behind, opacity), _over(behind, ground, float(declared.get("opacity", 1)))
        )


@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: scheme.name)
def test_text_can_be_read_in_every_rule_that_colours_it_or_what_is_behind_it(
    scheme: Scheme,
) -> None:
    weak, looked = [], 0
    for name, selector, declared in _rules():
        if not declared.keys() & {"color", "background", "background-color", "opacity"}:
            continue
        if NO_TEXT.search(selector) or ":disabled" in selector:
            continue
        found = list(_seen(scheme, declared, "color"))
        looked += bool(found)
        if found and min(found) < TEXT:
            weak.append(f"{name}: {selector} {min(found):.2f}")
    assert looked > 100
    assert not weak


@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: scheme.name)
def test_shapes_of_the_style_sheets_stand_out(scheme: Scheme) -> None:
    weak, looked = [], 0
    for name, selector, declared in _rules():
        for paint in ("fill", "stroke"):
            found = (
                list(_seen(scheme, declared, paint))
                if declared.get(paint, "none") != "none"
                else []
            )
            if found and selector.startswith(SHAPES):
                looked += 1
                if found[0] < SHAPE:
                    weak.append(f"{name}: {selector} {found[0]:.2f}")
    assert looked > 5
    assert not weak


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


def test_a_weak_rule_would_be_found() -> None:
    """Half of #1d212a over white is about #8e9094, of luminance 0.28: 1.05 / 0.33 is about 3.2."""
    (found, _) = _seen(SCHEMES[0], {"opacity": "0.5"}, "color")
    assert 3.0 < found < 3.4
    assert contrast(_hex("#000000"), _hex("#ffffff")) == pytest.approx(21)
