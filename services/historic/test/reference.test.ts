// The tables of pure rules in docs/reference are held against the code that carries the rules out.
import { transformOf, UNTRANSFORMED } from '@catchment/equation';
import { formatNumber, parseNumberPattern } from '@catchment/number-format';
import { matchState, nextState, type State, type StatesConfig } from '@catchment/states';
import { referenceRows } from '@catchment/testkit';
import {
  addPeriod,
  effectiveZone,
  evaluateOpc,
  formatIsoMs,
  formatTime,
  gridAt,
  lastingIntervals,
  parseOpc,
  parsePeriod,
  tryParseInstantMs,
  UTC_ZONE,
  wallTimeOf,
} from '@catchment/time';
import { intervalBounds } from '../src/aggregates/domain/interval-bounds.ts';

const REFUSED = 'refused';

const utcMs = (text: string): number => Date.parse(text);
const shown = (ms: number | undefined): string => (ms === undefined ? REFUSED : formatIsoMs(ms));

describe('time.md', () => {
  test.each(referenceRows('time.md', '| text | instant |'))('the timestamp %s is %s', (text, instant) => {
    expect(shown(tryParseInstantMs(text, { zone: UTC_ZONE }))).toBe(instant);
  });

  const records = { firstMs: utcMs('2020-02-29T00:00:00Z'), lastMs: utcMs('2024-05-10T12:00:00Z') };
  test.each(referenceRows('time.md', '| expression | result |'))('the relative time %s is %s', (text, result) => {
    const expression = parseOpc(text);
    const context = { nowMs: utcMs('2024-05-15T10:47:23.456Z'), ...records };
    expect(shown(expression && evaluateOpc(expression, context))).toBe(result);
  });

  test.each(referenceRows('time.md', '| start | interval | result |'))('%s and %s is %s', (start, interval, result) => {
    const period = parsePeriod(interval);
    if (!period) throw new Error(`no interval: ${interval}`);
    expect(shown(addPeriod(wallTimeOf(utcMs(start), UTC_ZONE), period, UTC_ZONE, 1))).toBe(`${result}T00:00:00.000Z`);
  });

  test.each(referenceRows('time.md', '| unit | tokens | printed |'))('%s: %s prints %s', (_unit, tokens, printed) => {
    expect(formatTime(utcMs('2024-05-05T13:07:09.045Z'), tokens)).toBe(printed);
  });
});

test.each(referenceRows('parameters.md', '| pattern | 1234.5678 | 0.5 | 2 | -7.25 |'))(
  'parameters.md: the number pattern %s',
  (text, ...expected) => {
    const pattern = parseNumberPattern(text);
    if (!pattern) throw new Error(`no pattern: ${text}`);
    expect([1234.5678, 0.5, 2, -7.25].map((value) => formatNumber(value, pattern))).toEqual(expected);
  },
);

describe('states.md', () => {
  const state = (name: string, threshold?: number | string, occurrences = 1): State => ({
    stateId: name,
    name,
    ...(typeof threshold === 'number' && { threshold }),
    ...(typeof threshold === 'string' && { textThreshold: threshold }),
    occurrences,
    isAlarm: false,
  });

  const texts: StatesConfig = {
    statesType: 'DISCRETE',
    states: [state('FAULT', 'err'), state('PUMP', '/^pump [0-9]+$/')],
    hysteresis: 0,
  };
  test.each(referenceRows('states.md', '| value | state |'))('the text «%s» is %s', (text, name) => {
    expect(matchState(texts, text)?.name ?? '–').toBe(name);
  });

  const levels: StatesConfig = {
    statesType: 'RANGE',
    states: [state('LOW', 20), state('NORMAL'), state('HIGH', 50), state('CRITICAL', 100, 2)],
    hysteresis: 2,
  };
  test.each(referenceRows('states.md', '| values | states |'))('the values %s go through %s', (values, names) => {
    const history: number[] = [];
    let current: State | undefined;
    const gone = values.split(',').map((value) => {
      history.push(Number(value));
      current = nextState(levels, current?.stateId, history, (value) => matchState(levels, value));
      return current?.name;
    });
    expect(gone.join(', ')).toBe(names);
  });
});

const INTERVALS = '| base | interval | zone | from | to | intervalInclude | starts of the intervals |';
test.each(referenceRows('aggregates.md', INTERVALS))(
  'aggregates.md: base %s, interval %s in %s, %s to %s, %s',
  (base, interval, zoneName, from, to, include, starts) => {
    const [startMs, endMs] = [utcMs(from), utcMs(to)];
    const zone = effectiveZone(zoneName, true, startMs);
    const [expression, period] = [parseOpc(base), parsePeriod(interval)];
    if (!expression || !period) throw new Error(`no base or interval: ${base}, ${interval}`);
    const grid = gridAt({ base: expression, period, zone }, startMs);
    const range = { startMs, endMs, limit: undefined, nowMs: utcMs('2026-01-01T00:00:00Z') };
    const bounds = intervalBounds(grid, range, include === 'COMPLETE').slice(0, -1);
    expect(bounds.map(shown)).toEqual(starts.split(', ').map((start) => shown(utcMs(start))));
  },
);

test.each(referenceRows('aggregates.md', '| base | interval | zone | time | interval from | to |'))(
  'aggregates.md: in a program, base %s and interval %s in %s at %s is from %s to %s',
  (base, interval, zoneName, time, from, to) => {
    const [expression, period, timeMs] = [parseOpc(base), parsePeriod(interval), utcMs(time)];
    if (!expression || !period) throw new Error(`no base or interval: ${base}, ${interval}`);
    const { startMs, endMs } = lastingIntervals({
      base: expression,
      period,
      zone: effectiveZone(zoneName, true, timeMs),
    }).at(timeMs);
    expect([shown(startMs), shown(endMs)]).toEqual([shown(utcMs(from)), shown(utcMs(to))]);
  },
);

test.each(referenceRows('parameters.md', '| equation | x | value |'))(
  'equation %s of %s is %s',
  (equation, x, value) => {
    const { apply } = transformOf({ ...UNTRANSFORMED, equation });
    expect(apply(Number(x))).toEqual(value === '–' ? Number.NaN : expect.closeTo(Number(value), 12));
  },
);
