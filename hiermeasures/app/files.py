"""A form of files, uploaded or named by their paths, and a job that reads them.

The page's limits apply. Each fault appears at the field of its file.
"""

import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import streamlit as st

from hiermeasures.app.binding import bind, button, changing, setting
from hiermeasures.app.components import show_text, stacking_columns
from hiermeasures.app.inbox import Slot
from hiermeasures.app.job import SMALL, FieldError, Progress, start
from hiermeasures.app.server import are_allowed
from hiermeasures.draw.text import escaped, sentence
from hiermeasures.evaluation.files import InputFile
from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.read import UPLOAD, Format, Limits
from hiermeasures.read.description import Description, summarise
from hiermeasures.read.reading import OPTIONS, explained_options, fields_to_show, filled_options

UPLOAD_FILES, NAME_PATHS = "Upload", "Path"
AUTOMATIC = "recognised automatically"
MOST_NOTES = 300
ON_DISK = Limits(bytes=500_000_000, lines=20_000_000)
READING = {
    "hierarchy": "Reading the hierarchy",
    "true": "Reading the true labels",
    "table": "Reading the table",
    "systems": "Reading the systems' files",
}


# --- files ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class File:
    """A file to read: uploaded bytes, or a path on this computer. Without `format`, it is
    detected.
    """

    name: str
    source: bytes | Path
    format: str | None = None
    reading: Mapping[str, str] = field(default_factory=dict)

    def checked(self, alias: str = "") -> InputFile:
        """Return the file with its limits. A path must be a regular file of limited size."""
        if isinstance(self.source, bytes):
            return self._limited(self.source, UPLOAD, alias)
        try:
            path = self.source.expanduser()
            status = path.stat()
        except RuntimeError:
            raise InputError(
                f"{shown(str(self.source))}: this home folder does not exist"
            ) from None
        except (OSError, ValueError) as error:
            raise InputError(
                f"{shown(str(self.source))}: {getattr(error, 'strerror', None) or error}"
            ) from None
        if not stat.S_ISREG(status.st_mode):
            raise InputError(f"{shown(str(self.source))} is not a regular file")
        return self._limited(path, ON_DISK, alias)

    def _limited(self, source: bytes | Path, limits: Limits, alias: str) -> InputFile:
        options = filled_options(self.reading)
        return InputFile(
            self.name, source, format=self.format, limits=limits, alias=alias, options=options
        )


Given = Mapping[str, Sequence[File]]  # by the field of a form


def unique_names(files: Iterable[File]) -> dict[str, File]:
    """Return the files by system: the file's name without its ending, numbered if two are equal.

    >>> list(unique_names([File("a/x.txt", b""), File("x.csv", b""), File("y", b"")]))
    ['x', 'x (2)', 'y']
    """
    named: dict[str, File] = {}
    for file in files:
        stem = Path(file.name.replace("\x00", "")).stem or "system"
        name, number = stem, 2
        while name in named:
            name, number = f"{stem} ({number})", number + 1
        named[name] = file
    return named


def checked_systems(given: Given) -> dict[str, InputFile]:
    """Return the files by system, with limits. Notes name a system if two names are equal."""
    names = [file.name for file in given["systems"]]
    return {
        name: file.checked(name if names.count(file.name) > 1 else "")
        for name, file in unique_names(given["systems"]).items()
    }


@contextmanager
def reading(progress: Progress, systems: int = 0) -> Iterator[Callable[[str, int], None]]:
    """Yield a function that names the field to read next. Errors become FieldErrors of that field."""
    at = ""

    def stage(field: str, number: int = 0) -> None:
        nonlocal at
        at = field
        progress(READING[field], number, systems if field == "systems" else 0)

    try:
        with explained_options():
            yield stage
    except InputError as error:
        raise FieldError(at, str(error)) from None
    except OSError as error:
        raise FieldError(at, f"cannot be read ({error.strerror or error})") from None


# --- the form -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FileField:
    """The files of one field (paths, or uploads by name and content), with their formats."""

    path: str = ""
    uploads: tuple[tuple[str, bytes], ...] = ()
    format: str = AUTOMATIC
    reading: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Form:
    """The files of a form. With `asked`, the evaluation starts when all files are there."""

    source: str = UPLOAD_FILES
    hierarchy: FileField = FileField()
    table: FileField = FileField()
    true: FileField = FileField()
    systems: FileField = FileField()
    asked: bool = False


@dataclass(frozen=True)
class FileInput:
    """A field for files: title, help, formats, and whether it takes several."""

    title: str
    help: str
    formats: Mapping[str, Format] = field(default_factory=dict)
    several: bool = False


