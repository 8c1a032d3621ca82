"""Sends requests that Schemathesis makes of the API description, a fixed number of them, and judges the answers.

Started by main.ts, which installs what this needs and starts Catchment. The key comes by the environment. Every line of standard output is
one JSON object: progress, a failure with its curl line, or the summary.
"""

import argparse
import json
import os
import random
import time
import warnings

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

CHECKS = [status_code_conformance, content_type_conformance, response_schema_conformance]
# So many examples of an operation are sent before the turn of the next one: an operation finds what another one
# creates.
EXAMPLES = 8
ROUNDS_MAX = 1_000
TIMEOUT_SECONDS = 120
PROGRESS_SECONDS = 10
# So many examples of a cause are shown, so that the report stays readable.
CURLS_PER_CAUSE = 3
KNOWN_IDS_MAX = 200


def say(kind, **facts):
    print(json.dumps({"kind": kind, **facts}), flush=True)


class Known:
    """Ids that exist, so that requests get beyond 404. What is deleted on the way is left to be tried, too."""

    LISTS = {
        "devices": "/devices?attr=_id",
        "nodes": "/nodes?attr=_id,customId",
        "owners/account/categories": "/owners/account/categories",
        "owners/account/groups": "/owners/account?attr=groups",
        "owners/account/roles": "/owners/account/roles",
    }

    def __init__(self, api, key, chance):
        self.api, self.key, self.chance = api, key, chance
        self.ids = {}

    def learn(self):
        for name, path in self.LISTS.items():
            entries = requests.get(self.api + path, headers={"X-Api-Key": self.key}, timeout=TIMEOUT_SECONDS).json()
            if name.endswith("groups"):
                entries = entries.get("groups", [])
            found = [one["_id"] for one in entries]
            found += ["@" + one["customId"] for one in entries if "customId" in one]
            if found:
                self.ids[name] = self.chance.sample(found, min(len(found), KNOWN_IDS_MAX))
        # Signed links: they are no ids of their own.
        self.ids["files"] = self.ids.get("nodes", [])

    def of(self, path, number):
        """An id for the path of an operation; every fourth one is what Schemathesis has made."""
        kind = path.removeprefix("/api/v1/").lstrip("/").split("/{")[0]
        ids = self.ids.get(kind, [])
        return ids[number % len(ids)] if ids and number % 4 else None


class Fuzz:
    def __init__(self, url, key, seed_number, total):
        self.key, self.total, self.sent = key, total, 0
        self.schema = schemathesis.openapi.from_url(url + "/api/v1/openapi.json")
        self.schema.config.base_url = url
        # The key of a Catchment that ends with the run is put into curl lines by ours.
        self.schema.config.output.sanitization.update(enabled=False)
        # The streams of events and nodes have no end: a request of one would hold up all others until its limit of time.
        self.operations = [one for one in (result.ok() for result in self.schema.get_all_operations()) if not one.path.endswith("/stream")]
        self.strategies = {}
        self.chance = random.Random(seed_number)
        self.known = Known(url + "/api/v1", key, self.chance)
        self.statuses, self.failures = {}, {}
        self.reported_at = time.monotonic()

    def run(self):
        for round_number in range(ROUNDS_MAX):
            if self.sent >= self.total:
                break
            self.known.learn()
            for operation in self.operations:
                mode = GenerationMode.NEGATIVE if round_number % 3 == 2 else GenerationMode.POSITIVE
                self.try_operation(operation, mode)
        # Whatever it was sent, it must still be there.
        answer = requests.get(self.known.api + "/nodes?limit=1", headers=self.headers(), timeout=TIMEOUT_SECONDS)
        if answer.status_code != 200:
            self.note("the end", f"the key is answered {answer.status_code} after all", "")
        say(
            "summary",
            sent=self.sent,
            operations=len(self.operations),
            statuses=dict(sorted(self.statuses.items())),
            failures=sum(len(curls) for curls in self.failures.values()),
        )

    def headers(self):
        return {"X-Api-Key": self.key}

    def strategy(self, operation, mode):
        if (operation.label, mode) not in self.strategies:
            self.strategies[operation.label, mode] = operation.as_strategy(generation_mode=mode)
        return self.strategies[operation.label, mode]

    def try_operation(self, operation, mode):
        @seed(self.chance.getrandbits(32))
        @settings(
            max_examples=EXAMPLES,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=self.strategy(operation, mode), number=st.integers(0, 10_000))
        def send(case, number):
            if self.sent < self.total:
                self.send(operation, case, number)

        try:
            send()
        except Exception as error:
            # Negative data cannot be made of every operation: one without arguments has none.
            if "Unsatisfiable" not in type(error).__name__ and "cannot be negated" not in str(error):
                raise

    def send(self, operation, case, number):
        known_id = self.known.of(operation.path, number)
        if known_id is not None and "id" in (case.path_parameters or {}):
            case.path_parameters["id"] = known_id
        self.sent += 1
        began = time.monotonic()
        try:
            response = case.call(headers=self.headers(), timeout=TIMEOUT_SECONDS, allow_redirects=False)
        except requests.exceptions.RequestException as error:
            self.note(operation.label, f"no answer: {type(error).__name__}", case)
            return
        except (UnicodeError, ValueError):
            # No HTTP client can send it.
            return
        self.statuses[response.status_code] = self.statuses.get(response.status_code, 0) + 1
        if response.status_code >= 500:
            self.note(operation.label, f"status {response.status_code}: {response.text[:200]}", case)
        else:
            self.judge(operation, case, response)
        if time.monotonic() - self.reported_at > PROGRESS_SECONDS:
            self.reported_at = time.monotonic()
            took = round(time.monotonic() - began, 2)
            say("progress", sent=self.sent, total=self.total, at=operation.label, seconds=took)

    def judge(self, operation, case, response):
        try:
            # 303 and 304 have no body that could be of a type.
            checks = CHECKS if response.content else [status_code_conformance]
            case.validate_response(response, checks=checks, headers=self.headers())
        except FailureGroup as group:
            for failure in group.exceptions:
                self.note(operation.label, self.text(failure), case)
        except Failure as failure:
            self.note(operation.label, self.text(failure), case)

    @staticmethod
    def text(failure):
        return f"{failure.title}: {' '.join(str(failure.message).split())[:400]}"

    def note(self, label, cause, case):
        curls = self.failures.setdefault((label, cause.split(":")[0]), [])
        curl = case.as_curl_command(headers={"X-Api-Key": "$KEY"}) if case else ""
        curls.append(curl)
        if len(curls) <= CURLS_PER_CAUSE:
            say("failure", operation=label, cause=cause, curl=curl)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--requests", type=int, required=True)
    given_arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    Fuzz(given_arguments.url, os.environ["CATCHMENT_KEY"], given_arguments.seed, given_arguments.requests).run()


main()
