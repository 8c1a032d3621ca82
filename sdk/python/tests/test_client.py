"""Address and key come from their places, the key is never shown, and every operation is reached."""

from __future__ import annotations

import io
import json
import logging
import pickle
import traceback
from pathlib import Path

import httpx
import pandas as pd
import pytest
from fake import KEY, URL, Fake, accepted, both, error

import catchment
from catchment._calls import LEFT_OUT
from catchment._config import settings_of
from catchment._generated import models as _models
from catchment._generated.operations import OPERATIONS

OPEN_API = Path(__file__).resolve().parents[2] / "openapi.json"
FILE = """
default = "home"
[profiles.home]
url = "https://home.test"
key = "home-key"
[profiles.work]
url = "https://work.test"
key = "work-key"
"""


@pytest.mark.parametrize(
    ("given", "env", "file", "expected"),
    [
        (("https://a.test/", "k", None), {"CATCHMENT_URL": "https://b.test"}, FILE, ("https://a.test", "k")),
        (("https://a.test/api/v1/", "k", None), {}, "", ("https://a.test", "k")),
        ((None, None, None), {"CATCHMENT_URL": "https://b.test", "CATCHMENT_KEY": "e"}, FILE, ("https://b.test", "e")),
        ((None, None, None), {}, FILE, ("https://home.test", "home-key")),
        (
            (None, None, "work"),
            {"CATCHMENT_URL": "https://b.test", "CATCHMENT_KEY": "e"},
            FILE,
            ("https://work.test", "work-key"),
        ),
        ((None, None, None), {"CATCHMENT_PROFILE": "work"}, FILE, ("https://work.test", "work-key")),
        ((None, None, None), {}, 'url = "https://plain.test"\nkey = "p"', ("https://plain.test", "p")),
        (("https://home.test/", None, None), {}, FILE, ("https://home.test", "home-key")),
        (("https://a.test", None, None), {"CATCHMENT_KEY": "e"}, "", ("https://a.test", "e")),
        # A file that nobody needs is not read.
        (("https://a.test", "k", None), {"CATCHMENT_PROFILE": "away"}, "no = TOML =", ("https://a.test", "k")),
    ],
)
def test_address_and_key_are_found(tmp_path, given, env, file, expected):
    (tmp_path / "catchment.toml").write_text(file)
    found = settings_of(*given, {"XDG_CONFIG_HOME": str(tmp_path), **env})
    assert (found.url, found.key) == expected


@pytest.mark.parametrize(
    ("given", "env", "file", "text"),
    [
        ((None, None, None), {}, "", "url: not found"),
        (("https://a.test", None, None), {}, "", "key: not found"),
        # A key goes nowhere but where its own place says, unless the caller gives it.
        (("https://elsewhere.test", None, None), {}, FILE, "belongs to https://home.test"),
        (
            ("https://elsewhere.test", None, None),
            {"CATCHMENT_URL": "https://b.test", "CATCHMENT_KEY": "e"},
            "",
            "belongs to https://b.test",
        ),
        ((None, None, "away"), {}, FILE, "no profile 'away'; known: home, work"),
        ((None, None, None), {}, "url = ", "cannot be read"),
        ((None, None, None), {}, b'\xff key = "home-key"', "cannot be read"),
        ((None, None, "a"), {}, 'profiles = "home-key"', "no profile 'a'; known: none"),
        (("ftp://a.test", "k", None), {}, "", "^url: "),
        (("http://[::1", "k", None), {}, "", "^url: "),
        (("https://u:home-key@a.test", "k", None), {}, "", "^url: "),
        (("a.test", "k", None), {}, "", "^url: "),
        (("https://a.test", "k k\n", None), {}, "", "^key: "),
    ],
)
def test_what_is_missing_is_reported(tmp_path, given, env, file, text):
    (tmp_path / "catchment.toml").write_bytes(file if isinstance(file, bytes) else file.encode())
    with pytest.raises(catchment.CatchmentError, match=text) as raised:
        settings_of(*given, {"XDG_CONFIG_HOME": str(tmp_path), **env})
    assert not any(secret in str(raised.value) for secret in ("home-key", "work-key", "k k"))


@pytest.mark.parametrize(
    "answer",
    [
        error(401, "Unauthorized: authentication failed"),
        httpx.ConnectError("refused"),
        httpx.Response(502, html="x"),
        httpx.InvalidURL("x"),
    ],
)
def test_the_key_is_in_no_log_no_traceback_and_no_repr(kind, answer):
    log = io.StringIO()
    handler = logging.StreamHandler(log)
    logging.getLogger().addHandler(handler)
    logging.getLogger().setLevel(logging.DEBUG)
    fake = Fake(answer)
    try:
        both(fake, lambda c: c.nodes.get("@a"), kind)
        raise AssertionError("nothing was raised")
    except catchment.CatchmentError as failure:
        shown = "".join(traceback.TracebackException.from_exception(failure, capture_locals=True).format())
        shown += repr(failure) + str(failure.__dict__)
    finally:
        logging.getLogger().removeHandler(handler)
        logging.getLogger().setLevel(logging.WARNING)
    client = fake.client()
    shown += (
        repr(client)
        + repr(vars(client))
        + repr(client._driver.__dict__)
        + repr(client._driver._http.__dict__)
        + log.getvalue()
    )
    # What was sent had it.
    assert all(request.headers["x-api-key"] == KEY for request in fake.requests)
    assert KEY not in shown


