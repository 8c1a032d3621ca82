import { bitsOf, type Column, effectOf } from '@catchment/ingest-log';
import type { QualityTable } from '@catchment/quality';
import { AlarmChanges } from '../alarm-changes.ts';
import type { ColumnOutcome } from '../apply-column.ts';
import type { Changes, StoredAlarm } from '../changes.ts';
import { columnEdits } from '../column-edits.ts';
import { EMPTY_HISTORY, UNKNOWN_HISTORY } from '../history.ts';
import type { Judgement } from '../judgement.ts';
import { isAlarmOn, type Node, seriesKind } from '../node.ts';
import type { Series } from '../series.ts';
import { qualityOccurrences, stateOccurrences } from './occurrences.ts';
import { filledRemovals, type PlacedEntry, removalOf, type Unit } from './placed-entry.ts';
import { SeriesChanges } from './series-changes.ts';
import type { HistoryNeed, SettledNeed, StoredAnswers } from './stored-records.ts';
import { writeColumn } from './write-column.ts';

export type EvaluationState = StoredAnswers & {
  readonly nodes: ReadonlyMap<string, LockedNode>;
  readonly series: ReadonlyMap<string, Series>;
  readonly alarms: readonly StoredAlarm[];
  /** Returns quality settings of the accounts, as far as they are known. */
  readonly quality: (ownerId: string) => QualityTable | undefined;
  /** Earlier entries of these series wait. */
  readonly waiting: ReadonlySet<string>;
  /** The entries waited: what they have led to in the end is announced, not what each of their messages did. */
  readonly isLate: boolean;
};

export type Evaluation =
  | {
      readonly kind: 'done';
      readonly changes: Changes;
      /** These entries could not be evaluated yet; neither could those of their series behind them. */
      readonly waits: readonly PlacedEntry[];
      /** These series began while the store was ahead: what is kept of them is compared once the log has been read as far. */
      readonly checks: readonly Judgement[];
    }
  /** These series need the newest records of the store first. */
  | { readonly kind: 'needs_store'; readonly nodes: readonly HistoryNeed[]; readonly settled: readonly SettledNeed[] }
  /** The quality settings of these accounts are needed first. */
  | { readonly kind: 'needs_quality'; readonly ownerIds: readonly string[] };

type LockedNode = { readonly node: Node; readonly isSourceEnabled: boolean };
const NEW_SERIES: Series = { stateId: null, history: UNKNOWN_HISTORY };

/**
 * Decides, in order, what columns and deletions do to states and to the alarms about states and qualities. A series whose next entry cannot
 * be evaluated yet waits; the others go on. What each message of the log brings about is a change by itself. Pure: the same input gives
 * the same answer. The work goes in steps: a message may bring half a million records, and texts with expressions to look for.
 */
export function* evaluateEntries(
  entries: readonly PlacedEntry[],
  state: EvaluationState,
): Generator<void, Evaluation, void> {
  const evaluator = new Evaluator(state);
  for (const unit of filledRemovals(entries)) yield* evaluator.take(unit);
  return evaluator.evaluation;
}

class Evaluator {
  readonly #state: EvaluationState;
  readonly #series: SeriesChanges;
  readonly #alarms: AlarmChanges;
  readonly #waiting: Set<string>;
  readonly #waits: PlacedEntry[] = [];
  readonly #checks = new Map<string, Judgement>();
  readonly #extended = new Set<string>();
  /** The store is read at the first message of a series that needs it: later messages go on from the result of that one. */
  readonly #stored = new Map<string, HistoryNeed>();
  readonly #settled = new Map<string, SettledNeed>();
  readonly #unrated = new Set<string>();
  #sequence: number | undefined;

  constructor(state: EvaluationState) {
    this.#state = state;
    this.#series = new SeriesChanges(state);
    this.#alarms = new AlarmChanges(state.alarms);
    this.#waiting = new Set(state.waiting);
  }

