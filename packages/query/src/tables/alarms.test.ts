import { alarmTypesOf } from './alarms.ts';

const SOURCE = ['communicationsAlarm', 'configurationAlarm', 'dataAlarm', 'outdatedAlarm', 'overloadAlarm'];

test.each([
  ['location.Location', ['qualityAlarm', 'stateAlarm']],
  ['point.NumberPoint', ['qualityAlarm', 'stateAlarm']],
  ['point.TextControlPoint', ['controlAlarm', 'qualityAlarm', 'stateAlarm']],
  ['point.NumberProcessPoint', ['processAlarm', 'qualityAlarm', 'stateAlarm']],
  ['point.NumberRatingPoint', ['processAlarm', 'qualityAlarm', 'stateAlarm']],
  ['source.data.Jts', SOURCE],
  ['source.attachment.AttachmentSource', SOURCE],
  ['source.data.Processor', [...SOURCE, 'processAlarm']],
  ['Workspace', []],
  ['Attachment', []],
])('alarms of %s', (nodeClass, types) => {
  expect(alarmTypesOf(nodeClass)).toEqual(types);
});
