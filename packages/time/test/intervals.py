"""Expected intervals around changes of clocks, by Python's own calendar (zoneinfo): prints the table of intervals.csv.

    python3 intervals.py [seed [cases for each change]] > intervals.csv

It shares nothing with the TypeScript that it checks. All times lie before 2025, where releases of the tz database agree.
"""

import calendar
import random
import re
import sys
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

UTC = timezone.utc
ZONES = """
Africa/Cairo Africa/Casablanca Africa/Juba Africa/Khartoum Africa/Tripoli America/Asuncion America/Campo_Grande
America/Caracas America/Goose_Bay America/Havana America/Mexico_City America/Miquelon America/New_York America/Nuuk
America/Port-au-Prince America/Santiago America/Sao_Paulo America/Scoresbysund America/St_Johns Antarctica/Casey
Antarctica/Macquarie Antarctica/Troll Asia/Amman Asia/Baku Asia/Beirut Asia/Damascus Asia/Famagusta Asia/Gaza
Asia/Hebron Asia/Hovd Asia/Jerusalem Asia/Kathmandu Asia/Pyongyang Asia/Tehran Asia/Ulaanbaatar Atlantic/Azores
Australia/Adelaide Australia/Lord_Howe Australia/Sydney Europe/Berlin Europe/Dublin Europe/Istanbul
Europe/London Europe/Moscow Pacific/Apia Pacific/Auckland Pacific/Chatham Pacific/Easter Pacific/Fakaofo Pacific/Fiji
Pacific/Kiritimati Pacific/Kwajalein Pacific/Norfolk
""".split()
BASES = """
D D+9H D+2H30M D+30M D-15H D+33H D-1D W W+1D+7H MO MO-1D MO+9H MO-1D+9H Y Y+9MO+9H H H+15M NOW NOW-1D+6H NOW-90M
D[+05:45]+9H D[-03:00] MO[+10:00]
""".split()
INTERVALS = "1D 1D 1D 2D 1W 1MO 3MO 1Y 15M 1H 3H 5H 6H 12H 24H 84H 1D12H".split()
CHANGES = 5  # of each zone
LAST_YEAR = 2025
MONTHS = {"Y": 12, "MO": 1}
DAYS = {"W": 7, "D": 1}
SECONDS = {"H": 3600, "M": 60, "S": 1}
UNITS = ["D", "W", "MO", "Y"]


# ---- the wall clock of a zone


def instant(local, zone):
    """A time that the zone skips moves forward by the gap, one that comes twice is the earlier: fold 0."""
    return local.replace(tzinfo=zone, fold=0).astimezone(UTC)


def local_of(at, zone):
    return at.astimezone(zone).replace(tzinfo=None, fold=0)


def add_months(local, months):
    year, month = divmod(local.year * 12 + local.month - 1 + months, 12)
    return local.replace(year=year, month=month + 1, day=min(local.day, calendar.monthrange(year, month + 1)[1]))


def start_of(local, unit):
    midnight = datetime(local.year, local.month, local.day)
    if unit == "W":
        return midnight - timedelta(days=midnight.weekday())
    return midnight if unit == "D" else midnight.replace(day=1) if unit == "MO" else midnight.replace(day=1, month=1)


def moved(local, amount, unit):
    if unit in MONTHS:
        return add_months(local, amount * MONTHS[unit])
    return local + timedelta(days=amount * DAYS[unit])


# ---- bases and intervals


def parsed(base):
    unit, bracket, offsets = re.fullmatch(r"([A-Z]+)(\[.*\])?(.*)", base).groups()
    items = re.findall(r"([+-]?)(\d+)(MO|[YWDHMS])", offsets)
    sign, known = 1, []
    for mark, amount, of in items:
        sign = {"+": 1, "-": -1, "": sign}[mark]
        known.append((sign * int(amount), of))
    return unit, bracket, known


def zone_of(base, zone):
    bracket = parsed(base)[1]
    if not bracket:
        return zone
    sign, hours, minutes = re.fullmatch(r"\[([+-])(\d\d):(\d\d)\]", bracket).groups()
    return timezone((1 if sign == "+" else -1) * timedelta(hours=int(hours), minutes=int(minutes)))


def base_at(base, at, zone):
    """(instant, local time) of a base that is evaluated at an instant."""
    unit, _, offsets = parsed(base)
    on_clock = unit in UNITS
    local = local_of(at, zone)
    if on_clock:
        local = start_of(local, unit)
    elif unit == "H":
        # With the offset of the instant itself, so that an hour that comes twice has two starts.
        at -= timedelta(minutes=local.minute, seconds=local.second)
        local = local.replace(minute=0, second=0)
        if local_of(at, zone) != local:
            at = instant(local, zone)
    for amount, of in offsets:
        if of in SECONDS and not on_clock:
            at += timedelta(seconds=amount * SECONDS[of])
            local = local_of(at, zone)
            continue
        on_clock = True
        local = local + timedelta(seconds=amount * SECONDS[of]) if of in SECONDS else moved(local, amount, of)
    return (instant(local, zone) if on_clock else at), local


def period_of(interval):
    """(months, days, seconds)"""
    months = days = seconds = 0
    for amount, of in re.findall(r"(\d+)(MO|[YWDHMS])", interval):
        months += int(amount) * MONTHS.get(of, 0)
        days += int(amount) * DAYS.get(of, 0)
        seconds += int(amount) * SECONDS.get(of, 0)
    return months, days, seconds


