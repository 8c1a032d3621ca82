import { choices, text, whole } from '../argument.ts';

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

/** Returns whether an alarm is enabled as long as nobody has configured it. */
export const isOnByDefault = (type: AlarmType): boolean => type !== 'outdatedAlarm' && type !== 'qualityAlarm';

/** Lists the alarms in the order in which they are shown; empty for a node that is neither Location, source nor parameter. */
export const alarmTypesOf = (nodeClass: string): readonly AlarmType[] =>
  ALARM_TYPES.filter((type) => hasAlarm(nodeClass, type));

/** The choice says which alarms of a node are acknowledged or cleared; absent = all. */
export const ALARM_CHOICE = {
  alarmTypes: choices({ about: 'Default: all.', example: 'stateAlarm' }, ALARM_TYPES),
};

/** States of alarms that somebody has to look at. */
export const RAISED_STATES = ['ACTIVE', 'ACKNOWLEDGED'] as const;
const ALARMS_PAGE = 100;

/** Asks for the alarms of an account that are raised, page by page (docs/reference/alarms.md#lists-of-alarms). */
export const ALARM_LIST = {
  state: choices({ about: 'Default: both.', example: 'ACTIVE' }, RAISED_STATES),
  type: choices({ about: 'Default: all.', example: 'stateAlarm' }, ALARM_TYPES),
  workspaceId: text({ about: 'Of this Workspace alone: its `_id`, or `@` and the customId.' }),
  nodeId: text({ about: 'Of this node and of all below it: its `_id`, or `@` and the customId.' }),
  limit: whole({ about: 'At most this many.' }, { min: 1, max: 1_000, absent: ALARMS_PAGE }),
  after: text({ about: 'Goes on after a page: its `next`.' }, { max: 200 }),
};
/** Alarms of one request that acknowledges or clears a list of them. */
export const ALARMS_MAX = 1_000;
