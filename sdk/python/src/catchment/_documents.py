"""JTS documents as they come, piece by piece: a record has a line of its own, so that no answer is held as a whole."""

from __future__ import annotations

import json
from typing import Any

from ._errors import CutStreamError, UnexpectedAnswerError
from ._table import Table, missing
from ._times import parse_iso


class DocumentReader:
    """A sink that makes a table of a document."""

    def __init__(self, labels: list[str]) -> None:
        self._labels = labels
        self._rest = b""
        self._head: list[bytes] | None = []
        self._is_whole = False
        self.table = Table.empty(labels)
        self.next: str | None = None

    def feed(self, data: bytes) -> None:
        lines = (self._rest + data).split(b"\n")
        self._rest = lines.pop()
        for line in lines:
            self._take(line)

    def finish(self) -> Table:
        """Raises CutStreamError where the document has no end."""
        if self._rest:
            self._take(self._rest)
            self._rest = b""
        if self._head is not None:
            self._all(b"\n".join(self._head))
        elif not self._is_whole:
            raise CutStreamError("the answer was cut off: its document has no end")
        return self.table

    def _take(self, line: bytes) -> None:
        bare = line.strip()
        if self._head is None:
            if bare.startswith((b'{ "ts"', b'{"ts"')):
                self._record(bare.rstrip(b","))
            elif bare:
                # What follows the last record.
                self._is_whole = self._is_whole or bare.replace(b" ", b"") in (b"]}", b"]", b"}")
        elif bare.replace(b" ", b"") == b'"data":[':
            head = b"\n".join(self._head).rstrip().rstrip(b",")
            self._header(json.loads(head + b"}"))
            self._head = None
        else:
            self._head.append(line)

    def _record(self, text: bytes) -> None:
        try:
            self._row(json.loads(text))
        except ValueError:
            raise CutStreamError("the answer was cut off within a record") from None

    def _all(self, text: bytes) -> None:
        """A document in another layout, or one without records."""
        try:
            document = json.loads(text)
        except ValueError:
            raise CutStreamError("the answer was cut off: its document has no end") from None
        if not isinstance(document, dict) or not isinstance(document.get("data"), list):
            raise UnexpectedAnswerError("url: what answered is not Catchment: its document has no records", 200)
        self._header(document)
        for row in document["data"]:
            self._row(row)

    def _header(self, document: dict[str, Any]) -> None:
        header = document.get("header", {})
        self.next = header.get("next")
        for index, column in enumerate(self.table.columns):
            described = header.get("columns", {}).get(str(index), {})
            column.id, column.name = described.get("id", ""), described.get("name", "")
            column.units, column.aggregate = described.get("units", ""), described.get("aggregate", "NONE")
            column.data_type = "TEXT" if described.get("renderType") == "STATE" else described.get("dataType", "NUMBER")

    def _row(self, row: dict[str, Any]) -> None:
        self.table.times.append(parse_iso(row["ts"]))
        fields = row["f"]
        for index, column in enumerate(self.table.columns):
            found = fields.get(str(index))
            if found is None:
                column.values.append(missing(column))
                column.quality.append(None)
                column.annotation.append(None)
                continue
            value = found.get("v")
            column.values.append(missing(column) if value is None else _value_of(value, column.data_type))
            column.quality.append(found.get("q"))
            column.annotation.append(found.get("a"))


def _value_of(value: Any, data_type: str) -> Any:
    if data_type == "NUMBER":
        return float(value)
    if isinstance(value, dict):
        if "$time" in value:
            return parse_iso(value["$time"])
        if "$coords" in value:
            return tuple(value["$coords"])
    return value
