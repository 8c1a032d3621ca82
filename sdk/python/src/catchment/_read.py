"""Reading records: which requests a range takes, and one table out of their answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Iterable, Mapping, Sequence, Union

from . import _arrow
from ._core import Call, Context, Request, exchange
from ._documents import DocumentReader
from ._errors import ArgumentError, BadRequestError, CutStreamError, TooLargeError
from ._table import Table, before, beside, extend
from ._times import TimeLike, instant, interval_of, iso, zone_of
from ._windows import UNCUTTABLE, Grid, Window, halves

#: Entries of `params`, and what of the 4096 bytes of a query string may be theirs.
PARAMS_MAX = 100
PARAMS_MAX_BYTES = 3000


@dataclass(frozen=True)
class Series:
    """
    A column of a read that differs from the others: ``Series("@flow", aggregate="MAX")``.

    `node` is the ``_id`` of a parameter or Location, or ``@`` and its customId.
    """

    node: str
    aggregate: str | None = None
    interval: str | None = None
    base_time: str | None = None
    percentile: float | None = None
    render: str | None = None

    def pairs(self) -> dict[str, str]:
        return arguments(
            aggregate=self.aggregate,
            interval=self.interval,
            baseTime=self.base_time,
            percentile=self.percentile,
            renderType=self.render,
        )


Nodes = Union[str, Series, Sequence[Union[str, Series]], Mapping[str, Union[str, Series]]]
"""The series to read: a reference, several, or several by the labels that their columns shall have."""


@dataclass
class Offered:
    """A server was found to offer this; each client asks once."""

    arrow: bool | None = None


@dataclass(frozen=True)
class Reading:
    """One read, as its caller asked for it."""

    series: dict[str, Series]
    start: int | None
    end: int | None
    limit: int | None
    tz: str | None
    query: dict[str, str] = field(default_factory=dict)
    grid: Grid | None = None
    can_cut: bool = True


def arguments(**given: Any) -> dict[str, str]:
    """Arguments as a query has them; those that are None are left out."""
    found = {}
    for name, value in given.items():
        if value is None:
            continue
        if isinstance(value, bool):
            found[name] = "TRUE" if value else "FALSE"
        elif isinstance(value, (list, tuple, set, frozenset)):
            found[name] = ",".join(str(one) for one in value)
        else:
            found[name] = str(value)
    return found


def labelled(nodes: Nodes) -> dict[str, Series]:
    """The series by their labels, in order."""
    if isinstance(nodes, (str, Series)):
        nodes = [nodes]
    pairs: Iterable[tuple[str, Union[str, Series]]]
    if isinstance(nodes, Mapping):
        pairs = nodes.items()
    else:
        pairs = [(one if isinstance(one, str) else one.node, one) for one in nodes]
    found: dict[str, Series] = {}
    for label, one in pairs:
        series = one if isinstance(one, Series) else Series(one)
        reference = series.node
        if not isinstance(reference, str) or not reference or any(sign in reference for sign in ",();\\"):
            raise ArgumentError(
                "nodes", f"{reference!r} is no _id and no @customId; give Series(…) for other arguments"
            )
        if label in found:
            raise ArgumentError("nodes", f"{label} comes twice: give a dict, whose keys name the columns")
        found[label] = series
    if not found:
        raise ArgumentError("nodes", "must name at least one parameter or Location")
    return found


#: Arguments of the API that a read sets itself: they say what an answer looks like.
SET_BY_READ = {"params", "format", "layout", "startTime", "endTime", "timeQuery", "after", "timeFormat", "header"}
SET_BY_READ |= {"quality", "annotation", "qualityDelimiter", "annotationDelimiter", "delimiter", "decimalSeparator"}
SET_BY_READ |= {"byteOrderMark", "formulaGuard", "textQualifier", "timezone", "timezoneAdjustForDst", "baseTime"}
NAMED = ("tz", "limit", "aggregate", "interval", "base_time")


def check_others(given: Mapping[str, Any], known: Sequence[str]) -> None:
    """An argument that is misspelt would change nothing, unsaid: the server passes over those that it does not know."""
    for name in given:
        if name in SET_BY_READ:
            raise ArgumentError(name, "is set by read itself")
        if name not in NAMED and name not in known:
            takes = sorted(set(known) - SET_BY_READ - set(NAMED))
            raise ArgumentError(name, f"is no argument of read; beside its own it takes {', '.join(takes)}")


def reading_of(
    nodes: Nodes,
    start: TimeLike | None,
    end: TimeLike | None,
    *,
    now: float,
    tz: str | None,
    limit: int | None,
    aggregate: str | None,
    interval: str | None,
    base_time: str | None,
    **others: Any,
) -> Reading:
    zone = zone_of(tz)
    series = labelled(nodes)
    bounds = [
        None if bound is None else instant(name, bound, zone, now) for name, bound in (("start", start), ("end", end))
    ]
    if limit is None and None in bounds:
        missing = "start" if bounds[0] is None else "end"
        raise ArgumentError(missing, 'must be given, such as "2024-01" or "yesterday", where there is no limit')
    if bounds[0] is not None and bounds[1] is not None and bounds[0] > bounds[1]:
        raise ArgumentError("start", f"must not be after end: {iso(bounds[0])}, {iso(bounds[1])}")
    columns = list(series.values())
    if interval is not None and base_time is None:
        base_time = base_of(interval)
    aggregates = {(one.aggregate or aggregate or "NONE").upper() for one in columns}
    has_intervals = bool(aggregates - {"NONE", "CHANGE"})
    if has_intervals and interval is None and any(one.interval is None for one in columns):
        raise ArgumentError("interval", 'must be given with an aggregate, such as "1D"')
    own = any(one.interval or one.base_time for one in columns)
    grid = Grid(base_time or "", interval, zone) if has_intervals and interval else None
    query = arguments(
        timezone=tz,
        timezoneAdjustForDst=True if tz else None,
        limit=limit,
        aggregate=aggregate,
        interval=interval,
        baseTime=base_time,
        **others,
    )
    # Full resolution, not what the node's format shows.
    query.setdefault("renderFormat", "")
    can_cut = not aggregates & UNCUTTABLE and not own and limit is None and "baselineType" not in query
    return Reading(series, bounds[0], bounds[1], limit, tz, query, grid, can_cut)


def base_of(interval: str) -> str:
    """Returns where intervals begin unless something else is asked for: with the day, week, month or year."""
    units = [unit for _, unit in interval_of(interval)]
    if "Y" in units:
        return "Y"
    if "MO" in units:
        return "MO" if interval_of(interval) == [(1, "MO")] else "Y"
    return "W" if "W" in units else "D"


def read(context: Context, offered: Offered, asked: Reading) -> Call[Table]:
    """All that was asked for."""
    tables = []
    for part in _parts(asked.series):
        tables.append((yield from _read_range(context, offered, asked, part)))
    return beside(tables)


def _parts(series: dict[str, Series]) -> list[dict[str, Series]]:
    """Puts as many columns together as fit into one request."""
    parts: list[dict[str, Series]] = [{}]
    size = 0
    for label, one in series.items():
        length = len(entry(one).encode()) * 2
        if parts[-1] and (len(parts[-1]) == PARAMS_MAX or size + length > PARAMS_MAX_BYTES):
            parts.append({})
            size = 0
        parts[-1][label] = one
        size += length
    return parts


def entry(series: Series) -> str:
    """An entry of `params`."""
    pairs = series.pairs()
    if pairs.get("interval") and "baseTime" not in pairs:
        pairs["baseTime"] = base_of(pairs["interval"])
    quoted = [f"{name}:" + "".join(f"\\{c}" if c in ";),\\" else c for c in value) for name, value in pairs.items()]
    return series.node + (f"({';'.join(quoted)})" if quoted else "")


def _read_range(context: Context, offered: Offered, asked: Reading, series: dict[str, Series]) -> Call[Table]:
    if asked.start is None or asked.end is None:
        table: Table = yield from _read_window(context, offered, asked, series, asked.start, asked.end)
        return table
    whole = Table.empty(list(series))
    left = [Window(asked.start, asked.end)] if asked.start < asked.end else []
    too_wide = None
    while left:
        window = left.pop()
        if too_wide is None or window.width < too_wide:
            try:
                part = yield from _read_window(context, offered, asked, series, window.start, window.end)
                extend(whole, before(part, window.end))
                continue
            except TooLargeError:
                cut = halves(window, asked.grid) if asked.can_cut else None
                if cut is None:
                    raise
                too_wide = window.width if too_wide is None else min(too_wide, window.width)
        else:
            cut = halves(window, asked.grid)
        if cut is None:
            too_wide = None
            left.append(window)
        else:
            left += [cut[1], cut[0]]
    return whole


def _read_window(
    context: Context, offered: Offered, asked: Reading, series: dict[str, Series], start: int | None, end: int | None
) -> Call[Table]:
    """Rows from `start` to before `end`. The API's end is included, but for intervals, which end there."""
    query = dict(asked.query)
    if start is not None:
        query["startTime"] = iso(start)
    if end is not None:
        query["endTime"] = iso(end if asked.grid else end - 1)
    query["params"] = ",".join(entry(one) for one in series.values())
    return (yield from _answer(context, offered, query, list(series)))


def _answer(context: Context, offered: Offered, query: dict[str, str], labels: list[str]) -> Call[Table]:
    if offered.arrow is not False and _arrow.is_installed():
        try:
            table = yield from _whole(context, query | _arrow.ASKED, lambda: _arrow.ArrowReader(labels))
            offered.arrow = True
            return table
        except BadRequestError as error:
            # A server before this format names those that it has.
            if error.argument != "format":
                raise
            offered.arrow = False
    return (yield from _whole(context, query, lambda: DocumentReader(labels)))


def _whole(context: Context, query: dict[str, str], reader: Any) -> Call[Table]:
    request = Request("GET", "/api/v1/historic", tuple(query.items()))
    attempt = 0
    while True:
        attempt += 1
        _, sink = yield from exchange(context, request, reader)
        try:
            return sink.finish()  # type: ignore[union-attr,no-any-return]
        except CutStreamError:
            # A connection that closed between two pieces of an answer; nothing of it is kept.
            if attempt >= context.retry.tries:
                raise
