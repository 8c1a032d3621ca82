"""The calls of a client, which `client.py` drives at once or by await: each rule stands here once."""

from __future__ import annotations

import datetime as dt
import json
import math
import os
import re
from numbers import Real
from typing import Any, Callable, Mapping, Sequence
from urllib.parse import quote
from uuid import uuid4

from . import _follow, _read, _write
from ._config import Settings, settings_of
from ._core import Call, Clock, Context, Item, Request, Retry, document_of, exchange
from ._errors import ArgumentError
from ._frames import Info, info_of, to_frame
from ._from_frames import table_of
from ._generated.operations import OPERATIONS
from ._table import Column
from ._times import TimeLike, instant, iso, zone_of
from ._tree import ATTRIBUTES, Tree, TreeNode, tree_of

#: Nodes, events and others of one page.
PAGE = 5_000
_ID = re.compile(r"@.+|[0-9a-fA-F]{24}")

#: Operations that `request` does not reach, with the reason.
LEFT_OUT: Mapping[str, str] = {
    "signIn": "a person signs in by a browser; programs have a key",
    "signOut": "a person's session in a browser",
    "getSession": "needs a person's session",
    "updateProfile": "needs a person's session",
    "listOwnKeys": "needs a person's session",
    "createOwnKey": "needs a person's session",
    "deleteOwnKey": "needs a person's session",
    "getOwnNotifications": "needs a person's session",
    "listSignIns": "needs a person's session",
    "endSignIn": "needs a person's session",
    "listPreferences": "needs a person's session",
    "getPreference": "needs a person's session",
    "putPreference": "needs a person's session",
    "deletePreference": "needs a person's session",
    "listInvitations": "needs a person's session",
    "acceptInvitation": "needs a person's session",
    "declineInvitation": "needs a person's session",
    "listAllAccounts": "needs the session of an operator",
    "changeAnyAccount": "needs the session of an operator",
    "getHealthOfInstallation": "needs the session of an operator",
    "listDeadLetters": "needs the session of an operator",
    "retryDeadLetter": "needs the session of an operator",
    "dropDeadLetter": "needs the session of an operator",
    "getFile": "signed links open without a client: give nodes with fileUrl to any program",
    "getPreview": "as getFile",
    "pushFile": "of devices, which have passwords of their own instead of a key",
    "takeUplink": "of network servers of LoRaWAN",
    "takeSamples": "of an app on phones",
    "followEvents": "an answer without an end: client.events(…)",
    "followNodes": "an answer without an end: client.nodes.follow(…)",
}


def _json_of(body: Any) -> bytes:
    try:
        return json.dumps(body, allow_nan=False).encode()
    except (TypeError, ValueError) as error:
        raise ArgumentError("body", f"cannot be JSON: {error}") from None


class Later:
    """The place of the changes: known once they have begun."""

    def __init__(self, after: str | None) -> None:
        self.after = after
        self.place: _follow.ChangesPlace | None = None


def open_calls(
    url: str | None, key: str | None, profile: str | None, retry: Retry | None, clock: Clock | None
) -> tuple[Calls, str]:
    """The calls of a client, and its key."""
    settings = settings_of(url, key, profile, os.environ)
    return Calls(settings, retry or Retry(), clock or Clock()), settings.key


