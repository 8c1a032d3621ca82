import { decodeBatch, readEntries } from '@catchment/ingest-log';
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
        const whole = await placed(tx, entries, message);
        const work = { entries: whole, acquisitions, nodeIds, isBehindWaiting: true };
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

/** What this message of the log does, as far as it is known: historic is often faster, and what it said of columns is there already. */
async function placed(
  tx: PartitionTransaction,
  entries: readonly { readonly index: number; readonly entry: SeriesEntry }[],
  { sequence, timeMs: messageMs }: LogMessage,
): Promise<PlacedEntry[]> {
  const read = await readEntries(entries, {
    // Parts that were sent before this service knew states of the series are missing: the column is older than its states.
    parts: { stagePart: tx.stagePart, partsOf: tx.takeParts, mayMiss: true },
    written: () => tx.verdicts(sequence),
  });
  return read.map(({ entry, ...one }): PlacedEntry => {
    const { nodeId } = entry.kind === 'column' ? entry.column : entry.seriesDelete;
    return { ...one, entry, nodeId, sequence, messageMs };
  });
}
