import { invalid } from '@catchment/errors';
import { ALARM_CHOICE, ALARM_TYPES, type AlarmType, alarmTypesOf, argumentReader } from '@catchment/query';
import type { Alarm } from './alarm.ts';
import { type Acquired, arrivalFinding, dataFinding, filesFinding, overloadFinding } from './conditions/acquisition.ts';
import { type Attempted, type AttemptKind, attemptFinding } from './conditions/attempt.ts';
import type { Finding } from './conditions/finding.ts';
import { type Looked, outdatedFinding } from './conditions/outdated.ts';
import { type Graded, qualityFinding } from './conditions/quality.ts';
import { judgedFinding, type StateJudged } from './conditions/state-judged.ts';
import { type Stepped, stateFinding } from './conditions/state-step.ts';
import { isAlarmOn, type Node } from './node.ts';

/** An occurrence at a node may change its alarms. */
export type Occurrence =
  | Acquired
  | Graded
  | Looked
  | StateJudged
  | Stepped
  | { [K in AttemptKind]: Attempted<K> }[AttemptKind];

type Conditions = {
  readonly [O in Occurrence as O['kind']]?: (occurrence: O, before: Alarm, node: Node) => Finding | undefined;
};

export type AlarmRule = {
  /** The event about the alarm has this type. */
  readonly eventType: 'ACQUISITION' | 'CONFIGURATION' | 'CONTROL' | 'STATE';
  /** The event has this text when the condition is over, unless the condition gives another. */
  readonly cleared?: string;
  /** These rules raise and clear the alarm, by the kind of occurrence. */
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
    conditions: { session: attemptFinding('Communications'), acquisition: arrivalFinding },
  },
  configurationAlarm: {
    eventType: 'CONFIGURATION',
    cleared: 'Configuration recovered',
    conditions: { configuration: attemptFinding('Configuration') },
  },
  controlAlarm: {
    eventType: 'CONTROL',
    cleared: 'Control recovered',
    conditions: { control: attemptFinding('Control') },
  },
  dataAlarm: { eventType: 'ACQUISITION', cleared: 'Data valid', conditions: { acquisition: dataFinding } },
  outdatedAlarm: { eventType: 'ACQUISITION', conditions: { looked: outdatedFinding } },
  overloadAlarm: {
    eventType: 'ACQUISITION',
    cleared: 'Overload cleared',
    conditions: { acquisition: overloadFinding, files: filesFinding },
  },
  processAlarm: {
    eventType: 'ACQUISITION',
    cleared: 'Process recovered',
    conditions: { run: attemptFinding('Process') },
  },
  qualityAlarm: { eventType: 'ACQUISITION', conditions: { graded: qualityFinding } },
  stateAlarm: { eventType: 'STATE', conditions: { step: stateFinding, judged: judgedFinding } },
};

/** Returns the alarms that something of this kind may raise or clear. */
export const alarmTypesOn = (kind: Occurrence['kind']): readonly AlarmType[] => TYPES_ON[kind];

const typesOn = (kind: Occurrence['kind']) => ALARM_TYPES.filter((type) => ALARM_RULES[type].conditions[kind]);
const TYPES_ON: Readonly<Record<Occurrence['kind'], readonly AlarmType[]>> = {
  acquisition: typesOn('acquisition'),
  configuration: typesOn('configuration'),
  control: typesOn('control'),
  files: typesOn('files'),
  graded: typesOn('graded'),
  judged: typesOn('judged'),
  looked: typesOn('looked'),
  run: typesOn('run'),
  session: typesOn('session'),
  step: typesOn('step'),
};

/** Returns alarms that a change of the configuration switches off. */
export const switchedOff = (before: Node | undefined, after: Node): AlarmType[] =>
  ALARM_TYPES.filter((type) => before !== undefined && isAlarmOn(before, type) && !isAlarmOn(after, type));

/**
 * Returns the names in an `alarmTypes` argument; undefined = all.
 * @throws DomainError invalid_argument for an unknown one
 */
export const parseAlarmTypes = (alarmTypes: string): readonly AlarmType[] | undefined =>
  argumentReader(ALARM_CHOICE, { alarmTypes })('alarmTypes');

/**
 * Returns the alarms of a node that a request is about (docs/reference/alarms.md#acknowledge-and-clear).
 * @throws DomainError invalid_argument for the wrong kind of node and for a type that it lacks
 */
export function chosenAlarmTypes(asked: readonly AlarmType[] | undefined, nodeClass: string): readonly AlarmType[] {
  const supported = alarmTypesOf(nodeClass);
  if (supported.length === 0) throw invalid('NODE_KIND', 'id: must be of a Location, source or parameter');
  const missing = asked?.find((type) => !supported.includes(type));
  if (missing) throw invalid('ALARM_NOT_SUPPORTED', `alarmTypes: the node has no ${missing}`);
  return [...new Set(asked ?? supported)].sort();
}

/** Event texts call `stateAlarm` `STATE`. */
export const alarmWord = (type: AlarmType): string => type.replace(/Alarm$/, '').toUpperCase();
