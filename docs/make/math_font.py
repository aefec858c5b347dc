"""Make the font of the formulas: a subset of Latin Modern Math under another name.

    python -m pip install "fonttools[woff]"
    python docs/make/math_font.py /usr/share/texmf/fonts/opentype/public/lm-math/latinmodern-math.otf

Debian's package fonts-lmodern has the font, and so has https://ctan.org/pkg/lm-math. Its licence
allows changes if they are listed (hiermeasures/explore/fonts/LICENSE.txt). If an own measure or a
new formula needs another sign, add it to SIGNS and run this again.
"""

import sys
from pathlib import Path

from fontTools import subset

MADE = Path(__file__).resolve().parents[2] / "hiermeasures" / "explore" / "fonts" / "math.woff2"
FAMILY = "hiermeasures Math"
SIGNS = "·×±¬–…′″ℓ⇒∃∅∈∉∑−∖∗√∣∧∨∩∪≠≤≥⊂⊆⊈⋅⋯⏟△𝔼"
ASCII, GREEK = range(0x20, 0x7F), [*range(0x391, 0x3AA), *range(0x3B1, 0x3CA)]
ITALIC = [*range(0x1D434, 0x1D468), 0x210E, *range(0x1D6E2, 0x1D71C)]  # browsers ask for these
NAMES = {
    1: FAMILY,
    4: FAMILY,
    6: "hiermeasuresMath-Regular",
    10: "A subset of Latin Modern Math 1.959 with few signs, renamed. Nothing else is changed.",
    16: FAMILY,
}


def make(source: str) -> int:
    """Write the font and return its size in bytes."""
    options = subset.Options(
        flavor="woff2", layout_features=[], name_IDs=["*"], hinting=False, notdef_outline=True
    )
    options.drop_tables += ["FFTM"]
    font = subset.load_font(source, options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[*ASCII, *GREEK, *ITALIC, *map(ord, SIGNS)])
    subsetter.subset(font)
    for record in list(font["name"].names):
        for number, text in NAMES.items():
            font["name"].setName(
                text, number, *(record.platformID, record.platEncID, record.langID)
            )
    font["head"].modified = font["head"].created  # equal input gives an equal file
    font.recalcTimestamp = False
    subset.save_font(font, str(MADE), options)
    return MADE.stat().st_size


if __name__ == "__main__":
    print(f"{MADE}: {make(sys.argv[1]):,} bytes")
