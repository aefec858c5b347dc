"""The colours of the interface that Python draws with, in one place. Each repeats what a shape or a word already
says.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Tones:
    """The colours of drawings on a light or a dark page. Nothing else on the screen uses those of the sides."""

    true: str
    predicted: str
    both: str
    ink: str
    line: str
    ground: str


# Okabe and Ito's palette; on a dark page its sky blue stands for its blue, and the green is lighter.
LIGHT = Tones("#0072B2", "#E69F00", "#009E73", ink="#31333F", line="#9298A3", ground="#FFFFFF")
DARK = Tones("#56B4E9", "#E69F00", "#1FB88C", ink="#FAFAFA", line="#7D838E", ground="#14161B")
PAPER = "#FFFFFF"

# Statuses of published cells: two more of the palette, apart from the sides.
EXPLAINED = "#F0E442"
UNEXPLAINED = "#CC79A7"
