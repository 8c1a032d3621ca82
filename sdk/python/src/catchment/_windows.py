"""Ranges that are read in several requests: where one that is too large may be cut without changing what is read."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from ._times import SECONDS, interval_of, of_ms, plus, start_of, to_ms

#: A time at which a record begins anew: these say what changed since the record before.
UNCUTTABLE = frozenset({"CHANGE"})
_BASES = {
    "D": "D",
    "DAY": "D",
    "W": "W",
    "WEEK": "W",
    "MO": "MO",
    "MONTH": "MO",
    "Y": "Y",
    "YEAR": "Y",
    "H": "H",
    "HOUR": "H",
}


@dataclass(frozen=True)
class Window:
    """Milliseconds, the end left out."""

    start: int
    end: int

    @property
    def width(self) -> int:
        return self.end - self.start


@dataclass(frozen=True)
class Grid:
    """The intervals of an aggregate."""

    base: str
    interval: str
    zone: ZoneInfo


def halves(window: Window, grid: Grid | None) -> tuple[Window, Window] | None:
    """Two windows in place of one, or None where it cannot be cut. That of intervals is cut where one begins, and where the grid of the second half is that of the whole."""
    cut = (window.start + window.end) // 2 if grid is None else _cut_of(window, grid)
    if cut is None or not window.start < cut < window.end:
        return None
    return Window(window.start, cut), Window(cut, window.end)


def _cut_of(window: Window, grid: Grid) -> int | None:
    unit = _BASES.get(grid.base.strip().upper())
    if unit is None:
        return None
    parts = interval_of(grid.interval)
    base = start_of(unit, of_ms(window.start), grid.zone)
    middle = start_of(unit, of_ms((window.start + window.end) // 2), grid.zone)
    # Nearest to the middle first; an interval of many units meets one of the starts within its own length.
    for step in range(400):
        for count in {step, -step}:
            cut = plus(middle, count, unit, grid.zone)
            if window.start < to_ms(cut) < window.end and _is_boundary(base, cut, parts, grid.zone):
                return to_ms(cut)
    return None


def _is_boundary(base: dt.datetime, cut: dt.datetime, parts: list[tuple[int, str]], zone: ZoneInfo) -> bool:
    if all(unit in SECONDS for _, unit in parts):
        step = sum(count * SECONDS[unit] for count, unit in parts) * 1000
        return (to_ms(cut) - to_ms(base)) % step == 0
    if len(parts) != 1:
        return False
    count, unit = parts[0]
    if unit in ("D", "W"):
        days = (cut.date() - base.date()).days
        times, rest = divmod(days, count * (7 if unit == "W" else 1))
    else:
        months = (cut.year - base.year) * 12 + cut.month - base.month
        times, rest = divmod(months, count * (12 if unit == "Y" else 1))
    return rest == 0 and to_ms(plus(base, times * count, unit, zone)) == to_ms(cut)
