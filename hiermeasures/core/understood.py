"""What a reader understood of its source, as data next to the hierarchy that it made."""

from dataclasses import dataclass

from hiermeasures.core.errors import listed

_NAMED = 3  # names in a sentence


@dataclass(frozen=True)
class Understood:
    """What was read of a source, and what was not.

    Attributes
    ----------
    format : str
        The title of the format; empty if the source is no file.
    columns : tuple of (column, role)
        The columns of a table, or the keys of JSON, that were read, in their order.
    unread : tuple of str
        Columns, keys or relations that were not read.
    rule : str
        How parents were found where no column names them.
    invented : tuple of str
        Classes that are not in the source, but needed above others.
    skipped : str
        Rows that are not read, in words.
    dropped : tuple of str
        Faulty entries that were left out, each with its line.
    """

    format: str = ""
    columns: tuple[tuple[str, str], ...] = ()
    unread: tuple[str, ...] = ()
    rule: str = ""
    invented: tuple[str, ...] = ()
    skipped: str = ""
    dropped: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on all that a person should check.

        >>> Understood(unread=("note",), invented=("E84",)).notes
        ("columns that are not read: 'note'", "1 class is not in the source and was added: 'E84'")
        """
        faulty, added = len(self.dropped), len(self.invented)
        sentences = (
            f"{faulty:,} faulty {'entries are' if faulty > 1 else 'entry is'} left out" if faulty else "",
            f"columns that are not read: {listed(self.unread)}" if self.unread else "",
            self.rule,
            f"{added:,} class{'es are' if added > 1 else ' is'} not in the source and "
            f"{'were' if added > 1 else 'was'} added: {listed(self.invented, limit=_NAMED)}"
            if added
            else "",
            self.skipped,
        )
        return tuple(filter(None, sentences))


NOTHING = Understood()
