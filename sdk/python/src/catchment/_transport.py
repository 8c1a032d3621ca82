"""The only module that knows httpx: it does what the generators of `_core.py` ask for, at once or by await."""

from __future__ import annotations

import asyncio
import time
from contextlib import contextmanager
from typing import Any, AsyncIterator, Callable, Generator, Iterator, TypeVar

import httpx

from ._core import Call, Item, NextLine, OpenStream, Request, Response, Send, Sink, Sleep
from ._errors import CatchmentError, CutStreamError, TransportError

T = TypeVar("T")

#: A server answers a read within 60 s, or says that it was too slow.
TIMEOUT = httpx.Timeout(90.0, connect=10.0)
#: A stream that is silent has a heartbeat each 15 s.
STREAM_TIMEOUT = httpx.Timeout(50.0, connect=10.0)
# : The body of an error is shorter; more is another server's page.
ERROR_MAX_BYTES = 64 * 1024


class _Key(httpx.Auth):
    """Adds the key as the request leaves, so that no frame of ours has it among its variables."""

    def __init__(self, key: str) -> None:
        self.__key = key

    def __repr__(self) -> str:
        return "<key>"

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        request.headers["X-Api-Key"] = self.__key
        yield request


def _options(url: str, key: str) -> dict[str, Any]:
    headers = {"User-Agent": "catchment-client-python/0.1", "Accept-Encoding": "gzip"}
    # A redirect must not carry the key to another place.
    return {"base_url": url, "auth": _Key(key), "timeout": TIMEOUT, "follow_redirects": False, "headers": headers}


@contextmanager
def _as_ours() -> Iterator[None]:
    """Failures of httpx as ours. What they knew of the request is left behind."""
    failure: CatchmentError
    try:
        yield
        return
    except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout) as error:
        failure = TransportError(f"the server cannot be reached: {error or 'no connection in time'}", was_sent=False)
    except httpx.TimeoutException:
        failure = TransportError("the server did not answer in time: ask for less at once, or look at the network")
    except (httpx.RemoteProtocolError, httpx.ReadError, httpx.DecodingError, httpx.StreamError) as error:
        failure = CutStreamError(f"the answer was cut off: {error or 'the connection closed'}")
    except httpx.HTTPError as error:
        failure = TransportError(f"the request could not be sent: {error}")
    except httpx.InvalidURL as error:
        failure = TransportError(f"url: {error}", was_sent=False)
    raise failure from None


def _arguments(request: Request, timeout: httpx.Timeout | None = None) -> dict[str, Any]:
    found: dict[str, Any] = {"method": request.method, "url": request.path, "headers": dict(request.headers)}
    if request.query:
        found["params"] = list(request.query)
    if request.body is not None:
        found["content"] = request.body
    if request.files is not None:
        found["files"] = request.files
    if timeout is not None:
        found["timeout"] = timeout
    return found


def _response(answer: httpx.Response, body: bytes) -> Response:
    return Response(answer.status_code, {name.lower(): value for name, value in answer.headers.items()}, body)


class _Body:
    """Takes the pieces of an answer: to the sink of a good one, else they are kept."""

    def __init__(self, answer: httpx.Response, sink: Sink | None) -> None:
        self._is_good = answer.is_success
        self._sink = sink if answer.is_success else None
        self.kept = bytearray()

    def feed(self, data: bytes) -> None:
        if self._sink:
            self._sink.feed(data)
        elif self._is_good or len(self.kept) < ERROR_MAX_BYTES:
            self.kept += data


class _Lines:
    """Lines of a stream of events. They end with a line feed alone: texts may have other signs that Python, and httpx, take for ends."""

    def __init__(self) -> None:
        self._rest = b""

    def of(self, data: bytes) -> list[str]:
        """Those that are whole with these bytes."""
        *whole, self._rest = (self._rest + data).split(b"\n")
        return [line.removesuffix(b"\r").decode(errors="replace") for line in whole]


def _lines_of(answer: httpx.Response) -> Iterator[str]:
    lines = _Lines()
    for data in answer.iter_bytes():
        yield from lines.of(data)


async def _async_lines_of(answer: httpx.Response) -> AsyncIterator[str]:
    lines = _Lines()
    async for data in answer.aiter_bytes():
        for line in lines.of(data):
            yield line


