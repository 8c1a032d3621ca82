"""Tables as frames of pandas, polars and Arrow."""

from __future__ import annotations

import importlib
from typing import Any

from ._errors import ArgumentError, MissingExtraError
from ._table import Column, Table, is_arrow, plain

QUALITY = " [Quality]"
ANNOTATION = " [Annotation]"
"""The columns of quality and annotation have these names after their values, as in the server's CSV."""
TIME = "time"
EXTRAS = {"pandas": "pandas", "polars": "polars", "arrow": "pyarrow"}


def load(extra: str) -> Any:
    """The module of an extra."""
    try:
        return importlib.import_module(EXTRAS[extra])
    except ImportError:
        text = f'{EXTRAS[extra]} is not installed: pip install "catchment-client[{extra}]"'
        raise MissingExtraError(text) from None


class Info(dict[str, Any]):
    """
    What `df.attrs["catchment"]` holds: `units`, `names`, `ids`, `types` and `aggregates` by column, `zone`, and the `request`. It is a dict
    that JSON takes: pandas writes attrs into Parquet so.

    Qualities and annotations of a frame of pandas lie beside it, as they were read; `df.catchment.quality` aligns them with the frame.
    """

    quality: Any = None
    annotations: Any = None

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __deepcopy__(self, _memo: Any) -> Info:
        # pandas copies attrs with every step of work; nothing of this changes.
        return self


def info_of(table: Table, tz: str | None, request: dict[str, str]) -> Info:
    def by(attribute: str) -> dict[str, str]:
        return {column.label: getattr(column, attribute) for column in table.columns}

    return Info(
        units=by("units"),
        names=by("name"),
        ids=by("id"),
        types=by("data_type"),
        aggregates=by("aggregate"),
        zone=tz,
        request=request,
    )


def to_pandas(table: Table, info: Info, flags: bool) -> Any:
    pd, np = load("pandas"), importlib.import_module("numpy")
    _register_accessor(pd)
    times = np.asarray(table.times, dtype="int64").astype("datetime64[ms]")
    index = pd.DatetimeIndex(times, name=TIME).tz_localize("UTC")
    found: dict[str, Any] = {}
    qualities: dict[str, Any] = {}
    annotations: dict[str, Any] = {}
    for column in table.columns:
        quality = _pandas_quality(pd, column)
        annotation = pd.Series(plain(column, "annotation"), index=index, dtype="str" if _has_str(pd) else "object")
        found[column.label] = _pandas_values(pd, np, column, index)
        target = (found, found) if flags else (qualities, annotations)
        target[0][column.label + (QUALITY if flags else "")] = quality
        target[1][column.label + (ANNOTATION if flags else "")] = annotation
    frame = pd.DataFrame(found, index=index)
    if not flags:
        info.quality = pd.DataFrame(qualities, index=index)
        info.annotations = pd.DataFrame(annotations, index=index)
    frame.attrs["catchment"] = info
    return frame


def _has_str(pd: Any) -> bool:
    return int(pd.__version__.split(".")[0]) >= 3


def _pandas_quality(pd: Any, column: Column) -> Any:
    if not is_arrow(column.quality):
        return pd.array(column.quality, dtype="UInt16")
    codes, nothing = column.quality.fill_null(0).to_numpy(), column.quality.is_null().to_numpy()
    return pd.arrays.IntegerArray(codes.copy(), nothing.copy())


def _pandas_values(pd: Any, np: Any, column: Column, index: Any) -> Any:
    if is_arrow(column.values) and column.data_type in ("NUMBER", "TIME"):
        found = column.values.to_numpy()
        return (
            found
            if column.data_type == "NUMBER"
            else pd.DatetimeIndex(found.astype("datetime64[ms]")).tz_localize("UTC")
        )
    if column.data_type == "NUMBER":
        return np.asarray(column.values, dtype="float64")
    if column.data_type == "TIME":
        nat = np.iinfo("int64").min
        whole = np.asarray([nat if one is None else one for one in column.values], dtype="int64")
        return pd.DatetimeIndex(whole.astype("datetime64[ms]")).tz_localize("UTC")
    if column.data_type == "TEXT":
        return pd.Series(plain(column, "values"), index=index, dtype="str" if _has_str(pd) else "object")
    return pd.Series(column.values, index=index, dtype="object")


