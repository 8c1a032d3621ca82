import { NotifyOn } from '@catchment/contracts/ingest';
import { bitsOf, type Column } from '@catchment/ingest-log';
import type { QualityTable } from '@catchment/quality';
import { MAX_OCCURRENCES } from '@catchment/states';
import { applyColumn, type NotifyRule } from '../domain/apply-column.ts';
import { columnEdits, needsVerdict, writtenAsStored } from '../domain/column-edits.ts';
import {
  type CodeRecord,
  EMPTY_HISTORY,
  extendHistory,
  type History,
  needsStore,
  UNKNOWN_HISTORY,
  type ValueRecord,
} from '../domain/history.ts';
import { isAlarmOn, type Node, seriesKind } from '../domain/node.ts';
import { occurrencesNeeded, type Series } from '../domain/series.ts';
import { AlarmChanges } from './alarm-changes.ts';
import type { Changes, PlacedEntry, SeriesChange, StoredAlarm } from './ports.ts';

export type EvaluationState = {
  readonly nodes: ReadonlyMap<string, LockedNode>;
  readonly series: ReadonlyMap<string, Series>;
  readonly alarms: readonly StoredAlarm[];
  /** What accounts make of quality codes, as far as it is known. */
  readonly quality: (ownerId: string) => QualityTable | undefined;
  /** Newest records out of the store, where they were asked for; null = they cannot be had now. */
  readonly stored: ReadonlyMap<string, readonly ValueRecord[] | null>;
  /** Series with earlier entries that wait. */
  readonly waiting: ReadonlySet<string>;
  /** Up to this message of the log what historic has not said will not be said any more. */
  readonly toldSequence: number;
};

export type Evaluation =
  | {
      readonly kind: 'done';
      readonly changes: Changes;
      /** Entries that could not be evaluated yet, and those of their series behind them. */
      readonly waits: readonly PlacedEntry[];
    }
  /** These series need the newest records of the store first. */
  | { readonly kind: 'needs_store'; readonly nodes: readonly Node[] }
  /** The quality settings of these accounts are needed first. */
  | { readonly kind: 'needs_quality'; readonly ownerIds: readonly string[] };

const NOTIFY: Partial<Record<NotifyOn, NotifyRule>> = {
  [NotifyOn.NOTIFY_ON_ALL_NEWER]: 'ALL_NEWER',
  [NotifyOn.NOTIFY_ON_NONE]: 'NONE',
};
/** Of a column that needs none. */
const NO_VERDICT = new Uint8Array(0);
type LockedNode = { readonly node: Node; readonly isSourceEnabled: boolean };
const NEW_SERIES: Series = { stateId: null, history: UNKNOWN_HISTORY };

/**
 * What columns and deletions do to states and the alarms about them and about qualities, in order. A series whose next entry
 * cannot be evaluated yet waits; the others go on. Pure: the same answer for the same input.
 */
export function evaluateEntries(entries: readonly PlacedEntry[], state: EvaluationState): Evaluation {
  const series = new Map(state.series);
  const alarms = new AlarmChanges(state.alarms);
  const extended = new Set<string>();
  const wanted = new Map<string, Node>();
  const unrated = new Set<string>();
  const waiting = new Set(state.waiting);
  const waits: PlacedEntry[] = [];

  /** @param verdict null = there will be none, undefined = not yet. @returns false when it cannot be evaluated yet */
  const write = (found: LockedNode, column: Column, verdict: Uint8Array | null | undefined) => {
    const { node } = found;
    const { rules } = node;
    const before = series.get(node.nodeId) ?? NEW_SERIES;
    const isShort = needsStore(before.history, rules ? occurrencesNeeded(rules) : 1) && !extended.has(node.nodeId);
    const records = state.stored.get(node.nodeId);
    if (verdict === undefined || ((isShort || verdict === null) && records === null)) return false;
    if ((isShort || verdict === null) && !records) {
      wanted.set(node.nodeId, node);
      return true;
    }
    const edits = columnEdits(column, verdict ?? writtenAsStored(column, records ?? [], MAX_OCCURRENCES));
    let { history } = before;
    if (isShort) {
      history = storeExtended(history, records ?? [], column);
      extended.add(node.nodeId);
    }
    const notify = NOTIFY[column.notifyOn] ?? 'LATEST_ONLY';
    const outcome = applyColumn(rules, { ...before, history }, edits, notify);
    series.set(node.nodeId, outcome.series);
    if (!found.isSourceEnabled) return true;
    if (rules) for (const step of outcome.steps) alarms.take(node, { kind: 'step', rules, step, timeMs: step.timeMs });
    grade(node, outcome.graded, column);
    return true;
  };

  const grade = (node: Node, records: readonly CodeRecord[], column: Column) => {
    if (records.length === 0 || !isAlarmOn(node, 'qualityAlarm')) return;
    const table = state.quality(node.ownerId);
    if (!table) return void unrated.add(node.ownerId);
    const listed: readonly string[] = node.alarms.get('qualityAlarm')?.qualityTypes ?? [];
    for (const record of records) {
      const code = table.shown(record.code);
      const type = table.typeOf(code);
      const { modifiedMs: timeMs } = column;
      alarms.take(node, {
        kind: 'graded',
        timeMs,
        type,
        code,
        name: table.nameOf(code),
        isListed: listed.includes(type),
      });
    }
  };

  /** A series with NORMAL alone is announced by its first value. Where that depends on records, there have been some. */
  const announce = (node: Node, column: Column) => {
    const { length } = column.timestamps;
    if (columnEdits(column, bitsOf(column.timestamps.keys(), length)).set.length === 0) return;
    const before = series.get(node.nodeId) ?? NEW_SERIES;
    series.set(node.nodeId, { ...before, stateId: node.rules?.states[0]?.stateId ?? '' });
  };

  for (const placed of entries) {
    const { entry, nodeId } = placed;
    const found = state.nodes.get(nodeId);
    const kind = found ? seriesKind(found.node) : 'none';
    if (!found || kind === 'none') continue;
    if (!waiting.has(nodeId)) {
      if (entry.kind === 'seriesDelete') {
        series.set(nodeId, { stateId: null, history: EMPTY_HISTORY });
        for (const type of ['qualityAlarm', 'stateAlarm'] as const) alarms.clear(found.node, type);
        continue;
      }
      if (kind === 'normal') {
        announce(found.node, entry.column);
        continue;
      }
      const unsaid = placed.sequence <= state.toldSequence ? null : undefined;
      const verdict = needsVerdict(entry.column) ? (placed.written ?? unsaid) : NO_VERDICT;
      if (write(found, entry.column, verdict)) continue;
      waiting.add(nodeId);
      // Its row says that it waits.
      if (!series.has(nodeId)) series.set(nodeId, NEW_SERIES);
    }
    waits.push(placed);
  }
  if (wanted.size > 0) return { kind: 'needs_store', nodes: [...wanted.values()] };
  if (unrated.size > 0) return { kind: 'needs_quality', ownerIds: [...unrated] };
  return { kind: 'done', changes: { series: changedSeries(state, series), ...alarms.changes }, waits };
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

const changedSeries = (state: EvaluationState, series: ReadonlyMap<string, Series>): SeriesChange[] =>
  [...series].flatMap(([nodeId, after]) => {
    const node = state.nodes.get(nodeId)?.node;
    if (!node || state.series.get(nodeId) === after) return [];
    const before = state.series.get(nodeId)?.stateId ?? null;
    // A deletion is announced too; «none» to begin with is not news.
    return [{ node, series: after, announce: before !== after.stateId && !(before === null && after.stateId === '') }];
  });
