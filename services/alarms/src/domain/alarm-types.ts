import { invalid } from '@catchment/errors';
import { ALARM_CHOICE, ALARM_TYPES, type AlarmType, alarmTypesOf, argumentReader } from '@catchment/query';
import type { Alarm } from './alarm.ts';
import { type Acquired, dataFinding, overloadFinding } from './conditions/acquisition.ts';
import type { Finding } from './conditions/finding.ts';
import { processFinding, type Run } from './conditions/run.ts';
import { type Stepped, stateFinding } from './conditions/state-step.ts';
import type { Node } from './node.ts';

/** What may happen to a node that bears on its alarms. */
export type Occurrence = Acquired | Run | Stepped;

type Conditions = {
  readonly [O in Occurrence as O['kind']]?: (occurrence: O, before: Alarm) => Finding | undefined;
};

export type AlarmRule = {
  /** Of the event about it. */
  readonly eventType: 'ACQUISITION' | 'CONFIGURATION' | 'CONTROL' | 'STATE';
  /** Text of the event when the condition is over, unless the condition says another one. */
  readonly cleared?: string;
  /** Whether the node's settings let it be raised; absent: always. */
  readonly isOn?: (node: Node) => boolean;
  /** What raises and clears it, by what happens; none: planned. */
  readonly conditions: Conditions;
};

/**
 * Every alarm type (docs/reference/alarms.md#alarm-object, docs/reference/alarms.md#conditions,
 * docs/reference/alarms.md#events-and-texts). A new one is a row here, and its condition beside the others in
 * `conditions/`; `hasAlarm` says which nodes have it.
 */
export const ALARM_RULES: Readonly<Record<AlarmType, AlarmRule>> = {
  communicationsAlarm: {
    eventType: 'ACQUISITION',
    cleared: 'Communications restored',
    conditions: {},
  },
  configurationAlarm: {
    eventType: 'CONFIGURATION',
    cleared: 'Configuration recovered',
    conditions: {},
  },
  controlAlarm: { eventType: 'CONTROL', cleared: 'Control recovered', conditions: {} },
  dataAlarm: {
    eventType: 'ACQUISITION',
    cleared: 'Data valid',
    isOn: (node) => node.hasDataAlarm,
    conditions: { acquisition: dataFinding },
  },
  outdatedAlarm: { eventType: 'ACQUISITION', conditions: {} },
  overloadAlarm: {
    eventType: 'ACQUISITION',
    cleared: 'Overload cleared',
    conditions: { acquisition: overloadFinding },
  },
  processAlarm: {
    eventType: 'ACQUISITION',
    cleared: 'Process recovered',
    isOn: (node) => node.hasProcessAlarm,
    conditions: { run: processFinding },
  },
  qualityAlarm: { eventType: 'ACQUISITION', conditions: {} },
  stateAlarm: { eventType: 'STATE', conditions: { step: stateFinding } },
};

/** The alarms that something of this kind may raise or clear. */
export const alarmTypesOn = (kind: Occurrence['kind']): readonly AlarmType[] =>
  ALARM_TYPES.filter((type) => ALARM_RULES[type].conditions[kind]);

/** Alarms that a change of the configuration switches off. */
export const switchedOff = (before: Node | undefined, after: Node): AlarmType[] =>
  ALARM_TYPES.filter((type) => {
    const { isOn } = ALARM_RULES[type];
    return before !== undefined && isOn?.(before) === true && !isOn(after);
  });

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
  if (supported.length === 0) throw invalid('NODE_KIND', 'id: must be of a Location, source or parameter');
  const missing = asked?.find((type) => !supported.includes(type));
  if (missing) throw invalid('ALARM_NOT_SUPPORTED', `alarmTypes: the node has no ${missing}`);
  return [...new Set(asked ?? supported)].sort();
}

/** `stateAlarm` as the word in event texts: `STATE`. */
export const alarmWord = (type: AlarmType): string => type.replace(/Alarm$/, '').toUpperCase();
