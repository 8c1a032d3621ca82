"""A server that answers as a test says, and remembers what it was asked."""

from __future__ import annotations

import asyncio
import json
from typing import Any, Callable, Iterable

import httpx

from catchment import AsyncClient, Client, Clock, Retry

KEY = "SecretKeySecretKeySecretKeySecretKey0123"
URL = "https://catchment.test"
Answer = httpx.Response | Exception | Callable[[httpx.Request], httpx.Response]
NOW = 1_700_000_000.0


def error(status: int, message: str = "Too many requests", headers: dict[str, str] | None = None) -> httpx.Response:
    body = {"error": {"code": status, "message": message, "reason": "A_REASON"}}
    return httpx.Response(status, json=body, headers={"X-Request-Id": "r-1", **(headers or {})})


def accepted(**more: Any) -> httpx.Response:
    return httpx.Response(202, json={"status": {"code": 202, "message": "Operation accepted"}, **more})


def document(
    rows: Iterable[tuple[str, dict[str, Any]]], columns: dict[str, Any] | None = None, **header: Any
) -> httpx.Response:
    data = [{"ts": ts, "f": fields} for ts, fields in rows]
    shown = {
        "columns": columns or {"0": {"id": "1" * 24, "name": "Level", "units": "m", "dataType": "NUMBER"}},
        **header,
    }
    return httpx.Response(200, json={"docType": "jts", "version": "1.0", "header": shown, "data": data})


class Fake:
    """Gives the answers in order; the last one again and again."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.requests: list[httpx.Request] = []
        self.slept: list[float] = []

    def handle(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        if not isinstance(answer, httpx.Response):
            return answer(request)
        # A new answer each time: httpx reads one once, in one way.
        stream = answer.stream if isinstance(answer.stream, Cut) else _Bytes(answer)
        return httpx.Response(answer.status_code, headers=answer.headers, stream=stream)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    def client(self, **options: Any) -> Client:
        return Client(URL, KEY, **self._options(httpx.MockTransport(self.handle), self.slept.append, options))

    def async_client(self, **options: Any) -> AsyncClient:
        return AsyncClient(URL, KEY, **self._options(httpx.MockTransport(self.handle), self.sleep, options))

    def _options(self, transport: httpx.MockTransport, sleep: Any, options: dict[str, Any]) -> dict[str, Any]:
        return {
            "transport": transport,
            "sleep": sleep,
            "retry": Retry(random=lambda: 1.0),
            "clock": Clock(lambda: NOW),
            **options,
        }

    def body(self, at: int = -1) -> Any:
        import gzip

        content = self.requests[at].content
        if self.requests[at].headers.get("content-encoding") == "gzip":
            content = gzip.decompress(content)
        return json.loads(content)

    def query(self, at: int = -1) -> dict[str, str]:
        return dict(self.requests[at].url.params)


class _Bytes(httpx.SyncByteStream, httpx.AsyncByteStream):
    """The body of a canned answer, which may be given more than once."""

    def __init__(self, answer: httpx.Response) -> None:
        self._content = answer.content

    def __iter__(self) -> Any:
        yield self._content

    async def __aiter__(self) -> Any:
        yield self._content


class Cut(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body that breaks off behind some bytes."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def __iter__(self) -> Any:
        yield self._content
        raise httpx.RemoteProtocolError("peer closed connection without sending complete message body")

    async def __aiter__(self) -> Any:
        yield self._content
        raise httpx.RemoteProtocolError("peer closed connection without sending complete message body")


def both(fake: Fake, work: Callable[[Any], Any], kind: str) -> Any:
    """The same work by the client of a kind."""
    if kind == "sync":
        with fake.client() as client:
            return work(client)

    async def run() -> Any:
        async with fake.async_client() as client:
            return await work(client)

    return asyncio.run(run())
