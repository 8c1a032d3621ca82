#!/usr/bin/env python3
"""Inputs of the programs in services/processing/examples, and what they must give, computed without Catchment.

    python3 services/processing/test/processing-language-examples.py > services/processing/test/processing-language-examples.json

Times are Unix milliseconds; a missing value is null; an expected record is [time, value, quality] or null where there is none.
"""
import bisect, json, math, random
from datetime import datetime, timedelta, timezone
from fractions import Fraction
from zoneinfo import ZoneInfo

random.seed(20240115)
MINUTE = 60_000
BAD, UNCERTAIN, INSERTED = 155, 149, 162


def ms(text):
    """Unix milliseconds of a time; without an offset: UTC."""
    at = datetime.fromisoformat(text.replace('Z', '+00:00'))
    return round((at if at.tzinfo else at.replace(tzinfo=timezone.utc)).timestamp() * 1000)


def steps(start, minutes, count):
    return [ms(start) + n * minutes * MINUTE for n in range(count)]


def interpolated(x, xs, ys):
    n = min(max(bisect.bisect_right(xs, x) - 1, 0), len(xs) - 2)
    part = Fraction(x) - Fraction(xs[n])
    return float(Fraction(ys[n]) + part * (Fraction(ys[n + 1]) - Fraction(ys[n])) / (Fraction(xs[n + 1]) - Fraction(xs[n])))


def dew_point():
    """The temperature at which the vapour pressure is that of saturation, by bisection."""
    saturation = lambda t: 6.112 * math.exp(17.62 * t / (243.12 + t))
    rows = [(20, 50), (25, 100), (0, 80), (-10, 65), (35.4, 22.5), (15, 103), (10, 0), (None, 50), (10, None)]
    rows += [(random.uniform(-30, 45), random.uniform(1, 100)) for _ in range(200)]
    expected = []
    for temperature, humidity in rows:
        if temperature is None or humidity is None:
            expected.append(None)
        elif humidity <= 0:
            expected.append([None, BAD])
        else:
            vapour = saturation(temperature) * min(humidity, 100) / 100
            low, high = -150.0, 80.0
            for _ in range(200):
                middle = (low + high) / 2
                low, high = (middle, high) if saturation(middle) < vapour else (low, middle)
            expected.append([low, None])
    # Published: 20 °C and 50 % have a dew point of 9.3 °C.
    assert round(expected[0][0], 1) == 9.3
    times = steps('2024-01-15T10:00:00', 10, len(rows))
    inputs = {'Air temperature': [a for a, _ in rows], 'Relative humidity': [b for _, b in rows]}
    return dict(times=times, inputs=inputs, expected=expected)


def vapour_pressure_deficit():
    saturation = lambda t: 0.6108 * math.e ** (17.27 * t / (t + 237.3))
    # FAO 56, table 2.3
    for celsius, published in [(1, 0.657), (10, 1.228), (20, 2.338), (25, 3.168)]:
        assert round(saturation(celsius), 3) == published
    rows = [(20, 50), (25, 100), (25, 104), (35, 20), (None, 4), (4, None)]
    rows += [(random.uniform(-5, 48), random.uniform(1, 100)) for _ in range(200)]
    expected = [
        None if t is None or h is None else [saturation(t) - saturation(t) * min(h, 100) / 100, None] for t, h in rows
    ]
    inputs = {'Air temperature': [a for a, _ in rows], 'Relative humidity': [b for _, b in rows]}
    return dict(times=steps('2024-01-15T10:00:00', 10, len(rows)), inputs=inputs, expected=expected)


def rating_shift():
    gaugings = [ms('2024-01-03T12:00:00'), ms('2024-01-24T09:30:00'), ms('2024-02-14T10:15:00')]
    shifts = [0, 0.085, 0.062]
    times = steps('2024-01-01T00:00:00', 6 * 60, 220)
    levels = [round(random.uniform(0.05, 3), 3) for _ in times]
    levels[3] = None
    expected = []
    for time, level in zip(times, levels):
        if level is None:
            expected.append(None)
            continue
        shift = interpolated(min(max(time, gaugings[0]), gaugings[-1]), gaugings, shifts)
        head = level - shift
        c, e, n = (9.2, 0.12, 2.1) if head < 0.8 else (7.417, 0.04, 1.72)
        flow = c * math.exp(n * math.log(head - e)) if head > e else 0
        expected.append([flow, UNCERTAIN if head > 2.4 else None])
    return dict(times=times, inputs={'Level': levels}, expected=expected)