  *take(unit: Unit): Generator<void, void, void> {
    const { entry, nodeId, sequence } = unit.placed;
    this.#begin(sequence);
    const found = this.#state.nodes.get(nodeId);
    const kind = found ? seriesKind(found.node) : 'none';
    if (!found || kind === 'none') return;
    if (this.#waiting.has(nodeId)) this.#wait(unit);
    else if (entry.kind === 'seriesDelete') this.#remove(found.node, entry.seriesDelete.recomputing);
    else if (kind === 'normal') this.#announce(found.node, entry.column);
    else yield* this.#write(found, unit, entry.column);
  }

  get evaluation(): Evaluation {
    if (this.#stored.size > 0 || this.#settled.size > 0)
      return { kind: 'needs_store', nodes: [...this.#stored.values()], settled: [...this.#settled.values()] };
    if (this.#unrated.size > 0) return { kind: 'needs_quality', ownerIds: [...this.#unrated] };
    const changes = { series: this.#series.changes, ...this.#alarms.changes };
    return { kind: 'done', changes, waits: this.#waits, checks: [...this.#checks.values()] };
  }

  #begin(sequence: number): void {
    if (!this.#state.isLate && this.#sequence !== undefined && this.#sequence !== sequence) {
      this.#series.endMessage();
      this.#alarms.endMessage();
    }
    this.#sequence = sequence;
  }

  #wait({ placed, removal }: Unit): void {
    this.#waits.push(...(removal ? [removal, placed] : [placed]));
  }

  #remove(node: Node, isRecomputing: boolean): void {
    this.#series.set(node.nodeId, { stateId: null, history: EMPTY_HISTORY });
    // A series that is computed anew is judged afterwards: see judge-series.ts.
    if (isRecomputing) return;
    for (const type of ['qualityAlarm', 'stateAlarm'] as const) this.#alarms.clear(node, type);
  }

  /** A series with NORMAL alone is announced by its first value. Where that depends on records, there have been some. */
  #announce(node: Node, column: Column): void {
    const { length } = column.timestamps;
    if (columnEdits(effectOf(column, bitsOf(column.timestamps.keys(), length))).set.length === 0) return;
    const before = this.#series.get(node.nodeId) ?? NEW_SERIES;
    this.#series.set(node.nodeId, { ...before, stateId: node.rules?.states[0]?.stateId ?? '' });
  }

  *#write(found: LockedNode, unit: Unit, column: Column): Generator<void, void, void> {
    const { placed, removal } = unit;
    const { node } = found;
    const { nodeId } = node;
    const write = {
      node,
      place: placed,
      column,
      effect: effectOf(column, placed.written),
      removal: removal && removalOf(removal),
      isExtended: this.#extended.has(nodeId),
    };
    const written = yield* writeColumn(this.#series.get(nodeId) ?? NEW_SERIES, write, this.#state);
    if (written.check) this.#checks.set(nodeId, written.check);
    if (written.isExtended) this.#extended.add(nodeId);
    if (written.kind === 'waits') {
      this.#waiting.add(nodeId);
      // Its row says that it waits.
      if (!this.#series.has(nodeId)) this.#series.set(nodeId, NEW_SERIES);
      this.#wait(unit);
    } else if (written.kind === 'needs_stored') {
      if (!this.#stored.has(nodeId)) this.#stored.set(nodeId, written.need);
    } else if (written.kind === 'needs_settled') {
      if (!this.#settled.has(nodeId)) this.#settled.set(nodeId, written.need);
    } else {
      this.#series.set(nodeId, written.outcome.series);
      if (found.isSourceEnabled) this.#report(node, written.outcome, column.modifiedMs);
    }
  }

  #report(node: Node, outcome: ColumnOutcome, modifiedMs: number): void {
    const { rules } = node;
    if (rules) for (const news of stateOccurrences(rules, outcome, modifiedMs)) this.#alarms.take(node, news);
    if (outcome.graded.length === 0 || !isAlarmOn(node, 'qualityAlarm')) return;
    const table = this.#state.quality(node.ownerId);
    if (!table) this.#unrated.add(node.ownerId);
    else for (const news of qualityOccurrences(node, outcome.graded, table, modifiedMs)) this.#alarms.take(node, news);
  }
}
