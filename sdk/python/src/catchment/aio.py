"""The client that does by await what `Client` does at once."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any, AsyncIterator, Callable, Generic, Mapping, Sequence, TYPE_CHECKING, TypeVar, overload

from . import _follow
from ._calls import Later, open_calls
from ._core import Call, Clock, Retry
from ._follow import Change, Message
from ._generated.models import Event, Node, NodePart
from ._read import Nodes
from ._times import TimeLike
from ._transport import AsyncDriver
from ._tree import Tree, TreeNode
from ._write import WriteResult
from .client import Frame, Wait, data_of, later_place, same

if TYPE_CHECKING:
    import datetime as dt

    import httpx

T = TypeVar("T")


class AsyncStream(Generic[T]):
    """As `Stream`, by ``async for``."""

    def __init__(self, items: AsyncIterator[Any], of: Callable[[Any], T], place: Callable[[], str | None]) -> None:
        self._items, self._of, self._place = items, of, place

    @property
    def place(self) -> str | None:
        return self._place()

    def __aiter__(self) -> AsyncIterator[T]:
        return self

    async def __anext__(self) -> T:
        return self._of(await anext(self._items))

    async def close(self) -> None:
        await self._items.aclose()  # type: ignore[attr-defined]


class AsyncClient:
    """As `Client`, by ``await``, ``async for`` and ``async with``."""

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        profile: str | None = None,
        retry: Retry | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        clock: Clock | None = None,
        sleep: Callable[[float], Any] = asyncio.sleep,
    ) -> None:
        self._calls, key = open_calls(url, key, profile, retry, clock)
        self._driver = AsyncDriver(self._calls.url, key, transport, sleep)
        self.nodes = AsyncNodesOf(self)
        self.events = AsyncEventsOf(self)

    def __repr__(self) -> str:
        return f"AsyncClient(url={self._calls.url!r})"

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None) -> None:  # fmt: skip
        await self.close()

    async def close(self) -> None:
        await self._driver.close()

    async def _run(self, call: Call[T]) -> T:
        return await self._driver.run(call)

    async def read(
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
        """As `Client.read`."""
        given = dict(tz=tz, limit=limit, aggregate=aggregate, interval=interval, base_time=base_time, **others)
        return await self._run(self._calls.read(nodes, start, end, frame, flags, given))

    async def write(
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
        """As `Client.write`."""
        return await self._run(self._calls.write(node, frame, mode, wait, tz, notify_on, units))

    async def write_now(
        self,
        node: str,
        value: Any = None,
        *,
        quality: int | None = None,
        annotation: str | None = None,
        time: TimeLike = None,
        tz: str | None = None,
    ) -> dt.datetime:
        """As `Client.write_now`."""
        return await self._run(self._calls.write_now(node, value, quality, annotation, time, tz))

    def changes(
        self,
        nodes: Sequence[str] | None = None,
        *,
        since: TimeLike = None,
        after: str | None = None,
        tz: str | None = None,
    ) -> AsyncStream[Change]:
        """As `Client.changes`; deletions are not reported."""
        later = Later(after)
        return AsyncStream(self._driver.iterate(self._calls.changes(nodes, since, tz, later)), same, later_place(later))

    async def tree(self, filter: str | None = None) -> Tree:
        """As `Client.tree`."""
        return await self._run(self._calls.tree(filter))

    async def request(self, operation: str, body: Any = None, **given: Any) -> Any:
        """As `Client.request`."""
        return await self._run(self._calls.request(operation, body, **given))


class AsyncNodesOf:
    """As `NodesOf`."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    @overload
    def list(self, *, filter: str | None = None, attr: None = None, sort: str | None = None, limit: int | None = None) -> AsyncIterator[Node]: ...  # fmt: skip
    @overload
    def list(self, *, filter: str | None = None, attr: str, sort: str | None = None, limit: int | None = None) -> AsyncIterator[NodePart]: ...  # fmt: skip
    def list(self, *, filter: str | None = None, attr: str | None = None, sort: str | None = None, limit: int | None = None) -> Any:  # fmt: skip
        calls = self._client._calls.pages("listNodes", limit, filter=filter, attr=attr, sort=sort)
        return self._client._driver.iterate(calls)

    @overload
    async def get(self, node: str, *, attr: None = None) -> Node: ...
    @overload
    async def get(self, node: str, *, attr: str) -> NodePart: ...
    async def get(self, node: str, *, attr: str | None = None) -> Any:
        return await self._client.request("getNode", id=node, attr=attr)

    async def create(self, attributes: Mapping[str, Any]) -> Node:
        return await self._client.request("createNode", dict(attributes))  # type: ignore[no-any-return]

    async def update(self, node: str, attributes: Mapping[str, Any]) -> Node:
        return await self._client.request("updateNode", dict(attributes), id=node)  # type: ignore[no-any-return]

    async def delete(self, node: str) -> None:
        await self._client.request("deleteNode", id=node)

    async def find(self, pattern: str) -> Sequence[TreeNode]:
        return await self._client._run(self._client._calls.find(pattern))

    def follow(
        self, *, filter: str | None = None, attr: str | None = None, after: str | None = None
    ) -> AsyncStream[Message]:
        place = _follow.Place(after)
        calls = self._client._calls.follow_nodes(filter, attr, place)
        return AsyncStream(self._client._driver.iterate(calls), same, lambda: place.id)


class AsyncEventsOf:
    """As `EventsOf`."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    def __call__(self, types: Sequence[str] | None = None, *, filter: str | None = None, after: str | None = None) -> AsyncStream[Event]:  # fmt: skip
        place = _follow.Place(after)
        calls = self._client._calls.events(types, filter, place)
        return AsyncStream(self._client._driver.iterate(calls), data_of, lambda: place.id)

    def list(self, *, filter: str | None = None, attr: str | None = None, sort: str | None = None, limit: int | None = None, **bounds: str) -> AsyncIterator[Event]:  # fmt: skip
        calls = self._client._calls.pages("listEvents", limit, filter=filter, attr=attr, sort=sort, **bounds)
        return self._client._driver.iterate(calls)
