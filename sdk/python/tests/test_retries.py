"""These calls are tried again, after so long, and report this when that does not help."""

from __future__ import annotations

import httpx
import pytest
from fake import NOW, Cut, Fake, accepted, both, document, error

import catchment

GOOD = httpx.Response(200, json={"_id": "1"})


def get(client):
    return client.nodes.get("@a")


@pytest.mark.parametrize(
    ("what", "answer", "slept"),
    [
        ("429 with seconds", error(429, headers={"Retry-After": "7"}), 7.95),
        (
            "429 with a date of the server's clock",
            error(
                429, headers={"Retry-After": "Tue, 14 Nov 2023 23:00:09 GMT", "Date": "Tue, 14 Nov 2023 23:00:00 GMT"}
            ),
            10.15,
        ),
        ("429 without Retry-After", error(429), 1.0),
        ("429 with a Retry-After that cannot be read", error(429, headers={"Retry-After": "soon"}), 1.0),
        ("503", error(503, "Service temporarily unavailable", {"Retry-After": "30"}), 32.0),
        ("502 of a proxy", httpx.Response(502, html="<h1>Bad gateway</h1>"), 1.0),
        ("no connection", httpx.ConnectError("refused"), 1.0),
        ("a connection that breaks", httpx.ReadError("reset"), 1.0),
    ],
)
def test_a_read_is_tried_again_after(kind, what, answer, slept):
    fake = Fake(answer, GOOD)
    assert both(fake, get, kind) == {"_id": "1"}
    assert fake.slept == [pytest.approx(slept)]


@pytest.mark.parametrize(
    ("answer", "kind_of_error", "tries"),
    [
        (error(429), catchment.RateLimitedError, 5),
        (error(503), catchment.UnavailableError, 5),
        (httpx.ReadError("reset"), catchment.CutStreamError, 5),
        (httpx.ConnectError("refused"), catchment.TransportError, 5),
        (httpx.ReadTimeout("slow"), catchment.TransportError, 5),
        (error(429, headers={"Retry-After": "3600"}), catchment.RateLimitedError, 1),
        (error(400, "name: must be a text"), catchment.BadRequestError, 1),
        (error(401, "Unauthorized: authentication failed"), catchment.AuthenticationError, 1),
        (error(403, "Not permitted"), catchment.PermissionDeniedError, 1),
        (error(404, "Requested resource not found"), catchment.NotFoundError, 1),
        (error(412, "If-Match: the node has changed"), catchment.ChangedError, 1),
        (error(413, "Request or response too large"), catchment.TooLargeError, 1),
        (error(500, "Internal server error"), catchment.ServerError, 1),
        (httpx.Response(502, html="<h1>Bad gateway</h1>"), catchment.UnexpectedAnswerError, 5),
        (httpx.Response(404, html="<h1>nginx</h1>"), catchment.UnexpectedAnswerError, 1),
        (httpx.Response(200, html="<h1>Sign in</h1>"), catchment.UnexpectedAnswerError, 1),
        (httpx.Response(302, headers={"Location": "https://elsewhere.test/login"}), catchment.UnexpectedAnswerError, 1),
    ],
)
def test_a_failure_is_told_by_its_kind_after_so_many_tries(kind, answer, kind_of_error, tries):
    fake = Fake(answer)
    with pytest.raises(kind_of_error) as raised:
        both(fake, get, kind)
    assert type(raised.value) is kind_of_error
    assert len(fake.requests) == tries
    assert len(fake.slept) == tries - 1


def test_a_refusal_says_what_which_request_and_what_to_do():
    fake = Fake(error(400, "startTime: must be a time", {"X-Request-Id": "r-7"}))
    with pytest.raises(catchment.BadRequestError) as raised:
        fake.client().nodes.get("@a")
    assert (raised.value.status, raised.value.reason, raised.value.argument) == (400, "A_REASON", "startTime")
    assert str(raised.value) == (
        "startTime: must be a time (400, A_REASON, request r-7): change the argument that is named; nothing was changed on the server"
    )
    refused = Fake(error(429, headers={"Retry-After": "3600"}))
    with pytest.raises(catchment.RateLimitedError) as limited:
        refused.client().nodes.get("@a")
    assert limited.value.retry_after == 3600


@pytest.mark.parametrize("answer", [error(429), error(503), httpx.ReadError("reset"), httpx.ConnectError("refused")])
def test_a_post_is_tried_again_with_one_key(kind, answer):
    fake = Fake(answer, httpx.Response(201, json={"_id": "1"}))
    both(fake, lambda client: client.nodes.create({"name": "New"}), kind)
    first, second = (request.headers["Idempotency-Key"] for request in fake.requests)
    assert first == second and len(first) == 36


def test_a_write_that_fails_on_what_exists_has_a_key_and_a_merge_has_none():
    import pandas as pd

    frame = pd.DataFrame({"a": [1.0]}, index=pd.to_datetime(["2024-01-01T00:00Z"]))
    fake = Fake(accepted())
    fake.client().write("@a", frame, mode="MERGE_FAIL_ON_EXISTING")
    fake.client().write("@a", frame)
    assert ["idempotency-key" in request.headers for request in fake.requests] == [True, False]


def test_an_answer_that_is_cut_off_is_asked_for_again_and_nothing_of_it_is_kept(kind):
    whole = document([("2024-01-01T00:00:00.000Z", {"0": {"v": 1}}), ("2024-01-01T01:00:00.000Z", {"0": {"v": 2}})])
    layout = b'{\n  "docType": "jts",\n  "header": {"columns": {"0": {"dataType": "NUMBER"}}},\n  "data": [\n    { "ts":"2024-01-01T00:00:00.000Z", "f": { "0": {"v":9} } },\n'
    fake = Fake(
        lambda _request: httpx.Response(200, stream=Cut(layout)),
        httpx.Response(200, content=layout),
        httpx.Response(200, content=layout + b'    { "ts":"2024-01-'),
        httpx.Response(200, content=b""),
        whole,
    )
    frame = both(fake, lambda client: client.read("@a", "2024-01-01", "2024-01-02"), kind)
    assert list(frame["@a"]) == [1, 2]
    assert len(fake.requests) == 5


def test_the_time_of_a_record_of_now_is_that_of_the_server(kind):
    fake = Fake(httpx.Response(200, headers={"Date": "Tue, 14 Nov 2023 23:13:20 GMT"}), accepted())
    time = both(fake, lambda client: client.write_now("@a", 1.5, quality=100), kind)
    assert fake.requests[0].method == "OPTIONS"
    assert fake.body() == {"value": 1.5, "quality": 100, "timestamp": "2023-11-14T23:13:20.000Z"}
    assert time.timestamp() - NOW == 3600


def test_half_the_backoff_is_by_chance():
    retry = catchment.Retry(random=lambda: 0.0)
    assert [retry.backoff(attempt) for attempt in (1, 2, 3, 9)] == [0.5, 1, 2, 15]
    assert [catchment.Retry(random=lambda: 1.0).backoff(attempt) for attempt in (1, 2, 3, 9)] == [1, 2, 4, 30]
