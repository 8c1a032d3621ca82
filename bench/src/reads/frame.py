"""A year of minutes as a DataFrame: the time by JSON and by Arrow, in turns, and the memory that Arrow takes."""

import json
import os
import re
import statistics
import sys
import time
import urllib.request

import pandas
import pyarrow.ipc

URL, KEY, RECORDS, TURNS = os.environ["URL"], os.environ["KEY"], int(os.environ["RECORDS"]), int(os.environ["TURNS"])


def opened(form):
    request = urllib.request.Request(f"{URL}&format={form}", headers={"X-Api-Key": KEY})
    return urllib.request.urlopen(request, timeout=120)


def by_arrow():
    with opened("ARROW") as answer, pyarrow.ipc.open_stream(answer) as stream:
        return stream.read_all().to_pandas(self_destruct=True).set_index("time")


def by_json():
    with opened("JSON") as answer:
        data = json.load(answer)["data"]
    times = pandas.to_datetime([row["ts"] for row in data], utc=True)
    return pandas.DataFrame({"value": [row["f"]["0"].get("v") for row in data]}, index=times)


def took(work):
    began = time.perf_counter()
    frame = work()
    seconds = time.perf_counter() - began
    if len(frame) != RECORDS:
        sys.exit(f"{work.__name__}: {len(frame)} rows instead of {RECORDS}")
    return seconds


def resident(name):
    with open("/proc/self/status") as status:
        return int(re.search(rf"{name}:\s+(\d+) kB", status.read())[1]) * 1024


def memory():
    """Growth of the process for a frame, after everything is loaded: the peak, beside what there was before."""
    global URL
    whole, URL = URL, URL.replace("startTime=", "limit=9&startTime=")
    by_arrow()
    URL = whole
    before = resident("VmRSS")
    with open("/proc/self/clear_refs", "w") as peak:
        peak.write("5")
    frame = by_arrow()
    return resident("VmHWM") - before, int(frame.memory_usage(index=True).sum())


grown, frame = memory()
turns = [(took(by_json), took(by_arrow)) for _ in range(TURNS)]
json_ms, arrow_ms = (statistics.median(side) * 1000 for side in zip(*turns))
print(json.dumps({"grown": grown, "frame": frame, "jsonMs": json_ms, "arrowMs": arrow_ms}))
