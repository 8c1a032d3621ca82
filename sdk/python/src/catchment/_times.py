"""Times in and out: milliseconds since 1970 inside, whatever people write outside."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any, cast
from zoneinfo import ZoneInfo

from ._errors import ArgumentError, TimeWithoutZoneError

EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.timezone.utc)
#: The server keeps the years 1800 to 9998.
MIN_MS = -5364662400000
MAX_MS = 253370764800000 - 1
MS = dt.timedelta(milliseconds=1)

TimeLike = Any
"""A datetime, date, pandas Timestamp, numpy datetime64, ISO text ("2024", "2024-01", "2024-01-05T10:00+10:00"), or "now", "today", "yesterday", "NOW-7D"."""

_UNITS = {"Y": "Y", "YEAR": "Y", "MO": "MO", "MONTH": "MO", "W": "W", "WEEK": "W", "D": "D", "DAY": "D"}
_UNITS |= {"H": "H", "HOUR": "H", "M": "M", "MINUTE": "M", "S": "S", "SECOND": "S"}
_WORD = "|".join(sorted(_UNITS, key=len, reverse=True))
_PART = re.compile(rf"([+-]?)(\d+)({_WORD})S?(?![A-Z])")
_RELATIVE = re.compile(rf"(NOW|(?:{_WORD})S?)((?:[+-]?\d+(?:{_WORD})S?)*)")
SECONDS = {"H": 3600, "M": 60, "S": 1}


def zone_of(name: str | None) -> ZoneInfo:
    if name is None:
        return ZoneInfo("UTC")
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise ArgumentError("tz", f"'{name}' is no time zone such as Australia/Sydney") from None


def to_ms(moment: dt.datetime) -> int:
    """Returns the milliseconds of an aware time; parts of a millisecond are dropped."""
    return (moment - EPOCH) // MS


def of_ms(ms: int, zone: dt.tzinfo = dt.timezone.utc) -> dt.datetime:
    return (EPOCH + dt.timedelta(milliseconds=ms)).astimezone(zone)


def iso(ms: int) -> str:
    return of_ms(ms).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse_iso(text: str) -> int:
    """A time as the server writes it."""
    return to_ms(dt.datetime.fromisoformat(text.replace("Z", "+00:00")))


def instant(argument: str, value: TimeLike, zone: ZoneInfo | None, now: float) -> int:
    """
    Milliseconds of a bound. One without a zone is in `zone`; one that the clock skips there moves forward, of one that comes twice the earlier counts.

    `now` is in seconds. Raises TimeWithoutZoneError where the time has no zone and there is none.
    """
    if isinstance(value, str):
        found = _of_text(value.strip(), zone or zone_of(None), now)
    elif isinstance(value, dt.datetime):
        # A Timestamp of pandas loses its nanoseconds here.
        found = value.to_pydatetime(warn=False) if hasattr(value, "to_pydatetime") else value
    elif isinstance(value, dt.date):
        found = dt.datetime(value.year, value.month, value.day)
    elif type(value).__name__ == "datetime64" and value == value:
        found = EPOCH.replace(tzinfo=None) + dt.timedelta(
            milliseconds=int(value.astype("datetime64[ms]").astype("int64"))
        )
    else:
        found = None
    if found is None or found != found:
        raise ArgumentError(argument, f"{value!r} is no time such as 2024-01, 2024-01-05T10:00, yesterday or NOW-7D")
    if found.tzinfo is None and zone is None:
        raise refuse_without_zone(argument, value)
    ms = to_ms(found if found.tzinfo else found.replace(tzinfo=zone))
    if not MIN_MS <= ms <= MAX_MS:
        raise ArgumentError(argument, f"{value} is not within the years 1800 to 9998")
    return ms


def _of_text(text: str, zone: ZoneInfo, now: float) -> dt.datetime | None:
    word = re.sub(r"\s+", "", text).upper()
    word = {"TODAY": "D", "YESTERDAY": "D-1D"}.get(word, word)
    relative = _RELATIVE.fullmatch(word)
    if relative:
        return _relative(relative, of_ms(int(now * 1000), zone), zone)
    if re.fullmatch(r"\d{4}", text):
        text += "-01-01"
    elif re.fullmatch(r"\d{4}-\d{2}", text):
        text += "-01"
    text = re.sub(r"[zZ]$", "+00:00", text)
    text = re.sub(
        r"([+-]\d{2})(\d{2})?$", lambda m: f"{m[1]}:{m[2] or '00'}" if "T" in text or " " in text else m[0], text
    )
    # Python 3.10 reads fractions of three and six digits only.
    text = re.sub(r"\.(\d+)", lambda m: f".{m[1][:6]:0<6}", text)
    try:
        return dt.datetime.fromisoformat(text)
    except ValueError:
        return None


def _relative(found: re.Match[str], now: dt.datetime, zone: ZoneInfo) -> dt.datetime | None:
    base = found.group(1)
    moment = now if base == "NOW" else start_of(_UNITS[base if base in _UNITS else base[:-1]], now, zone)
    sign = ""
    for one in _PART.finditer(found.group(2)):
        sign = one.group(1) or sign
        if not sign:
            return None
        count = int(one.group(2)) * (-1 if sign == "-" else 1)
        moment = plus(moment, count, _UNITS[one.group(3)], zone)
    return moment


def start_of(unit: str, moment: dt.datetime, zone: ZoneInfo) -> dt.datetime:
    """The start of the year, month, week (Monday), day, hour … that a time is in, in the zone."""
    local = moment.astimezone(zone)
    if unit in SECONDS:
        kept = {"H": ("minute", "second"), "M": ("second",), "S": ()}[unit]
        return local.replace(microsecond=0, **cast(Any, {name: 0 for name in kept}))
    day = dt.datetime(local.year, local.month, local.day)
    if unit == "W":
        day -= dt.timedelta(days=day.weekday())
    elif unit == "MO":
        day = day.replace(day=1)
    elif unit == "Y":
        day = day.replace(month=1, day=1)
    return settled(day, zone)


def settled(local: dt.datetime, zone: ZoneInfo) -> dt.datetime:
    """A time of the clock in a zone: what is skipped moves forward, of what comes twice it is the earlier."""
    return local.replace(tzinfo=zone, fold=0).astimezone(dt.timezone.utc).astimezone(zone)


def plus(moment: dt.datetime, count: int, unit: str, zone: ZoneInfo) -> dt.datetime:
    """Years to days keep the time of the clock, hours to seconds are elapsed time."""
    if unit in SECONDS:
        return (moment.astimezone(dt.timezone.utc) + dt.timedelta(seconds=count * SECONDS[unit])).astimezone(zone)
    local = moment.astimezone(zone).replace(tzinfo=None, fold=0)
    if unit in ("D", "W"):
        return settled(local + dt.timedelta(days=count * (7 if unit == "W" else 1)), zone)
    months = local.year * 12 + local.month - 1 + count * (12 if unit == "Y" else 1)
    first = local.replace(year=months // 12, month=months % 12 + 1, day=1)
    last = (first.replace(day=28) + dt.timedelta(days=4)).replace(day=1) - dt.timedelta(days=1)
    return settled(first.replace(day=min(local.day, last.day)), zone)


def interval_of(text: str) -> list[tuple[int, str]]:
    """The parts of an interval such as 1D or 1H30M."""
    word = re.sub(r"\s+", "", text).upper()
    parts = [(int(one.group(2)), _UNITS[one.group(3)]) for one in _PART.finditer(word) if not one.group(1)]
    if not parts or _PART.sub("", word) or any(count < 1 for count, _ in parts):
        raise ArgumentError("interval", f"'{text}' is no interval such as 1D, 15M or 1H30M")
    return parts


def refuse_without_zone(argument: str, first: object) -> TimeWithoutZoneError:
    return TimeWithoutZoneError(
        argument,
        f'{first} has no zone: give tz="Australia/Sydney" (or another), or make the times aware, as df.index.tz_localize("UTC") does',
    )
