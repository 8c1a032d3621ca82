"""A read asks for this, and its answers become these frames."""

from __future__ import annotations

import datetime as dt
import json
import math

import httpx
import numpy as np
import pandas as pd
import pytest
from fake import Fake, both, document, error

import catchment
from catchment import _times, _windows

EMPTY = document([])


@pytest.mark.parametrize(
    ("start", "end", "tz", "sent"),
    [
        ("2024-01", "2025-01", None, ("2024-01-01T00:00:00.000Z", "2024-12-31T23:59:59.999Z")),
        ("2024", "2024-01-01T00:00:01", None, ("2024-01-01T00:00:00.000Z", "2024-01-01T00:00:00.999Z")),
        ("2024-01", "2024-07", "Australia/Sydney", ("2023-12-31T13:00:00.000Z", "2024-06-30T13:59:59.999Z")),
        (
            "2024-01-01T00:00+02:00",
            "2024-01-02T00:00:00.1234567Z",
            "Australia/Sydney",
            ("2023-12-31T22:00:00.000Z", "2024-01-02T00:00:00.122Z"),
        ),
        (
            dt.date(2024, 1, 1),
            dt.datetime(2024, 1, 2, tzinfo=dt.timezone.utc),
            None,
            ("2024-01-01T00:00:00.000Z", "2024-01-01T23:59:59.999Z"),
        ),
        (
            pd.Timestamp("2024-01-01"),
            np.datetime64("2024-01-02"),
            None,
            ("2024-01-01T00:00:00.000Z", "2024-01-01T23:59:59.999Z"),
        ),
        (
            np.datetime64("2024-01-01"),
            pd.Timestamp("2024-01-02"),
            "Australia/Sydney",
            ("2023-12-31T13:00:00.000Z", "2024-01-01T12:59:59.999Z"),
        ),
        ("yesterday", "today", None, ("2023-11-13T00:00:00.000Z", "2023-11-13T23:59:59.999Z")),
        ("NOW-7D", "NOW", None, ("2023-11-07T22:13:20.000Z", "2023-11-14T22:13:19.999Z")),
        ("MO-1MO", "D+9H", "Europe/Berlin", ("2023-09-30T22:00:00.000Z", "2023-11-14T07:59:59.999Z")),
        # A time that the clock skips moves forward, of one that comes twice the earlier counts.
        (
            "2024-03-31T02:30",
            "2024-10-27T02:30",
            "Europe/Berlin",
            ("2024-03-31T01:30:00.000Z", "2024-10-27T00:29:59.999Z"),
        ),
    ],
)
def test_bounds(start, end, tz, sent):
    fake = Fake(EMPTY)
    fake.client().read("@a", start, end, tz=tz)
    assert (fake.query()["startTime"], fake.query()["endTime"]) == sent
    assert fake.query().get("timezoneAdjustForDst") == ("TRUE" if tz else None)
    assert fake.query().get("timezone") == tz


@pytest.mark.parametrize(
    ("given", "argument"),
    [
        (dict(start="soon", end="2025"), "start"),
        (dict(start="2024", end="2024-13"), "end"),
        (dict(start="2025", end="2024"), "start"),
        (dict(start="2024"), "end"),
        (dict(start="1799", end="2024"), "start"),
        (dict(start="2024", end="2025", tz="Mars/Base"), "tz"),
        (dict(start="2024", end="2025", aggregate="AVERAGE"), "interval"),
        (dict(start="2024", end="2025", aggregate="AVERAGE", interval="often"), "interval"),
        (dict(start=float("nan"), end="2025"), "start"),
        (dict(start=pd.NaT, end="2025"), "start"),
        (dict(start=np.datetime64("NaT", "ms"), end="2025"), "start"),
        (dict(limit=1, agregate="AVERAGE"), "agregate"),
        (dict(limit=1, format="CSV"), "format"),
        (dict(nodes=[], limit=1), "nodes"),
        (dict(nodes=["@a", "@a"], limit=1), "nodes"),
        (dict(nodes="@a(aggregate:MAX)", limit=1), "nodes"),
        (dict(limit=1, frame="excel"), "frame"),
    ],
)
def test_what_cannot_be_read_is_told_before_anything_is_sent(given, argument):
    fake = Fake(EMPTY)
    with pytest.raises(catchment.ArgumentError) as raised:
        fake.client().read(**{"nodes": "@a", **given})
    assert raised.value.argument == argument
    assert str(raised.value).startswith(f"{argument}: ")
    if argument != "frame":
        assert fake.requests == []


