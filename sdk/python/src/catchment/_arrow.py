"""Answers as Arrow (docs/reference/formats.md#arrow): columns as they lie in memory, which need no reading record by record."""

from __future__ import annotations

from array import array
from importlib.util import find_spec
from typing import Any

from ._errors import CutStreamError
from ._table import Column, Table

#: Columns of quality and annotation are there where they are asked for.
ASKED = {"format": "ARROW", "quality": "SEPARATE_VALUE", "annotation": "SEPARATE_VALUE"}


def is_installed() -> bool:
    return find_spec("pyarrow") is not None


class ArrowReader:
    """A sink that makes a table of an IPC stream. What a field is of, its metadata say: `column` and `part`."""

    def __init__(self, labels: list[str]) -> None:
        self._labels = labels
        self._pieces: list[bytes] = []

    def feed(self, data: bytes) -> None:
        self._pieces.append(data)

    def finish(self) -> Table:
        """Raises CutStreamError where the stream has no end."""
        import pyarrow as pa

        whole = b"".join(self._pieces)
        self._pieces.clear()
        # Readers take a stream without its end for a whole one.
        if not whole.endswith(b"\xff\xff\xff\xff\x00\x00\x00\x00"):
            raise CutStreamError("the answer was cut off: its Arrow stream has no end")
        try:
            with pa.ipc.open_stream(pa.py_buffer(whole)) as reader:
                found = reader.read_all()
        except pa.ArrowInvalid as error:
            raise CutStreamError(f"the answer is no whole Arrow stream: {error}") from None
        times = array("q")
        times.frombytes(memoryview(found.column("time").cast(pa.int64()).to_numpy()).cast("B"))
        return Table(times, [self._column(found, place, label) for place, label in enumerate(self._labels)])

    def _column(self, found: Any, place: int, label: str) -> Column:
        import pyarrow as pa

        parts: dict[str, Any] = {}
        about: dict[str, str] = {}
        for field in found.schema:
            metadata = {name.decode(): value.decode() for name, value in (field.metadata or {}).items()}
            if metadata.get("column") == str(place):
                parts[metadata["part"]] = found.column(field.name)
                about = about or metadata
        column = Column(label, about["node"], about["name"], about["units"], aggregate=about["aggregate"])
        column.data_type = "TEXT" if about["renderType"] == "STATE" else about["type"]  # type: ignore[assignment]
        if "latitude" in parts:
            pairs = zip(parts["latitude"].to_pylist(), parts["longitude"].to_pylist())
            column.values = [None if pair[0] is None else pair for pair in pairs]
        else:
            column.values = parts["value"]
        column.quality = parts["quality"].cast(pa.uint16())
        column.annotation = parts["annotation"]
        return column
