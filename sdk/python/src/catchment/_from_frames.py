"""Frames of pandas, polars and Arrow as tables, checked before anything is sent."""

from __future__ import annotations

import math
from array import array
from numbers import Real
from typing import Any, Callable

from ._errors import ArgumentError, NonUniqueIndexError
from ._frames import ANNOTATION, QUALITY, TIME, load
from ._table import Column, Table
from ._times import MAX_MS, MIN_MS, iso, of_ms, refuse_without_zone, zone_of


def table_of(frame: Any, tz: str | None) -> Table:
    """Returns what a frame holds, checked and sorted by time. Raises ArgumentError where it cannot be written as it is."""
    zone_of(tz)
    library = type(frame).__module__.split(".")[0]
    if library == "pandas":
        times, columns = _of_pandas(frame, tz)
    elif library == "polars" and hasattr(frame, "to_arrow"):
        times, columns = _of_arrow(frame.to_arrow(), tz)
    elif library == "polars":
        raise ArgumentError("frame", f"must be a DataFrame, not {type(frame).__name__}: frame.collect()")
    elif library == "pyarrow" and hasattr(frame, "column_names"):
        times, columns = _of_arrow(frame, tz)
    else:
        raise ArgumentError("frame", f"must be a frame of pandas, polars or pyarrow, not {type(frame).__name__}")
    return _sorted(times, _flagged(columns))


def _of_pandas(frame: Any, tz: str | None) -> tuple[list[int], dict[str, tuple[str, list[Any]]]]:
    pd = load("pandas")
    if hasattr(frame, "to_frame") and not hasattr(frame, "columns"):
        frame = frame.to_frame(frame.name if frame.name is not None else "value")
    index = frame.index
    if not isinstance(index, pd.DatetimeIndex):
        raise ArgumentError("frame", 'its index must be times: df.set_index(pd.to_datetime(df["…"]))')
    if index.hasnans:
        raise ArgumentError("frame", "its index has rows without a time: df[df.index.notna()]")
    if index.tz is None:
        if tz is None:
            raise refuse_without_zone("frame", index[0] if len(index) else "the index")
        index = _in_zone(
            "frame", "its index", tz, lambda: index.tz_localize(tz, ambiguous="raise", nonexistent="raise")
        )
    times = _ms_of_pandas(index)
    found = {}
    for place, label in enumerate(frame.columns):
        if str(label) in found:
            raise ArgumentError("frame", f"has two columns {label!r}")
        found[str(label)] = _pandas_column(pd, str(label), frame.iloc[:, place], tz)
    return times, found


def _in_zone(argument: str, what: str, tz: str | None, localized: Callable[[], Any]) -> Any:
    """Times of a clock as instants."""
    try:
        return localized()
    except Exception as error:  # pandas, pyarrow and their zones have several kinds
        raise ArgumentError(
            argument, f"a time of {what} is none, or two, on the clock of {tz} ({error}): make {what} aware yourself"
        ) from None


def _ms_of_pandas(index: Any) -> list[int]:
    instants = index.tz_convert("UTC").tz_localize(None).to_numpy()
    return [int(one) for one in instants.astype("datetime64[ms]").astype("int64")]


def _pandas_column(pd: Any, label: str, series: Any, tz: str | None) -> tuple[str, list[Any]]:
    types = pd.api.types
    if types.is_datetime64_any_dtype(series.dtype):
        if series.dt.tz is None:
            if tz is None:
                raise refuse_without_zone(f"frame[{label!r}]", "it")
            naive = series
            series = _in_zone(f"frame[{label!r}]", "the column", tz, lambda: naive.dt.tz_localize(tz))
        instants = zip(_ms_of_pandas(pd.DatetimeIndex(series)), series.isna())
        return "TIME", [None if is_none else ms for ms, is_none in instants]
    if types.is_complex_dtype(series.dtype):
        raise ArgumentError(f"frame[{label!r}]", "must be numbers, texts, times or (latitude, longitude), not complex")
    if types.is_bool_dtype(series.dtype) or types.is_numeric_dtype(series.dtype):
        return "NUMBER", [
            None if one is None else float(one) for one in series.astype("object").where(series.notna(), None)
        ]
    return _of_objects(label, list(series.astype("object").where(series.notna(), None)))


def _of_objects(label: str, values: list[Any]) -> tuple[str, list[Any]]:
    given = [one for one in values if one is not None]
    if all(isinstance(one, str) for one in given):
        return "TEXT", values
    if all(_is_number(one) for one in given):
        return "NUMBER", [None if one is None else _float(one) for one in values]
    if all(_is_pair(one) for one in given):
        return "COORDINATES", [None if one is None else (_float(one[0]), _float(one[1])) for one in values]
    names = ", ".join(sorted({type(one).__name__ for one in given}))
    raise ArgumentError(f"frame[{label!r}]", f"must be numbers, texts, times or (latitude, longitude), not {names}")


def _is_number(value: Any) -> bool:
    """Numbers of numpy are Real too, its truths are not."""
    return isinstance(value, Real) or type(value).__name__ in ("bool_", "bool")