def test_the_frame_has_times_in_utc_missing_as_nan_with_its_quality_and_what_it_is_of(kind):
    columns = {
        "0": {"id": "1" * 24, "name": "Level", "units": "m", "dataType": "NUMBER"},
        "1": {"id": "2" * 24, "name": "Note", "units": "", "dataType": "TEXT"},
        "2": {"id": "3" * 24, "name": "Seen", "dataType": "TIME"},
        "3": {"id": "4" * 24, "name": "Place", "dataType": "COORDINATES"},
    }
    rows = [
        ("2024-06-01T10:00:00.000+10:00", {"0": {"v": 1, "q": 100, "a": "ok"}, "1": {"v": ""}}),
        ("2024-06-01T10:00:00.001+10:00", {"0": {"q": 158}, "2": {"v": {"$time": "1801-01-01T00:00:00.000Z"}}}),
        ("2024-06-01T10:00:00.002+10:00", {"3": {"v": {"$coords": [-33.8, 151.2]}}}),
    ]
    fake = Fake(document(rows, columns))
    frame = both(
        fake, lambda c: c.read({"level": "@a", "note": "@b", "seen": "@c", "place": "@d"}, "2024", "2025"), kind
    )
    assert str(frame.index.dtype) == "datetime64[ms, UTC]"
    assert list(frame.index) == [pd.Timestamp(f"2024-06-01T00:00:00.00{n}Z") for n in range(3)]
    assert frame["level"].dtype == np.float64 and frame["level"].isna().tolist() == [False, True, True]
    assert frame["note"].isna().tolist() == [False, True, True] and frame["note"].iloc[0] == ""
    assert frame["seen"].iloc[1] == pd.Timestamp("1801-01-01", tz="UTC")
    assert frame["place"].iloc[2] == (-33.8, 151.2)
    assert frame.attrs["catchment"]["units"] == {"level": "m", "note": "", "seen": "", "place": ""}
    assert frame.attrs["catchment"].names["level"] == "Level"
    assert frame.catchment.quality["level"].tolist() == [100, 158, pd.NA]
    later = frame.iloc[1:]
    assert later.catchment.quality["level"].tolist() == [158, pd.NA]
    assert list(frame.catchment.with_flags().columns[:4]) == ["level", "note", "seen", "place"]
    assert frame.catchment.with_flags()["level [Annotation]"].iloc[0] == "ok"


def test_what_a_frame_knows_goes_into_a_file_and_its_flags_where_they_are_columns(tmp_path):
    fake = Fake(document([("2024-01-01T00:00:00.000Z", {"0": {"v": 1.5, "q": 151}})]))
    frame = fake.client().read({"level": "@a"}, "2024", "2025")
    frame.catchment.with_flags().to_parquet(tmp_path / "flags.parquet")
    found = pd.read_parquet(tmp_path / "flags.parquet")
    assert (found.catchment.units, found.catchment.quality["level"].tolist()) == ({"level": "m"}, [151])
    frame.to_parquet(tmp_path / "bare.parquet")
    bare = pd.read_parquet(tmp_path / "bare.parquet")
    assert bare.attrs["catchment"]["names"] == {"level": "Level"}
    with pytest.raises(AttributeError, match="with_flags"):
        bare.catchment.quality
    assert json.loads(json.dumps(frame.attrs)) == {"catchment": frame.attrs["catchment"]}


def test_polars_and_arrow_have_the_same():
    fake = Fake(
        document(
            [
                ("2024-01-01T00:00:00.000Z", {"0": {"v": 1, "q": 7}}),
                ("2024-01-01T01:00:00.000Z", {"0": {"q": 158, "a": "gap"}}),
            ]
        )
    )
    pl, pa = (fake.client().read("@a", "2024", "2025", frame=one) for one in ("polars", "arrow"))
    for frame in (pl, pa):
        names = frame.columns if frame is pl else frame.column_names
        assert names == ["time", "@a", "@a [Quality]", "@a [Annotation]"]
    assert pl["@a"].to_list() == pa["@a"].to_pylist() == [1.0, None]
    assert pl["@a [Quality]"].to_list() == pa["@a [Quality]"].to_pylist() == [7, 158]
    assert pa.schema.field("@a").metadata[b"units"] == b"m"


