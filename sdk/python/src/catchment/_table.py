"""A table holds what was read, before it becomes a frame of some library."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import Any, Literal, Sequence

DataType = Literal["NUMBER", "TEXT", "TIME", "COORDINATES"]
Cells = Any
"""A list, or a chunked array of pyarrow where the answer was one."""


@dataclass
class Column:
    """
    One series. `values`, `quality` and `annotation` are as long as the times of its table; None (NaN of numbers) where there is none.

    Values: numbers as float, texts as str, times as milliseconds since 1970, coordinates as (latitude, longitude).
    """

    label: str
    id: str = ""
    name: str = ""
    units: str = ""
    data_type: DataType = "NUMBER"
    aggregate: str = "NONE"
    values: Cells = field(default_factory=list)
    quality: Cells = field(default_factory=list)
    annotation: Cells = field(default_factory=list)


PARTS = ("values", "quality", "annotation")


@dataclass
class Table:
    """Times are milliseconds since 1970, ascending, each once."""

    times: "array[int]"
    columns: list[Column]

    @staticmethod
    def empty(labels: Sequence[str]) -> Table:
        return Table(array("q"), [Column(label) for label in labels])


NAN = float("nan")


def missing(column: Column) -> Any:
    return NAN if column.data_type == "NUMBER" else None


def is_arrow(cells: Cells) -> bool:
    return not isinstance(cells, list)


def plain(column: Column, part: str) -> list[Any]:
    """Cells as a list, whatever they came as."""
    cells = getattr(column, part)
    if not is_arrow(cells):
        return cells  # type: ignore[no-any-return]
    if part == "values" and column.data_type == "TIME":
        cells = cells.cast("int64")
    found: list[Any] = cells.to_pylist()
    return (
        [NAN if one is None else one for one in found] if part == "values" and column.data_type == "NUMBER" else found
    )


def extend(table: Table, more: Table) -> None:
    """Rows that follow those of a table with the same columns."""
    is_first = not table.times
    table.times.extend(more.times)
    for column, further in zip(table.columns, more.columns):
        if not column.id:
            column.id, column.name, column.units = further.id, further.name, further.units
            column.data_type, column.aggregate = further.data_type, further.aggregate
        for part in PARTS:
            cells, rest = getattr(column, part), getattr(further, part)
            if is_first or len(rest) == 0:
                setattr(column, part, rest if is_first else cells)
            elif is_arrow(cells) and is_arrow(rest):
                import pyarrow as pa

                setattr(column, part, pa.chunked_array([*cells.chunks, *rest.chunks], cells.type))
            else:
                setattr(column, part, plain(column, part) + plain(further, part))


def before(table: Table, end: int) -> Table:
    """The rows before a time."""
    keep = len(table.times)
    while keep > 0 and table.times[keep - 1] >= end:
        keep -= 1
    if keep < len(table.times):
        del table.times[keep:]
        for column in table.columns:
            for part in PARTS:
                setattr(column, part, getattr(column, part)[:keep])
    return table


def beside(tables: list[Table]) -> Table:
    """The columns of several tables, joined on equal times."""
    if len(tables) == 1:
        return tables[0]
    times = array("q", sorted(set().union(*(table.times for table in tables))))
    places = {time: place for place, time in enumerate(times)}
    columns = []
    for table in tables:
        at = [places[time] for time in table.times]
        for column in table.columns:
            wide = Column(column.label, column.id, column.name, column.units, column.data_type, column.aggregate)
            for part in PARTS:
                cells = [missing(column) if part == "values" else None] * len(times)
                for place, cell in zip(at, plain(column, part)):
                    cells[place] = cell
                setattr(wide, part, cells)
            columns.append(wide)
    return Table(times, columns)
