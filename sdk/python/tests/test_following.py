"""Streams that go on after a lost connection, changes page by page, and the tree."""

from __future__ import annotations

import asyncio
import itertools
import json

import httpx
import pytest
from fake import Cut, Fake, document, error

import catchment


def sse(*messages: str, cut: bool = False) -> httpx.Response:
    text = "".join(f"{one}\n\n" for one in messages).encode()
    headers = {"Content-Type": "text/event-stream; charset=utf-8"}
    return (
        httpx.Response(200, headers=headers, stream=Cut(text))
        if cut
        else httpx.Response(200, headers=headers, content=text)
    )


def event(number: int) -> str:
    return f"id: c{number}\ndata: {json.dumps({'message': str(number)})}"


def first(fake: Fake, count: int, kind: str, **given):
    """The messages of so many events, and the place behind them."""
    if kind == "sync":
        with fake.client() as client:
            stream = client.events(**given)
            found = [one["message"] for one in itertools.islice(stream, count)]
            stream.close()
            return found, stream.place

    async def run():
        async with fake.async_client() as client:
            stream = client.events(**given)
            found = []
            async for one in stream:
                found.append(one["message"])
                if len(found) == count:
                    break
            await stream.close()
            return found, stream.place

    return asyncio.run(run())


def test_a_stream_goes_on_behind_the_last_message_after_whatever_ended_it(kind):
    fake = Fake(
        sse("id: c0", event(1), ": heartbeat", event(2), cut=True),
        error(503, "Service temporarily unavailable", {"Retry-After": "3"}),
        sse(event(3), 'event: end\nretry: 250\ndata: {"reason": "STOPPING"}'),
        sse(event(4)),
    )
    assert first(fake, 4, kind) == (["1", "2", "3", "4"], "c4")
    assert [request.headers.get("last-event-id") for request in fake.requests] == [None, "c2", "c2", "c3"]
    assert fake.requests[0].headers["accept"] == "text/event-stream"
    # At once after a connection that worked, then as the server asks for.
    assert fake.slept == [pytest.approx(3.55), 0.25]


def test_signs_that_some_take_for_ends_of_lines_are_signs_of_a_message(kind):
    text = "one\u2028two\u0085three\x1c\u2029\x0c"
    fake = Fake(sse("id: c0\r\ndata: " + json.dumps({"message": text}, ensure_ascii=False) + "\r"), sse(event(1)))
    assert first(fake, 1, kind)[0] == [text]


def test_a_silent_stream_that_lives_is_no_failure(kind):
    fake = Fake(*[sse("id: c0", ": heartbeat", cut=True)] * 9, sse(event(1)))
    assert first(fake, 1, kind)[0] == ["1"]


def test_a_stream_begins_behind_a_place_that_was_kept(kind):
    fake = Fake(sse(event(9)))
    assert first(fake, 1, kind, after="c8") == (["9"], "c9")
    assert fake.requests[0].headers["last-event-id"] == "c8"


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        (dict(types=["ALARM"]), "alarmState($ne:NONE)"),
        (dict(types="state"), "eventType($eq:STATE)"),
        (
            dict(types=["STATE", "CONTROL"], filter="level($eq:ERROR)"),
            "eventType($eq:STATE),level($eq:ERROR)|eventType($eq:CONTROL),level($eq:ERROR)",
        ),
        (dict(filter="level($eq:ERROR)"), "level($eq:ERROR)"),
        (dict(), None),
    ],
)
def test_types_become_a_filter(given, sent):
    fake = Fake(sse(event(1)))
    first(fake, 1, "sync", **given)
    assert fake.query().get("filter") == sent


@pytest.mark.parametrize(
    ("answers", "kind_of_error"),
    [
        ([error(401, "Unauthorized: authentication failed")], catchment.AuthenticationError),
        ([error(400, "filter: must be a filter")], catchment.BadRequestError),
        ([error(429)] * 9, catchment.RateLimitedError),
        ([httpx.Response(200, html="<h1>Welcome</h1>")], catchment.UnexpectedAnswerError),
        ([error(429, headers={"Retry-After": "3600"})], catchment.RateLimitedError),
    ],
)
def test_a_stream_that_cannot_go_on_says_why(kind, answers, kind_of_error):
    fake = Fake(*answers)
    with pytest.raises(kind_of_error):
        first(fake, 1, kind)
    assert len(fake.requests) <= 5


def test_a_stream_without_a_connection_is_tried_five_times(kind):
    fake = Fake(httpx.ConnectError("refused"))
    with pytest.raises(catchment.TransportError):
        first(fake, 1, kind)
    assert len(fake.requests) == 5


def test_unknown_types_are_reported():
    with pytest.raises(catchment.ArgumentError, match="^types: 'NOISE'"):
        first(Fake(sse(event(1))), 1, "sync", types=["NOISE"])


def page(next_: str | None, *values: float):
    rows = [(f"2024-01-01T00:00:0{n}.000Z", {"0": {"v": value}}) for n, value in enumerate(values)]
    return document(rows, next=next_) if next_ else document(rows)


