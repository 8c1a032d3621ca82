import { parseAttr, selectAttributes, selects } from './index.ts';

const NODE = {
  _id: 'x',
  name: 'Site',
  alarms: { stateAlarm: { status: { alarmState: 'ACTIVE', message: null } }, dataAlarm: {} },
  states: [{ name: 'LOW', threshold: 1 }, { name: 'NORMAL' }],
  tags: ['a', 'b'],
  currentValue: 0,
};

test.each([
  ['_id,name', '{"_id":"x","name":"Site"}'],
  ['name,_id', '{"name":"Site","_id":"x"}'],
  [' name , _id ', '{"name":"Site","_id":"x"}'],
  ['name,nothing', '{"name":"Site"}'],
  ['nothing', '{}'],
  ['', '{}'],
  [',,', '{}'],
  ['name.', '{}'],
  ['name.first', '{}'],
  ['alarms.stateAlarm.status.alarmState', '{"alarms":{"stateAlarm":{"status":{"alarmState":"ACTIVE"}}}}'],
  ['alarms.stateAlarm.status.message', '{"alarms":{"stateAlarm":{"status":{"message":null}}}}'],
  ['alarms.dataAlarm,alarms', JSON.stringify({ alarms: NODE.alarms })],
  ['alarms,alarms.dataAlarm', JSON.stringify({ alarms: NODE.alarms })],
  ['alarms.nothing', '{}'],
  ['states.name', '{"states":[{"name":"LOW"},{"name":"NORMAL"}]}'],
  ['states.threshold,states.name', '{"states":[{"threshold":1,"name":"LOW"},{"name":"NORMAL"}]}'],
  ['states.nothing', '{}'],
  ['tags', '{"tags":["a","b"]}'],
  ['tags.length', '{}'],
  ['currentValue', '{"currentValue":0}'],
  ['toString,constructor,__proto__', '{}'],
])('attr=%s selects %s', (attr, expected) => {
  expect(JSON.stringify(selectAttributes(NODE, parseAttr(attr)))).toBe(expected);
});

test.each([
  ['fileUrl', 'fileUrl', true],
  ['name', 'fileUrl', false],
  ['alarms', 'alarms.stateAlarm', true],
  ['alarms.stateAlarm', 'alarms', true],
  ['alarms.stateAlarm', 'alarms.dataAlarm', false],
])('attr=%s shows %s: %j', (attr, path, expected) => {
  expect(selects(parseAttr(attr), path)).toBe(expected);
  expect(selects(undefined, path)).toBe(true);
});
