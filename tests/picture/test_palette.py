"""Colours have one source, the palette."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from hiermeasures.app import components
from hiermeasures.picture import palette
from hiermeasures.picture.palette import DARK, LIGHT

PROJECT = Path(palette.__file__).parents[2]
SOURCES = [p for p in (PROJECT / "hiermeasures").rglob("*") if p.suffix in {".py", ".js", ".css", ".svg", ".html"}]


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
    assert set(_colours("#0072B2 #0072b2e0 rgb(0, 114, 178) rgba(0 114 178 / 0.5)")) == {LIGHT.true.lower()}


def test_every_style_sheet_gets_the_sides_for_light_and_dark_pages() -> None:
    for name, made in components.COMPONENTS.items():
        if made.css:
            sheet = components.COMPONENTS[name].style_sheet()
            for side in ("true", "predicted", "both"):
                assert f"--{side}: light-dark({getattr(LIGHT, side)}, {getattr(DARK, side)});" in sheet
                assert len(re.findall(rf"--{side}:", sheet)) == 1, f"{made.css} sets --{side} again"


def test_the_pages_ground_is_that_of_the_drawings() -> None:
    theme = tomllib.loads((PROJECT / ".streamlit/config.toml").read_text("utf-8"))["theme"]
    grounds = {name: theme[name]["backgroundColor"].lower() for name in ("light", "dark")}
    assert grounds == {"light": LIGHT.ground.lower(), "dark": DARK.ground.lower()}
