"""Opens every format by readers that others wrote, and compares it with JSON. A line `ok …` or `FAULT …` for each case."""

import io
import json
import math
import os
import traceback
import urllib.parse
import urllib.request
import warnings

import pandas
import pyarrow
import pyarrow.ipc
import pyarrow.parquet

URL, KEY, FROM, TO = (os.environ[name] for name in ("URL", "KEY", "FROM", "TO"))
NUMBER, TEXT, TIME, EMPTY = (os.environ[name] for name in ("number", "text", "time", "empty"))
SYDNEY = {"timezone": "Australia/Sydney", "timezoneAdjustForDst": "TRUE"}
PARTS = {"quality": "SEPARATE_VALUE", "annotation": "SEPARATE_VALUE"}


def get(nodes, form, **more):
    asked = {"params": ",".join(nodes), "startTime": FROM, "endTime": TO, "format": form, **more}
    query = urllib.parse.urlencode({name: value for name, value in asked.items() if value is not None})
    request = urllib.request.Request(f"{URL}/historic?{query}", headers={"X-Api-Key": KEY})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.read()


def rows(nodes, **more):
    """Returns the instant of each row and the fields of its columns, from JSON."""
    document = json.loads(get(nodes, "JSON", **more))
    return [(pandas.Timestamp(row["ts"]), [row["f"].get(str(n), {}) for n in range(len(nodes))]) for row in document["data"]]


def same(found, expected, what=""):
    missing = lambda value: value is None or (isinstance(value, float) and math.isnan(value)) or value is pandas.NaT
    if missing(found) and missing(expected):
        return
    if found != expected or missing(found) != missing(expected):
        raise AssertionError(f"{what}: {found!r} instead of {expected!r}")


def value(field):
    found = field.get("v")
    return pandas.Timestamp(found["$time"]) if isinstance(found, dict) else found


def check_table(table):
    nodes = [NUMBER, TEXT, TIME, EMPTY, NUMBER]
    expected = rows(nodes)
    same(table.num_rows, len(expected), "rows")
    same(str(table.schema.field("time").type), "timestamp[ms, tz=UTC]", "time")
    columns = {}
    for field in table.schema:
        metadata = {key.decode(): text.decode() for key, text in (field.metadata or {}).items()}
        if "column" in metadata:
            columns[int(metadata["column"]), metadata["part"]] = table[field.name].to_pylist()
            same(metadata["node"], nodes[int(metadata["column"])], "node")
    times = table["time"].to_pylist()
    for row, (time, fields) in enumerate(expected):
        same(pandas.Timestamp(times[row]), time, "time")
        for n, field in enumerate(fields):
            same(columns[n, "value"][row], value(field), f"value {n} of row {row}")
            same(columns[n, "quality"][row], field.get("q"), f"quality {n} of row {row}")
            same(columns[n, "annotation"][row], field.get("a"), f"annotation {n} of row {row}")
    metadata = {key.decode(): text.decode() for key, text in table.schema.metadata.items()}
    same((metadata["recordCount"], metadata["timezone"], metadata["aggregate"]), (str(len(expected)), "Etc/UTC", "NONE"), "metadata")
    units = table.schema.field(NUMBER).metadata[b"units"].decode()
    same(units, "m³/s", "units")


ALL = [NUMBER, TEXT, TIME, EMPTY, NUMBER]


def arrow_by_pyarrow():
    with pyarrow.ipc.open_stream(get(ALL, "ARROW", **PARTS)) as stream:
        check_table(stream.read_all())


def parquet_by_pyarrow():
    check_table(pyarrow.parquet.read_table(io.BytesIO(get(ALL, "PARQUET", **PARTS))))


def parquet_by_pandas():
    frame = pandas.read_parquet(io.BytesIO(get([NUMBER, EMPTY], "PARQUET"))).set_index("time")
    expected = rows([NUMBER, EMPTY])
    same(str(frame.index.tz), "UTC", "zone")
    for (time, fields), (found, number) in zip(expected, frame[NUMBER].items(), strict=True):
        same(found, time, "time")
        same(number, value(fields[0]), "value")
    same(int(frame[EMPTY].notna().sum()), 0, "values of the series without records")


def empty_answers():
    with pyarrow.ipc.open_stream(get([EMPTY], "ARROW")) as stream:
        same(stream.read_all().num_rows, 0, "rows of ARROW")
    same(pyarrow.parquet.read_table(io.BytesIO(get([EMPTY], "PARQUET"))).num_rows, 0, "rows of PARQUET")
    same(len(pandas.read_csv(io.BytesIO(get([EMPTY], "CSV", layout="LONG")))), 0, "rows of LONG")


