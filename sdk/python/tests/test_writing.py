"""A write sends this, in these parts, and refuses that."""

from __future__ import annotations

import datetime as dt

import httpx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from fake import Fake, accepted, both, error

import catchment
from catchment import _write

HOURS = pd.to_datetime(["2024-01-01T00:00Z", "2024-01-01T01:00Z", "2024-01-01T02:00Z"])
SOURCE = httpx.Response(200, json={"_class": "io.svc.models.node.source.data.Jts"})
PARAMETER = httpx.Response(200, json={"_class": "io.svc.models.node.point.NumberPoint"})


def test_a_frame_becomes_a_document_with_gaps_flags_and_all_types(kind):
    frame = pd.DataFrame(
        {
            "level": [1.5, np.nan, np.nan],
            "level [Quality]": pd.array([100, 158, None], dtype="UInt16"),
            "level [Annotation]": ["by hand", None, None],
            "note": ["a", None, "ü"],
            "seen": [pd.Timestamp("2024-01-01T10:00+10:00"), pd.NaT, pd.NaT],
            "count": pd.array([1, None, 3], dtype="Int64"),
            "on": [True, False, True],
            "place": [(-33.5, 151.25), None, None],
        },
        index=HOURS,
    )
    fake = Fake(SOURCE, accepted())
    result = both(fake, lambda c: c.write("@mill", frame, units={"level": "m"}, notify_on="NONE"), kind)
    assert fake.requests[-1].url.path == "/api/v1/nodes/@mill/historic"
    assert fake.query() == {"writeMode": "MERGE_OVERWRITE_EXISTING", "notifyOn": "NONE"}
    columns = fake.body()["header"]["columns"]
    assert [one["dataType"] for one in columns.values()] == [
        "NUMBER",
        "TEXT",
        "TIME",
        "NUMBER",
        "NUMBER",
        "COORDINATES",
    ]
    assert columns["0"] == {"dataType": "NUMBER", "series": "level", "name": "level", "units": "m"}
    first = int(HOURS[0].timestamp() * 1000)
    assert fake.body()["data"] == [
        {
            "ts": first,
            "f": {
                "0": {"v": 1.5, "q": 100, "a": "by hand"},
                "1": {"v": "a"},
                "2": {"v": {"$time": "2024-01-01T00:00:00.000Z"}},
                "3": {"v": 1},
                "4": {"v": 1},
                "5": {"v": {"$coords": [-33.5, 151.25]}},
            },
        },
        {"ts": first + 3_600_000, "f": {"0": {"q": 158}, "4": {"v": 0}}},
        {"ts": first + 7_200_000, "f": {"1": {"v": "ü"}, "3": {"v": 3}, "4": {"v": 1}}},
    ]
    assert (result.records, result.parts) == (11, 1)


