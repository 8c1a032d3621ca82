import { changedBy, comparable, countsOf, fatesOf, isSameValue, returned } from './template-values.ts';

test.each([
  ['an attribute that is locked follows', { overrides: [] }, { units: 'm' }, { units: 'follows' }],
  ['one that instances have of their own is kept', { overrides: ['units'] }, { units: 'm' }, { units: 'kept' }],
  [
    'parts of the states are overridden with them',
    { overrides: ['states'] },
    { statesType: 'RANGE' },
    { statesType: 'kept' },
  ],
  ['an override that is taken away sets it back', { overrides: ['units'] }, { overrides: [] }, { units: 'reset' }],
  ['also where the value changes with it', { overrides: ['units'] }, { overrides: [], units: 'm' }, { units: 'reset' }],
  ['a new override keeps what was there', { overrides: [] }, { overrides: ['units'], units: 'm' }, { units: 'kept' }],
  ['one alone changes nothing', {}, { overrides: ['units'] }, { units: 'opened' }],
  ['what is each node’s own is left out', {}, { customId: 'x', isPublic: true }, {}],
])('%s', (_title, before, changes, fates) => {
  expect(Object.fromEntries(fatesOf({ before, changes, isRoot: false }))).toEqual(fates);
});

test('the name of an instance is its own, that of a node in it follows', () => {
  const asked = { before: {}, changes: { name: 'Other' } };
  expect(fatesOf({ ...asked, isRoot: true }).get('name')).toBe('kept');
  expect(fatesOf({ ...asked, isRoot: false }).get('name')).toBe('follows');
});

test('who has the new value already is not changed; who has another one keeps it where it is its own', () => {
  const given = { after: { units: 'm' }, nodes: [{ units: 'm' }, { units: 'ft' }, { units: 'cm' }] };
  expect(countsOf('units', 'reset', given)).toEqual({ changed: 2, kept: 0 });
  expect(countsOf('units', 'kept', given)).toEqual({ changed: 0, kept: 2 });
});

test('of alarms a body has only what changes: the others stay as they are', () => {
  const alarms = {
    dataAlarm: { config: { isEnabled: true } },
    outdatedAlarm: { config: { isEnabled: false, notify: 'NEVER' } },
  };
  const after = changedBy({ alarms }, { alarms: { outdatedAlarm: { config: { isEnabled: true } } } });
  expect(after.alarms).toEqual({
    dataAlarm: { config: { isEnabled: true } },
    outdatedAlarm: { config: { isEnabled: true, notify: 'NEVER' } },
  });
});

test('ids of parts, what is never shown, keys and the state of alarms make no difference; links lead into the instance', () => {
  const states = [{ _id: 'a', name: 'HIGH', threshold: 3 }];
  expect(
    isSameValue(comparable('states', states), comparable('states', [{ threshold: 3, name: 'HIGH', _id: 'b' }])),
  ).toBe(true);
  const transport = { _class: 't.Mqtt', key: 'soap-laugh-corn', password: '********' };
  expect(comparable('transport', transport)).toEqual({ _class: 't.Mqtt' });
  const alarms = { outdatedAlarm: { status: { alarmState: 'ACTIVE' }, config: { isEnabled: true } } };
  expect(returned('alarms', alarms, new Map())).toEqual({ outdatedAlarm: { config: { isEnabled: true } } });
  expect(returned('coordinateSourceId', 'of template', new Map([['of template', 'of instance']]))).toBe('of instance');
});
