"""Against a real server: what was written is read, whatever it is."""

from __future__ import annotations

import asyncio
import datetime as dt
import itertools
import os
import time
import uuid

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import catchment

pytestmark = [
    pytest.mark.server,
    pytest.mark.skipif(
        "CATCHMENT_URL" not in os.environ, reason="needs CATCHMENT_URL and CATCHMENT_KEY: npm run test:sdk"
    ),
]
MODEL = "io.svc.models.node"
DEADLINE_SECONDS = 30


@pytest.fixture(scope="module")
def client():
    with catchment.Client() as one:
        yield one


@pytest.fixture(scope="module")
def site(client):
    """A location with a source of its own."""
    word = uuid.uuid4().hex[:8]
    workspace = client.nodes.create({"_class": f"{MODEL}.Workspace", "name": f"Python {word}"})
    location = client.nodes.create(
        {"_class": f"{MODEL}.location.Location", "name": "Weir at Mill", "parentId": workspace["_id"]}
    )
    return {"workspace": workspace["_id"], "location": location["_id"], "word": word}


def source(client, site, **parameters: str) -> dict[str, str]:
    """A new source with parameters, by their names, which are their series too."""
    made = client.nodes.create(
        {"_class": f"{MODEL}.source.data.Jts", "name": f"S{uuid.uuid4().hex[:8]}", "parentId": site["location"]}
    )
    found = {"": made["_id"]}
    for name, kind in parameters.items():
        one = client.nodes.create(
            {
                "_class": f"{MODEL}.point.{kind}Point",
                "name": name,
                "parentId": made["_id"],
                "customId": f"{name}-{uuid.uuid4().hex[:8]}",
            }
        )
        found[name] = one["_id"]
    return found


def until(look, what: str):
    """Returns what a look at the server finds, once it finds it: writes can be read a moment after they are stored."""
    deadline = time.monotonic() + DEADLINE_SECONDS
    while True:
        found = look()
        if found is not None:
            return found
        assert time.monotonic() < deadline, what
        time.sleep(0.05)


def read_rows(client, nodes, start, end, rows: int, **given):
    def look():
        frame = client.read(nodes, start, end, **given)
        return frame if len(frame) >= rows else None

    return until(look, f"{rows} rows can be read")


# Milliseconds around the days on which the clocks of Berlin and Sydney change, and at the ends of what is kept.
TIMES = st.one_of(
    st.integers(1_711_839_600_000, 1_711_839_600_000 + 14_400_000),
    st.integers(1_729_990_800_000, 1_729_990_800_000 + 14_400_000),
    st.integers(1_704_067_200_000, 1_735_689_599_999),
)
NUMBERS = st.one_of(
    st.none(), st.floats(allow_nan=False, allow_infinity=False), st.integers(-(2**53), 2**53).map(float)
)
TEXT = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), max_size=40)
SEEN = st.one_of(st.none(), st.integers(-5_364_662_400_000, 253_370_764_799_999))
QUALITY = st.one_of(st.none(), st.integers(0, 65_535))
ANNOTATION = st.one_of(st.none(), TEXT.filter(lambda one: one.strip() != ""))
ROWS = st.dictionaries(
    TIMES,
    st.tuples(NUMBERS, QUALITY, ANNOTATION, st.one_of(st.none(), TEXT), QUALITY, SEEN),
    min_size=1,
    max_size=12,
)


def frame_of(rows) -> pd.DataFrame:
    times = list(rows)
    cells = list(zip(*rows.values()))
    index = pd.DatetimeIndex(np.array(times, dtype="int64").astype("datetime64[ms]"), name="time").tz_localize("UTC")
    seen = np.array([np.iinfo("int64").min if one is None else one for one in cells[5]]).astype("datetime64[ms]")
    text = "str" if pd.__version__ >= "3" else "object"
    frame = pd.DataFrame(
        {
            "level": np.array(cells[0], dtype="float64"),
            "level [Quality]": pd.array(cells[1], dtype="UInt16"),
            "level [Annotation]": pd.Series(cells[2], index=index, dtype=text),
            "note": pd.Series(cells[3], index=index, dtype=text),
            "note [Quality]": pd.array(cells[4], dtype="UInt16"),
            "note [Annotation]": pd.Series([None] * len(times), index=index, dtype=text),
            "seen": pd.DatetimeIndex(seen).tz_localize("UTC"),
            "seen [Quality]": pd.array([None] * len(times), dtype="UInt16"),
            "seen [Annotation]": pd.Series([None] * len(times), index=index, dtype=text),
        },
        index=index,
    )
    return frame


