import { decodeBatch, isLastPart, keptPart, needsVerdict, wholeColumn } from '@catchment/ingest-log';
import { type AheadRecord, aheadText, dayOf, recordsAhead } from '../domain/records-ahead.ts';
import { acquisitionsToApply, type RaisedSources } from './evaluate-acquisitions.ts';
import { evaluateWork, inRounds, type Outcome, type RoundDeps } from './evaluate-in-rounds.ts';
import { entriesToApply, type SeriesEntry, seriesOf } from './log-work.ts';
import type {
  AlarmStore,
  AlarmTransaction,
  LogPosition,
  NewEvent,
  PartitionTransaction,
  PlacedEntry,
} from './ports.ts';

type Deps = RoundDeps & { readonly store: Pick<AlarmStore, 'applyOnce'>; readonly raised: RaisedSources };

/** A message of the ingest log; `timeMs`: when it came, Unix ms by the broker's clock. */
export type LogMessage = LogPosition & { readonly data: Uint8Array; readonly timeMs: number };

/**
 * Applies one message of the ingest log: states, state alarms, alarms about records that were left out, and their events, in one
 * transaction with the log sequence. What only historic can settle is kept until it has; only its series waits. A message that
 * comes twice changes nothing.
 * @throws DomainError invalid_argument for an unknown layout; unavailable while nodes is away, or when too much waits
 */
export async function applyLogMessage(deps: Deps, message: LogMessage, signal: AbortSignal): Promise<void> {
  const { store, known } = deps;
  const all = decodeBatch(message.data);
  const acquisitions = acquisitionsToApply(all, deps.raised);
  const entries = await entriesToApply(all, known, signal);
  // Nothing is noted either: should it come again, it changes nothing again.
  const ahead = recordsAhead(all);
  if (entries.length === 0 && acquisitions.length === 0 && ahead.length === 0) return;

  const nodes = new Map(entries.flatMap(({ entry }) => seriesOf(entry) ?? []).map((one) => [one.nodeId, one]));
  for (const { sourceId, ownerId } of acquisitions) nodes.set(sourceId, { nodeId: sourceId, ownerId });
  for (const { sourceId, ownerId } of ahead) nodes.set(sourceId, { nodeId: sourceId, ownerId });
  const nodeIds = [...nodes.keys()].sort();
  await inRounds(
    deps,
    nodes,
    async (round) => {
      let outcome: Outcome | undefined;
      await store.applyOnce(message, async (tx) => {
        const toldSequence = deps.toldSequences.get(message.partition) ?? 0;
        const whole = await withVerdicts(tx, await wholeColumns(tx, entries, message), message.sequence);
        const work = { entries: whole, acquisitions, nodeIds, isBehindWaiting: true, toldSequence };
        outcome = await evaluateWork(tx, work, round, deps);
        if (outcome.kind !== 'done') return false;
        const waits = new Set(outcome.waits);
        await tx.remove(whole.filter((entry) => entry.written && !waits.has(entry)));
        await tx.wait(outcome.waits);
        await tellAhead(tx, ahead);
        return true;
      });
      return outcome;
    },
    signal,
  );
  for (const { sourceId } of acquisitions) deps.raised.add(sourceId);
}

/** Once for a source and day (docs/reference/writing.md#notifyon). */
async function tellAhead(tx: AlarmTransaction, ahead: readonly AheadRecord[]): Promise<void> {
  if (ahead.length === 0) return;
  const sources = await tx.nodes(ahead.map(({ sourceId }) => sourceId).sort());
  const told = ahead.filter(({ sourceId }) => sources.get(sourceId)?.node.isEnabled);
  const fresh = await tx.takeAheadDays(told.map((one) => ({ sourceId: one.sourceId, day: dayOf(one) })));
  const events = told.flatMap((one): NewEvent[] => {
    const node = sources.get(one.sourceId)?.node;
    if (!node || !fresh.has(one.sourceId)) return [];
    const about = { node, timeMs: one.acceptedMs, username: 'System', message: aheadText(one) };
    return [{ ...about, level: 'WARNING', eventType: 'ACQUISITION', alarmState: 'NONE' }];
  });
  if (events.length > 0) await tx.save({ events });
}

/** Historic is often faster: what it said of columns is there already. */
async function withVerdicts(
  tx: PartitionTransaction,
  entries: readonly PlacedEntry[],
  sequence: number,
): Promise<readonly PlacedEntry[]> {
  if (!entries.some(({ entry }) => entry.kind === 'column' && needsVerdict(entry.column))) return entries;
  const verdicts = await tx.verdicts(sequence);
  return entries.map((entry) => ({ ...entry, written: verdicts.get(entry.index) }));
}

/** Columns that span messages are kept until their last part comes, and stand in its place. */
async function wholeColumns(
  tx: AlarmTransaction,
  entries: readonly { readonly index: number; readonly entry: SeriesEntry }[],
  { sequence, timeMs: messageMs }: LogMessage,
): Promise<PlacedEntry[]> {
  const parts = entries.flatMap(({ entry }) => (entry.kind === 'columnPart' ? [entry.part] : []));
  const earlier = parts.filter((one) => !isLastPart(one));
  if (earlier.length > 0) await tx.saveParts(earlier.map((one) => ({ ...one, data: keptPart(one) })));
  const taken = await tx.takeParts(parts.filter(isLastPart).map(({ columnKey }) => columnKey));
  return entries.flatMap(({ index, entry }): PlacedEntry[] => {
    const place = { sequence, index, messageMs };
    if (entry.kind === 'seriesDelete') return [{ ...place, nodeId: entry.seriesDelete.nodeId, entry }];
    if (entry.kind === 'column') return [{ ...place, nodeId: entry.column.nodeId, entry }];
    const { part } = entry;
    if (!isLastPart(part)) return [];
    const kept = taken.filter(({ columnKey }) => columnKey === part.columnKey).map(({ data }) => data);
    // Parts from before this service knew states of the series are missing: the column is older than its states.
    const column = wholeColumn(kept, part);
    return column ? [{ ...place, nodeId: column.nodeId, entry: { kind: 'column', column } }] : [];
  });
}
