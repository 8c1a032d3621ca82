import { type AlarmConfig, type NodeConfig, ValueType } from '@catchment/contracts/nodes';
import { transformOf } from '@catchment/equation';
import { type AlarmType, hasAlarm, isOnByDefault } from '@catchment/query';
import { STATES_TYPES } from '@catchment/states';
import type { SeriesRules } from './series.ts';

/** A source that was stored without a limit has this one. */
const DEFAULT_QUIET_SECONDS = 86_400;

/** Alarms need this of a node. */
export type Node = {
  readonly nodeId: string;
  readonly ownerId: string;
  readonly workspaceId: string;
  readonly sourceId: string;
  readonly nodeClass: string;
  readonly revision: number;
  /** Absent when the node is no series that has states. */
  readonly rules: SeriesRules | undefined;
  /** Sources only. */
  readonly isEnabled: boolean | undefined;
  /** The platform acquires from the source by its own schedule. */
  readonly isScheduled: boolean;
  /** Sources may bring nothing this long. */
  readonly quietMaxMs: number;
  /** Somebody configured these alarms. */
  readonly alarms: ReadonlyMap<AlarmType, AlarmConfig>;
};

/** Says how much work a series is for the evaluator: `evaluated` each record, `normal` has no state but NORMAL, `none` not even that. */
export type SeriesKind = 'none' | 'normal' | 'evaluated';

export function toNode(config: NodeConfig): Node {
  return {
    nodeId: config.nodeId,
    ownerId: config.ownerId,
    workspaceId: config.workspaceId,
    sourceId: config.sourceId,
    nodeClass: config.class,
    revision: config.revision,
    rules: rulesOf(config),
    isEnabled: config.source?.isEnabled,
    isScheduled: config.source?.scheduleType === 'SERVER',
    quietMaxMs: (config.source?.quietMaxSeconds || DEFAULT_QUIET_SECONDS) * 1_000,
    alarms: new Map(config.alarms.map((alarm) => [alarm.type as AlarmType, alarm])),
  };
}

/** Returns whether the node has the alarm and its settings let it be raised; whether its source is enabled is another matter. */
export const isAlarmOn = (node: Node, type: AlarmType): boolean =>
  hasAlarm(node.nodeClass, type) &&
  (node.alarms.get(type)?.isEnabled ?? isOnByDefault(type)) &&
  // A schedule of ours has communicationsAlarm instead.
  (type !== 'outdatedAlarm' || !node.isScheduled);

export function seriesKind(node: Node): SeriesKind {
  const { rules } = node;
  if (isAlarmOn(node, 'qualityAlarm')) return 'evaluated';
  if (!rules) return 'none';
  return rules.statesType === 'RANGE' && rules.states.length === 1 ? 'normal' : 'evaluated';
}

function rulesOf({ series }: NodeConfig): SeriesRules | undefined {
  const statesType = STATES_TYPES.find((known) => known === series?.statesType);
  if (!series || !statesType || series.states.length === 0) return undefined;
  const { valueType, states, hysteresis } = series;
  if (valueType !== ValueType.VALUE_TYPE_NUMBER && valueType !== ValueType.VALUE_TYPE_TEXT) return undefined;
  return { statesType, states, hysteresis, transform: transformOf(series) };
}

/** True when values may fall into other states than before. */
export function matchesDifferently(before: SeriesRules | undefined, after: SeriesRules | undefined): boolean {
  const essence = (rules: SeriesRules | undefined) =>
    rules && [
      [rules.statesType, rules.transform.key, rules.hysteresis],
      rules.states.map((state) => [state.stateId, state.name, state.threshold, state.textThreshold, state.occurrences]),
    ];
  return JSON.stringify(essence(before)) !== JSON.stringify(essence(after));
}

/** True when a state is an alarm that was none, or is none any more. */
export function alarmsDifferently(before: SeriesRules | undefined, after: SeriesRules | undefined): boolean {
  const alarming = (rules: SeriesRules | undefined) =>
    rules?.states.flatMap(({ stateId, isAlarm }) => (isAlarm ? [stateId] : [])).join(' ') ?? '';
  return alarming(before) !== alarming(after);
}

/** True when records may have a quality that is an alarm, and was none, or is none any more. */
export function gradesDifferently(before: Node | undefined, after: Node): boolean {
  const graded = (node: Node | undefined) =>
    node && isAlarmOn(node, 'qualityAlarm')
      ? [...(node.alarms.get('qualityAlarm')?.qualityTypes ?? [])].sort().join(' ')
      : '';
  return graded(before) !== graded(after);
}
