import { NotifyOn } from '@catchment/contracts/ingest';
import type { Column, ColumnEffect } from '@catchment/ingest-log';
import { MAX_OCCURRENCES } from '@catchment/states';
import { applyColumn, type ColumnOutcome, type NotifyRule } from '../apply-column.ts';
import { columnEdits } from '../column-edits.ts';
import {
  changesNewest,
  editedRecords,
  extendHistory,
  type History,
  isAhead,
  needsStore,
  type ValueEdits,
  withCodesOf,
} from '../history.ts';
import type { Judgement } from '../judgement.ts';
import type { Node } from '../node.ts';
import { occurrencesNeeded, type Series } from '../series.ts';
import type { PlacedEntry } from './placed-entry.ts';
import {
  type HistoryNeed,
  type SettledNeed,
  type StoredAnswers,
  type StoredRecords,
  settledKey,
} from './stored-records.ts';

/** A column in the log. */
export type ColumnWrite = {
  readonly node: Node;
  readonly place: Pick<PlacedEntry, 'sequence' | 'messageMs'>;
  readonly column: Column;
  /** undefined: the writer has not said it. */
  readonly effect: ColumnEffect | undefined;
  /** It fills this range's place. */
  readonly removal: ColumnEffect | undefined;
  /** The series has what the store had before it: an earlier message of the same evaluation has asked. */
  readonly isExtended: boolean;
};

export type WrittenColumn = Extension &
  (
    | { readonly kind: 'written'; readonly outcome: ColumnOutcome }
    /** It cannot be evaluated yet. */
    | { readonly kind: 'waits' }
    | { readonly kind: 'needs_stored'; readonly need: HistoryNeed }
    | { readonly kind: 'needs_settled'; readonly need: SettledNeed }
  );

type Extension = {
  readonly isExtended: boolean;
  /** The store was ahead: what is kept is compared later. */
  readonly check?: Judgement | undefined;
};

const NOTIFY: Partial<Record<NotifyOn, NotifyRule>> = {
  [NotifyOn.NOTIFY_ON_ALL_NEWER]: 'ALL_NEWER',
  [NotifyOn.NOTIFY_ON_NONE]: 'NONE',
};

/** Decides what a column makes of its series, or what has to be known first. */
export function* writeColumn(
  before: Series,
  write: ColumnWrite,
  { stored, settled }: StoredAnswers,
): Generator<void, WrittenColumn, void> {
  yield;
  const { node, column, effect, removal } = write;
  const { sequence, messageMs: beforeMs } = write.place;
  const { nodeId, ownerId, workspaceId, sourceId, rules } = node;
  const need = { nodeId, ownerId, workspaceId, sourceId, beforeMs };
  const needed = rules ? occurrencesNeeded(rules) : 1;
  const isShort = needsStore(before.history, needed) && !write.isExtended;
  const earlier = stored.get(nodeId);
  const { isExtended } = write;
  if (!effect || (isShort && earlier === null)) return { kind: 'waits', isExtended };
  if (isShort && (!earlier || earlier.beforeMs !== beforeMs)) return { kind: 'needs_stored', need, isExtended };
  let edits = removal ? behindRemoval(columnEdits(effect), removal) : columnEdits(effect);
  let known: Known = { history: before.history, isExtended };
  if (isShort && earlier) {
    edits = withCodesOf(known.history, earlier.newest, edits);
    known = { ...extended(known, earlier, edits, column), isExtended: true };
  }
  if (isCutShort(known.history, edits, needed)) {
    const records = settled.get(settledKey({ nodeId, sequence }));
    if (records === undefined) return { ...known, kind: 'needs_settled', need: { ...need, sequence } };
    if (records === null) return { ...known, kind: 'waits' };
    // All that are kept stay, though they are more than are needed: some of them are about to go.
    known = extended(known, records, edits, column, 2 * MAX_OCCURRENCES);
  }
  const { history } = known;
  const notify = NOTIFY[column.notifyOn] ?? 'LATEST_ONLY';
  const outcome = yield* applyColumn(rules, { ...before, history }, edits, notify);
  return { ...known, kind: 'written', outcome };
}

/** These records of a series are known before a column; the store adds to them. */
type Known = Extension & { readonly history: History };

function extended(known: Known, stored: StoredRecords, edits: ValueEdits, column: Column, max?: number): Known {
  const history = extendHistory(known.history, stored.earlier, { asked: MAX_OCCURRENCES, ...(max && { max }) });
  return { ...known, history, ...(isAhead(known.history, stored, edits) && { check: checkOf(column, stored) }) };
}

/** The check waits until the readers of the log have come as far as the store was: it has what they are to report. */
const checkOf = ({ nodeId, modifiedMs }: Column, { logSequence }: StoredRecords): Judgement => ({
  nodeId,
  afterSequence: logSequence,
  needsStore: true,
  isCheck: true,
  timeMs: modifiedMs,
  username: 'System',
});

function behindRemoval(edits: ValueEdits, removal: ColumnEffect): ValueEdits {
  const before = columnEdits(removal);
  return { ...edits, removes: (timeMs) => before.removes(timeMs) || edits.removes(timeMs) };
}

/** Returns whether a column takes away so many of the newest records that the store has to say which ones are there now. */
const isCutShort = (history: History, edits: ValueEdits, needed: number): boolean =>
  changesNewest(history, edits) && needsStore({ ...history, records: editedRecords(history, edits) }, needed);