@pytest.mark.parametrize(
    ("what", "frame", "kind_of_error", "text"),
    [
        (
            "no zone",
            pd.DataFrame({"a": [1.0]}, index=pd.to_datetime(["2024-01-01"])),
            catchment.TimeWithoutZoneError,
            'tz="Australia/Sydney"',
        ),
        (
            "a time twice",
            pd.DataFrame({"a": [1.0, 2.0]}, index=HOURS[[0, 0]]),
            catchment.NonUniqueIndexError,
            "duplicated",
        ),
        (
            "two times of one millisecond",
            pd.DataFrame({"a": [1.0, 2.0]}, index=pd.to_datetime([10, 20], unit="ns", utc=True)),
            catchment.NonUniqueIndexError,
            "milliseconds",
        ),
        (
            "infinity",
            pd.DataFrame({"a": [1.0, np.inf, 3.0]}, index=HOURS),
            catchment.ArgumentError,
            "infinite at 2024-01-01T01:00:00",
        ),
        *(
            (
                f"a quality {code!r}",
                pd.DataFrame({"a": 1.0, "a [Quality]": [code]}, index=HOURS[:1]),
                catchment.ArgumentError,
                "0 to 65535",
            )
            for code in (np.inf, (1, 2), "good")
        ),
        *(
            (
                f"a value {value!r:.20}",
                pd.DataFrame({"a": pd.Series([value], HOURS[:1], object)}),
                catchment.ArgumentError,
                text,
            )
            for value, text in (
                (1j, "not complex"),
                (10**400, "infinite"),
                (("a", "b"), "not tuple"),
                ((1.0, np.nan), "half missing"),
            )
        ),
        (
            "times that no record has",
            pd.DataFrame({"a": [1.0]}, index=pd.DatetimeIndex(["1700-01-01"], tz="UTC")),
            catchment.ArgumentError,
            "1800 to 9998",
        ),
        ("texts for times", pa.table({"time": ["2024-01-01"], "a": [1.0]}), catchment.ArgumentError, "not string"),
        (
            "a column twice",
            pa.table([HOURS[:1], [1.0], [2.0]], names=["time", "a", "a"]),
            catchment.ArgumentError,
            "two columns",
        ),
        ("a frame to come", pl.LazyFrame({"a": [1.0]}), catchment.ArgumentError, r"collect\(\)"),
        ("no times", pd.DataFrame({"a": [1.0]}), catchment.ArgumentError, "index must be times"),
        (
            "a row without a time",
            pd.DataFrame({"a": [1.0, 2.0]}, index=pd.to_datetime(["2024-01-01T00:00Z", None])),
            catchment.ArgumentError,
            "without a time",
        ),
        (
            "a quality that is none",
            pd.DataFrame({"a": [1.0], "a [Quality]": [1.5]}, index=HOURS[:1]),
            catchment.ArgumentError,
            "0 to 65535",
        ),
        (
            "a quality too large",
            pd.DataFrame({"a": [1.0], "a [Quality]": [65536]}, index=HOURS[:1]),
            catchment.ArgumentError,
            "0 to 65535",
        ),
        (
            "a quality of nothing",
            pd.DataFrame({"a": [1.0], "b [Quality]": [1]}, index=HOURS[:1]),
            catchment.ArgumentError,
            "no column of values",
        ),
        (
            "an annotation too long",
            pd.DataFrame({"a": [1.0], "a [Annotation]": ["x" * 501]}, index=HOURS[:1]),
            catchment.ArgumentError,
            "500",
        ),
        (
            "values of two kinds",
            pd.DataFrame({"a": pd.Series([1, "x"], dtype="object", index=HOURS[:2])}),
            catchment.ArgumentError,
            "int, str",
        ),
        (
            "two columns of one name",
            pd.DataFrame([[1.0, 2.0]], columns=["a", "a"], index=HOURS[:1]),
            catchment.ArgumentError,
            "two columns",
        ),
        ("no columns", pd.DataFrame(index=HOURS), catchment.ArgumentError, "no column"),
        ("no frame", [1, 2], catchment.ArgumentError, "pandas, polars or pyarrow"),
    ],
)
def test_a_frame_is_refused_before_anything_is_sent(what, frame, kind_of_error, text):
    fake = Fake(accepted())
    with pytest.raises(kind_of_error, match=text):
        fake.client().write("@a", frame)
    assert fake.requests == []


def test_local_times_need_a_clock_that_has_them_once():
    once = pd.DataFrame({"a": [1.0]}, index=pd.to_datetime(["2024-07-01T12:00"]))
    fake = Fake(accepted())
    fake.client().write("@a", once, tz="Europe/Berlin")
    assert fake.body()["data"][0]["ts"] == 1_719_828_000_000
    for text in ("2024-03-31T02:30", "2024-10-27T02:30"):
        with pytest.raises(catchment.ArgumentError, match="none, or two, on the clock of Europe/Berlin"):
            fake.client().write("@a", once.set_axis(pd.to_datetime([text])), tz="Europe/Berlin")


@pytest.mark.parametrize("time", ["2024-03-10 02:30", "2024-11-03 01:30"])
def test_local_times_are_told_wherever_they_stand(time):
    at = pd.Timestamp(time)
    for frame in (
        pd.DataFrame({"seen": [at]}, index=HOURS[:1]),
        pa.table({"time": [at], "a": [1.0]}),
        pl.DataFrame({"time": [at], "a": [1.0]}),
    ):
        with pytest.raises(catchment.ArgumentError, match="on the clock of America/New_York"):
            Fake(accepted()).client().write("@a", frame, tz="America/New_York")


def test_rows_are_sent_in_order_of_time_and_a_series_is_a_frame_of_one_column():
    fake = Fake(accepted())
    fake.client().write("@a", pd.Series([3.0, 1.0], index=HOURS[[2, 0]], name="a"))
    assert [row["f"]["0"]["v"] for row in fake.body()["data"]] == [1.0, 3.0]


def test_a_large_frame_takes_parts_within_the_limits_of_the_server():
    index = pd.date_range("2024-01-01", periods=120_000, freq="min", tz="UTC")
    fake = Fake(accepted())
    result = fake.client().write("@a", pd.DataFrame({"a": np.arange(120_000.0)}, index=index))
    assert result == catchment.WriteResult(120_000, 3, ())
    bodies = [fake.body(at) for at in range(3)]
    assert [len(one["data"]) for one in bodies] == [50_000, 50_000, 20_000]
    assert all(request.headers["content-encoding"] == "gzip" for request in fake.requests)
    texts = pd.DataFrame({"a": ["ü" * 9_000] * 200}, index=index[:200])
    packed = Fake(accepted())
    packed.client().write("@a", texts)
    assert len(packed.requests) == 3
    import gzip

    assert max(len(gzip.decompress(request.content)) for request in packed.requests) < 5 * 1024 * 1024


