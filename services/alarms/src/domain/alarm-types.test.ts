import { alarmWord, chosenAlarmTypes, parseAlarmTypes } from './alarm-types.ts';

test.each([
  ['', undefined],
  ['stateAlarm', ['stateAlarm']],
  [' StateAlarm , QUALITYALARM', ['stateAlarm', 'qualityAlarm']],
  ['dataAlarm', ['dataAlarm']],
])('alarmTypes=%s', (text, types) => {
  expect(parseAlarmTypes(text)).toEqual(types);
});

test.each(['state', 'stateAlarm,', ',', 'stateAlarm;dataAlarm', 'constructor'])('refuses alarmTypes=%s', (text) => {
  expect(() => parseAlarmTypes(text)).toThrow(/^alarmTypes: must be one or more of/);
});

test('the default is all that the node has; a type that it lacks is refused', () => {
  expect(chosenAlarmTypes(undefined, 'point.NumberPoint')).toEqual(['qualityAlarm', 'stateAlarm']);
  expect(() => chosenAlarmTypes(['dataAlarm'], 'point.NumberPoint')).toThrow('alarmTypes: the node has no dataAlarm');
  expect(() => chosenAlarmTypes(undefined, 'Group')).toThrow('must be of a Location, source or parameter');
});

test('the word of a type in event texts', () => {
  expect(alarmWord('stateAlarm')).toBe('STATE');
  expect(alarmWord('communicationsAlarm')).toBe('COMMUNICATIONS');
});
