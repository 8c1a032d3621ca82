import { choices } from '../argument.ts';

/** See docs/reference/alarms.md#alarm-object. */
export const ALARM_TYPES = [
  'communicationsAlarm',
  'configurationAlarm',
  'controlAlarm',
  'dataAlarm',
  'outdatedAlarm',
  'overloadAlarm',
  'processAlarm',
  'qualityAlarm',
  'stateAlarm',
] as const;

/** Which alarms of a node are acknowledged or cleared; absent = all. */
export const ALARM_CHOICE = {
  alarmTypes: choices({ about: 'Default: all.', example: 'stateAlarm' }, ALARM_TYPES),
};
