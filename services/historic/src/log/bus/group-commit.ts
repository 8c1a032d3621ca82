import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Gather, type Gathered } from '@catchment/fair-queue';
import { encodeEntries, type LogEntry } from '@catchment/ingest-log';
import { counter, currentTraceparent } from '@catchment/telemetry';

/** Sends a flush to the broker; `Bus.publish` fits. */
export type Publish = (
  subject: string,
  data: Uint8Array,
  options: { msgId: string; timeoutMs?: number; linkedTraceparents?: readonly string[] },
) => Promise<{ readonly sequence: number }>;

type GroupCommitOptions = {
  readonly publish: Publish;
  readonly partitions: number;
  /** The broker's limit of one message, bytes. */
  readonly maxPayloadBytes: () => number;
  readonly now?: () => number;
  /** Gathering time of writes after an acknowledgement before the next flush, ms; 0.5 where absent. */
  readonly lingerMs?: number;
};

/** New writes of the partition are refused (503) over one of these limits, instead of piling up. */
const MAX_WAITING = { items: 5_000, records: 400_000, bytes: 48 * 1024 * 1024, reason: 'INGEST_BUSY' } as const;
/** One flush takes about this much, so that its messages stay quick to apply. */
const MAX_FLUSH = { items: MAX_WAITING.items, records: 40_000, bytes: 900 * 1024 };
/** Room for the broker's headers. */
const HEADER_BYTES = 4 * 1024;
const RETRY_MS = 100;
/** A busy installation delays requests by this for larger messages: each message costs the broker and its readers. Less makes more messages. */
const LINGER_MS = 0.5;
const PUBLISH_LIMIT_MS = 5_000;

const recordsAccepted = counter({
  name: 'catchment_records_accepted_total',
  help: 'Records that were checked and handed to the log; one for each series.',
});
const recordsDurable = counter({
  name: 'catchment_records_durable_total',
  help: 'Records that the log has acknowledged: their writers were answered.',
});

type Write = {
  readonly entries: readonly LogEntry[];
  readonly size: ReturnType<typeof sizeOf>;
  readonly deadlineMs: number;
  readonly traceparent: string | undefined;
  readonly writeId: string | undefined;
};
type Waiting = Gathered<Write, number>;

/**
 * Appends the validated writes of concurrent requests to the ingest log (docs/reference/guarantees.md#durable-before-202). The commit
 * clocks itself: while one flush of a partition is under way, and for a moment after it, the next one gathers; each request is answered
 * when its messages are acknowledged.
 */
export class GroupCommit {
  readonly #partitions: Partition[];

  constructor(options: GroupCommitOptions) {
    this.#partitions = Array.from({ length: options.partitions }, (_, partition) => new Partition(partition, options));
  }

  /**
   * Resolves when the log has all entries, in order.
   * @param deadlineMs Unix ms; an append that is not acknowledged by then may have happened
   * @param writeId the broker takes entries of one id once, within its window for duplicates; they travel alone
   * @returns the sequence up to which the log has them
   * @throws DomainError unavailable: too much is waiting, or the broker did not acknowledge in time
   */
  append(partition: number, entries: readonly LogEntry[], deadlineMs: number, writeId?: string): Promise<number> {
    const target = this.#partitions[partition];
    if (!target) throw new RangeError(`no partition ${partition}`);
    return target.append(entries, deadlineMs, writeId);
  }

  /** Resolves when all that was gathered is settled. */
  async drain(): Promise<void> {
    await Promise.all(this.#partitions.map((partition) => partition.idle()));
  }
}

class Partition {
  readonly #subject: string;
  readonly #options: GroupCommitOptions;
  readonly #now: () => number;
  readonly #gather: Gather<Write, number>;

  constructor(partition: number, options: GroupCommitOptions) {
    this.#subject = `ingest.${partition}`;
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#gather = new Gather({
      afterTurn: true,
      pauseMs: options.lingerMs ?? LINGER_MS,
      batch: MAX_FLUSH,
      waiting: MAX_WAITING,
      sizeOf: ({ size }) => size,
      // A write with an id is the same message whenever it comes again.
      isAlone: ({ writeId }) => writeId !== undefined,
      work: (batch) => this.#flush(batch),
    });
  }

  async append(entries: readonly LogEntry[], deadlineMs: number, writeId: string | undefined): Promise<number> {
    const size = sizeOf(entries);
    const appended = this.#gather.add({ entries, size, deadlineMs, traceparent: currentTraceparent(), writeId });
    recordsAccepted.add({}, size.records);
    return appended;
  }

  idle(): Promise<void> {
    return this.#gather.idle();
  }

  async #flush(batch: readonly Waiting[]): Promise<void> {
    const traceparents = batch.map(({ item }) => item.traceparent).filter((traceparent) => traceparent !== undefined);
    const links = batch.length > 1 && traceparents.length > 0 ? { linkedTraceparents: traceparents } : {};
    const maxBytes = this.#options.maxPayloadBytes() - HEADER_BYTES;
    const messages = encodeEntries(
      batch.flatMap(({ item }) => item.entries),
      maxBytes,
      randomUUID,
    );
    const writeId = batch[0]?.item.writeId;
    let sequence = 0;
    for (const [n, message] of messages.entries()) {
      const msgId = writeId === undefined ? randomUUID() : `${writeId}-${this.#subject}-${n}`;
      sequence = await this.#publish(message, batch, { msgId, ...links });
    }
    for (const { item, resolve } of batch) {
      recordsDurable.add({}, item.size.records);
      resolve(sequence);
    }
  }

  /** Publishes with the same message id until the broker acknowledges, or no request waits any more. */
  async #publish(
    message: Uint8Array,
    batch: readonly Waiting[],
    options: { msgId: string; linkedTraceparents?: readonly string[] },
  ): Promise<number> {
    for (;;) {
      try {
        const leftMs = Math.max(...batch.map(({ item }) => item.deadlineMs)) - this.#now();
        const timeoutMs = Math.max(1, Math.min(PUBLISH_LIMIT_MS, leftMs));
        const { sequence } = await this.#options.publish(this.#subject, message, { ...options, timeoutMs });
        return sequence;
      } catch (error) {
        const now = this.#now() + RETRY_MS;
        for (const { item, reject } of batch) if (item.deadlineMs <= now) reject(error);
        if (batch.every(({ item }) => item.deadlineMs <= now)) throw error;
        await sleep(RETRY_MS);
      }
    }
  }
}

/** Records, and about how many bytes they take in a message. */
function sizeOf(entries: readonly LogEntry[]): { records: number; bytes: number } {
  let records = 0;
  let bytes = 0;
  let lastTimes: Float64Array | undefined;
  for (const entry of entries) {
    bytes += 400;
    if (entry.kind !== 'column') continue;
    const { timestamps, numbers, texts, qualities, flags, annotations } = entry.column;
    records += timestamps.length;
    bytes += numbers.byteLength + qualities.byteLength + flags.byteLength;
    if (timestamps !== lastTimes) bytes += timestamps.byteLength;
    lastTimes = timestamps;
    for (const text of texts) bytes += text.length * 2;
    for (const text of annotations.values()) bytes += text.length * 2;
  }
  return { records, bytes };
}