@settings(
    max_examples=int(os.environ.get("CATCHMENT_EXAMPLES", "25")), deadline=None, suppress_health_check=list(HealthCheck)
)
@given(rows=ROWS, tz=st.sampled_from([None, "Europe/Berlin", "Australia/Sydney"]))
def test_what_was_written_is_read(client, site, rows, tz):
    nodes = source(client, site, level="Number", note="Text", seen="Time")
    source_id = nodes.pop("")
    frame = frame_of(rows)
    # Each column can be read on its own: a number of rows says nothing of the others.
    client.write(source_id, frame, wait="readable")
    # A row without anything is none.
    expected = frame.dropna(how="all").sort_index()
    found = client.read(nodes, "2023", "2026", flags=True, tz=tz)
    pd.testing.assert_frame_equal(found, expected)
    for start, end in itertools.pairwise(expected.index):
        within = client.read(nodes, start, end, tz=tz)
        # The start is included, the end is not.
        assert list(within.index) == [start]


def test_the_other_frames_are_read_as_they_were_written(client, site):
    import polars as pl
    import pyarrow as pa

    nodes = source(client, site, level="Number", note="Text")
    source_id = nodes.pop("")
    times = [dt.datetime(2024, 6, 1, hour, tzinfo=dt.timezone.utc) for hour in range(3)]
    columns = {
        "time": times,
        "level": [1.5, None, -2.0],
        "level [Quality]": [None, 158, 7],
        "level [Annotation]": ["a", None, None],
        "note": ["", "ü", None],
    }
    table = pa.table(columns)
    client.write(source_id, table, wait="readable")
    found = client.read(nodes, "2024", "2025", frame="arrow")
    assert found.num_rows == 3
    for name in columns:
        assert found[name].to_pylist() == table[name].to_pylist()
    polars = client.read(nodes, "2024", "2025", frame="polars")
    assert polars.select(list(columns)).to_dict(as_series=False) == pl.DataFrame(columns).to_dict(as_series=False)


def test_coordinates_of_a_location(client, site):
    index = pd.to_datetime(["2024-06-01T00:00Z", "2024-06-02T00:00Z"])
    frame = pd.DataFrame({"place": [(-33.5, 151.25), (1.0, 2.0)]}, index=index)
    client.write(site["location"], frame, wait="readable")
    found = client.read({"place": site["location"]}, "2024", "2025")
    assert list(found["place"]) == [(-33.5, 151.25), (1.0, 2.0)]
    assert found.attrs["catchment"].types == {"place": "COORDINATES"}


def test_days_are_those_of_the_zone_when_the_clock_changes(client, site):
    nodes = source(client, site, level="Number")
    source_id = nodes.pop("")
    index = pd.date_range("2024-03-30", "2024-04-02", freq="h", tz="Europe/Berlin", inclusive="left")
    client.write(source_id, pd.DataFrame({"level": np.arange(float(len(index)))}, index=index), wait="readable")
    days = client.read(nodes, "2024-03-30", "2024-04-02", aggregate="COUNT", interval="1D", tz="Europe/Berlin")
    assert list(days["level"]) == [24, 23, 24]
    assert list(days.index.tz_convert("Europe/Berlin").strftime("%d %H:%M")) == ["30 00:00", "31 00:00", "01 00:00"]
    assert str(days.index.tz) == "UTC"
    empty = client.read(nodes, "2024-05-01", "2024-05-03", aggregate="AVERAGE", interval="1D")
    assert empty["level"].isna().all() and list(empty.catchment.quality["level"]) == [165, 165]


def test_a_large_series_is_written_and_read_in_parts(client, site):
    nodes = source(client, site, level="Number")
    source_id = nodes.pop("")
    index = pd.date_range("2024-01-01", periods=60_000, freq="min", tz="UTC")
    frame = pd.DataFrame({"level": np.random.default_rng(7).normal(size=60_000)}, index=index)
    assert client.write(source_id, frame, wait="readable").parts == 2
    found = client.read(nodes, "2024", "2025")
    assert np.array_equal(found["level"], frame["level"]) and (found.index == frame.index).all()
    # 50 000 intervals of a column are the most of one answer.
    minutes = client.read(nodes, "2024-01-01", "2024-02-11", aggregate="MAX", interval="1M")
    assert len(minutes) == 59_040 and np.array_equal(minutes["level"], frame["level"][:59_040])


def test_now_changes_events_and_the_tree(client, site):
    nodes = source(client, site, level="Number")
    events = client.events(types=["CONFIGURATION"])
    began = time.time()
    messages: list[str] = []
    # The stream begins with what comes from now on; the first message shows that it is there.
    import threading

    seen = threading.Event()

    def listen() -> None:
        for one in events:
            messages.append(one["message"])
            seen.set()
            if any("Renamed gauge" in message for message in messages):
                return

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    renamed = itertools.count()

    def rename():
        if not seen.is_set():
            client.nodes.update(nodes["level"], {"name": f"Gauge {next(renamed)}"})
            return None
        return True

    until(rename, "the stream has begun")
    client.nodes.update(nodes["level"], {"name": "Renamed gauge"})
    thread.join(DEADLINE_SECONDS)
    assert not thread.is_alive() and events.place
    again = client.events(types=["CONFIGURATION"], after=events.place)
    client.nodes.update(nodes["level"], {"name": "Level of the weir"})
    assert "Level of the weir" in next(again)["message"]
    again.close()

    moment = client.write_now(nodes["level"], 1.25, quality=100, annotation="by hand")
    assert abs(moment.timestamp() - time.time()) < 60
    found = read_rows(client, nodes["level"], moment, moment + dt.timedelta(seconds=1), 1)
    assert found.iloc[0, 0] == 1.25

    changes = client.changes([nodes["level"]], since=dt.datetime.fromtimestamp(began, dt.timezone.utc))
    [change] = until(lambda: list(changes) or None, "the change is reported")
    assert (change.value, change.quality, change.annotation, change.time) == (1.25, 100, "by hand", moment)
    # Nothing new: the last page once more.
    assert [one.value for one in client.changes(after=changes.place)] == [1.25]

    tree = client.tree()
    word = site["word"]
    assert [one.id for one in client.nodes.find(f"Python {word}/Weir*/*/Level of*")] == [nodes["level"]]
    row = tree.to_frame().loc[nodes["level"]]
    assert (row["depth"], row["kind"]) == (3, "NumberPoint")
    assert nodes["level"] in {one["_id"] for one in client.nodes.list(attr="_id", filter="_class($match:.point.)")}


