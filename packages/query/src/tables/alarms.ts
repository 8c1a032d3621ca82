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

export type AlarmType = (typeof ALARM_TYPES)[number];

const isSource = (nodeClass: string) => nodeClass.startsWith('source.');
const isSeries = (nodeClass: string) => nodeClass === 'location.Location' || nodeClass.startsWith('point.');
const isControl = (nodeClass: string) => /^point\..*ControlPoint$/.test(nodeClass);
const isComputed = (nodeClass: string) =>
  nodeClass === 'source.data.Processor' || /^point\..*(Process|Rating)Point$/.test(nodeClass);

const HAS_ALARM: Readonly<Record<AlarmType, (nodeClass: string) => boolean>> = {
  communicationsAlarm: isSource,
  configurationAlarm: isSource,
  controlAlarm: isControl,
  dataAlarm: isSource,
  outdatedAlarm: isSource,
  overloadAlarm: isSource,
  processAlarm: isComputed,
  qualityAlarm: isSeries,
  stateAlarm: isSeries,
};

/** @param nodeClass without the installation's prefix: `point.NumberPoint` */
export const hasAlarm = (nodeClass: string, type: AlarmType): boolean => HAS_ALARM[type](nodeClass);

/** Whether an alarm is enabled as long as nobody has configured it. */
export const isOnByDefault = (type: AlarmType): boolean => type !== 'outdatedAlarm' && type !== 'qualityAlarm';

/** In the order in which they are shown; empty for a node that is neither Location, source nor parameter. */
export const alarmTypesOf = (nodeClass: string): readonly AlarmType[] =>
  ALARM_TYPES.filter((type) => hasAlarm(nodeClass, type));

/** Which alarms of a node are acknowledged or cleared; absent = all. */
export const ALARM_CHOICE = {
  alarmTypes: choices({ about: 'Default: all.', example: 'stateAlarm' }, ALARM_TYPES),
};