def test_a_range_that_is_replaced_reaches_over_the_parts(monkeypatch):
    monkeypatch.setattr(_write, "ROWS_MAX", 2)
    frame = pd.DataFrame({"a": [1.0, np.nan, 3.0], "b": [1.0, 2.0, 3.0]}, index=HOURS)
    fake = Fake(SOURCE, accepted())
    fake.client().write("@mill", frame, mode="INSERT_DELETE_EXISTING")
    first = int(HOURS[0].timestamp() * 1000)
    assert fake.body()["data"] == [
        {"ts": first + 1, "f": {"0": None}},
        {"ts": first + 3_600_001, "f": {"1": None}},
        {"ts": first + 7_200_000, "f": {"0": {"v": 3}, "1": {"v": 3}}},
    ]


def test_a_write_of_all_or_nothing_is_not_split():
    index = pd.date_range("2024-01-01", periods=50_001, freq="min", tz="UTC")
    fake = Fake(accepted())
    with pytest.raises(catchment.ArgumentError, match="all or nothing"):
        fake.client().write("@a", pd.DataFrame({"a": 1.0}, index=index), mode="MERGE_FAIL_ON_EXISTING")
    assert fake.requests == []


@pytest.mark.parametrize(("mode", "rows"), [("DELETE", [None, None, None]), ("DELETE_RANGE", [None, None])])
def test_deletions_send_markers(mode, rows):
    fake = Fake(accepted())
    fake.client().write("@a", pd.DataFrame({"a": [1.0, 2.0, 3.0]}, index=HOURS), mode=mode)
    assert [row["f"]["0"] for row in fake.body()["data"]] == rows


def test_what_is_half_written_is_told(kind, monkeypatch):
    monkeypatch.setattr(_write, "ROWS_MAX", 1)
    fake = Fake(accepted(), error(403, "Not permitted"))
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0]}, index=HOURS)
    with pytest.raises(
        catchment.PartialWriteError,
        match="1 of 3 parts are stored, 1 records, all columns up to 2024-01-01T00:00:00.000Z",
    ) as raised:
        both(fake, lambda c: c.write("@a", frame), kind)
    assert (raised.value.parts, raised.value.records, raised.value.until) == (1, 1, "2024-01-01T00:00:00.000Z")
    assert isinstance(raised.value.__cause__, catchment.PermissionDeniedError)


@pytest.mark.parametrize(("stored", "until"), [(2, "2023-12-31T23:59:59.999Z"), (3, "2024-01-01T00:00:00.000Z")])
def test_what_is_half_written_of_many_columns_is_safe_in_all_of_them(monkeypatch, stored, until):
    monkeypatch.setattr(_write, "ROWS_MAX", 1)
    monkeypatch.setattr(_write, "COLUMNS_MAX", 1)
    fake = Fake(*[accepted()] * stored, error(403))
    frame = pd.DataFrame(
        {"@a": [1.0, 2.0], "@b": [3.0, 4.0]}, index=pd.to_datetime(["2024-01-01", "2024-01-02"], utc=True)
    )
    with pytest.raises(catchment.PartialWriteError) as raised:
        fake.client().write(None, frame)
    assert (raised.value.parts, raised.value.until) == (stored, until)


def test_several_columns_need_a_source_or_their_nodes():
    frame = pd.DataFrame({"@a": [1.0], "@b": [2.0]}, index=HOURS[:1])
    with pytest.raises(catchment.ArgumentError, match="@c is one series"):
        Fake(PARAMETER).client().write("@c", frame)
    with pytest.raises(catchment.ArgumentError, match="'level' is none"):
        Fake(accepted()).client().write(None, frame.rename(columns={"@a": "level"}))
    fake = Fake(accepted())
    fake.client().write(None, frame)
    assert fake.requests[-1].url.path == "/api/v1/historic"
    assert [one["id"] for one in fake.body()["header"]["columns"].values()] == ["@a", "@b"]
    moved = Fake(PARAMETER, accepted())
    moved.client().write("@c", frame[["@a"]])
    assert "id" not in moved.body()["header"]["columns"]["0"]


@pytest.mark.parametrize(
    "given",
    [
        dict(mode="UPSERT"),
        dict(mode=None),
        dict(wait="eventually"),
        dict(units={"b": "m"}),
        dict(units=["m"]),
        dict(tz="Mars"),
    ],
)
def test_arguments_that_are_none(given):
    fake = Fake(accepted())
    frame = pd.DataFrame({"a": [1.0]}, index=pd.to_datetime(["2024-01-01"]) if "tz" in given else HOURS[:1])
    with pytest.raises(catchment.ArgumentError):
        fake.client().write("@a", frame, **given)
    assert fake.requests == []


