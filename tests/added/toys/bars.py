"""A made-up format of labels: `| id | a b` on a line."""

from collections.abc import Iterator
from typing import BinaryIO

from hiermeasures.read.labels.label_file import Block, LabelFile, LabelFormat, LabelReading, pieces


def read(stream: BinaryIO, reading: LabelReading) -> Iterator[Block]:
    for _, piece in pieces(stream, reading):
        cells = [line.split("|") for line in piece.decode().split("\n")[:-1]]
        yield reading.values(
            [labels.split() for _, _, labels in cells], [name.strip() for _, name, _ in cells]
        )


def write(file: LabelFile, stream: BinaryIO) -> None:
    for name, labels in zip(file.ids or (), file.labels, strict=True):
        stream.write(f"| {name} | {' '.join(sorted(labels))}\n".encode())


FORMAT = LabelFormat(
    key="bars",
    title="Bars",
    extensions=(".bars",),
    description="`| id | a b` per line",
    read=read,
    write=write,
    begins=lambda head: head.first.startswith("|"),
)