def long_csv_by_pandas():
    text = get([NUMBER, TEXT], "CSV", layout="LONG", **SYDNEY).decode()
    frame = pandas.read_csv(io.StringIO(text), dtype={"value": str}, keep_default_na=False)
    found = iter(frame.itertuples())
    for time, fields in rows([NUMBER, TEXT]):
        for node, field in zip((NUMBER, TEXT), fields):
            if not field:
                continue
            row = next(found)
            same((pandas.Timestamp(row.time), row.node), (time, node), "time and node")
            shown = value(field)
            same(row.value if node == TEXT else (float(row.value) if row.value else None), "" if shown is None and node == TEXT else shown, "value")
            same((row.quality, row.annotation), (str(field.get("q", "")), field.get("a", "")), "quality and annotation")
    same(next(found, None), None, "more rows")


def thinned(form):
    data = get([NUMBER], form, maxPoints="16")
    expected = [(time, value(fields[0])) for time, fields in rows([NUMBER], reduce="M4", width="4")]
    if form == "ARROW":
        frame = pyarrow.ipc.open_stream(data).read_pandas()
    elif form == "PARQUET":
        frame = pandas.read_parquet(io.BytesIO(data))
    else:
        frame = pandas.read_csv(io.BytesIO(data)).rename(columns={"value": NUMBER})
        frame["time"] = pandas.to_datetime(frame["time"])
    same(len(frame), len(expected), "rows")
    same(sum(number is not None for _, number in expected) <= 16, True, "at most 16")
    for (time, number), row in zip(expected, frame.itertuples()):
        same((row.time, None), (time, None), "time")
        same(frame[NUMBER].iloc[row.Index], number, "value")


def rdb_by_dataretrieval():
    from dataretrieval.nwis import _read_rdb

    for more in ({}, {"timezone": "Australia/Sydney"}):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            frame = _read_rdb(get([NUMBER, TEXT], "RDB", **more).decode()).reset_index()
        expected = rows([NUMBER, TEXT])
        same(len(frame), len(expected), "rows")
        same(set(frame["site_no"]), {"site-1"}, "site")
        for n, (time, fields) in enumerate(expected):
            same(pandas.Timestamp(str(frame["datetime"].iloc[n])).tz_localize(None) - pandas.Timedelta(hours=10 if more else 0), time.tz_localize(None), "datetime")
            same(float(frame[NUMBER].iloc[n]), value(fields[0]), "value")
            code = frame[f"{NUMBER}_cd"].iloc[n]
            same(None if pandas.isna(code) else int(float(code)), fields[0].get("q"), "quality")


def waterml_by_owslib():
    from owslib.etree import etree
    from owslib.swe.observation.waterml2 import MeasurementTimeseriesObservation, nspv

    for more in ({}, SYDNEY):
        root = etree.fromstring(get([NUMBER, EMPTY], "WATERML2", **more))
        members = root.findall(nspv("wml2:observationMember/om20:OM_Observation"))
        series, empty = (MeasurementTimeseriesObservation(member) for member in members)
        result = series.get_result()
        expected = [(time, fields[0]) for time, fields in rows([NUMBER, EMPTY])]
        same(len(result), len(expected), "points")
        for point, (time, field) in zip(result, expected):
            same(pandas.Timestamp(point.datetime), time, "time")
            same(point.value, value(field), "value")
        same(result.defaultTVPMetadata.uom, "m³/s", "unit")
        same(len(empty.get_result()), 0, "points of the series without records")


def covjson_by_pydantic():
    from covjson_pydantic.coverage import CoverageCollection

    nodes = [NUMBER, TEXT, TIME, EMPTY]
    document = CoverageCollection.model_validate_json(get(nodes, "COVJSON", quality="SEPARATE_VALUE"))
    for n, coverage in enumerate(document.coverages):
        expected = [(time, fields[n]) for time, fields in rows(nodes) if fields[n]]
        same(coverage.domain.axes.x.values, [172.6], "x")
        same([pandas.Timestamp(time) for time in coverage.domain.axes.t.values], [time for time, _ in expected], "times")
        found = coverage.ranges[nodes[n]].values
        found = [pandas.Timestamp(one) if n == 2 else one for one in found]
        same(found, [value(field) if value(field) != "" else None for _, field in expected], "values")
        same(coverage.ranges[f"{nodes[n]}.quality"].values, [field.get("q") for _, field in expected], "qualities")
    same(document.parameters[NUMBER].unit.symbol, "m³/s", "unit")


CASES = {
    "ARROW by pyarrow": arrow_by_pyarrow,
    "PARQUET by pyarrow": parquet_by_pyarrow,
    "PARQUET by pandas": parquet_by_pandas,
    "answers without rows": empty_answers,
    "CSV, layout LONG, by pandas": long_csv_by_pandas,
    "maxPoints, ARROW": lambda: thinned("ARROW"),
    "maxPoints, PARQUET": lambda: thinned("PARQUET"),
    "RDB by dataretrieval": rdb_by_dataretrieval,
    "WATERML2 by owslib": waterml_by_owslib,
    "COVJSON by covjson-pydantic": covjson_by_pydantic,
}
for name, case in CASES.items():
    try:
        case()
        print("ok", name, flush=True)
    except Exception:
        print("FAULT", name, flush=True)
        traceback.print_exc()