def test_readable_is_waited_for_where_the_server_tells(kind):
    frame = pd.DataFrame({"a": [1.0]}, index=HOURS[:1])
    states = [httpx.Response(200, json={"durable": True, "readable": one}) for one in (False, False, True)]
    fake = Fake(accepted(write="w-1"), *states)
    result = both(fake, lambda c: c.write("@a", frame, wait="readable"), kind)
    assert result.positions == ("w-1",)
    assert [request.url.path for request in fake.requests[1:]] == ["/api/v1/writes/w-1"] * 3
    assert fake.query() == {"wait": "10"}
    lost = Fake(accepted(write="w-1"), httpx.Response(200, json={"durable": False, "readable": False}))
    with pytest.raises(catchment.CatchmentError, match="write it again"):
        both(lost, lambda c: c.write("@a", frame, wait="readable"), kind)
    slow = Fake(accepted(write="w-1"), httpx.Response(200, json={"durable": True, "readable": False}))
    with pytest.raises(catchment.CatchmentError, match="after two minutes"):
        both(slow, lambda c: c.write("@a", frame, wait="readable"), kind)
    with pytest.raises(catchment.UnsupportedError, match="all of it is stored"):
        both(Fake(accepted()), lambda c: c.write("@a", frame, wait="readable"), kind)


def test_all_parts_are_written_and_waited_for(monkeypatch):
    monkeypatch.setattr(_write, "ROWS_MAX", 1)
    frame = pd.DataFrame({"a": [1.0, 2.0]}, index=HOURS[:2])
    old = Fake(accepted())
    with pytest.raises(catchment.UnsupportedError):
        old.client().write("@a", frame, wait="readable")
    assert len(old.requests) == 2
    # Nothing was to be stored, so nothing is waited for.
    assert old.client().write("@a", frame * np.nan, wait="readable").records == 0
    readable = httpx.Response(200, json={"durable": True, "readable": True})
    fake = Fake(accepted(write="w-1"), accepted(write="w-2"), readable)
    assert fake.client().write("@a", frame, wait="readable").positions == ("w-1", "w-2")
    assert [request.url.path for request in fake.requests[2:]] == ["/api/v1/writes/w-1", "/api/v1/writes/w-2"]


def test_polars_and_arrow_are_written_too():
    import polars as pl
    import pyarrow as pa

    times = [dt.datetime(2024, 1, 1, hour, tzinfo=dt.timezone.utc) for hour in (1, 0)]
    columns = {
        "time": times,
        "a": [1.5, None],
        "a [Quality]": [None, 158],
        "note": ["x", None],
        "seen": [times[0], None],
    }
    sent = []
    for frame in (pl.DataFrame(columns), pa.table(columns)):
        fake = Fake(SOURCE, accepted())
        fake.client().write("@mill", frame)
        sent.append(fake.body())
    assert sent[0] == sent[1]
    assert [row["f"] for row in sent[0]["data"]] == [
        {"0": {"q": 158}},
        {"0": {"v": 1.5}, "1": {"v": "x"}, "2": {"v": {"$time": "2024-01-01T01:00:00.000Z"}}},
    ]
    naive = pl.DataFrame({"time": [dt.datetime(2024, 1, 1)], "a": [1.0]})
    with pytest.raises(catchment.TimeWithoutZoneError):
        Fake(accepted()).client().write("@a", naive)
    zoned = Fake(accepted())
    zoned.client().write("@a", naive, tz="Australia/Sydney")
    assert zoned.body()["data"][0]["ts"] == 1_704_027_600_000


@pytest.mark.parametrize("given", [dict(time="2024-01-01"), dict(time=dt.datetime(2024, 1, 1))])
def test_a_record_of_a_time_without_a_zone_is_refused(given):
    with pytest.raises(catchment.TimeWithoutZoneError, match="time: "):
        Fake(accepted()).client().write_now("@a", 1.5, **given)
    fake = Fake(accepted())
    fake.client().write_now("@a", np.float32(1.5), tz="Australia/Sydney", **given)
    assert fake.body() == {"value": 1.5, "timestamp": "2023-12-31T13:00:00.000Z"}


@pytest.mark.parametrize("value", [None, float("nan"), float("inf"), np.float32("inf")])
def test_a_record_of_now_needs_a_value(value):
    with pytest.raises(catchment.ArgumentError, match="^value: "):
        Fake(accepted()).client().write_now("@a", value)
