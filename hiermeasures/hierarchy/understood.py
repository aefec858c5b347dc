"""The parts of a source that a reader used, as data next to the hierarchy."""

from dataclasses import dataclass

from hiermeasures.hierarchy.errors import shown
from hiermeasures.hierarchy.words import agree, quote_names, write_count, write_list

_NAMED = 3  # names in a sentence


@dataclass(frozen=True)
class Understood:
    """The parts of a source that were read, and those that were not.

    Attributes
    ----------
    format : str
        The title of the format. It is empty if the source is not a file.
    columns : tuple of (column, role)
        The columns of a table, or the keys of JSON, that were read, in their order.
    unread : tuple of str
        The columns, keys or relations that were not read.
    relations : tuple of (name, edges, read)
        The relations of an ontology, with their numbers of edges. `read` is True if the relation
        leads to parents.
    rule : str
        The rule that found the parents, if no column names them.
    invented : tuple of str
        The classes that are not in the source but are ancestors of others.
    skipped : str
        A sentence about rows that were not read.
    dropped : tuple of str
        The faulty entries that were left out, each with its line.
    """

    format: str = ""
    columns: tuple[tuple[str, str], ...] = ()
    unread: tuple[str, ...] = ()
    relations: tuple[tuple[str, int, bool], ...] = ()
    rule: str = ""
    invented: tuple[str, ...] = ()
    skipped: str = ""
    dropped: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences about the source that you should check.

        >>> Understood(unread=("note",), invented=("E84",)).notes
        ("columns that are not read: 'note'", "1 class is not in the source and was added: 'E84'")
        """
        faulty, added = len(self.dropped), len(self.invented)
        others = [(name, count) for name, count, is_read in self.relations if not is_read]
        some = [f"{shown(name)[1:-1]} ({count:,})" for name, count in others]
        sentences = (
            f"{write_count(faulty, 'faulty entry is', 'faulty entries are')} left out"
            if faulty
            else "",
            f"columns that are not read: {quote_names(self.unread)}" if self.unread else "",
            f"relations that are not read, and their edges: {write_list(some, _NAMED)}. "
            f"--relations adds relations that lead to a parent"
            if others
            else "",
            self.rule,
            f"{write_count(added, 'class is', 'classes are')} not in the source and "
            f"{agree(added, 'was')} added: {quote_names(self.invented, limit=_NAMED)}"
            if added
            else "",
            self.skipped,
        )
        return tuple(filter(None, sentences))


NOTHING = Understood()