def test_a_client_with_a_key_cannot_be_pickled_unseen():
    with pytest.raises(Exception):
        pickle.dumps(Fake(accepted()).client())


def test_every_operation_is_reached_or_left_out_with_its_reason():
    described = {
        one["operationId"]: one
        for methods in json.loads(OPEN_API.read_text())["paths"].values()
        for one in methods.values()
    }
    assert set(OPERATIONS) == set(described)
    assert set(LEFT_OUT) <= set(described)
    assert all(len(reason) > 8 for reason in LEFT_OUT.values())
    for name, one in OPERATIONS.items():
        fake = Fake(httpx.Response(200, json={}))
        given = {argument: "@a" for argument in one.path_arguments}
        body = {"file": ("a.csv", b"1")} if one.body == "multipart/form-data" else ({"x": 1} if one.body else None)
        if name in LEFT_OUT:
            with pytest.raises(catchment.ArgumentError, match="^operation: "):
                fake.client().request(name, body, **given)
            continue
        assert one.keys, f"{name} takes no key: leave it out"
        fake.client().request(name, body, **given)
        [request] = fake.requests
        assert request.method == one.method and str(request.url).startswith(URL)
        assert "{" not in request.url.path
        assert ("idempotency-key" in request.headers) == (one.method == "POST")
        if one.body:
            assert request.headers["content-type"].startswith(one.body)


def test_models_are_named_after_their_schemas():
    schemas = tuple(json.loads(OPEN_API.read_text())["components"]["schemas"])
    names = [name for name, one in vars(_models).items() if getattr(one, "__module__", "") == _models.__name__]
    assert set(schemas) <= set(vars(_models))
    # A shape within a schema has the name of that first: NumberPointAlarms.
    assert [name for name in names if not name.startswith(schemas)] == []


@pytest.mark.parametrize(
    ("operation", "given", "text"),
    [
        ("getNobody", {}, "no operation"),
        ("signIn", {}, "browser"),
        ("getNode", {}, "^id: must be given"),
        ("getNode", {"id": "@a", "colour": "red"}, "^colour: is no argument of getNode"),
    ],
)
def test_wrong_calls_are_reported(operation, given, text):
    with pytest.raises(catchment.ArgumentError, match=text):
        Fake(accepted()).client().request(operation, **given)


def test_an_id_cannot_lead_to_another_path():
    fake = Fake(httpx.Response(200, json={}))
    fake.client().nodes.get("../owners/account?x=1#y")
    assert fake.requests[0].url.raw_path == b"/api/v1/nodes/..%2Fowners%2Faccount%3Fx%3D1%23y"


PLAIN = httpx.Response(200, text="OK", headers={"Content-Type": "text/plain"})
HALF = httpx.Response(200, text='[{"_id"', headers={"Content-Type": "application/json"})
FRAME = pd.DataFrame({"a": [1.0]}, index=pd.DatetimeIndex(["2024-01-01"], tz="UTC"))


@pytest.mark.parametrize(
    ("answer", "call", "kind_of_error"),
    [
        (PLAIN, lambda c: c.write("@a", FRAME), catchment.UnexpectedAnswerError),
        (PLAIN, lambda c: c.tree(), catchment.UnexpectedAnswerError),
        (PLAIN, lambda c: c.nodes.get("@a"), catchment.UnexpectedAnswerError),
        (httpx.Response(200, json={"status": "up"}), lambda c: c.read("@a", limit=1), catchment.UnexpectedAnswerError),
        (HALF, lambda c: c.write("@a", FRAME), catchment.CutStreamError),
        (HALF, lambda c: c.tree(), catchment.CutStreamError),
    ],
)
def test_what_is_no_answer_of_catchment_is_reported(kind, answer, call, kind_of_error):
    with pytest.raises(kind_of_error):
        both(Fake(answer), call, kind)


def test_a_body_that_is_no_json_is_reported():
    with pytest.raises(catchment.ArgumentError, match="^body: "):
        Fake(accepted()).client().request("createWebhook", {"name": object()})


def test_answers_come_as_what_they_are():
    raw = Fake(httpx.Response(200, content="1,2\n", headers={"Content-Type": "text/csv"})).client()
    assert raw.request("readHistoric", id="@a", format="CSV") == "1,2\n"
    client = Fake(httpx.Response(200, content=b"%PDF", headers={"Content-Type": "application/pdf"})).client()
    assert client.request("renderReport", id="@a") == b"%PDF"
    csv = Fake(httpx.Response(200, content="1,2\n", headers={"Content-Type": "text/csv"})).client()
    assert csv.request("getRating", id="@a") == "1,2\n"
