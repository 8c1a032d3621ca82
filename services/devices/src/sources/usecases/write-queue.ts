import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorKind, toDomainError } from '@catchment/errors';
import { Gather, type Gathered } from '@catchment/fair-queue';
import type { Logger } from '@catchment/telemetry';
import { type DocumentPart, join, partOf, textOf } from '../domain/document-part.ts';
import { concernsDocument, MAX_INTERNAL_FAILURES } from '../domain/write-failure.ts';
import type { WriteBody, WriteToSource, WrittenSource } from './ports.ts';

type QueueDeps = {
  readonly write: WriteBody;
  readonly log: Logger;
  /** Waits before documents are tried again, the last one from then on. */
  readonly retryMs?: readonly number[];
};

type Document = {
  readonly source: WrittenSource;
  readonly document: unknown;
  /** Null: it is written by itself. Made once another document waits beside it. */
  part: DocumentPart | null | undefined;
  readonly origin: string;
  readonly keep: AbortSignal | undefined;
  internalFailures: number;
};
type Waiting = Gathered<Document>;
/** These documents wait for a source. */
type Lane = { readonly gather: Gather<Document>; tries: number };

const RETRY_MS = [500, 1_000, 2_000, 5_000];
/** In these modes one document and several of the same records, all at different times, leave the same. */
const JOINED_MODES: ReadonlySet<string> = new Set(['', 'MERGE_OVERWRITE_EXISTING', 'MERGE_PRESERVE_EXISTING']);
const RECORDS_MAX = 2_000;
const DOCUMENTS_MAX = 500;
const BYTES_MAX = 512 * 1024;
/** At most this many documents of a source wait; what may be on its way to a device's source is limited by those who bring it. */
const WAITING = { items: 100_000, reason: 'INGEST_BUSY' } as const;

/**
 * Writes documents of sources, those of each in the order in which they came. Documents that wait while another one of
 * their source is being written are joined where the result is the same; when a joined document is refused, each of its
 * parts is written by itself.
 */
export class WriteQueue {
  readonly #deps: QueueDeps;
  readonly #lanes = new Map<string, Lane>();

  constructor(deps: QueueDeps) {
    this.#deps = deps;
  }

  readonly write: WriteToSource = async (source, document, origin, keep) => {
    const id = `${source.ownerId} ${source.sourceId}`;
    const { gather } = this.#lanes.get(id) ?? this.#open(id);
    return gather.add({ source, document, part: undefined, origin, keep, internalFailures: 0 });
  };

  #open(id: string): Lane {
    const gather: Gather<Document> = new Gather({
      batch: { items: DOCUMENTS_MAX },
      waiting: WAITING,
      isAlone: ({ source }) => !JOINED_MODES.has(source.writeMode),
      joins,
      splits: (error) => concernsDocument(toDomainError(error).kind),
      work: (batch) => this.#settle(lane, batch),
      onQuiet: () => this.#lanes.delete(id),
    });
    const lane: Lane = { gather, tries: 0 };
    this.#lanes.set(id, lane);
    return lane;
  }

  async #settle(lane: Lane, batch: readonly Waiting[]): Promise<void> {
    try {
      await this.#write(batch.map(({ item }) => item));
      lane.tries = 0;
      for (const { resolve } of batch) resolve();
    } catch (error) {
      const { kind } = toDomainError(error);
      if (batch.length > 1 && concernsDocument(kind)) throw error;
      await this.#failed(lane, batch, error, kind);
    }
  }

  /** A document that is never taken is refused; others wait in their place, as long as somebody wants them kept. */
  async #failed(lane: Lane, batch: readonly Waiting[], error: unknown, kind: ErrorKind): Promise<void> {
    if (kind === 'internal') for (const { item } of batch) item.internalFailures += 1;
    const isWanted = ({ item: { keep } }: Waiting) => keep !== undefined && !keep.aborted;
    const kept = batch.filter((waiting) => isWanted(waiting) && mayPassLater(kind, waiting.item.internalFailures));
    for (const waiting of batch) if (!kept.includes(waiting)) waiting.reject(error);
    if (kept.length === 0) return;
    const { log, retryMs = RETRY_MS } = this.#deps;
    const waitMs = retryMs[Math.min(lane.tries, retryMs.length - 1)] ?? 0;
    lane.tries += 1;
    log.debug({ err: error, waitMs, documents: kept.length }, 'documents wait to be written again');
    await sleep(waitMs);
    // Those that gave up meanwhile.
    for (const waiting of kept) if (!isWanted(waiting)) waiting.reject(error);
    lane.gather.again(kept.filter(isWanted));
  }

  async #write(batch: readonly Document[]): Promise<void> {
    const [first] = batch;
    if (!first) return;
    const text = batch.length > 1 ? join(batch.flatMap(({ part }) => part ?? [])) : textOf(first.document);
    await this.#deps.write(first.source, Buffer.from(text), { origin: first.origin, deliveries: batch.length });
  }
}

const NEVER: ReadonlySet<ErrorKind> = new Set(['not_found', 'permission_denied', 'unauthenticated']);

function mayPassLater(kind: ErrorKind, internalFailures: number): boolean {
  if (kind === 'internal') return internalFailures < MAX_INTERNAL_FAILURES;
  return !concernsDocument(kind) && !NEVER.has(kind);
}

/** Returns whether a document can be written together with those before; it is asked for each in turn. */
function joins(): (next: Document) => boolean {
  let first: Document | undefined;
  let [records, bytes] = [0, 0];
  const times = new Set<number>();
  return (next) => {
    if (next.part === undefined) next.part = partOf(next.document) ?? null;
    first ??= next;
    const { part, origin, source } = next;
    if (!part || part.head !== first.part?.head || origin !== first.origin) return false;
    if (source.writeMode !== first.source.writeMode || part.times.some((time) => times.has(time))) return false;
    records += part.times.length;
    bytes += part.rows.length;
    for (const time of part.times) times.add(time);
    return records <= RECORDS_MAX && bytes <= BYTES_MAX;
  };
}
