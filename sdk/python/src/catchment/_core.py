"""
The rules of calling, without input and output: generators yield what is to be done, drivers do it, at once or by await
(`_transport.py`). Each rule thus stands once for both clients.
"""

from __future__ import annotations

import json
import random
import time
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Generator, Generic, Mapping, Protocol, TypeVar

from ._errors import ApiError, CatchmentError, CutStreamError, TransportError, UnexpectedAnswerError, error_of

T = TypeVar("T")


@dataclass(frozen=True)
class Request:
    """One HTTP request; the key is added where it leaves."""

    method: str
    path: str
    query: tuple[tuple[str, str], ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    files: Mapping[str, Any] | None = None

    @property
    def may_repeat(self) -> bool:
        """Returns whether sending it twice does what sending it once does."""
        return self.method != "POST" or "Idempotency-Key" in self.headers


@dataclass(frozen=True)
class Response:
    status: int
    #: Names in lower case.
    headers: Mapping[str, str]
    #: Empty where a sink took it.
    body: bytes


class Sink(Protocol):
    """Takes the body of a good answer piece by piece."""

    def feed(self, data: bytes) -> None: ...


@dataclass(frozen=True)
class Send:
    """Answered by a Response. A TransportError is thrown in where none comes."""

    request: Request
    sink: Sink | None = None


@dataclass(frozen=True)
class Sleep:
    seconds: float


@dataclass(frozen=True)
class OpenStream:
    """Answered by a Response without a body where it was refused, by one of status 200 where lines follow."""

    request: Request


@dataclass(frozen=True)
class NextLine:
    """Answered by the next line of the stream, without its end; None at the end of the stream."""


@dataclass(frozen=True)
class Item(Generic[T]):
    """For the caller of an iterator."""

    value: T


Call = Generator[Any, Any, T]
"""Yields Send, Sleep, OpenStream, NextLine; iterators yield Item too."""


@dataclass
class Retry:
    """Says how often and how long a request is tried."""

    tries: int = 5
    #: The longest that one wait may take; an answer that asks for more is an error at once.
    max_wait_seconds: float = 120
    random: Callable[[], float] = random.random

    def backoff(self, attempt: int) -> float:
        """Grows with the attempts, from 1; the half of it is by chance, so that clients that fail together do not come back together."""
        longest = min(30.0, 0.5 * 2.0**attempt)
        return longest * (0.5 + 0.5 * self.random())

    def after(self, asked: float) -> float:
        """Returns what a server asked for, and a little more."""
        return asked + min(2.0, 0.25 + 0.1 * asked) * self.random()


class Clock:
    """The time here, and how far that of the server is ahead of it."""

    def __init__(self, now: Callable[[], float] = time.time) -> None:
        self._now = now
        # : Seconds; None until an answer had the server's time.
        self.skew: float | None = None

    def now(self) -> float:
        return self._now()

    def server_now(self) -> float:
        return self._now() + (self.skew or 0.0)

    def note(self, headers: Mapping[str, str]) -> None:
        date = _date_of(headers.get("date"))
        if date is None:
            return
        skew = date - self._now()
        # The header counts whole seconds, and the answer has travelled.
        self.skew = skew if abs(skew) > 3 else 0.0


def _date_of(text: str | None) -> float | None:
    try:
        return parsedate_to_datetime(text).timestamp() if text else None
    except (TypeError, ValueError):
        return None


def retry_after_of(headers: Mapping[str, str], now: float) -> float | None:
    """
    Seconds that `Retry-After` asks for, as a number or as a date. A date counts from the server's own `Date`, so that clocks which differ
    do no harm.
    """
    text = headers.get("retry-after", "").strip()
    if text.isdigit():
        return float(text)
    date = _date_of(text)
    if date is None:
        return None
    server_now = _date_of(headers.get("date"))
    return max(0.0, date - (now if server_now is None else server_now))


@dataclass
class Context:
    """Every call of a client shares this."""

    retry: Retry
    clock: Clock


def exchange(
    context: Context, request: Request, sink: Callable[[], Sink] | None = None
) -> Call[tuple[Response, Sink | None]]:
    """A request until it is answered, with the sink that took the body. Raises what the last try raised."""
    attempt = 0
    while True:
        attempt += 1
        taking = sink() if sink else None
        try:
            response: Response = yield Send(request, taking)
        except TransportError as error:
            if attempt >= context.retry.tries or not (request.may_repeat or not error.was_sent):
                raise
            yield Sleep(context.retry.backoff(attempt))
            continue
        context.clock.note(response.headers)
        # Catchment has no pages below /api: those are of a proxy, or of another program.
        is_page = response.headers.get("content-type", "").startswith("text/html")
        if 200 <= response.status < 300 and not is_page:
            return response, taking
        yield Sleep(_wait_of(context, request, response, attempt))


def document_of(response: Response) -> Any:
    """The JSON of an answer. Raises CutStreamError, or UnexpectedAnswerError where it was never one."""
    if "json" not in response.headers.get("content-type", ""):
        raise error_of(response.status, response.headers, b"")
    try:
        return json.loads(response.body)
    except ValueError:
        raise CutStreamError("the answer was cut off: its document has no end") from None


def _wait_of(context: Context, request: Request, response: Response, attempt: int) -> float:
    """Seconds to wait after a refusal; raises it where waiting does not help."""
    asked = retry_after_of(response.headers, context.clock.now())
    error = error_of(response.status, response.headers, response.body, asked)
    is_passing = response.status in (429, 502, 503, 504)
    # A gateway that lost its server does not know whether that has done the work; 429 and 503 of Catchment itself say
    # that it has not.
    is_ours = isinstance(error, ApiError) and response.status in (429, 503)
    if not is_passing or not (request.may_repeat or is_ours) or attempt >= context.retry.tries:
        raise error
    if asked is not None and asked > context.retry.max_wait_seconds:
        raise error
    return context.retry.backoff(attempt) if asked is None else context.retry.after(asked)


def reopen(context: Context, request: Request, failures: int, error: CatchmentError | None) -> Call[None]:
    """The wait before a stream is opened again; raises the error where that would not help."""
    if isinstance(error, (ApiError, UnexpectedAnswerError)) and error.status not in (429, 502, 503, 504):
        raise error
    if error is not None and failures >= context.retry.tries:
        raise error
    asked = error.retry_after if isinstance(error, ApiError) else None
    if error is not None and asked is not None and asked > context.retry.max_wait_seconds:
        raise error
    if failures > 0:
        yield Sleep(context.retry.backoff(failures) if asked is None else context.retry.after(asked))