def test_changes_are_read_page_by_page_and_go_on_later(kind):
    fake = Fake(page("n1", 1, 2), page("n2", 3), page(None), page("n3", 4), page(None))

    def take(client, **given):
        changes = client.changes(["@a"], **given)
        if kind == "sync":
            return [one.value for one in changes], changes.place

        async def run():
            return [one.value async for one in changes], changes.place

        return asyncio.run(run())

    client = fake.client() if kind == "sync" else fake.async_client()
    values, place = take(client, since="2024-01-01")
    assert values == [1, 2, 3]
    assert [fake.query(at).get("after") for at in range(3)] == [None, "n1", "n2"]
    assert fake.query(0) == {
        "params": "@a",
        "timeQuery": "MODIFIED",
        "limit": "10000",
        "renderFormat": "",
        "startTime": "2024-01-01T00:00:00.000Z",
    }
    assert take(client, after=place)[0] == [4]
    assert [fake.query(at).get("after") for at in (3, 4)] == ["n2", "n3"]


def test_changes_of_all_are_those_of_the_parameters_that_the_key_sees():
    ids = [f"{n:024x}" for n in range(61)]
    fake = Fake(httpx.Response(200, json=[{"_id": one} for one in ids]), page(None, 1), page(None))
    found = list(fake.client().changes(since="yesterday"))
    assert fake.query(0)["filter"] == "_class($match:.point.)"
    assert [len(fake.query(at)["params"].split(",")) for at in (1, 2)] == [60, 1]
    assert [(one.node, one.time.isoformat(), one.value) for one in found] == [
        (ids[0], "2024-01-01T00:00:00+00:00", 1.0)
    ]


@pytest.mark.parametrize("given", [dict(), dict(since="soon"), dict(after="bm90"), dict(after="é")])
def test_changes_need_a_beginning(given):
    with pytest.raises(catchment.ArgumentError):
        list(Fake(page(None)).client().changes(["@a"], **given))


def node(_id: str, name: str, parent: str | None = None, kind: str = "Group", **more: str) -> dict[str, str]:
    return {
        "_id": _id,
        "_class": f"io.svc.models.node.{kind}",
        "name": name,
        **({"parentId": parent} if parent else {}),
        **more,
    }


NODES = [
    node("1", "Maryland rivers", kind="Workspace"),
    node("2", "Dead Run at Franklintown", "1", "location.Location"),
    node("3", "River gauge", "2", "source.data.Jts"),
    node("4", "Gage height", "3", "point.NumberPoint", customId="dead-run-stage", units="ft"),
    node("5", "Discharge", "3", "point.NumberPoint"),
    node("6", "a* (b)", "1"),
    node("7", "of a parent that cannot be seen", "99"),
]


def test_the_tree_has_paths_and_becomes_a_frame():
    tree = Fake(httpx.Response(200, json=NODES)).client().tree()
    assert str(tree).splitlines()[:3] == ["Maryland rivers", "  a* (b)", "  Dead Run at Franklintown"]
    frame = tree.to_frame()
    assert list(frame.loc["4"]) == [
        "Maryland rivers/Dead Run at Franklintown/River gauge/Gage height",
        "Gage height",
        "NumberPoint",
        "dead-run-stage",
        "3",
        3,
        "ft",
    ]
    assert [root.id for root in tree.roots] == ["1", "7"]


@pytest.mark.parametrize(
    ("pattern", "ids"),
    [
        ("Dead Run*/*/Gage height", ["4"]),
        ("dead run*/*/gage HEIGHT", ["4"]),
        ("Dead Run at Franklintown/*/*", ["5", "4"]),
        # Names are whole.
        ("Dead Run/*/Gage height", []),
        ("Dead Run*/Gage height", ["4"]),
        ("Gage height", ["4"]),
        ("height", []),
        ("*height", ["4"]),
        ("a* (b)", ["6"]),
        ("/Gage height", []),
        ("/Maryland rivers/*/Gage height", ["4"]),
        ("nowhere", []),
    ],
)
def test_nodes_are_found_by_the_end_of_their_path(pattern, ids):
    found = Fake(httpx.Response(200, json=NODES)).client().nodes.find(pattern)
    assert [one.id for one in found] == ids


def test_lists_go_on_by_pages(kind, monkeypatch):
    monkeypatch.setattr("catchment._calls.PAGE", 2)
    answers = [httpx.Response(200, json=[{"_id": str(n)} for n in part]) for part in ((1, 2), (3,))]

    def take(client, **given):
        nodes = client.nodes.list(attr="_id", **given)
        if kind == "sync":
            return [one["_id"] for one in nodes]

        async def run():
            return [one["_id"] async for one in nodes]

        return asyncio.run(run())

    fake = Fake(*answers)
    assert take(fake.client() if kind == "sync" else fake.async_client()) == ["1", "2", "3"]
    assert [fake.query(at)["skip"] for at in (0, 1)] == ["0", "2"]
    limited = Fake(httpx.Response(200, json=[{"_id": "1"}]))
    assert take(limited.client() if kind == "sync" else limited.async_client(), limit=1) == ["1"]
    assert len(limited.requests) == 1
