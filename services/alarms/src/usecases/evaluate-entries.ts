import { NotifyOn } from '@catchment/contracts/ingest';
import type { Column, LogEntry } from '@catchment/ingest-log';
import { MAX_OCCURRENCES } from '@catchment/states';
import { type Alarm, CLEARED, changeAlarm } from '../domain/alarm.ts';
import { applyColumn, type NotifyRule } from '../domain/apply-column.ts';
import { columnEdits } from '../domain/column-edits.ts';
import {
  EMPTY_HISTORY,
  extendHistory,
  type History,
  needsStore,
  UNKNOWN_HISTORY,
  type ValueRecord,
} from '../domain/history.ts';
import { type Node, seriesKind } from '../domain/node.ts';
import { normalOf, occurrencesNeeded, type Series, type SeriesRules, type StateStep } from '../domain/series.ts';
import { stateAlarmTrigger, stateChangedText } from '../domain/state-alarm.ts';
import type { Changes, NewEvent } from './ports.ts';

export type EvaluationState = {
  readonly nodes: ReadonlyMap<string, { readonly node: Node; readonly isSourceEnabled: boolean }>;
  readonly series: ReadonlyMap<string, Series>;
  readonly alarms: ReadonlyMap<string, Alarm>;
  /** Newest records out of the store, where they were asked for. */
  readonly stored: ReadonlyMap<string, readonly ValueRecord[]>;
};

export type Evaluation =
  | { readonly kind: 'done'; readonly changes: Changes }
  /** These series need the newest records of the store first. */
  | { readonly kind: 'needs_store'; readonly nodes: readonly Node[] };

const NOTIFY: Partial<Record<NotifyOn, NotifyRule>> = {
  [NotifyOn.NOTIFY_ON_ALL_NEWER]: 'ALL_NEWER',
  [NotifyOn.NOTIFY_ON_NONE]: 'NONE',
};
const NEW_SERIES: Series = { stateId: null, history: UNKNOWN_HISTORY };

/** What columns and deletions do to states and state alarms, in order. Pure: the same answer for the same input. */
export function evaluateEntries(entries: readonly LogEntry[], state: EvaluationState): Evaluation {
  const series = new Map(state.series);
  const alarms = new Map(state.alarms);
  const extended = new Set<string>();
  const wanted = new Map<string, Node>();
  const events: NewEvent[] = [];

  const raise = (node: Node, rules: SeriesRules, step: StateStep) => {
    const { alarm, eventState } = changeAlarm(alarms.get(node.nodeId) ?? CLEARED, stateAlarmTrigger(rules, step));
    alarms.set(node.nodeId, alarm);
    events.push({
      node,
      level: 'INFO',
      eventType: 'STATE',
      alarmState: eventState,
      timeMs: step.timeMs,
      username: 'System',
      message: stateChangedText(step),
    });
  };

  const write = (node: Node, rules: SeriesRules, column: Column, isSourceEnabled: boolean) => {
    const before = series.get(node.nodeId) ?? NEW_SERIES;
    if (seriesKind(node) === 'normal') {
      if (columnEdits(column, UNKNOWN_HISTORY).set.length === 0) return;
      series.set(node.nodeId, { ...before, stateId: normalOf(rules)?.stateId ?? '' });
      return;
    }
    let { history } = before;
    if (needsStore(history, occurrencesNeeded(rules)) && !extended.has(node.nodeId)) {
      const records = state.stored.get(node.nodeId);
      if (!records) return void wanted.set(node.nodeId, node);
      history = storeExtended(history, records, column);
      extended.add(node.nodeId);
    }
    const notify = NOTIFY[column.notifyOn] ?? 'LATEST_ONLY';
    const outcome = applyColumn(rules, { ...before, history }, columnEdits(column, history), notify);
    series.set(node.nodeId, outcome.series);
    if (isSourceEnabled) for (const step of outcome.steps) raise(node, rules, step);
  };

  for (const entry of entries) {
    const nodeId =
      entry.kind === 'column' ? entry.column.nodeId : entry.kind === 'seriesDelete' ? entry.seriesDelete.nodeId : '';
    const found = state.nodes.get(nodeId);
    const rules = found?.node.rules;
    if (!found || !rules) continue;
    if (entry.kind === 'column') write(found.node, rules, entry.column, found.isSourceEnabled);
    else {
      series.set(nodeId, { stateId: null, history: EMPTY_HISTORY });
      alarms.set(nodeId, CLEARED);
    }
  }
  if (wanted.size > 0) return { kind: 'needs_store', nodes: [...wanted.values()] };
  return { kind: 'done', changes: { ...changed(state, series, alarms), events } };
}

/**
 * Records of the store from before what is known. For a series of which nothing is known, what the column brings and what
 * came after it is left out: the store may be ahead of this reader.
 */
const storeExtended = (history: History, records: readonly ValueRecord[], column: Column): History =>
  extendHistory(history, records, {
    asked: MAX_OCCURRENCES,
    beforeMs:
      history.knownSinceMs === Number.POSITIVE_INFINITY ? (column.timestamps[0] ?? 0) : Number.POSITIVE_INFINITY,
  });

function changed(state: EvaluationState, series: Map<string, Series>, alarms: Map<string, Alarm>): Changes {
  const nodeOf = (nodeId: string) => state.nodes.get(nodeId)?.node as Node;
  return {
    series: [...series]
      .filter(([nodeId, after]) => state.series.get(nodeId) !== after)
      .map(([nodeId, after]) => {
        const before = state.series.get(nodeId)?.stateId ?? null;
        // A deletion is announced too; «none» to begin with is not news.
        const announce = before !== after.stateId && !(before === null && after.stateId === '');
        return { node: nodeOf(nodeId), series: after, announce };
      }),
    alarms: [...alarms]
      .filter(([nodeId, after]) => (state.alarms.get(nodeId) ?? CLEARED) !== after)
      .map(([nodeId, alarm]) => ({ node: nodeOf(nodeId), type: 'stateAlarm', alarm })),
  };
}
