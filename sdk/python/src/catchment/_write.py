"""Writing records: one frame as as many documents as the server's limits ask for."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass, field, replace
from typing import Any, Iterator, Sequence
from urllib.parse import quote
from uuid import uuid4

from ._core import Call, Context, Request, Response, document_of, exchange
from ._errors import ArgumentError, CatchmentError, PartialWriteError, UnsupportedError
from ._table import Column, Table
from ._times import iso

#: A document has so many rows; the server inflates up to 5 MiB.
ROWS_MAX = 50_000
COLUMNS_MAX = 100
BYTES_MAX = 4_500_000
#: The server waits so long before it answers that a write is not readable yet, and is asked so often.
READABLE_WAIT_SECONDS = 10
READABLE_ASKS = 12
#: Below it packing costs more than it saves.
GZIP_FROM_BYTES = 1024

MODES = (
    "MERGE_OVERWRITE_EXISTING",
    "MERGE_PRESERVE_EXISTING",
    "MERGE_UPDATE_EXISTING",
    "MERGE_FAIL_ON_EXISTING",
    "INSERT_DELETE_EXISTING",
    "INSERT_FAIL_ON_EXISTING",
    "DELETE_RANGE",
    "DELETE",
    "DISCARD",
)


@dataclass(frozen=True)
class WriteResult:
    """`records` are values that the server has; `parts` the requests that they took; `positions` says when they can be read."""

    records: int
    parts: int
    positions: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True)
class _Part:
    body: bytes
    records: int
    #: Once it is stored with those before it, all columns are safe up to this time.
    until: int


def checked_mode(mode: str) -> str:
    if not isinstance(mode, str) or mode.upper() not in MODES:
        raise ArgumentError("mode", f"'{mode}' is none of {', '.join(MODES)}")
    return mode.upper()


def header_of(columns: Sequence[Column], units: dict[str, str]) -> dict[str, Any]:
    """The columns of a document: a label with @ is a node, any other the series of a source."""
    unknown = set(units) - {one.label for one in columns}
    if unknown:
        raise ArgumentError("units", f"names columns that the frame does not have: {', '.join(sorted(unknown))}")
    found: dict[str, Any] = {}
    for place, column in enumerate(columns):
        described: dict[str, str] = {"dataType": column.data_type}
        if column.id:
            described["id"] = column.id
        else:
            described["series"] = described["name"] = column.label
        if column.label in units:
            described["units"] = units[column.label]
        found[str(place)] = described
    return {"columns": found}


def documents(table: Table, mode: str, units: dict[str, str]) -> Iterator[_Part]:
    """The parts: of some columns after the other, each in order of time."""
    for first in range(0, len(table.columns), COLUMNS_MAX):
        columns = table.columns[first : first + COLUMNS_MAX]
        for part in _documents(table.times, columns, mode, units):
            # Before the last columns have their turn, no time is safe in all of them.
            is_last = first + COLUMNS_MAX >= len(table.columns)
            yield part if is_last or not table.times else replace(part, until=table.times[0] - 1)


def _documents(times: Sequence[int], columns: Sequence[Column], mode: str, units: dict[str, str]) -> Iterator[_Part]:
    head = '{"docType":"jts","version":"1.0","header":' + json.dumps(header_of(columns, units)) + ',"data":['
    rows: list[str] = []
    size = count = 0
    until = times[0] if times else 0
    last: dict[int, int] = {}
    for time, fields in _rows(times, columns, mode):
        row = _row(time, fields)
        if len(rows) == ROWS_MAX or size + len(row) > BYTES_MAX:
            yield _Part((head + ",\n".join(rows) + "]}").encode(), count, until)
            rows, size, count = [], 0, 0
            if mode == "INSERT_DELETE_EXISTING":
                rows = _range_goes_on(last, time)
        rows.append(row)
        # Texts are in ASCII, so that characters are bytes.
        size += len(row) + 2
        count += len(fields)
        until = time
        last.update(dict.fromkeys(fields, time))
    yield _Part((head + ",\n".join(rows) + "]}").encode(), count, until)


def _range_goes_on(last: dict[int, int], time: int) -> list[str]:
    """
    A range that is replaced reaches over all parts: markers behind the last record of each column, so that what is stored between two
    parts goes too.
    """
    markers: dict[int, dict[int, str]] = {}
    for place, before in last.items():
        if before + 1 < time:
            markers.setdefault(before + 1, {})[place] = "null"
    return [_row(at, markers[at]) for at in sorted(markers)]


def _row(time: int, fields: dict[int, str]) -> str:
    inner = ",".join(f'"{place}":{text}' for place, text in fields.items())
    return f'{{"ts":{time},"f":{{{inner}}}}}'


def _rows(times: Sequence[int], columns: Sequence[Column], mode: str) -> Iterator[tuple[int, dict[int, str]]]:
    is_deletion = mode in ("DELETE", "DELETE_RANGE")
    for at, time in enumerate(times):
        if mode == "DELETE_RANGE" and 0 < at < len(times) - 1:
            continue
        fields = {}
        for place, column in enumerate(columns):
            text = "null" if is_deletion else _field(column, at)
            if text is not None:
                fields[place] = text
        if fields:
            yield time, fields


def _field(column: Column, at: int) -> str | None:
    """A record as a field of a document; None where there is none. A missing value with a quality is a gap."""
    value, quality, annotation = column.values[at], column.quality[at], column.annotation[at]
    if value is None and quality is None and annotation is None:
        return None
    parts = []
    if value is not None:
        parts.append(f'"v":{_value(value, column.data_type)}')
    if quality is not None:
        parts.append(f'"q":{quality}')
    if annotation is not None:
        parts.append(f'"a":{json.dumps(annotation)}')
    return "{" + ",".join(parts) + "}"


def _value(value: Any, data_type: str) -> str:
    if data_type == "NUMBER":
        return repr(value)
    if data_type == "TIME":
        return f'{{"$time":"{iso(value)}"}}'
    if data_type == "COORDINATES":
        return json.dumps({"$coords": list(value)})
    return json.dumps(value)


def write(
    context: Context,
    path: str,
    table: Table,
    *,
    mode: str,
    notify_on: str | None,
    units: dict[str, str],
    wait: str,
) -> Call[WriteResult]:
    """All parts, one after the other. Raises PartialWriteError where one fails after others are stored."""
    if wait not in ("durable", "readable"):
        raise ArgumentError("wait", f"'{wait}' is none of durable, readable")
    parts = list(documents(table, mode, units))
    if len(parts) > 1 and ("FAIL_ON" in mode):
        raise ArgumentError(
            "mode", f"{mode} writes all or nothing, and this takes {len(parts)} requests: write less at once, or merge"
        )
    query = [("writeMode", mode)] + ([("notifyOn", notify_on)] if notify_on else [])
    records = 0
    positions: list[str | None] = []
    for done, part in enumerate(parts):
        try:
            answer = yield from _send(context, path, tuple(query), part.body, is_repeatable="FAIL_ON" not in mode)
        except CatchmentError as error:
            if done == 0:
                raise
            until = iso(parts[done - 1].until)
            raise PartialWriteError(
                f"{done} of {len(parts)} parts are stored, {records} records, all columns up to {until}; the next one failed: {error}. "
                "Write again what follows",
                parts=done,
                records=records,
                until=until,
            ) from error
        records += part.records
        if part.records:
            positions.append(_position_of(answer))
    known = tuple(position for position in positions if position)
    if wait == "readable":
        if len(known) < len(positions):
            text = 'this server does not report when a write can be read; all of it is stored. Use wait="durable"'
            raise UnsupportedError(f"wait: {text}")
        for position in known:
            yield from until_readable(context, position)
    return WriteResult(records, len(parts), known)


def _position_of(answer: Response) -> str | None:
    found = document_of(answer) if answer.body else {}
    return str(found["write"]) if found.get("write") else None


def _send(
    context: Context, path: str, query: tuple[tuple[str, str], ...], body: bytes, is_repeatable: bool
) -> Call[Response]:
    headers = {"Content-Type": "application/json"}
    if len(body) >= GZIP_FROM_BYTES:
        body = gzip.compress(body, 6, mtime=0)
        headers["Content-Encoding"] = "gzip"
    if not is_repeatable:
        # The second try of a write that fails on what exists would fail on what the first one wrote.
        headers["Idempotency-Key"] = str(uuid4())
    answer, _ = yield from exchange(context, Request("PUT", path, query, headers, body))
    return answer


def until_readable(context: Context, position: str) -> Call[None]:
    """Until reads have what a write wrote: the server answers when they do, or after a while."""
    request = Request("GET", f"/api/v1/writes/{quote(position, safe='')}", (("wait", str(READABLE_WAIT_SECONDS)),))
    for _ in range(READABLE_ASKS):
        answer, _ = yield from exchange(context, request)
        state = document_of(answer)
        if state["readable"]:
            return
        if not state["durable"]:
            raise CatchmentError(
                "wait: the server has lost the write, as after a restore from a backup: write it again"
            )
    raise CatchmentError("wait: the write is stored, but reads do not have it after two minutes: look at the server")
