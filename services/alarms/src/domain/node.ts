import { type NodeConfig, ValueType } from '@catchment/contracts/nodes';
import { STATES_TYPES } from '@catchment/states';
import type { SeriesRules } from './series.ts';

/** What alarms need of a node. */
export type Node = {
  readonly nodeId: string;
  readonly ownerId: string;
  readonly workspaceId: string;
  readonly sourceId: string;
  readonly nodeClass: string;
  readonly revision: number;
  /** Absent when the node is no series that can have states. */
  readonly rules: SeriesRules | undefined;
  /** Sources only. */
  readonly isEnabled: boolean | undefined;
  /** Sources only: whether left out records raise its dataAlarm. */
  readonly hasDataAlarm: boolean;
  /** Process and rating parameters: whether what cannot be computed raises its processAlarm. */
  readonly hasProcessAlarm: boolean;
};

/** How much a series asks of the evaluator: `normal` has no state but NORMAL, `none` has none at all. */
export type SeriesKind = 'none' | 'normal' | 'states';

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
    hasDataAlarm: config.source !== undefined && !config.source.dataAlarmDisabled,
    hasProcessAlarm: config.series !== undefined && !config.series.processAlarmDisabled,
  };
}

export function seriesKind({ rules }: Pick<Node, 'rules'>): SeriesKind {
  if (!rules) return 'none';
  return rules.statesType === 'RANGE' && rules.states.length === 1 ? 'normal' : 'states';
}

function rulesOf({ series }: NodeConfig): SeriesRules | undefined {
  const statesType = STATES_TYPES.find((known) => known === series?.statesType);
  if (!series || !statesType || series.states.length === 0) return undefined;
  const { valueType, multiplier, offset, states, hysteresis } = series;
  if (valueType !== ValueType.VALUE_TYPE_NUMBER && valueType !== ValueType.VALUE_TYPE_TEXT) return undefined;
  return { statesType, states, hysteresis, multiplier, offset };
}

/** True when values may fall into other states than before. */
export function matchesDifferently(before: SeriesRules | undefined, after: SeriesRules | undefined): boolean {
  const essence = (rules: SeriesRules | undefined) =>
    rules && [
      [rules.statesType, rules.multiplier, rules.offset, rules.hysteresis],
      rules.states.map((state) => [state.stateId, state.name, state.threshold, state.textThreshold]),
    ];
  return JSON.stringify(essence(before)) !== JSON.stringify(essence(after));
}
