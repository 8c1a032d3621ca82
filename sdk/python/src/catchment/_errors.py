"""Failures are a tree by what the caller can do about them."""

from __future__ import annotations

import json
import re
from typing import Mapping


class CatchmentError(Exception):
    """Everything that this package raises."""


class ArgumentError(CatchmentError, ValueError):
    """An argument breaks a rule; nothing was sent. `argument` names it."""

    def __init__(self, argument: str, rule: str) -> None:
        super().__init__(f"{argument}: {rule}")
        self.argument = argument


class TimeWithoutZoneError(ArgumentError):
    """A time has no zone, and none was given."""


class NonUniqueIndexError(ArgumentError):
    """Several rows have one time, of which the server would keep the last."""


class ConfigurationError(CatchmentError):
    """No address or key was found, or the file with them cannot be read."""


class MissingExtraError(CatchmentError, ImportError):
    """An optional package is not installed; the text has the command that installs it."""


class TransportError(CatchmentError):
    """No whole answer came: the server cannot be reached, a time limit passed, or the connection broke."""

    def __init__(self, text: str, *, was_sent: bool = True) -> None:
        super().__init__(text)
        #: False where the request never left, so that it did nothing for sure.
        self.was_sent = was_sent


class CutStreamError(TransportError):
    """An answer ended before its end."""


class UnexpectedAnswerError(CatchmentError):
    """Something answered that is not Catchment: a proxy's page, a redirect, another program."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(text)
        self.status = status


class UnsupportedError(CatchmentError):
    """The server does not offer this yet: it is older than this package."""


class PartialWriteError(CatchmentError):
    """
    A write of several parts failed after some were stored. The failure is the `__cause__`.

    `parts` and `records` are what is safe with the server; up to the time `until` all columns are. Rows after it were not written, or not in
    all columns: write these again.
    """

    def __init__(self, text: str, *, parts: int, records: int, until: str) -> None:
        super().__init__(text)
        self.parts = parts
        self.records = records
        self.until = until


class ApiError(CatchmentError):
    """
    The server refused a request.

    `status` is the HTTP status, `reason` its stable word, `argument` the argument or attribute that a 400 names,
    `request_id` the id under which the server's log has the details, `retry_after` the seconds that it asked to wait,
    `revision` of a `ChangedError` that of the node now.
    """

    hint = "the server's log has more under the request id"

    def __init__(
        self,
        message: str,
        *,
        status: int,
        reason: str | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
        revision: int | None = None,
    ) -> None:
        self.revision = revision
        self.status = status
        self.reason = reason
        self.message = message
        self.request_id = request_id
        self.retry_after = retry_after
        self.argument = _argument_of(message) if status == 400 else None
        details = "".join([f", {reason}" if reason else "", f", request {request_id}" if request_id else ""])
        super().__init__(f"{message} ({status}{details}): {self.hint}")


class BadRequestError(ApiError):
    hint = "change the argument that is named; nothing was changed on the server"


class AuthenticationError(ApiError):
    hint = "check key=, CATCHMENT_KEY or the profile: the key is wrong, was revoked, or is another installation's"


class PermissionDeniedError(ApiError):
    hint = "the key may not do this: take one with more permission or access"


class NotFoundError(ApiError):
    hint = "check the id, or @customId, and that the key's account has it"


class ChangedError(ApiError):
    hint = "read the node again, then change it"


class TooLargeError(ApiError):
    hint = "ask for less at once: a shorter range, fewer nodes, an aggregate"


class RateLimitedError(ApiError):
    hint = "wait for retry_after seconds; fewer and larger requests help"


class UnavailableError(ApiError):
    hint = "the server is starting, stopping or overloaded: try again later"


class ServerError(ApiError):
    pass


_BY_STATUS: Mapping[int, type[ApiError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    412: ChangedError,
    413: TooLargeError,
    429: RateLimitedError,
    503: UnavailableError,
}


def _argument_of(message: str) -> str | None:
    found = re.match(r"([\w.$\[\]-]+)(?:: | must )", message)
    return found.group(1) if found else None


def error_of(
    status: int, headers: Mapping[str, str], body: bytes, retry_after: float | None = None
) -> ApiError | UnexpectedAnswerError:
    """The error that an answer means; `headers` have lower-case names."""
    try:
        error = json.loads(body)["error"]
        message, reason, revision = str(error["message"]), error.get("reason"), error.get("revision")
    except (ValueError, KeyError, TypeError):
        return _not_ours(status, headers)
    kind = _BY_STATUS.get(status, ServerError)
    request_id = headers.get("x-request-id")
    return kind(
        message, status=status, reason=reason, request_id=request_id, retry_after=retry_after, revision=revision
    )


def _not_ours(status: int, headers: Mapping[str, str]) -> UnexpectedAnswerError:
    if 300 <= status < 400:
        place = headers.get("location", "another place")
        return UnexpectedAnswerError(f"url: leads on to {place} ({status}): give that address, if it is yours", status)
    media = headers.get("content-type", "nothing").split(";")[0]
    return UnexpectedAnswerError(
        f"url: something that is not Catchment answered {status} with {media}: "
        "check the address, and any proxy between here and the server",
        status,
    )
