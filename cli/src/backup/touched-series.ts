import type { CopiedMessage, StreamRestore } from '@catchment/bus';
import { AppliedGroup } from '@catchment/contracts/ingest';
import { DomainError } from '@catchment/errors';
import { partitionOf } from '@catchment/ids';
import { decodeBatch, type LogEntry } from '@catchment/ingest-log';
import type pg from 'pg';
import { messagesOf } from './copy-messages.ts';
import type { BlobRef, Manifest } from './manifest.ts';

/** The readers read the store for each reported series, at the pace of a message after the other. */
const READERS = ['nodes', 'processing'] as const;
const SERIES_AT_ONCE = 100;

/**
 * Finds series of an account whose newest records its rows may not know: messages about them were on their way in the moment of the backup,
 * and a restore of the account applies them to the records alone.
 */
export async function touchedSeries(
  { streams: { INGEST, APPLIED }, replay }: Manifest,
  read: (blob: BlobRef) => AsyncIterable<Uint8Array>,
  ownerId: string,
): Promise<Set<string>> {
  const found = new Set<string>();
  const take = (all: readonly { readonly nodeId: string; readonly ownerId: string }[]) => {
    for (const series of all) if (series.ownerId === ownerId) found.add(series.nodeId);
  };
  if (INGEST)
    for await (const message of messagesOf(INGEST, read)) {
      const range = replay[Number(message.subject.split('.').at(-1))];
      if (range && message.sequence > range.from) take(entriesOf(message).flatMap(seriesOf));
    }
  if (APPLIED)
    for await (const { data } of messagesOf(APPLIED, read))
      for (const { series, seriesDeletes } of AppliedGroup.decode(data).batches) take([...series, ...seriesDeletes]);
  return found;
}

/** Returns none for a message that no reader could read: nothing of it is stored. */
function entriesOf({ data }: CopiedMessage): LogEntry[] {
  try {
    return decodeBatch(data);
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'invalid_argument') return [];
    throw error;
  }
}

function seriesOf(entry: LogEntry): { readonly nodeId: string; readonly ownerId: string }[] {
  if (entry.kind === 'column') return [entry.column];
  if (entry.kind === 'columnPart') return [entry.part.column];
  return entry.kind === 'seriesDelete' ? [entry.seriesDelete] : [];
}

/**
 * Lets running services look at the newest records of series anew, as they do for what comes late.
 * @param atMs when the records were written last, at the latest
 * @returns how many there are
 */
export async function announceSeries(
  client: pg.Client,
  streams: Pick<StreamRestore, 'partitions' | 'publish'>,
  { ownerId, nodeIds, atMs }: { ownerId: string; nodeIds: ReadonlySet<string>; atMs: number },
): Promise<number> {
  const { rows } = await client.query<{ node_id: string; source_id: string }>(
    'SELECT node_id, source_id FROM historic.node_replica WHERE owner_id = $1 AND node_id = ANY($2) AND deleted_time IS NULL ORDER BY 1',
    [ownerId, [...nodeIds]],
  );
  if (rows.length === 0) return 0;
  const partitions = await streams.partitions();
  for (const [partition, rowsOfPartition] of Map.groupBy(rows, ({ source_id }) => partitionOf(source_id, partitions)))
    for (let from = 0; from < rowsOfPartition.length; from += SERIES_AT_ONCE) {
      const series = rowsOfPartition
        .slice(from, from + SERIES_AT_ONCE)
        .map(({ node_id: nodeId }) => ({ nodeId, ownerId, modifiedMs: atMs, recompute: true }));
      const data = AppliedGroup.encode(AppliedGroup.fromPartial({ batches: [{ partition, series }] })).finish();
      for (const reader of READERS)
        await streams.publish(reader, partition, data, `restored-${reader}-${ownerId}-${partition}-${from}`);
    }
  return rows.length;
}