def _is_pair(value: Any) -> bool:
    return isinstance(value, (tuple, list)) and len(value) == 2 and all(_is_number(one) for one in value)


def _float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _of_arrow(frame: Any, tz: str | None) -> tuple[list[int], dict[str, tuple[str, list[Any]]]]:
    pa = load("arrow")
    if TIME not in frame.column_names:
        raise ArgumentError("frame", f"must have a column '{TIME}' of times")
    found: dict[str, tuple[str, list[Any]]] = {}
    for place, label in enumerate(frame.column_names):
        if label in found:
            raise ArgumentError("frame", f"has two columns {label!r}")
        column = frame.column(place)
        if not pa.types.is_timestamp(column.type):
            if label == TIME:
                raise ArgumentError("frame", f"its column '{TIME}' must be times, not {column.type}")
            found[label] = _of_objects(label, column.to_pylist())
            continue
        if column.type.tz is None:
            if tz is None:
                raise refuse_without_zone("frame" if label == TIME else f"frame[{label!r}]", f"its column '{label}'")
            naive = column
            argument = "frame" if label == TIME else f"frame[{label!r}]"
            column = _in_zone(argument, f"its column '{label}'", tz, lambda: pa.compute.assume_timezone(naive, tz))
        whole = pa.compute.cast(column, pa.timestamp("ms", "UTC"), safe=False)
        found[label] = "TIME", whole.cast(pa.int64()).to_pylist()
    _, times = found.pop(TIME)
    if None in times:
        raise ArgumentError("frame", f"its column '{TIME}' has rows without a time")
    return times, found


def _flagged(columns: dict[str, tuple[str, list[Any]]]) -> list[Column]:
    found = {}
    for label, (kind, values) in columns.items():
        if not label.endswith((QUALITY, ANNOTATION)):
            size = len(values)
            found[label] = Column(label, name=label, data_type=kind, values=values, quality=[None] * size, annotation=[None] * size)  # type: ignore[arg-type]
    for label, (_, values) in columns.items():
        for suffix, attribute, checked in ((QUALITY, "quality", _quality), (ANNOTATION, "annotation", _annotation)):
            if label.endswith(suffix):
                of = found.get(label[: -len(suffix)])
                if of is None:
                    raise ArgumentError(f"frame[{label!r}]", "has no column of values before it")
                setattr(of, attribute, [checked(label, one) for one in values])
    if not found:
        raise ArgumentError("frame", "has no column of values")
    return list(found.values())


def _quality(label: str, value: Any) -> int | None:
    if value is None or value != value:
        return None
    if not _is_number(value) or not 0 <= value <= 65535 or int(value) != value:
        raise ArgumentError(f"frame[{label!r}]", f"{value!r} is no whole number from 0 to 65535")
    return int(value)


def _annotation(label: str, value: Any) -> str | None:
    if value is None or value != value:
        return None
    if not isinstance(value, str) or len(value) > 500:
        raise ArgumentError(f"frame[{label!r}]", "must be texts of up to 500 characters")
    return value


def _sorted(times: list[int], columns: list[Column]) -> Table:
    order = sorted(range(len(times)), key=times.__getitem__)
    ordered = array("q", (times[place] for place in order))
    for place in range(1, len(ordered)):
        if ordered[place] == ordered[place - 1]:
            raise NonUniqueIndexError(
                "frame",
                f"has several rows of {iso(ordered[place])}; times count whole milliseconds. Keep one of each, such as "
                'df[~df.index.duplicated(keep="last")]',
            )
    if ordered and not MIN_MS <= ordered[0] <= ordered[-1] <= MAX_MS:
        raise ArgumentError("frame", "has times that are not within the years 1800 to 9998")
    for column in columns:
        if order != list(range(len(order))):
            column.values = [column.values[place] for place in order]
            column.quality = [column.quality[place] for place in order]
            column.annotation = [column.annotation[place] for place in order]
        _check_values(column, ordered)
    return Table(ordered, columns)


def _check_values(column: Column, times: Any) -> None:
    for place, value in enumerate(column.values):
        if isinstance(value, float):
            if value != value:
                column.values[place] = None
            elif value in (math.inf, -math.inf):
                raise _infinite(column, times[place])
        elif isinstance(value, tuple):
            if all(math.isnan(one) for one in value):
                column.values[place] = None
            elif not all(math.isfinite(one) for one in value):
                raise _infinite(column, times[place])
        elif column.data_type == "TIME" and value is not None and not MIN_MS <= value <= MAX_MS:
            raise ArgumentError(f"frame[{column.label!r}]", "has times that are not within the years 1800 to 9998")


def _infinite(column: Column, time: int) -> ArgumentError:
    what = "is infinite" if column.data_type == "NUMBER" else "is half missing, or infinite,"
    return ArgumentError(
        f"frame[{column.label!r}]",
        f"{what} at {of_ms(time).isoformat()}, which no record can be: replace it, by NaN for none",
    )
