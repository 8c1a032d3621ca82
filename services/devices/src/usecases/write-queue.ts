import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorKind, toDomainError } from '@catchment/errors';
import type { Logger } from '@catchment/telemetry';
import { type DocumentPart, join, partOf } from '../domain/document-part.ts';
import { concernsDocument, MAX_INTERNAL_FAILURES } from '../domain/write-failure.ts';
import type { WriteBody, WriteToSource, WrittenSource } from './ports.ts';

type QueueDeps = {
  readonly write: WriteBody;
  readonly log: Logger;
  /** Waits before documents are tried again, the last one from then on. */
  readonly retryMs?: readonly number[];
};

type Waiting = {
  readonly source: WrittenSource;
  readonly document: unknown;
  /** Null: it is written by itself. Made once another document waits beside it. */
  part: DocumentPart | null | undefined;
  readonly origin: string;
  readonly keep: AbortSignal | undefined;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  internalFailures: number;
};
/** What waits for a source. */
type Lane = { readonly waiting: Waiting[]; tries: number };

const RETRY_MS = [500, 1_000, 2_000, 5_000];
/** Modes in which one document and several of the same records, all at different times, leave the same. */
const JOINED_MODES: ReadonlySet<string> = new Set(['', 'MERGE_OVERWRITE_EXISTING', 'MERGE_PRESERVE_EXISTING']);
const RECORDS_MAX = 2_000;
const DOCUMENTS_MAX = 500;
const BYTES_MAX = 512 * 1024;

/**
 * Writes of sources, those of each in the order in which they came. What waits while another document of its source is being written
 * is joined into one where the result is the same; when such a one is refused, each of its documents is written by itself.
 */
export class WriteQueue {
  readonly #deps: QueueDeps;
  readonly #lanes = new Map<string, Lane>();

  constructor(deps: QueueDeps) {
    this.#deps = deps;
  }

  readonly write: WriteToSource = (source, document, origin, keep) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const part = JOINED_MODES.has(source.writeMode) ? undefined : null;
    const waiting = { source, document, part, origin, keep, resolve, reject, internalFailures: 0 };
    const id = `${source.ownerId} ${source.sourceId}`;
    const lane = this.#lanes.get(id);
    if (lane) lane.waiting.push(waiting);
    else {
      const opened = { waiting: [waiting], tries: 0 };
      this.#lanes.set(id, opened);
      void this.#work(id, opened);
    }
    return promise;
  };

  async #work(id: string, lane: Lane): Promise<void> {
    while (lane.waiting.length > 0) await this.#settle(lane, batchOf(lane.waiting));
    this.#lanes.delete(id);
  }

  async #settle(lane: Lane, batch: readonly Waiting[]): Promise<void> {
    try {
      await this.#write(batch);
      lane.tries = 0;
      for (const one of batch) one.resolve();
    } catch (error) {
      const { kind } = toDomainError(error);
      if (concernsDocument(kind) && batch.length > 1) lane.waiting.unshift(...batch.map(alone));
      else await this.#failed(lane, batch, error, kind);
    }
  }

  /** A document that is never taken is refused; others wait in their place, as long as somebody wants them kept. */
  async #failed(lane: Lane, batch: readonly Waiting[], error: unknown, kind: ErrorKind): Promise<void> {
    if (kind === 'internal') for (const one of batch) one.internalFailures += 1;
    const isKept = ({ keep, internalFailures }: Waiting) =>
      keep !== undefined && !keep.aborted && mayPassLater(kind, internalFailures);
    const kept = batch.filter(isKept);
    for (const one of batch) if (!kept.includes(one)) one.reject(error);
    if (kept.length === 0) return;
    const { log, retryMs = RETRY_MS } = this.#deps;
    const waitMs = retryMs[Math.min(lane.tries, retryMs.length - 1)] ?? 0;
    lane.tries += 1;
    log.debug({ err: error, waitMs, documents: kept.length }, 'documents wait to be written again');
    await sleep(waitMs);
    // Those that gave up meanwhile.
    const wanted = kept.filter(({ keep }) => !keep?.aborted);
    for (const one of kept) if (!wanted.includes(one)) one.reject(error);
    lane.waiting.unshift(...wanted);
  }

  #write(batch: readonly Waiting[]): Promise<void> {
    const [first] = batch;
    if (!first) return Promise.resolve();
    const text = batch.length > 1 ? join(batch.flatMap(({ part }) => part ?? [])) : JSON.stringify(first.document);
    return this.#deps.write(first.source, Buffer.from(text), { origin: first.origin, deliveries: batch.length });
  }
}

const alone = (one: Waiting): Waiting => ({ ...one, part: null });

const NEVER: ReadonlySet<ErrorKind> = new Set(['not_found', 'permission_denied', 'unauthenticated']);

function mayPassLater(kind: ErrorKind, internalFailures: number): boolean {
  if (kind === 'internal') return internalFailures < MAX_INTERNAL_FAILURES;
  return !concernsDocument(kind) && !NEVER.has(kind);
}

/** Takes the first ones that can be written together. */
function batchOf(waiting: Waiting[]): Waiting[] {
  const [first] = waiting;
  if (waiting.length === 1) return waiting.splice(0, 1);
  let records = 0;
  let bytes = 0;
  const times = new Set<number>();
  const fits = (one: Waiting, n: number): boolean => {
    if (one.part === undefined) one.part = partOf(one.document) ?? null;
    if (n === 0) return true;
    const { part, origin, source } = one;
    if (!part || part.head !== first?.part?.head || origin !== first.origin) return false;
    if (source.writeMode !== first.source.writeMode || n >= DOCUMENTS_MAX) return false;
    if (records + part.times.length > RECORDS_MAX || bytes + part.rows.length > BYTES_MAX) return false;
    return part.times.every((time) => !times.has(time));
  };
  let count = 0;
  for (const one of waiting) {
    if (!fits(one, count)) break;
    count += 1;
    if (!one.part) break;
    records += one.part.times.length;
    bytes += one.part.rows.length;
    for (const time of one.part.times) times.add(time);
  }
  return waiting.splice(0, count);
}