def running_total():
    zone = ZoneInfo('Europe/Berlin')
    times = steps('2023-09-28T00:00:00', 3 * 60, 60)
    rain = [random.choice([0, 0, 0.2, 1.4, 3.6, None]) for _ in times]
    year = lambda time: (datetime.fromtimestamp(time / 1000, zone) + timedelta(days=92)).year
    expected, amounts = [], {}
    for time, amount in zip(times, rain):
        if amount is None:
            expected.append(None)
            continue
        amounts.setdefault(year(time), []).append(amount)
        expected.append([math.fsum(amounts[year(time)]), None])
    assert len(amounts) == 2
    return dict(times=times, inputs={'Rain': rain}, expected=expected, zone='Europe/Berlin')


def hydrological_day_total():
    zone = ZoneInfo('America/New_York')
    times = steps('2024-03-08T00:00:00', 60, 120)  # the clock changes on 10 March
    rain = [random.choice([0, 0.4, 1.2, 2.2, None]) for _ in times]
    readings = [datetime(2024, 3, day, 9, tzinfo=zone).timestamp() * 1000 for day in range(6, 16)]
    lengths = {round((b - a) / 3_600_000) for a, b in zip(readings, readings[1:])}
    assert lengths == {23, 24}
    expected, amounts = [], {}
    for time, amount in zip(times, rain):
        if amount is None:
            expected.append(None)
            continue
        day = bisect.bisect_left(readings, time)  # a reading itself belongs to the day that it ends
        amounts.setdefault(day, []).append(amount)
        expected.append([math.fsum(amounts[day]), None])
    return dict(times=times, inputs={'Rain': rain}, expected=expected, zone='America/New_York')


