"""Frames of pandas, polars and Arrow as tables, checked before anything is sent."""

from __future__ import annotations

from array import array
from typing import Any

from ._errors import ArgumentError, NonUniqueIndexError
from ._frames import ANNOTATION, QUALITY, TIME, load
from ._table import Column, Table
from ._times import EPOCH, MS, iso, of_ms, refuse_without_zone, zone_of


def table_of(frame: Any, tz: str | None) -> Table:
    """What a frame holds, checked and sorted by time. Raises ArgumentError where it cannot be written as it is."""
    library = type(frame).__module__.split(".")[0]
    if library == "pandas":
        times, columns = _of_pandas(frame, tz)
    elif library == "polars":
        times, columns = _of_arrow(frame.to_arrow() if hasattr(frame, "to_arrow") else frame, tz)
    elif library == "pyarrow":
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
        zone_of(tz)
        try:
            index = index.tz_localize(tz, ambiguous="raise", nonexistent="raise")
        except Exception as error:  # pandas and its zones have several kinds
            raise ArgumentError(
                "frame",
                f"a time of its index is none, or two, on the clock of {tz} ({error}): make the index aware yourself",
            ) from None
    times = [
        int(one)
        for one in index.tz_convert("UTC").tz_localize(None).to_numpy().astype("datetime64[ms]").astype("int64")
    ]
    found = {}
    for place, label in enumerate(frame.columns):
        if str(label) in found:
            raise ArgumentError("frame", f"has two columns {label!r}")
        found[str(label)] = _pandas_column(pd, str(label), frame.iloc[:, place], tz)
    return times, found


def _pandas_column(pd: Any, label: str, series: Any, tz: str | None) -> tuple[str, list[Any]]:
    types = pd.api.types
    if types.is_datetime64_any_dtype(series.dtype):
        if series.dt.tz is None:
            if tz is None:
                raise refuse_without_zone(f"frame[{label!r}]", "it")
            series = series.dt.tz_localize(tz)
        return "TIME", [None if one is pd.NaT else (one.to_pydatetime(warn=False) - EPOCH) // MS for one in series]
    if types.is_bool_dtype(series.dtype) or types.is_numeric_dtype(series.dtype):
        return "NUMBER", [
            None if one is None else float(one) for one in series.astype("object").where(series.notna(), None)
        ]
    return _of_objects(label, list(series.astype("object").where(series.notna(), None)))


def _of_objects(label: str, values: list[Any]) -> tuple[str, list[Any]]:
    kinds = {type(one) for one in values if one is not None}
    if kinds <= {str}:
        return "TEXT", values
    if kinds <= {int, float, bool}:
        return "NUMBER", [None if one is None else float(one) for one in values]
    if kinds <= {tuple, list} and all(one is None or len(one) == 2 for one in values):
        return "COORDINATES", [None if one is None else (float(one[0]), float(one[1])) for one in values]
    names = ", ".join(sorted(one.__name__ for one in kinds))
    raise ArgumentError(f"frame[{label!r}]", f"must be numbers, texts, times or (latitude, longitude), not {names}")


def _of_arrow(frame: Any, tz: str | None) -> tuple[list[int], dict[str, tuple[str, list[Any]]]]:
    pa = load("arrow")
    if TIME not in frame.column_names:
        raise ArgumentError("frame", f"must have a column '{TIME}' of times")
    found: dict[str, tuple[str, list[Any]]] = {}
    for label in frame.column_names:
        column = frame.column(label)
        if not pa.types.is_timestamp(column.type):
            found[label] = _of_objects(label, column.to_pylist())
            continue
        if column.type.tz is None:
            if tz is None:
                raise refuse_without_zone("frame" if label == TIME else f"frame[{label!r}]", f"its column '{label}'")
            column = pa.compute.assume_timezone(column, tz)
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
    if isinstance(value, str) or int(value) != value or not 0 <= value <= 65535:
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
            elif value in (float("inf"), float("-inf")):
                raise ArgumentError(
                    f"frame[{column.label!r}]",
                    f"is infinite at {of_ms(times[place]).isoformat()}, which no record can be: replace it, by NaN for none",
                )
