"""The colours and lines of all drawings. Shapes and words show the same meaning without colours.

Widths, dashes and gaps are in drawing units (pixels at zoom 1). Opacities are between 0 and 1.
"""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Tones:
    """The colours of drawings on a light or a dark page.

    The colours of the sides are used for nothing else. Lines and outlines have a contrast of at
    least 3 to the background, and text has at least 4.5 (tests/draw/test_palette.py). `class_fill`
    and `added_fill` are the opacity of a class's background. `better` and `worse` are for numbers
    with a sign. `mistake` is for bars and for cells of a confusion matrix that are wrong. Right
    cells have the colour `better`.
    """

    true: str
    predicted: str
    both: str
    ink: str
    line: str
    ground: str
    badge: str
    better: str
    worse: str
    mistake: str
    class_fill: float
    added_fill: float


@dataclass(frozen=True)
class Stroke:
    """The look of a line: its width, its dashes and gaps (empty for a solid line), and its opacity."""

    width: float
    dash: tuple[float, ...] = ()
    opacity: float = 1.0


# The palette of Okabe and Ito. On a light page its orange is darker. On a dark page its sky blue
# replaces its blue, and its green is lighter.
LIGHT = Tones(
    true="#0072B2",
    predicted="#C46F00",
    both="#009E73",
    ink="#31333F",
    line="#868C97",
    ground="#FFFFFF",
    badge="#E9EBF0",
    better="#5B35B0",
    worse="#B3204D",
    mistake="#B4451F",
    class_fill=0.16,
    added_fill=0.08,
)
DARK = Tones(
    true="#56B4E9",
    predicted="#E69F00",
    both="#1FB88C",
    ink="#FAFAFA",
    line="#7D838E",
    ground="#14161B",
    badge="#3A4150",
    better="#B9A6F5",
    worse="#FF8FA3",
    mistake="#E0805A",
    class_fill=0.28,
    added_fill=0.14,
)

# The outlines of classes by their part on a side, edges by their sides, and other lines.
OUTLINES = {"class": Stroke(2.6), "added": Stroke(1.4, (4, 3)), "uncounted": Stroke(1.4, (1, 3))}
EDGES = {
    "none": Stroke(1.2),
    "true": Stroke(2.4),
    "predicted": Stroke(2.4, (6, 3)),
    "both": Stroke(4.0),
}
LINKS = {"firm": Stroke(2.0, (9, 4), 0.85), "faint": Stroke(1.3, (2, 4), 0.6)}
BADGES = {"firm": Stroke(1.0, opacity=0.85), "faint": Stroke(1.0, (3, 2), 0.55)}
RINGED = Stroke(1.5, (2, 3), 0.7)
SIZE = Stroke(1.2, opacity=0.8)  # of the circles in the legend of sizes
FOCUS = Stroke(1.8, opacity=0.8)
FOCUS_FILL = 0.08
CURSOR = Stroke(3.0)  # around the class where the keyboard is
STRIKE = Stroke(1.6)
STRUCK_TEXT = 0.75  # opacity of struck-out text

# The statuses of published cells: two colours of the palette that no side uses.
EXPLAINED = "#F0E442"
UNEXPLAINED = "#CC79A7"


def side_colours(place: str = ":host") -> str:
    """Return light and dark colours as CSS variables: those of the sides, better, worse, mistake.

    `place` is the selector for the variables.
    """
    sides = ("true", "predicted", "both", "better", "worse", "mistake")
    pairs = (
        f"--{side}: light-dark({getattr(LIGHT, side)}, {getattr(DARK, side)});" for side in sides
    )
    return f"{place} {{ {' '.join(pairs)} }}\n"


def drawing_styles() -> dict[str, Any]:
    lines = {"outlines": OUTLINES, "edges": EDGES, "links": LINKS, "badges": BADGES}
    single = {"ringed": RINGED, "size": SIZE, "focus": FOCUS, "cursor": CURSOR, "strike": STRIKE}
    return {
        "light": asdict(LIGHT),
        "dark": asdict(DARK),
        **{
            name: {role: asdict(stroke) for role, stroke in strokes.items()}
            for name, strokes in lines.items()
        },
        **{name: asdict(stroke) for name, stroke in single.items()},
        "focus_fill": FOCUS_FILL,
        "struck_text": STRUCK_TEXT,
    }