class Driver:
    """Does it at once."""

    def __init__(
        self,
        url: str,
        key: str,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._http = httpx.Client(transport=transport, **_options(url, key))
        self._sleep = sleep

    def close(self) -> None:
        self._http.close()

    def _send(self, effect: Send) -> Response:
        with _as_ours(), self._http.stream(**_arguments(effect.request)) as answer:
            body = _Body(answer, effect.sink)
            for data in answer.iter_bytes():
                body.feed(data)
            return _response(answer, bytes(body.kept))

    def run(self, call: Call[T]) -> T:
        steps = self.iterate(call)
        while True:
            try:
                next(steps)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]

    def iterate(self, call: Call[T]) -> Generator[Any, None, T]:
        """The items of a call; its value at the end. Whoever stops early closes what is open."""
        open_answer: httpx.Response | None = None
        lines: Iterator[str] = iter(())
        result: Any = None
        error: CatchmentError | None = None
        try:
            while True:
                try:
                    effect = call.throw(error) if error else call.send(result)
                except StopIteration as end:
                    return end.value  # type: ignore[no-any-return]
                result, error = None, None
                try:
                    if isinstance(effect, Item):
                        yield effect.value
                    elif isinstance(effect, Send):
                        result = self._send(effect)
                    elif isinstance(effect, Sleep):
                        self._sleep(effect.seconds)
                    elif isinstance(effect, OpenStream):
                        if open_answer:
                            open_answer.close()
                        with _as_ours():
                            asked = self._http.build_request(**_arguments(effect.request, STREAM_TIMEOUT))
                            open_answer = self._http.send(asked, stream=True)
                            body = b"" if open_answer.is_success else open_answer.read()
                        result = _response(open_answer, body)
                        lines = _lines_of(open_answer)
                    elif isinstance(effect, NextLine):
                        with _as_ours():
                            result = next(lines, None)
                except CatchmentError as failure:
                    error = failure
        finally:
            call.close()
            if open_answer:
                open_answer.close()


class AsyncDriver:
    """Does it by await."""

    def __init__(
        self,
        url: str,
        key: str,
        transport: httpx.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Any] = asyncio.sleep,
    ) -> None:
        self._http = httpx.AsyncClient(transport=transport, **_options(url, key))
        self._sleep = sleep

    async def close(self) -> None:
        await self._http.aclose()

    async def _send(self, effect: Send) -> Response:
        with _as_ours():
            async with self._http.stream(**_arguments(effect.request)) as answer:
                body = _Body(answer, effect.sink)
                async for data in answer.aiter_bytes():
                    body.feed(data)
                return _response(answer, bytes(body.kept))

    async def run(self, call: Call[T]) -> T:
        found: list[T] = []
        async for _ in self.iterate(call, found.append):
            pass
        return found[0]

    async def iterate(self, call: Call[T], returned: Callable[[T], None] = lambda _value: None) -> AsyncIterator[Any]:
        """The items of a call; `returned` gets its value at the end. Whoever stops early closes what is open."""
        open_answer: httpx.Response | None = None
        lines: AsyncIterator[str] | None = None
        result: Any = None
        error: CatchmentError | None = None
        try:
            while True:
                try:
                    effect = call.throw(error) if error else call.send(result)
                except StopIteration as end:
                    returned(end.value)
                    return
                result, error = None, None
                try:
                    if isinstance(effect, Item):
                        yield effect.value
                    elif isinstance(effect, Send):
                        result = await self._send(effect)
                    elif isinstance(effect, Sleep):
                        await self._sleep(effect.seconds)
                    elif isinstance(effect, OpenStream):
                        if open_answer:
                            await open_answer.aclose()
                        with _as_ours():
                            asked = self._http.build_request(**_arguments(effect.request, STREAM_TIMEOUT))
                            open_answer = await self._http.send(asked, stream=True)
                            body = b"" if open_answer.is_success else await open_answer.aread()
                        result = _response(open_answer, body)
                        lines = _async_lines_of(open_answer)
                    elif isinstance(effect, NextLine) and lines is not None:
                        with _as_ours():
                            result = await anext(lines, None)
                except CatchmentError as failure:
                    error = failure
        finally:
            call.close()
            if open_answer:
                await open_answer.aclose()
