import { NotifyOn } from '@catchment/contracts/ingest';
import type { Steps } from '@catchment/fair-queue';
import { bitsOf, type Column, type ColumnEffect, effectOf, isRemoval, needsVerdict } from '@catchment/ingest-log';
import type { QualityTable } from '@catchment/quality';
import { MAX_OCCURRENCES } from '@catchment/states';
import { applyColumn, type ColumnOutcome, type GradedRecord, type NotifyRule } from '../domain/apply-column.ts';
import { columnEdits } from '../domain/column-edits.ts';
import {
  changesNewest,
  EMPTY_HISTORY,
  editedRecords,
  extendHistory,
  type History,
  isAhead,
  needsStore,
  UNKNOWN_HISTORY,
  type ValueEdits,
  withCodesOf,
} from '../domain/history.ts';
import { isAlarmOn, type Node, seriesKind } from '../domain/node.ts';
import { occurrencesNeeded, type Series, type SeriesRules, stateOf } from '../domain/series.ts';
import { AlarmChanges } from './alarm-changes.ts';
import type {
  Changes,
  HistoryNeed,
  Judgement,
  PlacedEntry,
  SeriesChange,
  StoredAlarm,
  StoredRecords,
} from './ports.ts';

type EvaluationState = {
  readonly nodes: ReadonlyMap<string, LockedNode>;
  readonly series: ReadonlyMap<string, Series>;
  readonly alarms: readonly StoredAlarm[];
  /** Quality settings of the accounts, as far as they are known. */
  readonly quality: (ownerId: string) => QualityTable | undefined;
  /** The answer of the store, where it was asked; null = it does not answer now. */
  readonly stored: ReadonlyMap<string, StoredRecords | null>;
  /** The same, of a store that has a message of the log, by `settledKey`; null = it does not have it yet. */
  readonly settled: ReadonlyMap<string, StoredRecords | null>;
  /** Series with earlier entries that wait. */
  readonly waiting: ReadonlySet<string>;
  /** The entries waited: what they have led to in the end is announced, not what each of their messages did. */
  readonly isLate: boolean;
};

export type Evaluation =
  | {
      readonly kind: 'done';
      readonly changes: Changes;
      /** Entries that could not be evaluated yet, and those of their series behind them. */
      readonly waits: readonly PlacedEntry[];
      /** Series that began while the store was ahead: what is kept of them is compared once the log has been read as far. */
      readonly checks: readonly Judgement[];
    }
  /** These series need the newest records of the store first. */
  | { readonly kind: 'needs_store'; readonly nodes: readonly HistoryNeed[]; readonly settled: readonly SettledNeed[] }
  /** The quality settings of these accounts are needed first. */
  | { readonly kind: 'needs_quality'; readonly ownerIds: readonly string[] };

/** The newest records of a series are needed from a store that has a message of the log. */
export type SettledNeed = HistoryNeed & { readonly sequence: number };
export const settledKey = ({ nodeId, sequence }: Pick<SettledNeed, 'nodeId' | 'sequence'>): string =>
  `${nodeId} ${sequence}`;

const NOTIFY: Partial<Record<NotifyOn, NotifyRule>> = {
  [NotifyOn.NOTIFY_ON_ALL_NEWER]: 'ALL_NEWER',
  [NotifyOn.NOTIFY_ON_NONE]: 'NONE',
};
type LockedNode = { readonly node: Node; readonly isSourceEnabled: boolean };
const NEW_SERIES: Series = { stateId: null, history: UNKNOWN_HISTORY };

/**
 * Decides, in order, what columns and deletions do to states and to the alarms about states and qualities. A series whose next entry cannot
 * be evaluated yet waits; the others go on. What each message of the log brings about is a change by itself. Pure: the same answer for the
 * same input. A message may bring half a million records, and texts with expressions to look for: in steps.
 */
