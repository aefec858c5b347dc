"""How far a presentation has come, as an immutable value: what of the hidden is revealed, and whether the code of its
link is open. What is shown is a Stage (stage.py); which instance or card that is, the page knows that presents it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

PRESENTED = ("present", "revealed", "measures")  # the parameters of an address
BETWEEN = ";"  # the measures of an address


@dataclass(frozen=True)
class Presenting:
    """What is revealed: everything, or these things by their names. `code` says whether the QR code is open, `measures`
    whose values are asked for where a person chose them. `step` is the step that is drawn, where the page that presents
    keeps none.
    """

    everything: bool = False
    revealed: frozenset[str] = frozenset()
    code: bool = False
    step: int | None = None
    measures: tuple[str, ...] = ()

    def shows(self, item: str) -> bool:
        """Whether a hidden thing is revealed by now."""
        return self.everything or item in self.revealed

    def reveal(self, item: str, hidden: Iterable[str]) -> "Presenting":
        """The same with one of the hidden things revealed; with the last of them, everything is."""
        revealed = self.revealed | {item}
        return replace(self, everything=self.everything or revealed.issuperset(hidden), revealed=revealed)

    def reveal_next(self, hidden: Sequence[str]) -> "Presenting":
        """The same with the first thing revealed that is hidden still.

        >>> one = Presenting().reveal_next(("hF", "GIE"))
        >>> one.revealed, one.reveal_next(("hF", "GIE")).everything
        (frozenset({'hF'}), True)
        """
        item = next((item for item in hidden if not self.shows(item)), None)
        return self if item is None else self.reveal(item, hidden)

    def reveal_all(self) -> "Presenting":
        """The same with everything revealed."""
        return replace(self, everything=True)

    def hide(self) -> "Presenting":
        """The same with everything hidden again."""
        return replace(self, everything=False, revealed=frozenset())

    def at_step(self, step: int | None) -> "Presenting":
        """The same at another step; None is the result."""
        return replace(self, step=step)

    def parameters(self) -> dict[str, str]:
        """What an address says of it, so that a link opens exactly this.

        >>> Presenting(everything=True).parameters()
        {'present': '1', 'revealed': '1'}
        """
        chosen = {"measures": BETWEEN.join(self.measures)} if self.measures else {}
        return {"present": "1", **({"revealed": "1"} if self.everything else {}), **chosen}


def presenting_in(parameters: Mapping[str, str]) -> Presenting | None:
    """What an address asks for; None where nothing is to be presented. Its measures are from a stranger, and may not
    exist.

    >>> presenting_in({"present": "1", "measures": "hF;GIE"}).measures, presenting_in({"revealed": "1"})
    (('hF', 'GIE'), None)
    """
    if parameters.get("present") != "1":
        return None
    measures = tuple(key for key in parameters.get("measures", "").split(BETWEEN) if key)
    return Presenting(everything=parameters.get("revealed") == "1", measures=measures)
