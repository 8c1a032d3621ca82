import { type Acquisition, NotifyOn } from '@catchment/contracts/ingest';
import { DomainError } from '@catchment/errors';
import { inSlices } from '@catchment/fair-queue';
import type { QualityTable } from '@catchment/quality';
import { MAX_OCCURRENCES } from '@catchment/states';
import { AlarmChanges } from '../domain/alarm-changes.ts';
import { alarmTypesOn } from '../domain/alarm-types.ts';
import { type Evaluation, evaluateEntries } from '../domain/evaluation/evaluate-entries.ts';
import type { PlacedEntry } from '../domain/evaluation/placed-entry.ts';
import type { HistoryNeed, StoredRecords } from '../domain/evaluation/stored-records.ts';
import { type SettledNeed, settledKey } from '../domain/evaluation/stored-records.ts';
import type { KnownNodes, KnownQualities, PartitionTransaction, StoredHistory } from './ports.ts';

export type RoundDeps = {
  readonly known: KnownNodes;
  readonly history: StoredHistory;
  readonly quality: KnownQualities;
};
export type NodeKey = { readonly nodeId: string; readonly ownerId: string };

/** One transaction evaluates this. */
export type Work = {
  readonly entries: readonly PlacedEntry[];
  /** Those of each message. */
  readonly acquisitions: readonly (readonly Acquisition[])[];
  readonly nodeIds: readonly string[];
  /** Entries of a series that waits wait too; false when these are the ones that it waits with. */
  readonly isBehindWaiting: boolean;
};

/** Keeps what earlier rounds have found out. */
export class Round {
  readonly stored = new Map<string, StoredRecords | null>();
  readonly settled = new Map<string, StoredRecords | null>();
  readonly quality = new Map<string, QualityTable>();
  /** These nodes were asked for: those that are missing then are gone. */
  readonly asked = new Set<string>();
}

export type Outcome = Evaluation | { readonly kind: 'needs_nodes'; readonly nodeIds: readonly string[] };
type Done = Extract<Evaluation, { kind: 'done' }>;

/**
 * Runs a transaction until it has all that it needs: a further round knows what the one before missed, at most once nodes, once what
 * series begin with, and once the records of the store for each message that takes too many away. While historic is away its records
 * count as unreadable, and series wait.
 * @param run one transaction; undefined when there was nothing to do
 */
export async function inRounds(
  { known, history, quality }: RoundDeps,
  nodes: ReadonlyMap<string, NodeKey>,
  run: (round: Round) => Promise<Outcome | undefined>,
  signal: AbortSignal,
): Promise<Done | undefined> {
  const round = new Round();
  for (;;) {
    const outcome = await run(round);
    if (!outcome) return undefined;
    if (outcome.kind === 'done') {
      settle(known, outcome);
      return outcome;
    }
    signal.throwIfAborted();
    if (outcome.kind === 'needs_nodes') {
      for (const nodeId of outcome.nodeIds) round.asked.add(nodeId);
      await known.load(
        outcome.nodeIds.flatMap((nodeId) => nodes.get(nodeId) ?? []),
        signal,
      );
    } else if (outcome.kind === 'needs_quality') {
      for (const ownerId of outcome.ownerIds) round.quality.set(ownerId, await quality.load(ownerId));
    } else {
      const found = await history.before(outcome.nodes, MAX_OCCURRENCES, signal);
      for (const need of outcome.nodes) round.stored.set(need.nodeId, foundOf(found, need));
      for (const need of outcome.settled) {
        const records = await settledRecords(history, need, signal).catch(unlessAway(signal));
        round.settled.set(settledKey(need), records);
      }
    }
  }
}

async function settledRecords(history: StoredHistory, need: SettledNeed, signal: AbortSignal) {
  if (!(await history.isStored(need, need.sequence, signal))) return null;
  return foundOf(await history.before([need], MAX_OCCURRENCES, signal), need);
}

/** Null stays null: the store is away. */
function foundOf(found: ReadonlyMap<string, StoredRecords | null>, need: HistoryNeed): StoredRecords | null {
  const records = found.get(need.nodeId);
  return records === undefined ? noneOf(need) : records;
}

const noneOf = ({ beforeMs }: HistoryNeed): StoredRecords => ({ newest: [], earlier: [], beforeMs, logSequence: 0 });

const unlessAway = (signal: AbortSignal) => (error: unknown) => {
  signal.throwIfAborted();
  if (isAway(error)) return null;
  throw error;
};

/** The peer, or the store behind it, does not answer now. */
export const isAway = (error: unknown): boolean =>
  error instanceof DomainError && (error.kind === 'unavailable' || error.kind === 'deadline_exceeded');

const EVALUATED_TYPES = (['step', 'judged', 'graded', 'acquisition'] as const).flatMap(alarmTypesOn);

/** Evaluates work with what the transaction and earlier rounds know, and stores what comes of it when that is enough. */
export async function evaluateWork(
  tx: PartitionTransaction,
  { entries, acquisitions, nodeIds, isBehindWaiting }: Work,
  round: Round,
  { known, quality }: Pick<RoundDeps, 'known' | 'quality'>,
): Promise<Outcome> {
  const nodes = await tx.nodes(nodeIds);
  // A replica hears of a new node before its configuration is stored.
  const missing = nodeIds.filter((id) => !nodes.has(id) && known.kind(id) !== 'absent' && !round.asked.has(id));
  if (missing.length > 0) return { kind: 'needs_nodes', nodeIds: missing };
  const series = await tx.series(nodeIds);
  const alarms = await tx.alarms(nodeIds, EVALUATED_TYPES);
  const evaluated = evaluateEntries(entries, {
    nodes,
    series,
    alarms,
    quality: (ownerId) => round.quality.get(ownerId) ?? quality.peek(ownerId),
    stored: round.stored,
    settled: round.settled,
    isLate: !isBehindWaiting,
    waiting: new Set(isBehindWaiting ? [...series].flatMap(([id, { isWaiting }]) => (isWaiting ? [id] : [])) : []),
  });
  const outcome = await inSlices(evaluated);
  if (outcome.kind !== 'done') return outcome;
  const acquired = new AlarmChanges(alarms);
  for (const ofMessage of acquisitions) {
    for (const acquisition of ofMessage) {
      const found = nodes.get(acquisition.sourceId);
      const isSilent = acquisition.notifyOn === NotifyOn.NOTIFY_ON_NONE;
      if (found?.isSourceEnabled) acquired.take(found.node, { kind: 'acquisition', ...acquisition, isSilent });
    }
    acquired.endMessage();
  }
  await tx.arrived([...new Set(acquisitions.flat().map(({ sourceId }) => sourceId))]);
  await tx.judgeLater(outcome.checks);
  const { alarms: fromEntries = [], events = [] } = outcome.changes;
  await tx.save({
    ...outcome.changes,
    alarms: [...fromEntries, ...acquired.changes.alarms],
    events: [...events, ...acquired.changes.events],
  });
  return outcome;
}

function settle(known: KnownNodes, { changes, waits }: Done): void {
  for (const { node, series } of changes.series ?? []) {
    if (series.stateId === null) known.unsettle(node.nodeId);
    else if (known.kind(node.nodeId) === 'normal') known.settle(node.nodeId);
  }
  // Later messages must not be skipped.
  for (const { nodeId } of waits) known.unsettle(nodeId);
}
