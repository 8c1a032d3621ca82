"""Reads files of sensors by nothing but Python's own library (csv, xml.etree), for tests to compare with.

Standard input: one reading as JSON, see `Reading` in files.ts. Standard output: {lines, rules, parameters}: lines with data, how many lines or fields each
rule has left out, and by parameter {type, units, records, quality}: the values by Unix time in ms.

Rules (docs/reference/acquisition.md#text-parser), as they are named in `rules`:
  no time         a line whose time cannot be read is left out
  width           a TOA5 line with another number of fields than the header is left out
  no value        empty fields, and in columns of numbers NAN, INF, ---, null and other words for nothing, and what `missing` names, are no value
  unreadable      a field that is not of the type of its column is left out
  repeated time   of lines with one time the last value of each series counts
  other           lines that a filter leaves out, and lines of series that are not read
"""

import csv
import gzip
import json
import math
import re
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

NOTHING = {"", "nan", "inf", "+inf", "-inf", "---", "null", "na", "n/a", "-", "--", "none"}
NUMBER = re.compile(r"[+-]?(\d+([.]\d*)?|[.]\d+)([eE][+-]?\d+)?$")
BOOLEAN = {"true": True, "false": False, "on": True, "off": False, "yes": True, "no": False}
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def text_of(name):
    opened = gzip.open(name, "rb") if name.endswith(".gz") else open(name, "rb")
    with opened as file:
        return file.read().decode("utf-8-sig", errors="replace")


def ms_of(time):
    time = time if time.tzinfo else time.replace(tzinfo=timezone.utc)
    return (time - EPOCH) // timedelta(milliseconds=1)


def instant(text, form):
    """Unix ms; None: it is no time of this form."""
    try:
        if form == "ms":
            return int(text)
        if form == "s":
            return int(text) * 1000
        if form == "ISO":
            # Fractions are truncated to what datetime has.
            cut = re.sub(r"(\.\d{6})\d+", r"\1", text.strip().replace("Z", "+00:00"))
            return ms_of(datetime.fromisoformat(cut))
        return ms_of(datetime.strptime(text, form))
    except ValueError:
        return None


def first_pass(ms, zone):
    """Reads a local time of every full hour: the passes of a repeated hour are not distinguished."""
    return ms_of((EPOCH + timedelta(milliseconds=ms)).astimezone(zone).replace(fold=0).astimezone(timezone.utc))


def is_time(text):
    return re.match(r"\d{4}([-/.])\d\d?\1\d\d?", text) and time_of(text) is not None


def time_of(text):
    return instant(re.sub("[/.]", "-", text[:10]) + text[10:], "ISO")


def type_of(cells, decimal):
    """Returns what all cells of a column are."""
    filled = [cell for cell in cells if cell.lower() not in NOTHING]
    if all(NUMBER.match(cell.replace(decimal, ".")) for cell in filled):
        return "NUMBER" if filled else None
    if all(cell.lower() in BOOLEAN for cell in filled):
        return "BOOLEAN"
    return "TIME" if all(is_time(cell) for cell in filled) else "TEXT"


def value_of(cell, kind, decimal):
    """The value of a field that is not empty; a word names the rule that leaves it out."""
    if kind == "TEXT":
        return cell, None
    if cell.lower() in NOTHING:
        return None, "no value"
    if kind == "NUMBER" and NUMBER.match(cell.replace(decimal, ".")):
        number = float(cell.replace(decimal, "."))
        return (number, None) if math.isfinite(number) else (None, "unreadable")
    if kind == "BOOLEAN" and cell.lower() in BOOLEAN:
        return BOOLEAN[cell.lower()], None
    if kind == "TIME" and is_time(cell):
        return {"ms": time_of(cell)}, None
    return None, "unreadable"


class Parameters:
    def __init__(self):
        self.found, self.rules = {}, Counter()

    def of(self, name, kind, units=""):
        return self.found.setdefault(name, {"type": kind, "units": units, "records": {}, "quality": {}})

    def add(self, name, ms, value, quality=None):
        one = self.found[name]
        if ms in one["records"]:
            self.rules["repeated time"] += 1
        one["records"][ms] = value
        one["quality"].pop(ms, None)
        if quality is not None:
            one["quality"][ms] = quality


