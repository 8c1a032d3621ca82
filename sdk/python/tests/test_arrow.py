"""Answers as Arrow: the same frames as those of documents, asked for where the server offers it."""

from __future__ import annotations


import httpx
import pandas as pd
import pyarrow as pa
import pytest
from fake import Fake, document, error

import catchment
from catchment._times import parse_iso

COLUMNS = {
    "0": {
        "id": "1" * 24,
        "name": "Level",
        "units": "m",
        "dataType": "NUMBER",
        "aggregate": "NONE",
        "renderType": "VALUE",
    },
    "1": {"id": "2" * 24, "name": "Note", "units": "", "dataType": "TEXT", "aggregate": "NONE", "renderType": "VALUE"},
    "2": {"id": "3" * 24, "name": "Seen", "units": "", "dataType": "TIME", "aggregate": "NONE", "renderType": "VALUE"},
    "3": {
        "id": "4" * 24,
        "name": "Place",
        "units": "",
        "dataType": "COORDINATES",
        "aggregate": "NONE",
        "renderType": "VALUE",
    },
}
ROWS = [
    ("1801-01-01T00:00:00.000Z", {"0": {"v": 1.25, "q": 100, "a": "by hand"}, "1": {"v": ""}}),
    ("2024-01-01T00:00:00.001Z", {"0": {"q": 158}, "2": {"v": {"$time": "9998-12-31T23:59:59.999Z"}}}),
    ("2024-01-02T00:00:00.000Z", {"1": {"v": "ü", "q": 65535}, "3": {"v": {"$coords": [-33.5, 151.25]}}}),
]
NODES = {"level": "@a", "note": "@b", "seen": "@c", "place": "@d"}


def as_arrow(rows, columns=COLUMNS) -> bytes:
    """Writes a document like a server: the fields that docs/reference/formats.md lists."""
    fields, cells = [pa.field("time", pa.timestamp("ms", "UTC"), nullable=False)], [[parse_iso(ts) for ts, _ in rows]]
    types = {"NUMBER": pa.float64(), "TEXT": pa.string(), "TIME": pa.timestamp("ms", "UTC")}
    for place, about in columns.items():
        found = [of.get(place, {}) for _, of in rows]
        metadata = {
            "column": place,
            "node": about["id"],
            "name": about["name"],
            "units": about["units"],
            "type": about["dataType"],
        }
        metadata |= {"renderType": about["renderType"], "aggregate": about["aggregate"]}
        values = [cell.get("v") for cell in found]
        if about["dataType"] == "COORDINATES":
            for at, part in enumerate(("latitude", "longitude")):
                fields.append(pa.field(f"{about['id']}.{part}", pa.float64(), metadata=metadata | {"part": part}))
                cells.append([None if value is None else value["$coords"][at] for value in values])
        else:
            if about["dataType"] == "TIME":
                values = [None if value is None else parse_iso(value["$time"]) for value in values]
            fields.append(pa.field(about["id"], types[about["dataType"]], metadata=metadata | {"part": "value"}))
            cells.append(values)
        for part, kind in (("quality", pa.int32()), ("annotation", pa.string())):
            fields.append(
                pa.field(f"{about['id']}.{part}", kind, metadata={"column": place, "part": part, "node": about["id"]})
            )
            cells.append([one.get(part[0]) for one in found])
    schema = pa.schema(fields, metadata={"timezone": "UTC"})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, schema) as writer:
        writer.write_table(
            pa.table([pa.array(one, field.type) for one, field in zip(cells, fields)], schema=schema), max_chunksize=2
        )
    return sink.getvalue().to_pybytes()


def answered(content: bytes) -> httpx.Response:
    return httpx.Response(200, content=content, headers={"Content-Type": "application/vnd.apache.arrow.stream"})


@pytest.mark.parametrize("flags", [None, True])
@pytest.mark.parametrize("rows", [ROWS, ROWS[:1], []])
def test_frames_are_those_of_documents(flags, rows):
    NO_ARROW = error(400, "format: must be one of JSON, CSV")
    fakes = Fake(NO_ARROW, document(rows, COLUMNS)), Fake(answered(as_arrow(rows)))
    documents, arrow = (fake.client().read(NODES, "1801", "2025", flags=flags) for fake in fakes)
    pd.testing.assert_frame_equal(arrow, documents)
    assert arrow.attrs["catchment"] == documents.attrs["catchment"]
    if flags is None:
        pd.testing.assert_frame_equal(arrow.catchment.quality, documents.catchment.quality)
        pd.testing.assert_frame_equal(arrow.catchment.annotations, documents.catchment.annotations)
    for frame in ("polars", "arrow"):
        fakes = Fake(NO_ARROW, document(rows, COLUMNS)), Fake(answered(as_arrow(rows)))
        documents, arrow = (fake.client().read(NODES, "1801", "2025", frame=frame) for fake in fakes)
        assert arrow.equals(documents)


def test_a_server_before_the_format_is_asked_once():
    fake = Fake(error(400, "format: must be one of JSON, CSV"), document(ROWS, COLUMNS))
    client = fake.client()
    client.read(NODES, "1801", "2025")
    client.read(NODES, "1801", "2025")
    assert [fake.query(at).get("format") for at in range(3)] == ["ARROW", None, None]
    assert (fake.query(0)["quality"], fake.query(0)["annotation"]) == ("SEPARATE_VALUE", "SEPARATE_VALUE")


def test_another_refusal_is_no_missing_format():
    fake = Fake(error(400, "interval: must be an interval"))
    with pytest.raises(catchment.BadRequestError):
        fake.client().read("@a", "2024", "2025")
    assert len(fake.requests) == 1


@pytest.mark.parametrize("length", [0, 8, 300, -8, -1])
def test_a_stream_that_is_cut_off_is_asked_for_again(length):
    whole = as_arrow(ROWS)
    fake = Fake(answered(whole[:length]), answered(whole))
    assert len(fake.client().read(NODES, "1801", "2025")) == 3
    assert len(fake.requests) == 2


def test_halves_follow_each_other():
    parts = [
        as_arrow([(f"2024-0{month}-01T00:00:00.000Z", {"0": {"v": month}})], {"0": COLUMNS["0"]}) for month in (1, 8)
    ]
    fake = Fake(error(413), answered(parts[0]), answered(parts[1]))
    frame = fake.client().read({"level": "@a"}, "2024", "2025")
    assert list(frame["level"]) == [1, 8] and frame.catchment.quality["level"].isna().all()


def test_columns_of_several_requests_are_joined():
    first = as_arrow(
        [("2024-01-01T00:00:00.000Z", {str(n): {"v": n} for n in range(100)})],
        {str(n): COLUMNS["0"] | {"id": f"{n:024x}"} for n in range(100)},
    )
    second = as_arrow([("2024-01-02T00:00:00.000Z", {"0": {"v": 7.0, "q": 3, "a": "b"}})], {"0": COLUMNS["0"]})
    frame = (
        Fake(answered(first), answered(second))
        .client()
        .read({f"c{n}": f"@{n}" for n in range(101)}, "2024", "2025", flags=True)
    )
    assert frame.shape == (2, 303)
    assert frame.iloc[1].dropna().to_dict() == {"c100": 7.0, "c100 [Quality]": 3, "c100 [Annotation]": "b"}
