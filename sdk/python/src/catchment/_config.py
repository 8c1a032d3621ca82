"""A client finds its address and key here: arguments, then the environment, then a profile of a file."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Mapping
from urllib.parse import urlsplit

from ._errors import ArgumentError, ConfigurationError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


@dataclass(frozen=True)
class Settings:
    url: str
    #: Never shown.
    key: str = field(repr=False)


@dataclass(frozen=True)
class _Source:
    name: str
    url: str | None
    key: str | None = field(repr=False)


def settings_of(url: str | None, key: str | None, profile: str | None, env: Mapping[str, str]) -> Settings:
    """
    The address and the key. Both come from one place: a key is sent to another address than its own place names
    only if the caller gives it.
    """
    asked = profile or env.get("CATCHMENT_PROFILE")
    sources = [_Source("the arguments", url, key)]
    if not profile:
        sources.append(_Source("the environment", env.get("CATCHMENT_URL"), env.get("CATCHMENT_KEY")))
    # A file that nobody needs does no harm when it is broken.
    if not (any(one.url for one in sources) and any(one.key for one in sources)):
        sources.append(_of_file(config_file(env), asked))
    with_url = next((one for one in sources if one.url), None)
    with_key = next((one for one in sources if one.key), None)
    if with_url is None or with_key is None or not with_url.url or not with_key.key:
        missing = "url" if with_url is None else "key"
        raise ConfigurationError(
            f"{missing}: not found. Give Client({missing}=…), set CATCHMENT_{missing.upper()}, "
            f'or write it into {config_file(env)}: {missing} = "…"'
        )
    own = with_key.url
    if own and _normal(own) != _normal(with_url.url):
        raise ConfigurationError(
            f"key: that of {with_key.name} belongs to {own}, but url is {with_url.url}: give the key of that address too"
        )
    _check_key(with_key.key)
    return Settings(_checked_url(with_url.url), with_key.key)


def config_file(env: Mapping[str, str]) -> Path:
    folder = env.get("XDG_CONFIG_HOME")
    # Without a home, as in some containers, "~" stays and there is no such file.
    return Path(folder or os.path.expanduser("~/.config")) / "catchment.toml"


def _of_file(file: Path, profile: str | None) -> _Source:
    try:
        with file.open("rb") as stream:
            found: dict[str, Any] = tomllib.load(stream)
    except FileNotFoundError:
        found = {}
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{file}: cannot be read: {error}") from None
    profiles = found.get("profiles")
    if not isinstance(profiles, dict):
        profiles = {}
    wanted = profile or found.get("default")
    if not wanted:
        return _Source(str(file), _text(found.get("url")), _text(found.get("key")))
    one = profiles.get(wanted) if isinstance(wanted, str) else None
    if not isinstance(one, dict):
        known = ", ".join(profiles) or "none"
        raise ConfigurationError(f"profile: {file} has no profile '{wanted}'; known: {known}")
    return _Source(f"profile '{wanted}' of {file}", _text(one.get("url")), _text(one.get("key")))


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _normal(url: str) -> str:
    """The address without a slash at the end, and without the path of the API, which people copy with it."""
    bare = url.strip().rstrip("/")
    return bare[: -len("/api/v1")] if bare.endswith("/api/v1") else bare


def _checked_url(url: str) -> str:
    bare = _normal(url)
    try:
        parts = urlsplit(bare)
        # A name and a password in an address would be shown with it.
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc
    except ValueError:
        is_address = False
    if not is_address:
        raise ArgumentError("url", "must be an address such as https://catchment.example.org")
    return bare


def _check_key(key: str) -> None:
    if not key.isascii() or not key.isprintable() or " " in key:
        raise ArgumentError("key", "must be the key alone, without blanks and line breaks")