class Calls:
    """The calls of one client."""

    def __init__(self, settings: Settings, retry: Retry, clock: Clock) -> None:
        self.url = settings.url
        self.context = Context(retry, clock)
        self._offered = _read.Offered()

    # -- any operation -------------------------------------------------------------------------------------------------

    def request(self, operation: str, body: Any = None, **given: Any) -> Call[Any]:
        known = OPERATIONS.get(operation)
        if known is None or operation in LEFT_OUT:
            why = LEFT_OUT.get(operation, "no operation of the API has this id")
            raise ArgumentError("operation", f"'{operation}': {why}")
        path = known.path
        for name in known.path_arguments:
            value = given.pop(name, None)
            if not value:
                raise ArgumentError(name, f"must be given: {operation} is {known.method} {known.path}")
            path = path.replace("{" + name + "}", quote(str(value), safe="@"))
        unknown = set(given) - set(known.query)
        if unknown:
            raise ArgumentError(
                sorted(unknown)[0], f"is no argument of {operation}; it takes {', '.join(known.query) or 'none'}"
            )
        headers: dict[str, str] = {}
        content: bytes | None = None
        files: Mapping[str, Any] | None = None
        if known.body == "multipart/form-data" and body is not None:
            files = body
        elif body is not None:
            is_raw = isinstance(body, (bytes, str))
            content = (body.encode() if isinstance(body, str) else body) if is_raw else _json_of(body)
            headers["Content-Type"] = known.body or "application/json"
        if known.method == "POST":
            headers["Idempotency-Key"] = str(uuid4())
        query = tuple(_read.arguments(**given).items())
        answer, _ = yield from exchange(self.context, Request(known.method, path, query, headers, content, files))
        media = answer.headers.get("content-type", "")
        if "json" in media or ("json" in known.answer and "format" not in given):
            return document_of(answer) if answer.body else None
        return answer.body.decode() if media.startswith("text/") else answer.body

    def pages(self, operation: str, limit: int | None = None, **given: Any) -> Call[None]:
        """The items of a list, page by page."""
        done = 0
        while limit is None or done < limit:
            size = PAGE if limit is None else min(PAGE, limit - done)
            found = yield from self.request(operation, skip=done, limit=size, **given)
            for one in found:
                yield Item(one)
            done += len(found)
            if len(found) < size:
                return

    # -- time series ---------------------------------------------------------------------------------------------------

    def read(
        self, nodes: _read.Nodes, start: TimeLike, end: TimeLike, frame: str, flags: bool | None, given: dict[str, Any]
    ) -> Call[Any]:
        tz = given.get("tz")
        _read.check_others(given, OPERATIONS["readManyHistoric"].query)
        asked = _read.reading_of(nodes, start, end, now=self.context.clock.now(), **given)
        table = yield from _read.read(self.context, self._offered, asked)
        bounds = {"start": asked.start, "end": asked.end}
        request = dict(asked.query) | {name: iso(ms) for name, ms in bounds.items() if ms is not None}
        info: Info = info_of(table, tz, request)
        return to_frame(table, info, frame, flags)

    def write(
        self,
        node: str | None,
        frame: Any,
        mode: str,
        wait: str,
        tz: str | None,
        notify_on: str | None,
        units: Mapping[str, str] | None,
    ) -> Call[_write.WriteResult]:
        mode = _write.checked_mode(mode)
        if units is not None and not isinstance(units, Mapping):
            raise ArgumentError("units", 'must be a dict by columns, such as {"level": "m"}')
        table = table_of(frame, tz)
        path = "/api/v1/historic"
        for column in table.columns:
            if _ID.fullmatch(column.label):
                column.id = column.label
            elif node is None:
                raise ArgumentError(
                    "node", f"must be given, or every column be an _id or @customId; '{column.label}' is none"
                )
        if node is not None:
            path = f"/api/v1/nodes/{quote(node, safe='@')}/historic"
            if len(table.columns) > 1 or table.columns[0].id not in ("", node):
                yield from self._meant(table.columns, node)
        return (
            yield from _write.write(
                self.context, path, table, mode=mode, notify_on=notify_on, units=dict(units or {}), wait=wait
            )
        )

    def _meant(self, columns: Sequence[Column], node: str) -> Call[None]:
        """A source finds its parameters by the columns. One series takes one column, and would leave out others unsaid."""
        found = yield from self.request("getNode", id=node, attr="_class")
        if ".source." in found["_class"]:
            return
        if len(columns) > 1:
            raise ArgumentError(
                "frame", f"has several columns, but {node} is one series: give one, or the source's node"
            )
        # Read from another node perhaps; meant for this one.
        columns[0].id = ""

    def write_now(
        self, node: str, value: Any, quality: int | None, annotation: str | None, time: TimeLike | None, tz: str | None
    ) -> Call[dt.datetime]:
        if value is None and quality is None and annotation is None:
            raise ArgumentError("value", "must be given, or quality or annotation")
        if isinstance(value, Real) and not isinstance(value, (bool, int)):
            # Numbers of numpy are no JSON.
            value = float(value)
            if not math.isfinite(value):
                raise ArgumentError("value", "must be a finite number; None with a quality stores a gap")
        if time is None:
            # The time of the first try counts, whichever try arrives, and it is the server's: clocks of loggers are wrong.
            ms = int((yield from self.server_now()) * 1000)
        else:
            ms = instant("time", time, zone_of(tz) if tz else None, self.context.clock.now())
        if isinstance(value, dt.datetime):
            value = {"$time": iso(instant("value", value, zone_of(tz) if tz else None, 0))}
        body = {"value": value, "quality": quality, "annotation": annotation}
        sent = {name: one for name, one in body.items() if one is not None} | {"timestamp": iso(ms)}
        yield from self.request("writeNow", sent, id=node)
        return dt.datetime.fromtimestamp(0, dt.timezone.utc) + dt.timedelta(milliseconds=ms)

    def server_now(self) -> Call[float]:
        """Seconds since 1970 by the server's clock."""
        if self.context.clock.skew is None:
            yield from exchange(self.context, Request("OPTIONS", "/api/v1/nodes"))
        return self.context.clock.server_now()

    # -- what happens --------------------------------------------------------------------------------------------------

    def changes(self, nodes: Sequence[str] | None, since: TimeLike | None, tz: str | None, place: Later) -> Call[None]:
        if place.after is None and since is None:
            raise ArgumentError("since", 'must be given, such as "yesterday", or after')
        if isinstance(nodes, str):
            nodes = [nodes]
        ms = None if since is None else instant("since", since, zone_of(tz), self.context.clock.now())
        if nodes is None and place.after is None:
            nodes = yield from self._all_series()
        place.place = _follow.place_of(place.after, nodes or [], ms)
        yield from _follow.changes(self.context, place.place)

    def _all_series(self) -> Call[list[str]]:
        found: list[str] = []
        while True:
            page = yield from self.request(
                "listNodes", attr="_id", filter="_class($match:.point.)", limit=PAGE, skip=len(found)
            )
            found += [one["_id"] for one in page]
            if len(page) < PAGE:
                return found

    def events(self, types: Sequence[str] | None, filter: str | None, place: _follow.Place) -> Call[None]:
        of_types = _follow.filter_of(types)
        if of_types and filter:
            if "|" in filter:
                raise ArgumentError("filter", "must be without | where types are given")
            # The alternatives of types bind less than what else is asked for.
            of_types = "|".join(f"{one},{filter}" for one in of_types.split("|"))
        query = _read.arguments(filter=of_types or filter)
        yield from _follow.follow(self.context, "/api/v1/events/stream", query, place)

    def follow_nodes(self, filter: str | None, attr: str | None, place: _follow.Place) -> Call[None]:
        query = _read.arguments(filter=filter, attr=attr)
        yield from _follow.follow(self.context, "/api/v1/nodes/stream", query, place)

    # -- nodes ---------------------------------------------------------------------------------------------------------

    def tree(self, filter: str | None = None, attr: str = ATTRIBUTES) -> Call[Tree]:
        found: list[Mapping[str, Any]] = []
        while True:
            page = yield from self.request("listNodes", attr=attr, filter=filter, limit=PAGE, skip=len(found))
            found += page
            if len(page) < PAGE:
                return tree_of(found)

    def find(self, pattern: str) -> Call[list[TreeNode]]:
        return (yield from self.tree()).find(pattern)
