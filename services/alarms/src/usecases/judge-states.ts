import type { QualityTable } from '@catchment/quality';
import type { AlarmChanges } from '../domain/alarm-changes.ts';
import { alarmTypesOn } from '../domain/alarm-types.ts';
import { isAlarmOn, type Node } from '../domain/node.ts';
import { type AlarmingState, type Series, type SeriesRules, stateOf } from '../domain/series.ts';

/** The settings that hold judge these alarms. */
export const JUDGED_TYPES = (['judged', 'graded'] as const).flatMap(alarmTypesOn);

/** Settings of the series changed. */
type Judged = {
  readonly node: Node;
  readonly isSourceEnabled: boolean;
  /** The series as it was; undefined: nothing was known of it. */
  readonly before: Series | undefined;
  /** The rules before, where known. */
  readonly rulesBefore: SeriesRules | undefined;
  readonly after: Series;
  /** This person made the change then. */
  readonly timeMs: number;
  readonly username: string;
};

/**
 * Makes what the stateAlarm of a series says true for the settings that hold (docs/reference/states.md#updates-of-states).
 * A source that is disabled raises nothing.
 */
export function judgeState(changes: AlarmChanges, judged: Judged): void {
  const { node, isSourceEnabled, after, timeMs, username } = judged;
  const newest = after.history.records.at(-1);
  const record = newest && { timeMs: newest.timeMs, value: newest.value, code: newest.code };
  const to = node.rules && stateOf(node.rules, after.stateId);
  const states = { rules: isSourceEnabled ? node.rules : undefined, from: stateBefore(judged), to };
  changes.take(node, { kind: 'judged', because: 'settings', ...states, record, timeMs }, username);
}

/** Returns the state that the series was in before; if the list was replaced, the state of the same name. */
function stateBefore({ node: { rules }, before, rulesBefore }: Judged): AlarmingState | undefined {
  if (!rules || !before?.stateId) return undefined;
  const { stateId } = before;
  const name = rulesBefore?.states.find((state) => state.stateId === stateId)?.name;
  return rules.states.find((state) => state.stateId === stateId) ?? rules.states.find((state) => state.name === name);
}

/** Does the same of its qualityAlarm, by the code of the current record; a series without records has none. */
export function judgeQuality(changes: AlarmChanges, judged: Judged, table: QualityTable): void {
  const { node, isSourceEnabled, after, timeMs, username } = judged;
  const { records, knownSinceMs } = after.history;
  const newest = records.at(-1);
  if (!isSourceEnabled || !isAlarmOn(node, 'qualityAlarm')) return;
  if (!newest) {
    if (knownSinceMs === Number.NEGATIVE_INFINITY) changes.clear(node, 'qualityAlarm');
    return;
  }
  const code = table.shown(newest.code);
  const type = table.typeOf(code);
  const isListed = node.alarms.get('qualityAlarm')?.qualityTypes.includes(type) ?? false;
  const graded = { kind: 'graded', type, code, name: table.nameOf(code), isListed, because: 'settings' } as const;
  changes.take(node, { ...graded, timeMs }, username);
}
