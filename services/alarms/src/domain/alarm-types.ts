import { invalid } from '@catchment/errors';
import { ALARM_CHOICE, argumentReader } from '@catchment/query';
import type { AlarmType } from './alarm.ts';

const SOURCE: readonly AlarmType[] = [
  'communicationsAlarm',
  'configurationAlarm',
  'dataAlarm',
  'outdatedAlarm',
  'overloadAlarm',
];

/**
 * The alarms of a node by its class (docs/reference/alarms.md#alarm-object), without the installation's prefix; empty for a
 * node that is neither Location, source nor parameter.
 */
export function alarmTypesOf(nodeClass: string): readonly AlarmType[] {
  if (nodeClass === 'location.Location') return ['qualityAlarm', 'stateAlarm'];
  if (nodeClass === 'source.data.Processor') return [...SOURCE, 'processAlarm'];
  if (nodeClass.startsWith('source.')) return SOURCE;
  if (!nodeClass.startsWith('point.')) return [];
  if (/(Process|Rating)Point$/.test(nodeClass)) return ['processAlarm', 'qualityAlarm', 'stateAlarm'];
  if (nodeClass.endsWith('ControlPoint')) return ['controlAlarm', 'qualityAlarm', 'stateAlarm'];
  return ['qualityAlarm', 'stateAlarm'];
}

/**
 * The names in an `alarmTypes` argument; undefined = all.
 * @throws DomainError invalid_argument for an unknown one
 */
export const parseAlarmTypes = (alarmTypes: string): readonly AlarmType[] | undefined =>
  argumentReader(ALARM_CHOICE, { alarmTypes })('alarmTypes');

/**
 * The alarms of a node that a request is about (docs/reference/alarms.md#acknowledge-and-clear).
 * @throws DomainError invalid_argument for the wrong kind of node and for a type that it lacks
 */
export function chosenAlarmTypes(asked: readonly AlarmType[] | undefined, nodeClass: string): readonly AlarmType[] {
  const supported = alarmTypesOf(nodeClass);
  if (supported.length === 0) throw invalid('WRONG_NODE_KIND', 'id: must be of a Location, source or parameter');
  const missing = asked?.find((type) => !supported.includes(type));
  if (missing) throw invalid('ALARM_NOT_SUPPORTED', `alarmTypes: the node has no ${missing}`);
  return [...new Set(asked ?? supported)].sort();
}

/** `stateAlarm` as the word in event texts: `STATE`. */
export const alarmWord = (type: AlarmType): string => type.replace(/Alarm$/, '').toUpperCase();
