import type { Alarm } from '../../data/alarms/alarms.ts';
import { ALL, argumentsOf, filterOf, isFiltered, takes } from './alarm-filter.ts';

const TYPES = ['stateAlarm', 'qualityAlarm'];
const alarm = (more: object) =>
  ({
    nodeId: 'n',
    path: '/a/b',
    alarmType: 'stateAlarm',
    alarmState: 'ACTIVE',
    ...more,
  }) as Alarm;

test('an address says which alarms are shown, and what nobody knows is left out', () => {
  const query = { state: 'ACTIVE', type: 'stateAlarm', mine: 'true' };
  expect(argumentsOf(filterOf(query, TYPES))).toEqual(query);
  expect(filterOf({ state: 'active' }, TYPES)).toMatchObject({ state: 'ACTIVE' });
  expect(filterOf({ state: 'CLEARED', type: 'fireAlarm', mine: '1' }, TYPES)).toEqual(ALL);
  expect([isFiltered(ALL), isFiltered(filterOf(query, TYPES))]).toEqual([false, true]);
});

test.each([
  [{ state: 'ACTIVE' }, {}, true],
  [{ state: 'ACKNOWLEDGED' }, {}, false],
  [{ type: 'qualityAlarm' }, {}, false],
  [{ mine: 'true' }, { alarmState: 'ACKNOWLEDGED', acknowledgeUsername: 'me' }, true],
  [{ mine: 'true' }, { alarmState: 'ACKNOWLEDGED', acknowledgeUsername: 'other' }, false],
])('the filter %j takes an alarm that is %j: %s', (query, more, expected) => {
  expect(takes(filterOf(query, TYPES), alarm(more), 'me')).toBe(expected);
});
