import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { unavailable } from '@catchment/errors';
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
  /** Gathering time of writes after an acknowledgement before the next flush, ms; 1 where absent. */
  readonly lingerMs?: number;
};

/** Over one of these, new writes of the partition are refused (503) instead of piling up. */
const MAX_WAITING = { requests: 5_000, records: 400_000, bytes: 48 * 1024 * 1024 };
/** One flush takes about this much, so that its messages stay quick to apply. */
const MAX_FLUSH = { records: 40_000, bytes: 900 * 1024 };
/** Room in a message for the broker's headers. */
const HEADER_BYTES = 4 * 1024;
const RETRY_MS = 100;
/** Longest delay of a request on a busy installation for larger messages; each message costs the broker and three readers. */
const LINGER_MS = 1;
const PUBLISH_LIMIT_MS = 5_000;

const recordsAccepted = counter({
  name: 'catchment_records_accepted_total',
  help: 'Records that were checked and handed to the log; one for each series.',
});
const recordsDurable = counter({
  name: 'catchment_records_durable_total',
  help: 'Records that the log has acknowledged: their writers were answered.',
});

type InContext = <T>(work: () => T) => T;

type Waiting = {
  readonly entries: readonly LogEntry[];
  readonly records: number;
  readonly bytes: number;
  readonly deadlineMs: number;
  readonly traceparent: string | undefined;
  /** Runs in the request's own async context, so that a request alone is one trace. */
  readonly inContext: InContext;
  readonly writeId: string | undefined;
  readonly resolve: (sequence: number) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Appends the validated writes of concurrent requests to the ingest log (docs/reference/guarantees.md#durable-before-202).
 * Clocked by itself: while one flush of a partition is under way, and for a moment after it, the next one gathers; each
 * request is answered when its messages are acknowledged.
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
  /** When the broker acknowledged last. */
  #acknowledgedMs = Number.NEGATIVE_INFINITY;
  readonly #options: GroupCommitOptions;
  readonly #now: () => number;
  readonly #queue: Waiting[] = [];
  /** Outside any request: what a flush for several of them runs in. */
  readonly #noContext: InContext = AsyncLocalStorage.snapshot();
  #records = 0;
  #bytes = 0;
  #flushing: Promise<void> | undefined;

  constructor(partition: number, options: GroupCommitOptions) {
    this.#subject = `ingest.${partition}`;
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  append(entries: readonly LogEntry[], deadlineMs: number, writeId: string | undefined): Promise<number> {
    const { records, bytes } = sizeOf(entries);
    if (
      this.#queue.length >= MAX_WAITING.requests ||
      (this.#queue.length > 0 &&
        (this.#records + records > MAX_WAITING.records || this.#bytes + bytes > MAX_WAITING.bytes))
    ) {
      return Promise.reject(unavailable('INGEST_BUSY'));
    }
    recordsAccepted.add({}, records);
    return new Promise((resolve, reject) => {
      this.#queue.push({
        entries,
        records,
        bytes,
        deadlineMs,
        traceparent: currentTraceparent(),
        writeId,
        inContext: AsyncLocalStorage.snapshot(),
        resolve,
        reject,
      });
      this.#records += records;
      this.#bytes += bytes;
      this.#flushing ??= this.#noContext(() => this.#flushAll());
    });
  }

  async idle(): Promise<void> {
    while (this.#flushing) await this.#flushing;
  }

  async #flushAll(): Promise<void> {
    // Requests that arrive in this turn of the event loop go along.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#queue.length > 0) {
      const leftMs = this.#acknowledgedMs + (this.#options.lingerMs ?? LINGER_MS) - performance.now();
      if (leftMs > 0) await sleep(leftMs);
      const batch = this.#take();
      const [only] = batch;
      const run = batch.length === 1 && only ? only.inContext : this.#noContext;
      await run(() => this.#flush(batch));
    }
    this.#flushing = undefined;
  }

  #take(): Waiting[] {
    let records = 0;
    let bytes = 0;
    let count = 0;
    for (const waiting of this.#queue) {
      // One with an id is the same message whenever it comes again.
      if (count > 0 && (waiting.writeId ?? this.#queue[0]?.writeId) !== undefined) break;
      if (count > 0 && (records + waiting.records > MAX_FLUSH.records || bytes + waiting.bytes > MAX_FLUSH.bytes))
        break;
      records += waiting.records;
      bytes += waiting.bytes;
      count += 1;
    }
    this.#records -= records;
    this.#bytes -= bytes;
    return this.#queue.splice(0, count);
  }

  async #flush(batch: readonly Waiting[]): Promise<void> {
    try {
      const traceparents = batch.map(({ traceparent }) => traceparent).filter((one) => one !== undefined);
      const links = batch.length > 1 && traceparents.length > 0 ? { linkedTraceparents: traceparents } : {};
      const maxBytes = this.#options.maxPayloadBytes() - HEADER_BYTES;
      const messages = encodeEntries(
        batch.flatMap(({ entries }) => entries),
        maxBytes,
        randomUUID,
      );
      const writeId = batch[0]?.writeId;
      let sequence = 0;
      for (const [n, message] of messages.entries()) {
        const msgId = writeId === undefined ? randomUUID() : `${writeId}-${this.#subject}-${n}`;
        sequence = await this.#publish(message, batch, { msgId, ...links });
      }
      for (const { resolve, records } of batch) {
        recordsDurable.add({}, records);
        resolve(sequence);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /** The same message id until the broker acknowledges or no request waits any more. */
  async #publish(
    message: Uint8Array,
    batch: readonly Waiting[],
    options: { msgId: string; linkedTraceparents?: readonly string[] },
  ): Promise<number> {
    for (;;) {
      try {
        const leftMs = Math.max(...batch.map(({ deadlineMs }) => deadlineMs)) - this.#now();
        const timeoutMs = Math.max(1, Math.min(PUBLISH_LIMIT_MS, leftMs));
        const { sequence } = await this.#options.publish(this.#subject, message, { ...options, timeoutMs });
        this.#acknowledgedMs = performance.now();
        return sequence;
      } catch (error) {
        const now = this.#now() + RETRY_MS;
        for (const { deadlineMs, reject } of batch) if (deadlineMs <= now) reject(error);
        if (batch.every(({ deadlineMs }) => deadlineMs <= now)) throw error;
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