def table(file, delimiter=",", labels=1, units=0, data=2, time=(), quote='"', width=False, decimal=".",
          utcOffsetHours=0, localZone=None, where=None, without=(), only=None, types=None, quality=None, missing=(), **_):
    lines = text_of(file).splitlines()
    quoting = {"quotechar": quote} if quote else {"quoting": csv.QUOTE_NONE}
    row_of = lambda number: next(csv.reader([lines[number - 1]], delimiter=delimiter, **quoting)) if number else []
    names = [name.strip() for name in row_of(labels)]
    unit_names = [name.strip() for name in row_of(units)]
    place = lambda column: names.index(column) if isinstance(column, str) else column
    rows = [[cell.strip() for cell in row]
            for row in csv.reader([line for line in lines[data - 1:] if line.strip()], delimiter=delimiter, **quoting)]
    widest = max([len(names)] + [len(row) for row in rows])
    names = [names[n] if n < len(names) and names[n] else "Column %d" % (n + 1) for n in range(widest)]
    time_places = [(place(column), form) for column, form in time]
    left = {place(name) for name in without} | {column for column, _ in time_places}
    # Spreadsheets fill the header of a TOA5 file up with empty cells.
    named = max([n for n, name in enumerate(row_of(labels)) if name.strip()], default=-1) if width else widest
    wanted = [n for n in range(widest) if n not in left and n <= named and (only is None or names[n] in only)]
    found = Parameters()
    kinds = {}
    for n in wanted:
        kinds[n] = (types or {}).get(names[n]) or type_of([row[n] for row in rows if n < len(row)], decimal)
        unit = unit_names[n] if n < len(unit_names) else ""
        found.of(names[n], kinds[n], unit)
    for row in rows:
        if where and row[place(where[0])] != where[1]:
            found.rules["other"] += 1
            continue
        if width and len(row) != len(row_of(labels)):
            found.rules["width"] += 1
            continue
        time_parts = [(row[column], form) for column, form in time_places if column < len(row) and row[column]]
        ms = instant(" ".join(text for text, _ in time_parts), " ".join(form for _, form in time_parts)) if time_parts else None
        if ms is None:
            found.rules["no time"] += 1
            continue
        ms -= utcOffsetHours * 3_600_000
        if localZone:
            ms = first_pass(ms, ZoneInfo(localZone))
        for n in wanted:
            cell = row[n] if n < len(row) else ""
            if cell == "" or cell in missing:
                found.rules["no value"] += 1
                continue
            value, rule = value_of(cell, kinds[n], decimal)
            if rule:
                found.rules[rule] += 1
                continue
            code = row[place(quality[names[n]])] if quality and names[n] in quality else ""
            found.add(names[n], ms, value, int(code) if code.isdigit() else None)
    return len(rows), found


def lines_of_series(file, series, **_):
    """Files whose lines are a time, a series, its type and a value, after a block that a blank line ends."""
    lines = text_of(file).splitlines()
    rows = [line.split("\t") for line in lines[lines.index("") + 1:] if line]
    found = Parameters()
    for name in series:
        found.of(name, "NUMBER")
    for seconds, name, _, text, *_ in rows:
        if name not in series or not NUMBER.match(text):
            found.rules["other" if name not in series else "unreadable"] += 1
            continue
        found.add(name, instant(seconds, "s"), float(text))
    return len(rows), found


def tracks(file, **_):
    """Points of the tracks of a GPX file."""
    found = Parameters()
    for name, units in (("Latitude", "°"), ("Longitude", "°"), ("Elevation", "m"), ("Speed", "m/s")):
        found.of(name, "NUMBER", units)
    plain = lambda element: element.tag.rsplit("}", 1)[-1]
    # Waypoints and routes are no measurements: a file that has only them makes no parameters.
    points = [one for one in ElementTree.fromstring(text_of(file)).iter() if plain(one) == "trkpt"]
    for point in points:
        inside = {plain(child): (child.text or "").strip() for child in point}
        ms = instant(inside.get("time", ""), "ISO")
        if ms is None:
            found.rules["no time"] += 1
            continue
        for name, text in (("Latitude", point.get("lat")), ("Longitude", point.get("lon")),
                           ("Elevation", inside.get("ele")), ("Speed", inside.get("speed"))):
            if text:
                found.add(name, ms, float(text))
            else:
                found.rules["no value"] += 1
    if not points:
        found.found.clear()
    return len(points), found


READERS = {"table": table, "series": lines_of_series, "gpx": tracks}
reading = json.loads(sys.stdin.read())
count, parameters = READERS[reading.get("format", "table")](**{k: v for k, v in reading.items() if k != "format"})
json.dump({"lines": count, "rules": parameters.rules, "parameters": parameters.found}, sys.stdout)