def bound(grid, k):
    (at, local), (months, days, seconds), zone = grid
    if k != 0 and (months or days):
        at = instant(add_months(local, months * k) + timedelta(days=days * k), zone)
    return at + timedelta(seconds=seconds * k)


def walk(grid, start, end):
    """All bounds from the last one at or before the start on, until one that is not before the end."""
    months, days, seconds = grid[1]
    length = (months * 30.436875 + days) * 86400 + seconds
    k = int((start - grid[0][0]).total_seconds() // length) - 5
    bounds = [bound(grid, k)]
    while bounds[-1] < end:
        k += 1
        if bound(grid, k) > bounds[-1]:
            bounds.append(bound(grid, k))
    return [at for at, after in zip(bounds, bounds[1:]) if after > start] + bounds[-1:]


def range_bounds(base, interval, zone, start, end):
    own = zone_of(base, zone)
    return walk((base_at(base, start, own), period_of(interval), own), start, end)


def restart_of(base, interval):
    """The unit with which the intervals of programs begin anew, and how many of them it has at most."""
    months, days, seconds = period_of(interval)
    unit = parsed(base)[0]
    for one in UNITS[UNITS.index(unit) if unit in UNITS else 0 :]:
        if seconds and not months and not days and ((7 if one == "W" else 1) * 86400) % seconds == 0:
            return one, sys.maxsize
        if days and not months and not seconds and one in DAYS and DAYS[one] % days == 0:
            return one, DAYS[one] // days
        if months and not days and not seconds and one in MONTHS and MONTHS[one] % months == 0:
            return one, MONTHS[one] // months
    return None, 0


def lasting_bounds(base, interval, zone, start, end):
    own = zone_of(base, zone)
    unit, most = restart_of(base, interval)
    if unit is None:
        at_1970 = instant(datetime(1970, 1, 1), own)
        return walk((base_at(base, at_1970, own), period_of(interval), own), start, end)
    begins = start_of(local_of(start, own), unit)
    for _ in range(4):
        begins = moved(begins, -1, unit)
    bounds = []
    while not bounds or bounds[-1] < end:
        after = moved(begins, 1, unit)
        first, last = (base_at(base, instant(one, own), own) for one in (begins, after))
        grid = (first, period_of(interval), own)
        k = 0
        while bound(grid, k) < last[0] and k < most:
            if not bounds or bound(grid, k) > bounds[-1]:
                bounds.append(bound(grid, k))
            k += 1
        begins = after
    bounds.append(last[0])
    kept = [at for at, following in zip(bounds, bounds[1:]) if following > start]
    return [at for at in kept if at < end] + [next(at for at in bounds if at >= end)]


# ---- the table


def changes_of(zone):
    """Instants, 1970 to 2024, at which the offset changes."""
    found, at = [], datetime(1970, 1, 2, tzinfo=UTC)
    while at.year < LAST_YEAR:
        later = at + timedelta(days=1)
        if at.astimezone(zone).utcoffset() != later.astimezone(zone).utcoffset():
            low, high = 0, 86400
            while high - low > 1:
                middle = (low + high) // 2
                same = (at + timedelta(seconds=middle)).astimezone(zone).utcoffset() == at.astimezone(zone).utcoffset()
                low, high = (middle, high) if same else (low, middle)
            found.append(at + timedelta(seconds=high))
        at = later
    return [at for at in found if at.year < LAST_YEAR]


def touches_midnight(at, zone):
    before, after = (local_of(at + timedelta(seconds=by), zone) for by in (-1, 0))
    low, high = sorted([before + timedelta(seconds=1), after])
    return (datetime(high.year, high.month, high.day)) >= low


def shown(at):
    return at.strftime("%Y-%m-%dT%H:%M:%SZ").replace(":00Z", "Z")


def main(seed=29, cases=6):
    pick = random.Random(seed)
    print("kind,zone,base,interval,start,end,bounds: the first one and the minutes to each next one")
    for name in ZONES:
        zone = ZoneInfo(name)
        changes = changes_of(zone)
        midnights = [at for at in changes if touches_midnight(at, zone)]
        chosen = set(midnights[-3:] + changes[-2:]) | set(pick.sample(changes, min(len(changes), 2)))
        for at in sorted(chosen)[-CHANGES:] or [datetime(2024, 3, 31, tzinfo=UTC)]:
            for n in range(cases):
                base, interval = pick.choice(BASES), pick.choice(INTERVALS)
                start = at + timedelta(minutes=pick.choice([0, 0, pick.randint(-2000, 2000), pick.randint(-90, 90)]))
                start += timedelta(seconds=pick.choice([0, 0, -1, 1]))
                months, days, seconds = period_of(interval)
                length = (months * 30.436875 + days) * 86400 + seconds
                end = start + timedelta(seconds=int(length * pick.choice([1, 2.5, 4])))
                for kind, bounds_of in (("range", range_bounds), ("lasting", lasting_bounds)):
                    bounds = bounds_of(base, interval, zone, start, end)
                    if bounds[-1].year >= LAST_YEAR:
                        continue
                    steps = [f"{(b - a).total_seconds() / 60:g}" for a, b in zip(bounds, bounds[1:])]
                    print(",".join([kind, name, base, interval, shown(start), shown(end), shown(bounds[0])] + [" ".join(steps)]))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