def files_in(
    prefix: str,
    slot: Slot[Any],
    inputs: Mapping[str, FileInput],
    notes: Mapping[str, Sequence[str]],
    read: Mapping[str, Description],
) -> tuple[Given, Callable[[], None]]:
    """Draw the fields, with a summary of their files. Return the files, and a function that draws
    the button.

    Small uploads need no button.
    """
    by_path = are_allowed(st.session_state)
    if by_path:
        setting(st.segmented_control, f"{prefix}_from", slot, "form.source")(
            "Files",
            [UPLOAD_FILES, NAME_PATHS],
            required=True,
            label_visibility="collapsed",
            help="Upload files of up to 20 MB each, or name larger ones on this computer.",
        )
        by_path = slot.value.form.source == NAME_PATHS
    given: dict[str, list[File]] = {}
    columns = stacking_columns(f"{prefix}_form", len(inputs), gap="medium")
    for (name, asked), column in zip(inputs.items(), columns, strict=True):
        with column:
            given[name] = _files_of(f"{prefix}_{name}", asked, slot, name, by_path=by_path)
            said = notes.get(name, ())
            fault = slot.value.faults.get(name, "")
            if fault:
                st.error(escaped(fault), icon=":material/error:")
            if name == "hierarchy" and given[name]:
                _reading_fields(f"{prefix}_{name}", slot, name, fault)
            if fault:
                continue
            if name in read and given[name]:
                with st.popover(escaped(summarise(read[name])), key=f"{prefix}_{name}_read"):
                    show_text(repr(read[name]), "code", key=f"{prefix}_{name}_repr")
            if said:
                more = [f"And {len(said) - MOST_NOTES:,} more."] if len(said) > MOST_NOTES else []
                st.caption("  \n".join(map(escaped, (*map(sentence, said[:MOST_NOTES]), *more))))

    def pressed() -> None:
        if by_path or not _is_small(given):
            ask = changing(slot, "form.asked")
            button("Evaluate", key=f"{prefix}_evaluate", action=lambda: ask(True), type="primary")

    return given, pressed


def _reading_fields(key: str, slot: Slot[Any], name: str, fault: str) -> None:
    """Draw the fields that are set or that an error asks for. Put the others in a popover."""
    reading: Mapping[str, str] = getattr(slot.value.form, name).reading
    change = changing(slot, f"form.{name}.reading")
    shown = fields_to_show(reading, fault)

    def draw(option: str) -> None:
        value = reading.get(option, "")
        bound = bind(
            st.text_input,
            f"{key}_{option}",
            value,
            lambda text: change({**getattr(slot.value.form, name).reading, option: text}),
        )
        bound(option.capitalize(), help=OPTIONS[option])

    for option in shown:
        draw(option)
    with st.popover("Columns and codes", key=f"{key}_columns"):
        for option in (name for name in OPTIONS if name not in shown):
            draw(option)


def _is_small(given: Given) -> bool:
    """Return True if the evaluation starts on its own: for uploads that need no long work."""
    sources = [file.source for files in given.values() for file in files]
    return (
        sum(len(source) if isinstance(source, bytes) else SMALL + 1 for source in sources) <= SMALL
    )


def evaluate_given(
    slot: Slot[Any],
    inputs: Mapping[str, FileInput],
    given: Given,
    settings: Any,
    work: Callable[[Any], Any],
) -> None:
    """Start an evaluation of these files with these settings once all files are there. Name the
    missing ones.
    """
    absent = [asked.title for name, asked in inputs.items() if not given[name]]
    form, begun = slot.value.form, slot.value.begun
    if absent:
        if form.asked or any(given.values()):
            st.info(
                f"Still missing: {', '.join(absent).lower()}. Then press Evaluate. Small files "
                "are evaluated at once."
            )
    elif form.asked or (_is_small(given) and (given, settings) != begun.get("files")):
        # what this breaks off is still to be made, should they not be usable
        begun = {"files": (given, settings)}
        start(slot, "files", work, faults={}, form=replace(form, asked=False), begun=begun)
        st.rerun()


def _files_of(
    key: str, asked: FileInput, slot: Slot[Any], name: str, *, by_path: bool
) -> list[File]:
    given: FileField = getattr(slot.value.form, name)
    if by_path:
        label = f"{asked.title}, one path per line" if asked.several else asked.title
        widget, more = (st.text_area, {"height": 104}) if asked.several else (st.text_input, {})
        draw = setting(widget, f"{key}_path", slot, f"form.{name}.path")
        draw(label, help=asked.help, placeholder=f"/path/to/{name}.txt", **more)
    else:
        keep = changing(slot, f"form.{name}.uploads")
        there = st.file_uploader(
            asked.title,
            key=f"{key}_upload",
            accept_multiple_files=asked.several,
            help=asked.help,
            on_change=lambda: keep(_contents(st.session_state[f"{key}_upload"])),
        )
        if there and (found := _contents(there)) != given.uploads:  # a newer run ended the callback
            keep(found)
            given = replace(given, uploads=found)
        if given.uploads and not there:
            st.caption(f"Uploaded before: {escaped(', '.join(name for name, _ in given.uploads))}")
    if asked.formats:
        titles = {AUTOMATIC: AUTOMATIC} | {
            key: format.title for key, format in asked.formats.items()
        }
        setting(st.selectbox, f"{key}_format", slot, f"form.{name}.format")(
            "Format",
            list(titles),
            label_visibility="collapsed",
            format_func=lambda key: f"Format: {titles[key]}",
        )
    format = None if given.format == AUTOMATIC else given.format
    if by_path:
        lines = [line.strip() for line in given.path.splitlines()]
        return [
            File(Path(line).name, Path(line), format, given.reading)
            for line in lines
            if line and "\x00" not in line
        ]
    return [File(upload, content, format, given.reading) for upload, content in given.uploads]


def _contents(uploads: Any) -> tuple[tuple[str, bytes], ...]:
    """Return uploads by name. Keep them, because the field forgets them on other pages."""
    found = uploads if isinstance(uploads, list) else [uploads]
    return tuple((u.name, u.getvalue()) for u in found if u is not None)