def test_a_range_that_is_too_large_is_read_in_halves_and_what_was_learnt_is_kept(kind):
    day = 86_400_000

    def answer(request: httpx.Request) -> httpx.Response:
        start, end = (_times.parse_iso(request.url.params[name]) for name in ("startTime", "endTime"))
        if end - start > 100 * day:
            return error(413, "Request or response too large")
        first = -(-start // day) * day
        return document([(_times.iso(ms), {"0": {"v": ms / day}}) for ms in range(first, end + 1, day)])

    fake = Fake(answer)
    frame = both(fake, lambda c: c.read("@a", "2024", "2025"), kind)
    assert len(frame) == 366 and frame.index.is_monotonic_increasing and frame.index.is_unique
    # 366 and 183 days are refused once each; then four parts.
    assert len(fake.requests) == 6


def test_intervals_are_cut_where_one_begins_on_the_clock_of_the_zone():
    seen = []

    def answer(request: httpx.Request) -> httpx.Response:
        start, end = (_times.parse_iso(request.url.params[name]) for name in ("startTime", "endTime"))
        if end - start > 200 * 86_400_000:
            return error(413)
        seen.append((request.url.params["startTime"], request.url.params["endTime"]))
        return document([])

    fake = Fake(answer)
    fake.client().read("@a", "2024", "2025", aggregate="AVERAGE", interval="1D", tz="Australia/Sydney")
    assert seen == [
        ("2023-12-31T13:00:00.000Z", "2024-06-30T14:00:00.000Z"),
        ("2024-06-30T14:00:00.000Z", "2024-12-31T13:00:00.000Z"),
    ]


@pytest.mark.parametrize(
    ("base", "interval", "zone", "expected"),
    [
        ("D", "1D", "UTC", "2024-07-02T00:00:00.000Z"),
        ("D", "15M", "UTC", "2024-07-02T00:00:00.000Z"),
        ("D", "5H", "UTC", "2024-07-04T00:00:00.000Z"),
        ("D", "7D", "UTC", "2024-07-01T00:00:00.000Z"),
        ("MO", "1MO", "UTC", "2024-07-01T00:00:00.000Z"),
        ("Y", "3MO", "UTC", None),
        ("W", "1W", "UTC", "2024-07-01T00:00:00.000Z"),
        # Six hours of elapsed time from midnight in winter are not those from midnight in summer.
        ("D", "6H", "Europe/Berlin", "2024-03-30T23:00:00.000Z"),
        ("D+9H", "1D", "UTC", None),
        ("NOW", "1MO", "UTC", None),
        ("D", "1D12H", "UTC", None),
    ],
)
def test_where_a_year_of_intervals_may_be_cut(base, interval, zone, expected):
    window = _windows.Window(_times.parse_iso("2024-01-01T00:00:00Z"), _times.parse_iso("2025-01-01T00:00:00Z"))
    cut = _windows.halves(window, _windows.Grid(base, interval, _times.zone_of(zone)))
    assert (None if cut is None else _times.iso(cut[1].start)) == expected


@pytest.mark.parametrize(
    "given",
    [
        dict(aggregate="CHANGE"),
        dict(limit=5),
        dict(aggregate="AVERAGE", interval="1D", base_time="D+9H"),
        dict(baselineType="RELATIVE"),
    ],
)
def test_what_cannot_be_cut_is_told(given):
    fake = Fake(error(413, "Request or response too large"))
    with pytest.raises(catchment.TooLargeError, match="shorter range"):
        fake.client().read("@a", "2024", "2025", **given)
    assert len(fake.requests) == 1


def test_many_series_are_read_by_several_requests_and_joined_on_equal_times():
    def answer(request: httpx.Request) -> httpx.Response:
        nodes = request.url.params["params"].split(",")
        columns = {str(n): {"id": "0" * 24, "name": node, "dataType": "NUMBER"} for n, node in enumerate(nodes)}
        hour = len(fake.requests)
        return document(
            [
                ("2024-01-01T00:00:00.000Z", {str(n): {"v": n} for n in range(len(nodes))}),
                (f"2024-01-01T0{hour}:00:00.000Z", {"0": {"v": 9}}),
            ],
            columns,
        )

    fake = Fake(answer)
    nodes = [f"@station-{n}" for n in range(150)]
    frame = fake.client().read(nodes, "2024", "2025")
    assert list(frame.columns) == nodes and len(fake.requests) == 2
    assert len(frame) == 3 and math.isnan(frame.iloc[1, 149])
    assert all(len(str(request.url.query)) < 4096 for request in fake.requests)


def test_a_column_may_have_its_own_aggregate():
    fake = Fake(EMPTY)
    nodes = {
        "mean": catchment.Series("@a", "AVERAGE"),
        "high": catchment.Series("@a", "PERCENTILE", interval="1MO", percentile=95),
    }
    fake.client().read(nodes, "2024", "2025", interval="1D")
    assert (
        fake.query()["params"]
        == "@a(aggregate:AVERAGE),@a(aggregate:PERCENTILE;interval:1MO;percentile:95;baseTime:MO)"
    )
    assert fake.query()["baseTime"] == "D"
    # Intervals end where the range does.
    assert fake.query()["endTime"] == "2025-01-01T00:00:00.000Z"


def test_without_an_extra_the_error_has_the_command(monkeypatch):
    import importlib

    def absent(name: str, *_more: object):
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", absent)
    with pytest.raises(catchment.MissingExtraError, match=r'pip install "catchment-client\[polars\]"'):
        Fake(EMPTY).client().read("@a", "2024", "2025", frame="polars")
