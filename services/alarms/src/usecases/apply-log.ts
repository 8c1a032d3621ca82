import type { Acquisition } from '@catchment/contracts/ingest';
import { decodeBatch, readEntries } from '@catchment/ingest-log';
import type { NewEvent } from '../domain/changes.ts';
import type { PlacedEntry } from '../domain/evaluation/placed-entry.ts';
import { type AheadRecord, aheadText, dayOf, recordsAhead } from '../domain/records-ahead.ts';
import { acquisitionsToApply, type RaisedSources } from './evaluate-acquisitions.ts';
import { evaluateWork, inRounds, type NodeKey, type Outcome, type RoundDeps } from './evaluate-in-rounds.ts';
import { entriesToApply, type IndexedEntry, seriesOf } from './log-work.ts';
import type { AlarmStore, AlarmTransaction, LogPosition, PartitionTransaction } from './ports.ts';

type Deps = RoundDeps & { readonly store: Pick<AlarmStore, 'applyOnce'>; readonly raised: RaisedSources };

/** A message of the ingest log; it came at `timeMs`, Unix ms by the broker's clock. */
export type LogMessage = LogPosition & { readonly data: Uint8Array; readonly timeMs: number };

/** One transaction takes so much of what the reader of a partition hands over; a message that is larger has one to itself. */
const BYTES_TOGETHER = 512 * 1024;

/**
 * Applies messages of a partition of the ingest log, in order: states, state alarms, alarms about records that were left out, and their
 * events, in one transaction with the log sequence for as many as are small. What only historic can settle is kept until it has; only
 * its series waits. A message that comes twice changes nothing. Messages that fail together change nothing.
 * @throws DomainError invalid_argument for an unknown layout; unavailable while nodes is away, or when too much waits
 */
export async function applyLog(deps: Deps, messages: readonly LogMessage[], signal: AbortSignal): Promise<void> {
  for (const together of groupsOf(messages)) await applyTogether(deps, together, signal);
}

function groupsOf(messages: readonly LogMessage[]): LogMessage[][] {
  const groups: LogMessage[][] = [];
  let bytes = 0;
  for (const message of messages) {
    const group = groups.at(-1);
    bytes += message.data.byteLength;
    if (group && bytes <= BYTES_TOGETHER) group.push(message);
    else {
      groups.push([message]);
      bytes = message.data.byteLength;
    }
  }
  return groups;
}

/** A message asks for this. */
type MessageWork = {
  readonly message: LogMessage;
  readonly entries: readonly IndexedEntry[];
  readonly acquisitions: readonly Acquisition[];
  readonly ahead: readonly AheadRecord[];
};

async function applyTogether(deps: Deps, messages: readonly LogMessage[], signal: AbortSignal): Promise<void> {
  const { store } = deps;
  const works = await worksOf(deps, messages, signal);
  const last = works.at(-1)?.message;
  // The messages are not noted either: should they come again, they change nothing again.
  if (!last) return;
  const nodes = new Map<string, NodeKey>();
  for (const { entries, acquisitions, ahead } of works) {
    for (const { entry } of entries) {
      const series = seriesOf(entry);
      if (series) nodes.set(series.nodeId, series);
    }
    for (const { sourceId, ownerId } of [...acquisitions, ...ahead]) nodes.set(sourceId, { nodeId: sourceId, ownerId });
  }
  const nodeIds = [...nodes.keys()].sort();
  await inRounds(
    deps,
    nodes,
    async (round) => {
      let outcome: Outcome | undefined;
      await store.applyOnce(last, async (tx, appliedSequence) => {
        const open = works.filter(({ message }) => message.sequence > appliedSequence);
        const entries: PlacedEntry[] = [];
        for (const work of open) entries.push(...(await placed(tx, work.entries, work.message)));
        const acquisitions = open.map((work) => work.acquisitions);
        outcome = await evaluateWork(tx, { entries, acquisitions, nodeIds, isBehindWaiting: true }, round, deps);
        if (outcome.kind !== 'done') return false;
        const waits = new Set(outcome.waits);
        await tx.remove(entries.filter((entry) => entry.written && !waits.has(entry)));
        await tx.wait(outcome.waits);
        for (const { ahead } of open) await reportAhead(tx, ahead);
        return true;
      });
      return outcome;
    },
    signal,
  );
  for (const { acquisitions } of works) for (const { sourceId } of acquisitions) deps.raised.add(sourceId);
}

/** Returns the messages that something has to be done for. What one of them brings about may make a later one matter. */
async function worksOf(
  { known, raised }: Deps,
  messages: readonly LogMessage[],
  signal: AbortSignal,
): Promise<MessageWork[]> {
  const [maybeRaised, emptied] = [new Set<string>(), new Set<string>()];
  const works: MessageWork[] = [];
  for (const message of messages) {
    const all = decodeBatch(message.data);
    const isRaised = (sourceId: string) => maybeRaised.has(sourceId) || raised.has(sourceId);
    const acquisitions = acquisitionsToApply(all, { has: isRaised });
    const entries = await entriesToApply(all, known, emptied, signal);
    const ahead = recordsAhead(all);
    for (const { sourceId } of acquisitions) maybeRaised.add(sourceId);
    if (entries.length > 0 || acquisitions.length > 0 || ahead.length > 0)
      works.push({ message, entries, acquisitions, ahead });
  }
  return works;
}

/** Reports a source once a day (docs/reference/writing.md#notifyon). */
async function reportAhead(tx: AlarmTransaction, ahead: readonly AheadRecord[]): Promise<void> {
  if (ahead.length === 0) return;
  const sources = await tx.nodes(ahead.map(({ sourceId }) => sourceId).sort());
  const reported = ahead.filter(({ sourceId }) => sources.get(sourceId)?.node.isEnabled);
  const fresh = await tx.takeAheadDays(
    reported.map((aheadDay) => ({ sourceId: aheadDay.sourceId, day: dayOf(aheadDay) })),
  );
  const events = reported.flatMap((aheadDay): NewEvent[] => {
    const node = sources.get(aheadDay.sourceId)?.node;
    if (!node || !fresh.has(aheadDay.sourceId)) return [];
    const about = { node, timeMs: aheadDay.acceptedMs, username: 'System', message: aheadText(aheadDay) };
    return [{ ...about, level: 'WARNING', eventType: 'ACQUISITION', alarmState: 'NONE' }];
  });
  if (events.length > 0) await tx.save({ events });
}

/**
 * Reads the effect of this message of the log, as far as it is known: historic is often faster, and its verdicts on columns are
 * there already.
 */
async function placed(
  tx: PartitionTransaction,
  entries: readonly IndexedEntry[],
  { sequence, timeMs: messageMs }: LogMessage,
): Promise<PlacedEntry[]> {
  const read = await readEntries(entries, {
    // Parts that were sent before this service knew states of the series are missing: the column is older than its states.
    parts: { stagePart: tx.stagePart, partsOf: tx.takeParts, mayMiss: true },
    written: () => tx.verdicts(sequence),
  });
  return read.map(({ entry, ...rest }): PlacedEntry => {
    const { nodeId } = entry.kind === 'column' ? entry.column : entry.seriesDelete;
    return { ...rest, entry, nodeId, sequence, messageMs };
  });
}
