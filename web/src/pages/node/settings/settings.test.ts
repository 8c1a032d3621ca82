import { type Field, fieldsOf } from '../../../ui/form/schema.ts';
import { bodyOf, documentOf } from './body.ts';
import { grouped, isShown } from './groups.ts';

const HIGH = { _id: '1', name: 'HIGH', threshold: 5 };
const LOW = { _id: '0', name: 'LOW', threshold: 1 };

test.each([
  [
    'one has changed: each by its id, in the places of the form',
    [LOW, { ...HIGH, threshold: 6 }],
    [LOW, { _id: '1', name: 'HIGH', threshold: 6 }],
  ],
  [
    'one is new: the whole list without ids',
    [LOW, HIGH, { name: 'TOP', threshold: 9 }],
    [
      { name: 'LOW', threshold: 1 },
      { name: 'HIGH', threshold: 5 },
      { name: 'TOP', threshold: 9 },
    ],
  ],
  ['one is gone: the whole list without ids', [LOW], [{ name: 'LOW', threshold: 1 }]],
  [
    'they stand in another order: the whole list without ids',
    [HIGH, LOW],
    [
      { name: 'HIGH', threshold: 5 },
      { name: 'LOW', threshold: 1 },
    ],
  ],
  ['all are taken away', null, null],
])('of states is sent, where %s', (_what, states, expected) => {
  expect(bodyOf({ states }, { states: [LOW, HIGH] })).toEqual({ states: expected });
});

test('of alarms is sent what is different, and of a node what a form knows', () => {
  const base = { alarms: { a: { config: { isEnabled: true, notify: 'NEVER' } }, b: { config: {} } } };
  const alarms = { a: { config: { isEnabled: false, notify: 'NEVER' } }, b: { config: {} } };
  expect(bodyOf({ alarms }, base)).toEqual({ alarms: { a: { config: { isEnabled: false } } } });
  const fields = fieldsOf({ type: 'object', properties: { name: { type: 'string' }, units: { type: 'string' } } }, {});
  expect(documentOf({ name: 'Gauge', currentValue: 5 }, fields)).toEqual({ name: 'Gauge', units: null });
});

test('each attribute stands in one group, those that nobody knows in the last', () => {
  const field = (name: string) => ({ name }) as Field;
  const groups = grouped(['alarms', 'unitId', 'name', 'units'].map(field));
  expect(groups.map(({ group, fields }) => [group, ...fields.map(({ name }) => name)])).toEqual([
    ['general', 'name'],
    ['data', 'units'],
    ['states', 'alarms'],
    ['other', 'unitId'],
  ]);
});

test.each([
  ['alarms.dataAlarm.config.categoryId', { notify: 'NEVER' }, false],
  ['alarms.dataAlarm.config.categoryId', { notify: 'ALWAYS' }, true],
  ['states[1].categoryId', {}, false],
  ['states[1]._id', {}, false],
  ['controlValueMinimum', { controlValueRestriction: 'RANGE' }, true],
  ['controlValueMinimum', { controlValueRestriction: 'NONE' }, false],
  ['intervalSeconds', { scheduleType: 'SERVER' }, true],
  ['intervalSeconds', { scheduleType: 'REMOTE' }, false],
  ['chart.aggregation.type', { mode: 'AUTOMATIC' }, false],
  ['chart.aggregation.interval', { mode: 'CUSTOM', period: 'FIXED' }, true],
  ['chart.lineStyle', { _class: 'io.svc.models.node.point.chart.LineChart' }, true],
  ['chart.lineStyle', { _class: 'io.svc.models.node.point.chart.ColumnChart' }, false],
  ['chart.groupType', { _class: 'io.svc.models.node.point.chart.LineChart' }, false],
  ['chart.groupType', { _class: 'io.svc.models.node.point.chart.ColumnChart' }, true],
  ['chart.lineWidth', { _class: 'io.svc.models.node.point.chart.ColumnChart' }, true],
  ['links[0].chart.groupType', {}, true],
  ['links[0].chart.groupType', { _class: 'io.svc.models.node.point.chart.LineChart' }, false],
  ['lineType', { _class: 'io.svc.models.node.chart.Displacement' }, true],
  ['mapLayers[0].type', {}, true],
  ['yAxes[0].minimum', { range: 'LINEAR_AUTOMATIC' }, false],
])('%s beside %j is shown: %s', (path, siblings, expected) => {
  expect(isShown(path, siblings)).toBe(expected);
});
