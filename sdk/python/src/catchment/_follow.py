"""Follows what happens: server-sent events that go on after a lost connection, and changes page by page."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from typing import Any, Mapping, Sequence

from ._core import Call, Context, Item, NextLine, OpenStream, Request, Response, Sleep, exchange, reopen
from ._documents import DocumentReader
from ._errors import ArgumentError, CatchmentError, CutStreamError, TransportError, error_of
from ._core import retry_after_of
from ._times import iso

EVENT_TYPES = ("ACQUISITION", "CONFIGURATION", "STATE", "NOTIFICATION", "CONTROL", "SECURITY")
#: Rows of one page of changes, and nodes of one request.
PAGE_ROWS = 10_000
PAGE_NODES = 60


@dataclass
class Place:
    """The place of an iterator, for another one that goes on there: a text to keep, None before the first answer."""

    id: str | None = None


@dataclass(frozen=True)
class Message:
    """One message of a stream: what it is (`event`, `node`, `removed`, `reset`) and its data."""

    kind: str
    data: Any


@dataclass
class _Block:
    """Lines of a message until its empty line."""

    kind: str = "message"
    data: list[str] = field(default_factory=list)
    id: str | None = None
    retry_ms: int | None = None

    def take(self, line: str) -> None:
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "event":
            self.kind = value
        elif name == "data":
            self.data.append(value)
        elif name == "id" and "\0" not in value:
            self.id = value
        elif name == "retry" and value.isdigit():
            self.retry_ms = int(value)


def filter_of(types: Sequence[str] | None) -> str | None:
    """The filter of events of some types; ALARM are those that raise, acknowledge or clear one."""
    if types is None:
        return None
    if isinstance(types, str):
        types = [types]
    terms = []
    for one in types:
        word = one.upper()
        if word != "ALARM" and word not in EVENT_TYPES:
            raise ArgumentError("types", f"'{one}' is none of ALARM, {', '.join(EVENT_TYPES)}")
        terms.append("alarmState($ne:NONE)" if word == "ALARM" else f"eventType($eq:{word})")
    if not terms:
        raise ArgumentError("types", "must name at least one, or be left out for all")
    return "|".join(terms)


def follow(context: Context, path: str, query: Mapping[str, str], place: Place) -> Call[None]:
    """Messages without an end. What is lost with a connection comes by the next one: nothing is left out."""
    failures = 0
    error: CatchmentError | None = None
    pause: float | None = None
    while True:
        if pause is not None:
            yield Sleep(pause)
            pause = None
        yield from reopen(context, Request("GET", path), failures, error)
        headers = {"Accept": "text/event-stream"} | ({"Last-Event-ID": place.id} if place.id else {})
        try:
            answer: Response = yield OpenStream(Request("GET", path, tuple(query.items()), headers))
        except TransportError as failure:
            error, failures = failure, failures + 1
            continue
        context.clock.note(answer.headers)
        if answer.status != 200:
            asked = retry_after_of(answer.headers, context.clock.now())
            error = error_of(answer.status, answer.headers, answer.body, asked)
            failures += 1
            continue
        if not answer.headers.get("content-type", "").startswith("text/event-stream"):
            raise error_of(answer.status, answer.headers, b"")
        error = None
        # One that is open and ends at once, again and again, is waited for longer and longer.
        failures += 1
        try:
            block = _Block()
            while True:
                line: str | None = yield NextLine()
                if line is None:
                    break
                if line.startswith(":"):
                    # A heartbeat: it has lived for a while.
                    failures = 0
                elif line:
                    block.take(line)
                if line:
                    continue
                if block.retry_ms is not None:
                    pause = block.retry_ms / 1000
                if block.kind == "end":
                    break
                if block.id is not None:
                    place.id = block.id
                if block.data:
                    failures = 0
                    pause = None
                    yield Item(Message(block.kind, json.loads("\n".join(block.data))))
                block = _Block()
        except TransportError as failure:
            error = failure
        else:
            if pause is not None:
                failures = 0


@dataclass(frozen=True)
class Change:
    """
    A record that was written: `node` as it was asked for, `time` in milliseconds of UTC, `value` None for a gap.

    Values are those of reads: number, text, coordinates; times as milliseconds.
    """

    node: str
    time_ms: int
    value: Any
    quality: int | None
    annotation: str | None

    @property
    def time(self) -> Any:
        """The time as an aware datetime in UTC."""
        from ._times import of_ms

        return of_ms(self.time_ms)


@dataclass
class ChangesPlace(Place):
    """Knows which nodes are followed, and how far each part of them is."""

    parts: list[dict[str, Any]] = field(default_factory=list)

    def keep(self) -> None:
        self.id = base64.urlsafe_b64encode(json.dumps(self.parts).encode()).decode()


def place_of(after: str | None, nodes: Sequence[str], since: int | None) -> ChangesPlace:
    if after is not None:
        try:
            parts = json.loads(base64.urlsafe_b64decode(after))
            found = ChangesPlace(after, [{name: one[name] for name in ("nodes", "since", "after")} for one in parts])
        except (ValueError, KeyError, TypeError):
            raise ArgumentError("after", "must be the place of an earlier call of changes") from None
        return found
    parts = [
        {"nodes": list(nodes[first : first + PAGE_NODES]), "since": since, "after": None}
        for first in range(0, len(nodes), PAGE_NODES)
    ]
    return ChangesPlace(None, parts)


def changes(context: Context, place: ChangesPlace) -> Call[None]:
    """Yields what was written, until there is nothing more."""
    for part in place.parts:
        yield from _changes_of(context, place, part)
    place.keep()


def _changes_of(context: Context, place: ChangesPlace, part: dict[str, Any]) -> Call[None]:
    nodes: list[str] = part["nodes"]
    while True:
        query = {"params": ",".join(nodes), "timeQuery": "MODIFIED", "limit": str(PAGE_ROWS), "renderFormat": ""}
        if part["since"] is not None:
            query["startTime"] = iso(part["since"])
        if part["after"] is not None:
            query["after"] = part["after"]
        reader = yield from _page(context, query, nodes)
        table = reader.table
        for at, time in enumerate(table.times):
            for column in table.columns:
                value, quality, annotation = column.values[at], column.quality[at], column.annotation[at]
                if value is None or value != value:
                    value = None
                if value is not None or quality is not None or annotation is not None:
                    yield Item(Change(column.label, time, value, quality, annotation))
        if reader.next is None:
            return
        part["after"] = reader.next
        place.keep()


def _page(context: Context, query: Mapping[str, str], labels: list[str]) -> Call[DocumentReader]:
    attempt = 0
    while True:
        attempt += 1
        _, sink = yield from exchange(
            context, Request("GET", "/api/v1/historic", tuple(query.items())), lambda: DocumentReader(labels)
        )
        assert isinstance(sink, DocumentReader)
        try:
            sink.finish()
            return sink
        except CutStreamError:
            if attempt >= context.retry.tries:
                raise
