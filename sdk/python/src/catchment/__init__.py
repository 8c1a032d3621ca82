"""Client of Catchment, a platform for sensor data. Begin with `Client`."""

from ._core import Clock, Retry
from ._errors import (
    ApiError,
    ArgumentError,
    AuthenticationError,
    BadRequestError,
    CatchmentError,
    ChangedError,
    ConfigurationError,
    CutStreamError,
    MissingExtraError,
    NonUniqueIndexError,
    NotFoundError,
    PartialWriteError,
    PermissionDeniedError,
    RateLimitedError,
    ServerError,
    TimeWithoutZoneError,
    TooLargeError,
    TransportError,
    UnavailableError,
    UnexpectedAnswerError,
    UnsupportedError,
)
from ._follow import Change, Message
from ._read import Series
from ._tree import Tree, TreeNode
from ._write import WriteResult
from .aio import AsyncClient, AsyncStream
from .client import Client, Stream

__version__ = "0.1.0"

__all__ = [
    "ApiError",
    "ArgumentError",
    "AsyncClient",
    "AsyncStream",
    "AuthenticationError",
    "BadRequestError",
    "CatchmentError",
    "Change",
    "ChangedError",
    "Client",
    "Clock",
    "ConfigurationError",
    "CutStreamError",
    "Message",
    "MissingExtraError",
    "NonUniqueIndexError",
    "NotFoundError",
    "PartialWriteError",
    "PermissionDeniedError",
    "RateLimitedError",
    "Retry",
    "Series",
    "ServerError",
    "Stream",
    "TimeWithoutZoneError",
    "TooLargeError",
    "TransportError",
    "Tree",
    "TreeNode",
    "UnavailableError",
    "UnexpectedAnswerError",
    "UnsupportedError",
    "WriteResult",
]
