"""Aggregates computed by numpy, from the definitions alone: python3 aggregates-numpy.py > aggregates-numpy.json (numpy 2, tzdata)

Series have bad qualities, records without a value, gaps, resets, a north that is crossed, and a day of 23 hours.
"""
import datetime
import json
import sys
import zoneinfo

import numpy as np

BERLIN = zoneinfo.ZoneInfo('Europe/Berlin')
MINUTE = 60_000
HOUR = 60 * MINUTE
BAD, UNCERTAIN = 155, 149
SUBNORMAL, BAD_NO_DATA, GOOD_NO_DATA = 149, 155, 165


def ms(*when):
    return int(datetime.datetime(*when, tzinfo=BERLIN).timestamp() * 1000)


FIRST, LAST = ms(2024, 3, 29), ms(2024, 4, 3)
rng = np.random.default_rng(33)


def records(step_minutes, make):
    """Times with a jitter, a gap of eight hours and one of thirty, some bad values, some records without a value."""
    found = []
    for n, at in enumerate(range(FIRST, LAST, step_minutes * MINUTE)):
        time = at + int(rng.integers(0, step_minutes * MINUTE // 2))
        if ms(2024, 3, 30, 9) <= time < ms(2024, 3, 30, 17) or ms(2024, 4, 1, 2) <= time < ms(2024, 4, 2, 8):
            continue
        chance = rng.random()
        value = round(float(make(n)), 3)
        found.append([time, None if chance < 0.03 else value, BAD if 0.03 <= chance < 0.08 else None])
    return found


turned = np.cumsum(rng.normal(0, 25, 5_000)) + 355
counted = np.cumsum(rng.integers(0, 5, 5_000))
SERIES = {
    'level': records(20, lambda n: 3 + np.sin(n / 9) + rng.normal(0, 0.2)),
    'direction': records(30, lambda n: turned[n] % 360),
    'counter': records(15, lambda n: counted[n] % 300),
    'equal': records(60, lambda n: 0.1),
    'huge': records(120, lambda n: 1.7e308 if n % 3 else -1.7e308),
    'bad': [[ms(2024, 3, 30, 1), 5.0, BAD], [ms(2024, 3, 30, 2), 6.0, UNCERTAIN]],
    'lonely': [[ms(2024, 3, 31, 12), 7.0, None]],
}


def good(series):
    rows = [(time, value) for time, value, quality in series if value is not None and quality is None]
    return np.array([row[0] for row in rows], dtype=np.int64), np.array([row[1] for row in rows], dtype=np.longdouble)


def circular_mean(values):
    mean = np.exp(1j * np.deg2rad(values.astype(float))).mean()
    return None if abs(mean) < 1e-9 else float(np.rad2deg(np.angle(mean)) % 360)


def time_weighted_mean(times, values, first, last, begin, end):
    """begin and end: of the part that the query does not cut off; beyond it the line goes on only at ends of the interval."""
    area, covered = np.longdouble(0), 0
    for (t0, v0), (t1, v1) in zip(zip(times, values), zip(times[1:], values[1:])):
        if t1 - t0 > last - first or t1 <= begin or t0 >= end:
            continue
        if (t0 < begin and begin > first) or (t1 >= end and end < last):
            continue
        c0, c1 = max(t0, begin), min(t1, end)
        # Weighted ends: no difference of the two leaves the range of numbers.
        at = lambda t: v0 * (np.longdouble(t1 - t) / (t1 - t0)) + v1 * (np.longdouble(t - t0) / (t1 - t0))
        area += (at(c0) + at(c1)) / 2 * int(c1 - c0)
        covered += int(c1 - c0)
    return None if covered == 0 else area / covered


def increase(times, values, begin, end):
    """Rises to each good value, from the one before it, which may lie before the range."""
    rises = [values[n] if values[n] < values[n - 1] else values[n] - values[n - 1] for n in range(1, len(values)) if begin <= times[n] < end]
    return np.sum(np.array(rises, dtype=np.longdouble)) if rises else np.longdouble(0)


def finite(value):
    """As a double; beyond its range, and where there is none, there is no value."""
    if value is None or abs(value) > np.finfo(float).max:
        return None
    return float(value)


def result(series, aggregate, percentile, first, last, begin, end):
    inside = [row for row in series if row[1] is not None and begin <= row[0] < end]
    times, values = good(series)
    own = values[(times >= begin) & (times < end)]
    if len(own) == 0:
        return [None, BAD_NO_DATA if inside else GOOD_NO_DATA]
    value = {
        'CIRCULAR_MEAN': lambda: circular_mean(own),
        'TIME_WEIGHTED_MEAN': lambda: time_weighted_mean(times, values, first, last, begin, end),
        'PERCENTILE': lambda: np.percentile(own, percentile),
        'STDDEV': lambda: np.std(own, ddof=1) if len(own) > 1 else None,
        'COUNTER_INCREASE': lambda: increase(times, values, begin, end),
        'COUNTER_RATE': lambda: increase(times, values, begin, end) / np.longdouble((last - first) / 1000),
    }[aggregate]()
    return [finite(value), SUBNORMAL if len(own) < len(inside) else None]


def interpolated(series, at, length, is_direction):
    """At a boundary: the value exactly there, else between the nearest good values within an interval before and after."""
    times, values = good(series)
    if at in times:
        return [float(values[list(times).index(at)]), None]
    before = [n for n in range(len(times)) if at - length <= times[n] < at]
    after = [n for n in range(len(times)) if at < times[n] <= at + length]
    if not before or not after:
        return [None, BAD_NO_DATA]
    a, b = before[-1], after[0]
    skipped = any(value is not None and quality is not None and times[a] < time < times[b] for time, value, quality in series)
    ends = values[[a, b]].astype(float)
    line = np.unwrap(ends, period=360) if is_direction else ends
    value = float(np.interp(at, times[[a, b]].astype(float), line))
    return [value % 360 if is_direction else value, SUBNORMAL if skipped else None]


def bounds(interval, begin, end):
    if interval == '1D':
        day = datetime.datetime.fromtimestamp(begin / 1000, BERLIN).date()
        found = []
        while not found or found[-1] < end:
            found.append(ms(day.year, day.month, day.day))
            day += datetime.timedelta(days=1)
        return found
    day = datetime.datetime.fromtimestamp(begin / 1000, BERLIN).date()
    at, length = ms(day.year, day.month, day.day), int(interval[:-1]) * HOUR
    found = [at + n * length for n in range((end - at) // length + 2)]
    return [time for n, time in enumerate(found) if (n + 1 == len(found) or found[n + 1] > begin) and (n == 0 or found[n - 1] < end)]


RANGES = [
    ('whole days', ms(2024, 3, 30), ms(2024, 4, 2)),
    ('cut at both ends', ms(2024, 3, 30, 4, 17), ms(2024, 4, 2, 13, 5)),
]
AGGREGATES = [('CIRCULAR_MEAN', None), ('TIME_WEIGHTED_MEAN', None), ('STDDEV', None), ('COUNTER_INCREASE', None), ('COUNTER_RATE', None)]
AGGREGATES += [('PERCENTILE', p) for p in (0, 10, 50, 90, 99.5, 100)]


def is_meant(name, aggregate):
    if name in ('bad', 'lonely'):
        return True
    if name == 'direction' or aggregate == 'CIRCULAR_MEAN':
        return name == 'direction' and aggregate == 'CIRCULAR_MEAN'
    return (name == 'counter') == aggregate.startswith('COUNTER')


cases = []
for name, series in SERIES.items():
    for what, begin, end in RANGES:
        for interval in ('1D', '6H', '1H'):
            if interval == '1H' and (what != 'whole days' or name in ('bad', 'lonely')):
                continue
            grid = bounds(interval, begin, end)
            spans = [(a, b) for a, b in zip(grid, grid[1:])]
            shown = {'series': name, 'range': what, 'startMs': begin, 'endMs': end, 'interval': interval}
            for aggregate, percentile in AGGREGATES:
                if not is_meant(name, aggregate) or (interval == '1H' and percentile not in (None, 90)):
                    continue
                results = [[a, b, *result(series, aggregate, percentile, a, b, max(a, begin), min(b, end))] for a, b in spans]
                cases.append({**shown, 'aggregate': aggregate, 'percentile': percentile, 'results': results})
            if name in ('direction', 'level') and interval != '1D':
                length = int(interval[:-1]) * HOUR
                at = [time for time in grid if begin <= time <= end]
                results = [[time, time + length, *interpolated(series, time, length, name == 'direction')] for time in at]
                cases.append({**shown, 'aggregate': 'INTERPOLATED', 'percentile': None, 'results': results})

lines = ',\n'.join(json.dumps(case, separators=(',', ':')) for case in cases)
stored = ',\n'.join(f'{json.dumps(name)}:{json.dumps(rows, separators=(",", ":"))}' for name, rows in SERIES.items())
sys.stdout.write('{"series":{\n' + stored + '\n},"cases":[\n' + lines + '\n]}\n')