def test_by_await(client, site):
    nodes = source(client, site, level="Number")
    source_id = nodes.pop("")

    async def work():
        async with catchment.AsyncClient() as one:
            events = one.events(types=["CONFIGURATION"])
            waiting = asyncio.ensure_future(anext(events))
            while not waiting.done():
                await one.nodes.update(nodes["level"], {"name": f"Level {uuid.uuid4().hex[:6]}"})
                await asyncio.wait([waiting], timeout=0.2)
            await events.close()
            assert "ode " in (await waiting)["message"]
            # Its name is another one by now.
            frame = pd.DataFrame(
                {nodes["level"]: [1.0, 2.0]}, index=pd.to_datetime(["2024-01-01T00:00Z", "2024-01-02T00:00Z"])
            )
            await one.write(source_id, frame, wait="readable")
            found = await one.read(nodes, "2024", "2025")
            assert list(found["level"]) == [1.0, 2.0]
            assert [row.name async for row in _names(one)] != []

    async def _names(one):
        for node in await one.tree():
            yield node

    asyncio.run(work())


def by_another(client, key, work):
    """Returns what a client with another key has, which is closed after it."""
    with catchment.Client(client._calls.url, key) as one:
        return work(one)


@pytest.mark.parametrize(
    ("work", "kind"),
    [
        (lambda c, n: by_another(c, "x" * 40, lambda one: one.nodes.get(n)), catchment.AuthenticationError),
        (
            lambda c, n: by_another(c, os.environ["CATCHMENT_READER_KEY"], lambda one: one.write_now(n, 1.0)),
            catchment.PermissionDeniedError,
        ),
        (lambda c, n: c.read("@nowhere-at-all", limit=1), catchment.NotFoundError),
        (lambda c, n: c.nodes.get("f" * 24), catchment.NotFoundError),
        (lambda c, n: c.read(n, "2024", "2025", qualityExcluded="UGLY"), catchment.BadRequestError),
        (lambda c, n: c.read(n, "1900", "2024", aggregate="CHANGE", interval="1S"), None),
        (
            lambda c, n: c.read(n, "1900", "2024", aggregate="AVERAGE", interval="1S", base_time="D+9H"),
            catchment.TooLargeError,
        ),
        (
            lambda c, n: catchment.Client(
                "http://127.0.0.1:1", "k", retry=catchment.Retry(tries=2), sleep=lambda s: None
            ).tree(),
            catchment.TransportError,
        ),
    ],
)
def test_what_the_server_refuses_has_its_kind(client, site, work, kind):
    nodes = source(client, site, level="Number")
    if kind is None:
        work(client, nodes["level"])
        return
    with pytest.raises(kind) as raised:
        work(client, nodes["level"])
    if isinstance(raised.value, catchment.ApiError):
        assert raised.value.request_id and raised.value.reason
    assert os.environ["CATCHMENT_KEY"] not in str(raised.value)


def test_a_write_that_is_refused_changes_nothing(client, site):
    nodes = source(client, site, note="Text")
    frame = pd.DataFrame({"note": [1.0]}, index=pd.to_datetime(["2024-01-01T00:00Z"]))
    with pytest.raises(catchment.BadRequestError) as raised:
        client.write(nodes[""], frame)
    assert raised.value.status == 400
    assert len(client.read(nodes["note"], "2024", "2025")) == 0


def test_a_connection_that_ends_in_the_middle_of_an_answer_is_known(client, site):
    """Tries a real socket: httpx must not take a short body for a whole one."""
    import socket
    import threading

    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            for _ in range(2):
                connection, _address = server.accept()
                with connection:
                    connection.recv(65_536)
                    connection.sendall(
                        b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"docType"'
                    )

        threading.Thread(target=serve, daemon=True).start()
        url = f"http://127.0.0.1:{server.getsockname()[1]}"
        with catchment.Client(url, "k", retry=catchment.Retry(tries=2), sleep=lambda _s: None) as cut:
            with pytest.raises(catchment.CutStreamError):
                cut.read("@a", "2024", "2025")