export function* evaluateEntries(entries: readonly PlacedEntry[], state: EvaluationState): Steps<Evaluation> {
  const series = new SeriesChanges(state);
  const alarms = new AlarmChanges(state.alarms);
  const extended = new Set<string>();
  // The store is read at the first message of a series that needs it: later messages go on from the result of that one.
  const wanted = new Map<string, HistoryNeed>();
  const cut = new Map<string, SettledNeed>();
  const unrated = new Set<string>();
  const checks = new Map<string, Judgement>();
  const waiting = new Set(state.waiting);
  const waits: PlacedEntry[] = [];

  /** @param effect undefined: the writer has not said it. @returns false when it cannot be evaluated yet */
  const write = function* (
    found: LockedNode,
    placed: PlacedEntry,
    column: Column,
    effect: ColumnEffect | undefined,
    removal: ColumnEffect | undefined,
  ): Steps<boolean> {
    yield;
    const { node } = found;
    const { rules } = node;
    const before = series.get(node.nodeId) ?? NEW_SERIES;
    const { sequence, messageMs: beforeMs } = placed;
    const { nodeId, ownerId, workspaceId, sourceId } = node;
    const need = { nodeId, ownerId, workspaceId, sourceId, beforeMs };
    const isShort = needsStore(before.history, rules ? occurrencesNeeded(rules) : 1) && !extended.has(nodeId);
    const records = state.stored.get(nodeId);
    if (!effect || (isShort && records === null)) return false;
    if (isShort && (!records || records.beforeMs !== beforeMs)) {
      if (!wanted.has(nodeId)) wanted.set(nodeId, need);
      return true;
    }
    const own = columnEdits(effect);
    let edits = removal ? behindRemoval(own, removal) : own;
    let { history } = before;
    const extend = (stored: StoredRecords, max?: number) => {
      if (isAhead(history, stored, edits)) checks.set(nodeId, checkOf(column, stored));
      history = extendHistory(history, stored.earlier, { asked: MAX_OCCURRENCES, ...(max && { max }) });
    };
    if (isShort && records) {
      edits = withCodesOf(history, records.newest, edits);
      extend(records);
      extended.add(nodeId);
    }
    if (isCutShort(history, edits, rules ? occurrencesNeeded(rules) : 1)) {
      const settled = state.settled.get(settledKey({ nodeId, sequence }));
      if (settled === undefined) {
        if (!cut.has(nodeId)) cut.set(nodeId, { ...need, sequence });
        return true;
      }
      if (settled === null) return false;
      // All that are kept stay, though they are more than are needed: some of them are about to go.
      extend(settled, 2 * MAX_OCCURRENCES);
    }
    const notify = NOTIFY[column.notifyOn] ?? 'LATEST_ONLY';
    const outcome = yield* applyColumn(rules, { ...before, history }, edits, notify);
    series.set(node.nodeId, outcome.series);
    if (!found.isSourceEnabled) return true;
    if (rules) reportStates(node, rules, outcome, column);
    grade(node, outcome.graded, column);
    return true;
  };

  const reportStates = (node: Node, rules: SeriesRules, { steps, stay, series }: ColumnOutcome, column: Column) => {
    for (const step of steps) alarms.take(node, { kind: 'step', rules, step, timeMs: step.timeMs });
    if (!stay) return;
    const to = stateOf(rules, series.stateId);
    const record = { ...stay, code: stay.code };
    const { modifiedMs } = column;
    alarms.take(node, {
      kind: 'judged',
      because: 'record',
      rules,
      from: undefined,
      to,
      record,
      timeMs: stay.timeMs || modifiedMs,
    });
  };

  const grade = (node: Node, records: readonly GradedRecord[], column: Column) => {
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
        isListed: !record.isLast && listed.includes(type),
        because: record.isCorrected ? 'corrected' : undefined,
      });
    }
  };

  /** A series with NORMAL alone is announced by its first value. Where that depends on records, there have been some. */
  const announce = (node: Node, column: Column) => {
    const { length } = column.timestamps;
    if (columnEdits(effectOf(column, bitsOf(column.timestamps.keys(), length))).set.length === 0) return;
    const before = series.get(node.nodeId) ?? NEW_SERIES;
    series.set(node.nodeId, { ...before, stateId: node.rules?.states[0]?.stateId ?? '' });
  };

  let messageSequence: number | undefined;
  for (const { placed, removal } of filledRemovals(entries)) {
    const { entry, nodeId, sequence } = placed;
    if (!state.isLate && messageSequence !== undefined && messageSequence !== sequence) {
      series.endMessage();
      alarms.endMessage();
    }
    messageSequence = sequence;
    const found = state.nodes.get(nodeId);
    const kind = found ? seriesKind(found.node) : 'none';
    if (!found || kind === 'none') continue;
    if (!waiting.has(nodeId)) {
      if (entry.kind === 'seriesDelete') {
        series.set(nodeId, { stateId: null, history: EMPTY_HISTORY });
        // A series that is computed anew is judged afterwards: see judge-series.ts.
        if (!entry.seriesDelete.recomputing)
          for (const type of ['qualityAlarm', 'stateAlarm'] as const) alarms.clear(found.node, type);
        continue;
      }
      if (kind === 'normal') {
        announce(found.node, entry.column);
        continue;
      }
      const [effect, before] = [effectOf(entry.column, placed.written), removal && removalOf(removal)];
      if (yield* write(found, placed, entry.column, effect, before)) continue;
      waiting.add(nodeId);
      // Its row says that it waits.
      if (!series.has(nodeId)) series.set(nodeId, NEW_SERIES);
    }
    waits.push(...(removal ? [removal, placed] : [placed]));
  }
  if (wanted.size > 0 || cut.size > 0) {
    return { kind: 'needs_store', nodes: [...wanted.values()], settled: [...cut.values()] };
  }
  if (unrated.size > 0) return { kind: 'needs_quality', ownerIds: [...unrated] };
  const changes = { series: series.changes, ...alarms.changes };
  return { kind: 'done', changes, waits, checks: [...checks.values()] };
}