def wind_vector_mean():
    times = steps('2024-01-15T10:00:00', 7, 120)
    speeds = [round(random.uniform(0, 18), 1) for _ in times]
    directions = [round(random.gauss(0, 60)) % 360 for _ in times]
    directions[5] = speeds[9] = None
    hours = {}
    for time, speed, direction in zip(times, speeds, directions):
        rows = hours.setdefault(time // 3_600_000, [])
        if speed is not None and direction is not None:
            rows.append(speed * complex(math.cos(math.radians(direction)), math.sin(math.radians(direction))))
    means = {}
    for hour in sorted(hours)[:-1]:
        mean = sum(hours[hour]) / len(hours[hour])
        means[hour * 3_600_000] = [abs(mean), math.degrees(math.atan2(mean.imag, mean.real)) % 360]
    outputs = {
        'Mean wind speed': [[time, speed, None] for time, (speed, _) in means.items()],
        'Mean wind direction': [[time, direction, None] for time, (_, direction) in means.items()],
    }
    return dict(kind='processor', times=times, inputs={'Wind speed': speeds, 'Wind direction': directions},
                outputs=['Sum east', 'Sum north', 'Count', 'Mean wind speed', 'Mean wind direction'], expectedOutputs=outputs)


def barometric_compensation():
    degrees = [0, 5, 10, 15, 20, 25, 30]
    densities = [999.84, 999.97, 999.7, 999.1, 998.21, 997.05, 995.65]
    rows = [(120.5, 1013.25, 12.5), (101, 1013.25, 10), (110, 990, None), (None, 990, 10), (110, None, 10), (130, 1000, 38), (130, 1000, -2)]
    rows += [(random.uniform(100, 200), random.uniform(960, 1040), random.uniform(0, 30)) for _ in range(200)]
    expected = []
    for absolute, air, temperature in rows:
        if absolute is None or air is None:
            expected.append(None)
            continue
        pascals = absolute * 1000 - air * 100
        t = min(max(10 if temperature is None else temperature, 0), 30)
        column = pascals / 9.8115 / interpolated(t, degrees, densities)
        expected.append([None, BAD] if pascals < 0 else [141.372 + column, None])
    inputs = {'Pressure': [r[0] for r in rows], '/Basin/Weather/Station/Air pressure': [r[1] for r in rows],
              'Water temperature': [r[2] for r in rows]}
    return dict(times=steps('2024-01-15T10:00:00', 15, len(rows)), inputs=inputs, expected=expected)


def despiking():
    levels, level = [], 1.2
    for n in range(300):
        level += random.gauss(0, 0.01) + (0.8 if n == 150 else 0)  # a real step, and spikes
        levels.append(round(level + (random.choice([3, -0.4, 20]) if n % 37 == 11 else 0), 4))
    times = steps('2024-01-15T10:00:00', 5, len(levels))
    levels[40] = None
    accepted, expected = None, []
    for time, x in zip(times, levels):
        if x is None:
            expected.append(None)
        elif not -0.5 <= x <= 10 or (accepted and abs(x - accepted[1]) > 0.05 + 0.02 * (time - accepted[0]) / MINUTE):
            expected.append([None, BAD])
        else:
            accepted = (time, x)
            expected.append([x, None])
    assert 5 < sum(1 for one in expected if one and one[0] is None) < 60
    return dict(times=times, inputs={'Raw level': levels}, expected=expected)


def unit_switch():
    zone = ZoneInfo('Europe/London')
    switches = [datetime(2023, 6, 21, 14, 30, tzinfo=zone), datetime(2023, 11, 8, 10, 0, tzinfo=zone)]
    switches = [round(one.timestamp() * 1000) for one in switches]
    times = sorted([t + d for t in switches for d in (-1, 0, 1)] + steps('2023-05-01T00:00:00', 24 * 60, 220))
    levels = [round(random.uniform(1, 300), 2) for _ in times]
    expected = []
    for time, level in zip(times, levels):
        metres = level * 12 * 0.0254 if time < switches[0] else level / 100 - (0.124 if time < switches[1] else 0)
        expected.append([metres, None])
    return dict(times=times, inputs={'Level': levels}, expected=expected, zone='Europe/London')


def sensor_fusion():
    names = ['Radar', 'Pressure level', 'Bubbler']
    variances = [Fraction(9, 10**6), Fraction(100, 10**6), Fraction(25, 10**6)]
    times = steps('2024-01-15T10:00:00', 10, 300)
    inputs = {name: dict(values=[], qualities=[], times=[]) for name in names}
    expected = []
    for time in times:
        truth = random.uniform(0.5, 2)
        usable = []
        for name, variance in zip(names, variances):
            value = round(truth + random.gauss(0, 0.005) + random.choice([0, 0, 0, 0.3]), 3)
            if random.random() < 0.15:
                value = None
            quality = random.choice([None, None, 192, INSERTED, 12])
            age = random.choice([0, 0, 10, 45]) * MINUTE
            inputs[name]['values'].append(value)
            inputs[name]['qualities'].append(None if value is None else quality)
            inputs[name]['times'].append(None if value is None else time - age)
            if value is not None and quality in (None, 192, INSERTED) and age <= 30 * MINUTE:
                usable.append((variance, value))
        if not usable:
            expected.append([None, BAD])
            continue
        values = sorted(value for _, value in usable)
        median = (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2
        agreeing = [(variance, value) for variance, value in usable if abs(value - median) <= 0.05]
        if not agreeing:
            expected.append([min(usable)[1], UNCERTAIN])
            continue
        weights = sum(1 / variance for variance, _ in agreeing)
        mean = float(sum(Fraction(value) / variance for variance, value in agreeing) / weights)
        expected.append([mean, UNCERTAIN if len(agreeing) == 1 else None])
    return dict(times=times, inputs=inputs, expected=expected)


EXAMPLES = [dew_point, vapour_pressure_deficit, rating_shift, running_total, hydrological_day_total, wind_vector_mean,
            barometric_compensation, despiking, unit_switch, sensor_fusion]
print('{')
for place, example in enumerate(EXAMPLES):
    name = example.__name__.replace('_', '-')
    print(f'"{name}": {json.dumps(example())}{"," if place < len(EXAMPLES) - 1 else ""}')
print('}')