def _register_accessor(pd: Any) -> None:
    if hasattr(pd.DataFrame, "catchment"):
        return

    class Accessor:
        """Returns what Catchment knows of a frame that was read from it."""

        def __init__(self, frame: Any) -> None:
            if "catchment" not in frame.attrs:
                raise AttributeError("catchment: the frame was not read from Catchment")
            self._frame = frame
            # A frame that was read back from a file has a plain dict.
            found = frame.attrs["catchment"]
            self.info = found if isinstance(found, Info) else Info(found)

        @property
        def quality(self) -> Any:
            """Quality codes (UInt16, <NA> = none), aligned with the rows and columns that the frame has now."""
            return self._aligned(self.info.quality, QUALITY)

        @property
        def annotations(self) -> Any:
            """Annotations (text, missing = none), aligned likewise."""
            return self._aligned(self.info.annotations, ANNOTATION)

        @property
        def units(self) -> dict[str, str]:
            found: dict[str, str] = self.info["units"]
            return found

        def _aligned(self, kept: Any, suffix: str) -> Any:
            columns = [one for one in self._frame.columns if one in self.info.units]
            if kept is None:
                flags = [one + suffix for one in columns]
                if not set(flags) <= set(self._frame.columns):
                    raise AttributeError(
                        "catchment: qualities do not go into files unless they are columns: df.catchment.with_flags()"
                    )
                return self._frame[flags].set_axis(columns, axis=1)
            return kept.reindex(index=self._frame.index)[columns]

        def with_flags(self) -> Any:
            """The frame with columns of quality and annotation, as `write` takes them."""
            found = self._frame.copy()
            quality, annotations = self.quality, self.annotations
            for one in quality.columns:
                found[one + QUALITY], found[one + ANNOTATION] = quality[one], annotations[one]
            return found

    pd.api.extensions.register_dataframe_accessor("catchment")(Accessor)


def to_arrow(table: Table, info: Info, flags: bool) -> Any:
    pa = load("arrow")
    arrays: dict[str, Any] = {TIME: pa.array(table.times, pa.timestamp("ms", "UTC"))}
    types = {"NUMBER": pa.float64(), "TEXT": pa.string(), "TIME": pa.timestamp("ms", "UTC")}
    types["COORDINATES"] = pa.list_(pa.float64(), 2)
    fields = [pa.field(TIME, pa.timestamp("ms", "UTC"), nullable=False)]
    for column in table.columns:
        metadata = {"units": column.units, "name": column.name, "id": column.id, "aggregate": column.aggregate}
        fields.append(pa.field(column.label, types[column.data_type], metadata=metadata))
        arrays[column.label] = _arrow_cells(pa, column, "values", types[column.data_type])
        if flags:
            fields.append(pa.field(column.label + QUALITY, pa.uint16()))
            fields.append(pa.field(column.label + ANNOTATION, pa.string()))
            arrays[column.label + QUALITY] = _arrow_cells(pa, column, "quality", pa.uint16())
            arrays[column.label + ANNOTATION] = _arrow_cells(pa, column, "annotation", pa.string())
    zone = {"zone": info.zone} if info.zone else {}
    return pa.table(arrays, pa.schema(fields, metadata=zone))


def _arrow_cells(pa: Any, column: Column, part: str, kind: Any) -> Any:
    cells = getattr(column, part)
    return cells.cast(kind) if is_arrow(cells) else pa.array(cells, kind, from_pandas=True)


def to_polars(table: Table, info: Info, flags: bool) -> Any:
    pl = load("polars")
    types = {
        "NUMBER": pl.Float64,
        "TEXT": pl.String,
        "TIME": pl.Datetime("ms", "UTC"),
        "COORDINATES": pl.Array(pl.Float64, 2),
    }
    found = [pl.Series(TIME, list(table.times), pl.Int64).cast(pl.Datetime("ms", "UTC"))]
    for column in table.columns:
        values = [None if one != one else one for one in plain(column, "values")]
        inner = pl.Int64 if column.data_type == "TIME" else types[column.data_type]
        found.append(pl.Series(column.label, values, inner).cast(types[column.data_type]))
        if flags:
            found.append(pl.Series(column.label + QUALITY, plain(column, "quality"), pl.UInt16))
            found.append(pl.Series(column.label + ANNOTATION, plain(column, "annotation"), pl.String))
    return pl.DataFrame(found)


def to_frame(table: Table, info: Info, frame: str, flags: bool | None) -> Any:
    if frame == "pandas":
        return to_pandas(table, info, flags is True)
    if frame == "polars":
        return to_polars(table, info, flags is not False)
    if frame == "arrow":
        return to_arrow(table, info, flags is not False)
    raise ArgumentError("frame", f"'{frame}' is none of pandas, polars, arrow")
