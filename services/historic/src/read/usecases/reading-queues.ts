import { currentAccount, FairQueue, type Leave, PLATFORM } from '@catchment/fair-queue';

/** This is below the gateway's 30 s for a call, and half of its time for a read. */
const WAIT_MS = 25_000;
const WAITING_PER_ACCOUNT = 500;

/**
 * Answers made at a time, since each holds its records in memory; of one account a quarter, for two at a time are
 * enough to keep the store and this process at work, and more would slow down everybody else's. One more is for its short reads.
 */
export const readingQueue = (slots: number): FairQueue =>
  new FairQueue({
    reason: 'TOO_MANY_READS',
    capacity: slots,
    perAccount: Math.min(Math.ceil(slots / 4) + 1, Math.ceil(slots / 2)),
    bulkPerAccount: Math.ceil(slots / 4),
    waitingPerAccount: WAITING_PER_ACCOUNT,
    waiting: 4 * WAITING_PER_ACCOUNT,
    waitMs: WAIT_MS,
  });

/**
 * Makes slots by where series are: a queue for each shard, and another for answers out of several.
 * @param shardsOf the shards of series
 */
export function readingQueues(
  slots: number,
  shardsOf: (nodeIds: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): (nodeIds: readonly string[]) => Promise<FairQueue> {
  const queues = new Map<string, FairQueue>();
  return async (nodeIds) => {
    const [shard = SEVERAL, ...others] = new Set((await shardsOf(nodeIds)).values());
    const name = others.length > 0 ? SEVERAL : shard;
    const queue = queues.get(name) ?? readingQueue(slots);
    queues.set(name, queue);
    return queue;
  };
}

/** No shard has this name. */
const SEVERAL = '';

/** This much of a request is known before the read. */
export type Reading = {
  readonly nodes: readonly { readonly nodeId: string }[];
  readonly kind: 'document' | 'series';
  /** A series has at most this many records, where that is said. */
  readonly limit?: number | undefined;
  /** Unix ms, where they are known. */
  readonly startMs?: number | undefined;
  readonly endMs?: number | undefined;
};

/** A person who looks at something reads little: few records, or few series of a few days. */
const SHORT = { records: 1_000, series: 10, ms: 7 * 24 * 3_600_000 };

function isShort({ nodes, limit, startMs, endMs }: Reading): boolean {
  if (nodes.length > SHORT.series) return false;
  if (limit !== undefined && limit > 0 && limit <= SHORT.records) return true;
  return startMs !== undefined && endMs !== undefined && endMs - startMs <= SHORT.ms;
}

/** Waits for a slot for an answer, in the lane of its kind and size. @throws DomainError unavailable; the signal's reason */
export async function enterReading(
  queueOf: (nodeIds: readonly string[]) => Promise<FairQueue>,
  reading: Reading,
  signal: AbortSignal,
): Promise<Leave> {
  const queue = await queueOf(reading.nodes.map(({ nodeId }) => nodeId));
  const size = isShort(reading) ? { lane: `short ${reading.kind}` } : { lane: reading.kind, isBulk: true };
  return queue.enter({ account: currentAccount() ?? PLATFORM, cost: 1, ...size, signal });
}

/** Returns the part of its slot that an answer keeps while its text is sent at the pace of its client: by the memory that it holds. */
export const keptShare = (records: number, maxRecords: number): number => Math.min(0.5, records / maxRecords / 2);
