import { defaultStates } from '@catchment/states';
import type { Config } from '../../domain/classes/node.ts';
import { NO_EDGES } from './edges.ts';
import { NO_REPORT, shownOf } from './shown.ts';
import { isShownOtherwise, SHOWN_ATTRIBUTES } from './shown-attributes.ts';

test.each(['point.NumberPoint', 'point.TextPoint', 'source.data.Jts', 'location.Location'])(
  'what a %s shows depends on these attributes of its configuration alone',
  (name) => {
    const read = new Set<string | symbol>();
    const config = new Proxy({}, { get: (_config, attribute) => void read.add(attribute) });
    for (const value of [7, 'rain']) {
      const record = { ms: 1, value, quality: null };
      shownOf({ class: name, config, reported: NO_REPORT }, { ...NO_EDGES, current: record, oldest: record });
    }
    // Hysteresis is read with the states; a state that is matched by a value alone has none.
    read.delete('hysteresis');
    expect(SHOWN_ATTRIBUTES).toEqual(expect.arrayContaining([...read]));
  },
);

const {
  states: [NORMAL],
} = defaultStates('NUMBER', () => 'high');
const HIGH = { ...NORMAL!, threshold: 5 };
const REVERSED = Object.fromEntries(Object.entries(HIGH).reverse()) as typeof HIGH;
const STATES: Config = { statesType: 'RANGE', states: [HIGH] };

test.each<[string, Config, Config, boolean]>([
  ['another multiplier', { multiplier: 2 }, { multiplier: 3 }, true],
  ['an equation instead of both', { multiplier: 2 }, { multiplier: 2, equation: 'x^2' }, true],
  ['another threshold', STATES, { ...STATES, states: [{ ...HIGH, threshold: 6 }] }, true],
  ['the same states, written otherwise', STATES, { ...STATES, states: [REVERSED] }, false],
  ['a source that is disabled', {}, { isEnabled: false }, true],
  ['another schedule', { scheduleType: 'NONE' }, { scheduleType: 'SERVER' }, true],
  ['other units', { multiplier: 2 }, { multiplier: 2, units: 'mm' }, false],
])('%s: shown otherwise or not', (_what, before, after, expected) =>
  expect(isShownOtherwise(before, after)).toBe(expected),
);