/** Nothing is reported before the readers of the log have come as far as the store was: it has what they are to report. */
const checkOf = (
  { nodeId, modifiedMs }: Column,
  { logSequence }: StoredRecords,
): Judgement & { readonly isCheck: true } => ({
  nodeId,
  afterSequence: logSequence,
  needsStore: true,
  isCheck: true,
  timeMs: modifiedMs,
  username: 'System',
});

type Unit = { readonly placed: PlacedEntry; readonly removal?: PlacedEntry };

/**
 * The removal of a range and what the same message puts in its place are one change: nothing was gone in between. Of each series in
 * the order of the log.
 */
function filledRemovals(entries: readonly PlacedEntry[]): readonly Unit[] {
  const units: Unit[] = [];
  const newest = new Map<string, number>();
  for (const placed of entries) {
    const at = newest.get(placed.nodeId) ?? -1;
    const before = units[at]?.placed;
    if (before && isFilledBy(before, placed)) {
      units[at] = { placed, removal: before };
      continue;
    }
    newest.set(placed.nodeId, units.push({ placed }) - 1);
  }
  return units;
}

function isFilledBy(before: PlacedEntry, { sequence, entry }: PlacedEntry): boolean {
  if (before.sequence !== sequence || before.entry.kind !== 'column' || entry.kind !== 'column') return false;
  if (before.entry.column.notifyOn !== entry.column.notifyOn || needsVerdict(entry.column)) return false;
  return removalOf(before) !== undefined;
}

/** The effect of an entry that removes a range and puts nothing in its place. */
function removalOf({ entry }: PlacedEntry): ColumnEffect | undefined {
  return entry.kind === 'column' && isRemoval(entry.column) ? effectOf(entry.column, undefined) : undefined;
}

function behindRemoval(edits: ValueEdits, removal: ColumnEffect): ValueEdits {
  const before = columnEdits(removal);
  return { ...edits, removes: (timeMs) => before.removes(timeMs) || edits.removes(timeMs) };
}

/** Returns whether a column takes away so many of the newest records that the store has to say which ones are there now. */
const isCutShort = (history: History, edits: ValueEdits, needed: number): boolean =>
  changesNewest(history, edits) && needsStore({ ...history, records: editedRecords(history, edits) }, needed);

/** Series as entries change them, and what each message of the log has made of them. */
class SeriesChanges {
  readonly #state: Pick<EvaluationState, 'nodes' | 'series'>;
  readonly #series: Map<string, Series>;
  /** Those that the message has changed, as they were before it. */
  readonly #before = new Map<string, Series | undefined>();
  readonly #done: SeriesChange[] = [];

  constructor(state: Pick<EvaluationState, 'nodes' | 'series'>) {
    this.#state = state;
    this.#series = new Map(state.series);
  }

  get(nodeId: string): Series | undefined {
    return this.#series.get(nodeId);
  }

  has(nodeId: string): boolean {
    return this.#series.has(nodeId);
  }

  set(nodeId: string, series: Series): void {
    if (!this.#before.has(nodeId)) this.#before.set(nodeId, this.#series.get(nodeId));
    this.#series.set(nodeId, series);
  }

  endMessage(): void {
    for (const [nodeId, before] of this.#before) {
      const node = this.#state.nodes.get(nodeId)?.node;
      const after = this.#series.get(nodeId);
      if (!node || !after || before === after) continue;
      const from = before?.stateId ?? null;
      // A deletion is announced too, and «none» to begin with: the first records may be too few to accept the state that they match.
      const isNews = from !== after.stateId && (node.rules !== undefined || Boolean(from || after.stateId));
      this.#done.push({ node, series: after, announce: isNews });
    }
    this.#before.clear();
  }

  get changes(): readonly SeriesChange[] {
    this.endMessage();
    return this.#done;
  }
}
