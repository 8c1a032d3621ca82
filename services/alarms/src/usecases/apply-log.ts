import type { Acquisition } from '@catchment/contracts/ingest';
import { type Column, decodeBatch, encodeEntries, joinColumns, type LogEntry } from '@catchment/ingest-log';
import { MAX_OCCURRENCES } from '@catchment/states';
import type { ValueRecord } from '../domain/history.ts';
import type { Node } from '../domain/node.ts';
import { LEFT_OUT_ALARMS } from '../domain/source-conditions.ts';
import { acquisitionsToApply, evaluateAcquisitions, type RaisedSources } from './evaluate-acquisitions.ts';
import { type Evaluation, evaluateEntries } from './evaluate-entries.ts';
import { entriesToApply, seriesOf } from './log-work.ts';
import type { AlarmStore, AlarmTransaction, KnownNodes, LogPosition, StoredHistory } from './ports.ts';

type Deps = {
  readonly store: AlarmStore;
  readonly known: KnownNodes;
  readonly history: StoredHistory;
  readonly raised: RaisedSources;
};

/**
 * Applies one message of the ingest log: states, state alarms, alarms about records that were left out, and their events, in one transaction with the log sequence.
 * A message that comes twice changes nothing.
 * @throws DomainError invalid_argument for an unknown layout; unavailable while a peer is away
 */
export async function applyLogMessage(
  deps: Deps,
  message: LogPosition & { readonly data: Uint8Array },
  signal: AbortSignal,
): Promise<void> {
  const { store, known } = deps;
  const all = decodeBatch(message.data);
  const acquisitions = acquisitionsToApply(all, deps.raised);
  const entries = await entriesToApply(all, known, signal);
  // Nothing is noted either: should it come again, it changes nothing again.
  if (entries.length === 0 && acquisitions.length === 0) return;

  const series = new Map(entries.map((entry) => seriesOf(entry)).flatMap((one) => (one ? [[one.nodeId, one]] : [])));
  for (const { sourceId, ownerId } of acquisitions) series.set(sourceId, { nodeId: sourceId, ownerId });
  const nodeIds = [...series.keys()].sort();
  const round: Round = { entries, acquisitions, nodeIds, stored: new Map(), asked: new Set() };
  // A further round knows what the one before missed: at most one for nodes and one for records of the store.
  for (;;) {
    let outcome: Outcome | undefined;
    await store.applyOnce(message, async (tx) => {
      outcome = await evaluate(tx, round, known);
      if (outcome.kind === 'done') await tx.save(outcome.changes);
      return outcome.kind === 'done';
    });
    if (!outcome || outcome.kind === 'done') {
      for (const { sourceId } of acquisitions) deps.raised.add(sourceId);
      return settle(known, outcome);
    }
    signal.throwIfAborted();
    if (outcome.kind === 'needs_nodes') {
      for (const nodeId of outcome.nodeIds) round.asked.add(nodeId);
      await known.load(
        outcome.nodeIds.flatMap((nodeId) => series.get(nodeId) ?? []),
        signal,
      );
    } else {
      for (const [nodeId, records] of await newestOf(deps, outcome.nodes, signal)) round.stored.set(nodeId, records);
    }
  }
}

type Round = {
  readonly entries: readonly LogEntry[];
  readonly acquisitions: readonly Acquisition[];
  readonly nodeIds: readonly string[];
  readonly stored: Map<string, readonly ValueRecord[]>;
  /** Nodes that were asked for: those that are missing then are gone. */
  readonly asked: Set<string>;
};
type Outcome = Evaluation | { readonly kind: 'needs_nodes'; readonly nodeIds: readonly string[] };

async function newestOf({ history }: Deps, nodes: readonly Node[], signal: AbortSignal) {
  const found = await history.newest(nodes, MAX_OCCURRENCES, signal);
  return nodes.map(({ nodeId }) => [nodeId, found.get(nodeId) ?? []] as const);
}

async function evaluate(tx: AlarmTransaction, round: Round, known: KnownNodes): Promise<Outcome> {
  const { entries, acquisitions, nodeIds, stored } = round;
  const nodes = await tx.nodes(nodeIds);
  // A replica hears of a new node before its configuration is stored.
  const missing = nodeIds.filter((id) => !nodes.has(id) && known.kind(id) !== 'absent' && !round.asked.has(id));
  if (missing.length > 0) return { kind: 'needs_nodes', nodeIds: missing };
  const series = await tx.series(nodeIds);
  const alarms = await tx.alarms(nodeIds, ['stateAlarm', ...LEFT_OUT_ALARMS]);
  const whole = await wholeColumns(tx, entries);
  const evaluation = evaluateEntries(whole, {
    nodes,
    series,
    alarms: new Map(alarms.flatMap(({ nodeId, type, alarm }) => (type === 'stateAlarm' ? [[nodeId, alarm]] : []))),
    stored,
  });
  if (evaluation.kind !== 'done' || acquisitions.length === 0) return evaluation;
  const { changes } = evaluation;
  const leftOut = evaluateAcquisitions(acquisitions, nodes, alarms);
  return {
    kind: 'done',
    changes: {
      ...changes,
      alarms: [...(changes.alarms ?? []), ...leftOut.alarms],
      events: [...(changes.events ?? []), ...leftOut.events],
    },
  };
}

/** Columns that span messages are kept until their last part comes, and stand in its place. */
async function wholeColumns(tx: AlarmTransaction, entries: readonly LogEntry[]): Promise<LogEntry[]> {
  const parts = entries.flatMap((entry) => (entry.kind === 'columnPart' ? [entry] : []));
  if (parts.length === 0) return [...entries];
  await tx.saveParts(
    parts.map((entry) => ({
      columnKey: entry.part.columnKey,
      part: entry.part.part,
      data: encodeEntries([entry], Number.POSITIVE_INFINITY, () => '')[0] ?? new Uint8Array(),
    })),
  );
  const isLast = (entry: LogEntry) => entry.kind === 'columnPart' && entry.part.part === entry.part.parts - 1;
  const taken = await tx.takeParts(parts.filter(isLast).map((entry) => entry.part.columnKey));
  return entries.flatMap((entry): LogEntry[] => {
    if (entry.kind !== 'columnPart') return [entry];
    if (!isLast(entry)) return [];
    const columns = taken
      .filter((part) => part.columnKey === entry.part.columnKey)
      .flatMap((part) => decodeBatch(part.data).flatMap((one) => (one.kind === 'columnPart' ? [one.part.column] : [])));
    const [first, ...others] = columns;
    // Parts from before this service knew states of the series are missing: the column is older than its states.
    if (!first || columns.length < entry.part.parts) return [];
    const column: Column = joinColumns([first, ...others]);
    return [{ kind: 'column', column }];
  });
}

function settle(known: KnownNodes, evaluation: Extract<Evaluation, { kind: 'done' }> | undefined): void {
  for (const { node, series } of evaluation?.changes.series ?? []) {
    if (series.stateId === null) known.unsettle(node.nodeId);
    else if (known.kind(node.nodeId) === 'normal') known.settle(node.nodeId);
  }
}
