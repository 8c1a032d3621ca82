"""The client that does at once what `AsyncClient` (`aio.py`) does by await."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Any, Callable, Generic, Iterator, Literal, Mapping, Sequence, TYPE_CHECKING, TypeVar, overload

from . import _follow
from ._calls import Calls, Later, open_calls
from ._core import Call, Clock, Retry
from ._follow import Change, Message
from ._generated.models import Event, Node, NodePart
from ._read import Nodes
from ._times import TimeLike
from ._transport import Driver
from ._tree import Tree, TreeNode
from ._write import WriteResult

if TYPE_CHECKING:
    import datetime as dt

    import httpx
    import pandas as pd

T = TypeVar("T")
Frame = Literal["pandas", "polars", "arrow"]
Wait = Literal["durable", "readable"]


class Stream(Generic[T]):
    """Items as they come. `place` is the text that goes on behind the last of them: give it as `after`, also in another process."""

    def __init__(self, items: Iterator[Any], of: Callable[[Any], T], place: Callable[[], str | None]) -> None:
        self._items, self._of, self._place = items, of, place

    @property
    def place(self) -> str | None:
        return self._place()

    def __iter__(self) -> Iterator[T]:
        return self

    def __next__(self) -> T:
        return self._of(next(self._items))

    def close(self) -> None:
        """Ends the connection. So does the end of the program, and of the client."""
        self._items.close()  # type: ignore[attr-defined]


def same(item: Any) -> Any:
    return item


def data_of(message: Any) -> Any:
    return message.data


def later_place(later: Later) -> Callable[[], str | None]:
    return lambda: later.place.id if later.place else later.after


class Client:
    """
    A client of one Catchment.

    `url` and `key` are taken from the arguments, then from CATCHMENT_URL and CATCHMENT_KEY, then from a profile of
    ``~/.config/catchment.toml`` (`profile`, CATCHMENT_PROFILE, or its ``default``)::

        default = "home"
        [profiles.home]
        url = "https://catchment.example.org"
        key = "…"

    Refused for a while (429, 503) or cut off, a request is tried again, five times in all: `retry` changes that.
    Use it with ``with``, or close it. A client may be used by several threads.

    :raises ConfigurationError: no address, no key, or a key of another address
    """

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        profile: str | None = None,
        retry: Retry | None = None,
        transport: httpx.BaseTransport | None = None,
        clock: Clock | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._calls, key = open_calls(url, key, profile, retry, clock)
        self._driver = Driver(self._calls.url, key, transport, sleep)
        self.nodes = NodesOf(self)
        self.events = EventsOf(self)

    def __repr__(self) -> str:
        return f"Client(url={self._calls.url!r})"

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._driver.close()

    def _run(self, call: Call[T]) -> T:
        return self._driver.run(call)

    @overload
    def read(self, nodes: Nodes, start: TimeLike = ..., end: TimeLike = ..., *, frame: Literal["pandas"] = ..., flags: bool | None = ..., tz: str | None = ..., limit: int | None = ..., aggregate: str | None = ..., interval: str | None = ..., base_time: str | None = ..., **others: Any) -> pd.DataFrame: ...  # fmt: skip

    @overload
    def read(self, nodes: Nodes, start: TimeLike = ..., end: TimeLike = ..., *, frame: Frame, flags: bool | None = ..., tz: str | None = ..., limit: int | None = ..., aggregate: str | None = ..., interval: str | None = ..., base_time: str | None = ..., **others: Any) -> Any: ...  # fmt: skip

    def read(
        self,
        nodes: Nodes,
        start: TimeLike = None,
        end: TimeLike = None,
        *,
        frame: Frame = "pandas",
        flags: bool | None = None,
        tz: str | None = None,
        limit: int | None = None,
        aggregate: str | None = None,
        interval: str | None = None,
        base_time: str | None = None,
        **others: Any,
    ) -> Any:
        """
        Records from `start` to before `end`, or results of intervals, one column for each node.

        ::

            df = c.read(["@stage", "@flow"], "2024-01", "2025-01", aggregate="AVERAGE", interval="1D", tz="Australia/Sydney")

        :param nodes: ids or ``@customIds`` of parameters and Locations; a dict names the columns, `Series` gives one its own aggregate
        :param start: the first instant; ISO text as short as "2024", a datetime, "yesterday" or "NOW-7D". Without a zone it is in `tz`
        :param end: the first instant that is left out
        :param frame: "pandas" (index `time`, in UTC, aware), "polars" or "arrow" (column `time`)
        :param flags: True: columns ``<label> [Quality]`` (0 to 65535) and ``<label> [Annotation]`` follow each. Left out, frames of
            pandas keep these beside (``df.catchment.quality``), the others have the columns
        :param tz: zone of bounds and intervals, with its daylight saving time; UTC without it
        :param limit: at most so many rows: the first after `start`, without it the last before `end`. A bound may then be left out
        :param aggregate: such as AVERAGE, MIN, MAX, TOTAL, COUNT; with `interval` such as "1D", "15M". The time of a result is the
            start of its interval
        :param base_time: where intervals begin; without it with the day, week, month or year
        :param others: arguments of the API such as qualityExcluded, percentile, renderType
        :returns: numbers as float64 (missing = NaN, with its quality kept), texts, times in UTC, coordinates as (latitude, longitude).
            ``df.attrs["catchment"]`` has units, names, ids, types and zone. An answer that would be too large is read in parts.
        :raises NotFoundError: a node that the key's account does not have
        :raises TooLargeError: what cannot be cut into parts (CHANGE, a limit, intervals that begin at odd times)
        :raises ArgumentError: a bound, zone, interval that cannot be read
        """
        given = dict(tz=tz, limit=limit, aggregate=aggregate, interval=interval, base_time=base_time, **others)
        return self._run(self._calls.read(nodes, start, end, frame, flags, given))

    def write(
        self,
        node: str | None,
        frame: Any,
        *,
        mode: str = "MERGE_OVERWRITE_EXISTING",
        wait: Wait = "durable",
        tz: str | None = None,
        notify_on: str | None = None,
        units: Mapping[str, str] | None = None,
    ) -> WriteResult:
        """
        Writes a frame: the values of its columns, with what the columns ``<label> [Quality]`` and ``<label> [Annotation]`` say.

        A missing value writes nothing; with a quality it writes a gap. Large frames take several requests, packed, in order of time. A
        write that was answered is safe with the server. Limits of a source (rows in a day) may still leave out rows: its events report it.

        :param node: a source, whose parameters are the columns by their series (new ones are made); or one parameter or Location, for a
            frame of one column; or None: each column is called by its node, ``@customId`` or id
        :param frame: pandas (index of times), polars or pyarrow (column `time`). Numbers, texts, times, (latitude, longitude)
        :param mode: what happens to records that exist (docs/reference/writing.md#write-modes)
        :param wait: "durable": no crash loses it; "readable": reads have it too
        :param tz: zone of times that have none
        :param notify_on: which records may raise alarms: LATEST_ONLY, ALL_NEWER, NONE
        :param units: units of parameters that are made, by column
        :raises TimeWithoutZoneError: times without a zone, and no `tz`
        :raises NonUniqueIndexError: two rows of one millisecond
        :raises ArgumentError: infinite values, wrong qualities, columns that are no values. Nothing was sent
        :raises PartialWriteError: a part failed after others were stored; it says up to where
        """
        return self._run(self._calls.write(node, frame, mode, wait, tz, notify_on, units))

    def write_now(
        self,
        node: str,
        value: Any = None,
        *,
        quality: int | None = None,
        annotation: str | None = None,
        time: TimeLike = None,
        tz: str | None = None,
    ) -> dt.datetime:
        """
        Writes one record of a parameter or Location over whatever is there.

        :param value: number, text, datetime or (latitude, longitude); None with a quality is a gap
        :param time: without it the moment of the call, by the server's clock; it needs a zone, its own or `tz`
        :returns: the time of the record, in UTC
        """
        return self._run(self._calls.write_now(node, value, quality, annotation, time, tz))

    def changes(
        self,
        nodes: Sequence[str] | None = None,
        *,
        since: TimeLike = None,
        after: str | None = None,
        tz: str | None = None,
    ) -> Stream[Change]:
        """
        Records that were written since a time, whatever times they are of, until there is nothing more::

            changes = c.changes(since="yesterday")
            for change in changes: ...
            later = c.changes(after=changes.place)      # what was written since, and the last page once more

        **Deletions are not reported**, nor are ranges that a write replaced by less. A record comes again when it was written again.

        :param nodes: parameters and Locations; without them all parameters that the key sees
        """
        later = Later(after)
        return Stream(self._driver.iterate(self._calls.changes(nodes, since, tz, later)), same, later_place(later))

    def tree(self, filter: str | None = None) -> Tree:
        """All nodes that the key sees, as a tree: ``print(c.tree())``, ``c.tree().to_frame()``."""
        return self._run(self._calls.tree(filter))

    def request(self, operation: str, body: Any = None, **given: Any) -> Any:
        """
        Any operation of the API by its id, such as ``c.request("createWebhook", {"name": …, "url": …})``.

        Arguments of the path and the query are given by name. JSON comes back as dicts and lists, CSV as text, anything else as bytes.
        """
        return self._run(self._calls.request(operation, body, **given))


class NodesOf:
    """The nodes of the tree."""

    def __init__(self, client: Client) -> None:
        self._client = client

    @overload
    def list(self, *, filter: str | None = None, attr: None = None, sort: str | None = None, limit: int | None = None) -> Iterator[Node]: ...  # fmt: skip
    @overload
    def list(self, *, filter: str | None = None, attr: str, sort: str | None = None, limit: int | None = None) -> Iterator[NodePart]: ...  # fmt: skip
    def list(self, *, filter: str | None = None, attr: str | None = None, sort: str | None = None, limit: int | None = None) -> Any:  # fmt: skip
        """Nodes, page by page (docs/reference/query-arguments.md has `filter`, `attr`, `sort`)."""
        calls = self._client._calls.pages("listNodes", limit, filter=filter, attr=attr, sort=sort)
        return self._client._driver.iterate(calls)

    @overload
    def get(self, node: str, *, attr: None = None) -> Node: ...
    @overload
    def get(self, node: str, *, attr: str) -> NodePart: ...
    def get(self, node: str, *, attr: str | None = None) -> Any:
        return self._client.request("getNode", id=node, attr=attr)

    def create(self, attributes: Mapping[str, Any]) -> Node:
        return self._client.request("createNode", dict(attributes))  # type: ignore[no-any-return]

    def update(self, node: str, attributes: Mapping[str, Any]) -> Node:
        return self._client.request("updateNode", dict(attributes), id=node)  # type: ignore[no-any-return]

    def delete(self, node: str) -> None:
        """Deletes a node, what lies below it, and their records, for good."""
        self._client.request("deleteNode", id=node)

    def find(self, pattern: str) -> Sequence[TreeNode]:
        """Nodes by the end of their path, such as ``"Dead Run*/*/Gage height"`` (`Tree.find` has the rules)."""
        return self._client._run(self._client._calls.find(pattern))

    def follow(
        self, *, filter: str | None = None, attr: str | None = None, after: str | None = None
    ) -> Stream[Message]:
        """Nodes that are made, changed (`node`) or go (`removed`), as it happens, without an end."""
        place = _follow.Place(after)
        calls = self._client._calls.follow_nodes(filter, attr, place)
        return Stream(self._client._driver.iterate(calls), same, lambda: place.id)


class EventsOf:
    """The log of events; called, it follows what comes."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def __call__(self, types: Sequence[str] | None = None, *, filter: str | None = None, after: str | None = None) -> Stream[Event]:  # fmt: skip
        """
        Events as they happen, from now on or behind `after`, without an end; a lost connection goes on where it was.

        :param types: ACQUISITION, CONFIGURATION, STATE, NOTIFICATION, CONTROL, SECURITY, or ALARM for those of alarms
        """
        place = _follow.Place(after)
        calls = self._client._calls.events(types, filter, place)
        return Stream(self._client._driver.iterate(calls), data_of, lambda: place.id)

    def list(self, *, filter: str | None = None, attr: str | None = None, sort: str | None = None, limit: int | None = None, **bounds: str) -> Iterator[Event]:  # fmt: skip
        """Events of the past, page by page, the oldest first; `startTime` and `endTime` bound them, both included."""
        calls = self._client._calls.pages("listEvents", limit, filter=filter, attr=attr, sort=sort, **bounds)
        return self._client._driver.iterate(calls)
