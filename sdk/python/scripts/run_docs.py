"""Runs what the documentation shows, as it stands there, against the server of CATCHMENT_URL and CATCHMENT_KEY: README, docs/clients.md and the tutorial."""

from __future__ import annotations

import os
import re
import sys
import time
from pathlib import Path
from typing import Any, Callable

import nbformat
import numpy as np
import pandas as pd
from nbclient import NotebookClient

import catchment

HERE = Path(__file__).resolve().parent.parent
ROOT = HERE.parent.parent
DATA = Path(os.environ.get("CATCHMENT_DATA", ROOT / "e2e" / "data"))
MODEL = "io.svc.models.node"
NAMES = ["temp", "dewp", "humid", "wind_speed", "pressure", "visib"]


def examples(file: Path) -> list[str]:
    """The blocks of Python that are marked to be run."""
    return re.findall(r"<!-- run -->\n```python\n(.*?)```", file.read_text(), re.DOTALL)


def run(file: Path) -> dict[str, Any]:
    blocks = examples(file)
    assert blocks, f"{file} has no example that is run"
    names: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, str(file), "exec"), names)
    return names


def until(look: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + 120
    while not look():
        assert time.monotonic() < end, what
        time.sleep(0.1)


def make_site(c: catchment.Client) -> None:
    """The nodes that the examples name, with a month of levels."""

    def make(kind: str, name: str, parent: str | None = None, **more: Any) -> str:
        where = {"parentId": parent} if parent else {}
        return str(c.nodes.create({"_class": f"{MODEL}.{kind}", "name": name, **where, **more})["_id"])

    workspace = make("Workspace", "Maryland rivers")
    location = make("location.Location", "Dead Run at Franklintown", workspace)
    gauge = make("source.data.Jts", "River gauge", location, customId="gauge")
    make("point.NumberPoint", "Gage height", gauge, customId="stage", units="ft")
    make("point.NumberPoint", "Discharge", gauge, customId="flow", units="ft³/s")
    airport = make("location.Location", "JFK", workspace)
    hourly = make("source.data.Jts", "Hourly", airport, customId="jfk-hourly")
    make("source.data.Jts", "Daily", airport, customId="jfk-daily")
    units = {"temp": "°F", "dewp": "°F", "humid": "%", "wind_speed": "mph", "pressure": "mbar", "visib": "mi"}
    for name in NAMES:
        make("point.NumberPoint", name.replace("_", " "), hourly, customId=f"jfk-{name}", units=units[name])
    minutes = pd.date_range("2018-06-01", "2018-07-01", freq="5min", tz="America/New_York", inclusive="left")
    wave = np.sin(np.arange(len(minutes)) / 288)
    levels = pd.DataFrame({"Gage height": 3 + wave, "Discharge": 20 + 10 * wave}, index=minutes)
    c.write("@gauge", levels, wait="readable")
    assert len(c.read("@stage", "2018-06", "2018-08")) == len(levels)


def airport_year() -> pd.DataFrame:
    """The hours of the year as they were recorded; every hundredth one is marked as bad."""
    frame = pd.read_csv(DATA / "jfk_weather_2013.csv.gz", parse_dates=["time_hour"], index_col="time_hour")
    assert list(frame.columns) == NAMES and len(frame) > 8_000
    for name in NAMES:
        bad = np.arange(len(frame)) % 100 == 0
        frame[f"{name} [Quality]"] = pd.array(np.where(bad, 155, 0), dtype="UInt16")
        frame.loc[~bad, f"{name} [Quality]"] = pd.NA
    return frame


def try_year(c: catchment.Client) -> None:
    """The ten lines of docs/clients.md give what is computed from the file without them."""
    year = airport_year()
    c.write(None, year.add_prefix("@jfk-"), wait="readable")
    # Hours of which nothing is known are no records.
    kept = year.dropna(how="all")
    assert len(c.read([f"@jfk-{name}" for name in NAMES], "2013", "2014")) == len(kept)
    shown = (ROOT / "docs" / "clients.md").read_text()
    [block] = re.findall(r"<!-- run -->\n```python\n(.*?)```", shown, re.DOTALL)
    lines = [line for line in block.splitlines() if line and not line.startswith("import")]
    assert len(lines) <= 10, f"the ten lines are {len(lines)}"
    run(ROOT / "docs" / "clients.md")
    good: Any = year[NAMES].where(year[[f"{name} [Quality]" for name in NAMES]].isna().set_axis(NAMES, axis=1))
    # The year that is asked for is that of the local clock.
    good = good.tz_convert("America/New_York").loc["2013"]
    expected = good.resample("1D").mean()
    counts = good.resample("1D").count()

    def daily() -> Any:
        found = c.nodes.list(filter="parentId($eq:@jfk-daily)", attr="_id,series,units")
        nodes = {str(one["series"]): one for one in found}
        if set(nodes) != set(NAMES):
            return pd.DataFrame()
        assert nodes["temp"]["units"] == "°F"
        series: dict[str, str] = {name: nodes[name]["_id"] for name in NAMES}
        frame: pd.DataFrame = c.read(series, "2013", "2014", tz="America/New_York")
        return frame

    # The example does not wait, and each column can be read on its own.
    values = int(expected.count().sum())
    until(lambda: int(daily().count().sum()) == values, "the days can be read")
    found = daily()
    pd.testing.assert_frame_equal(
        found, expected.tz_convert("UTC"), check_freq=False, check_names=False, check_index_type=False, rtol=1e-12
    )
    quality = found.catchment.quality
    assert ((quality == 149).fillna(False).to_numpy() == (counts < 20).to_numpy()).all()
    assert 0 < int((counts < 20).to_numpy().sum()) < counts.size
    print(f"a year of {len(NAMES)} series: {len(kept)} hours, {len(found)} days")


def run_notebook(file: Path) -> None:
    notebook = nbformat.read(file, as_version=4)  # type: ignore[no-untyped-call]
    assert all(not cell.get("outputs") for cell in notebook.cells), "outputs do not belong into the repository"
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(HERE)}}).execute()
    print(f"{file.name}: {sum(cell.cell_type == 'code' for cell in notebook.cells)} cells")


def main() -> int:
    with catchment.Client() as c:
        make_site(c)
        names = run(HERE / "README.md")
        assert names["result"].records == 3 and len(names["df"]) == 30
        try_year(c)
        run_notebook(HERE / "tutorial.ipynb")
    return 0


if __name__ == "__main__":
    sys.exit(main())
