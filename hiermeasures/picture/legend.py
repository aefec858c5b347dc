"""Where the lines of the legend stand in an exported picture: in rows across its width, the same
for SVG and TikZ.

How a line is painted is the painters' business; on the screen the page wraps the legend by itself.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from hiermeasures.picture.scene import Badge, LegendLine, Scene, tag_width, text_width

SAMPLE = 24.0  # how wide a sample is at least
SAMPLE_GAP = 6.0  # between a sample and its words
GAP = 20.0  # between two lines of one row
NARROWEST = 320.0  # a picture narrower than this still has rows as wide


@dataclass(frozen=True)
class PlacedLine:
    """A line of the legend, or a note: its left end, its row, the widths of sample and line."""

    line: LegendLine | str
    x: float
    row: int
    sample: float
    width: float

    @property
    def words(self) -> str:
        return self.line if isinstance(self.line, str) else self.line.words


def legend_rows(scene: Scene, width: float, *, legend: bool = True) -> tuple[PlacedLine, ...]:
    """The legend, if it is asked for, and the notes of a scene in rows no wider than a picture of
    this width.

    A line that is wider by itself has a row of its own, and so has each note.
    """
    placed: list[PlacedLine] = []
    x, row, room = 0.0, 0, max(width, NARROWEST)
    for line in scene.legend if legend else ():
        sample = _sample_width(line)
        wide = sample + SAMPLE_GAP + text_width(line.words)
        if x and x + wide > room:
            x, row = 0.0, row + 1
        placed.append(PlacedLine(line, x=x, row=row, sample=sample, width=wide))
        x += wide + GAP
    first = row + 1 if placed else 0
    placed += _note_rows(scene.notes, first)
    return tuple(placed)


def _note_rows(notes: Iterable[str], first: int) -> Iterable[PlacedLine]:
    return (PlacedLine(note, x=0.0, row=first + k, sample=0.0, width=text_width(note)) for k, note in enumerate(notes))


def _sample_width(line: LegendLine) -> float:
    return max(SAMPLE, tag_width(line.sample.text)) if isinstance(line.sample, Badge) else SAMPLE
