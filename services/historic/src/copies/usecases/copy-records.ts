import type { CopyFrame, LoggedMessage, RecordChunk } from '@catchment/contracts/copies';
import { DomainError } from '@catchment/errors';
import type { BatchApplier } from '../../apply/index.ts';
import type { RecordStore, StoredColumn } from '../../records/index.ts';
import { type CopiedSeries, charactersOf, columnsOf, countOf } from '../domain/record-chunk.ts';

/** The first records of this many series are read ahead. */
const AHEAD = 4;
/** Limits of one write. */
const WRITTEN_AT_ONCE = { records: 20_000, characters: 16_000_000 };
/** Messages of a partition that are applied together, as the writer does. */
const APPLIED_AT_ONCE = 16;
/** A store that is away for a moment is waited for. */
const TRIES = 6;

type CopyCount = { series: number; records: number; messages: number };

export type ReadDeps = {
  readonly series: AsyncIterable<CopiedSeries>;
  readonly chunksOf: (series: CopiedSeries) => AsyncGenerator<RecordChunk>;
};

/** Yields all records of all series, then the frame that says how many. */
export async function* readRecords({ series, chunksOf }: ReadDeps): AsyncGenerator<CopyFrame> {
  const count: CopyCount = { series: 0, records: 0, messages: 0 };
  type Begun = { chunks: AsyncGenerator<RecordChunk>; first: Promise<IteratorResult<RecordChunk, unknown>> };
  const begun: Begun[] = [];
  const waiting = series[Symbol.asyncIterator]();
  for (let isMore = true; isMore || begun.length > 0; ) {
    while (isMore && begun.length < AHEAD) {
      const next = await waiting.next();
      isMore = !next.done;
      if (next.done) break;
      const chunks = chunksOf(next.value);
      const first = chunks.next();
      // It is waited for in its turn, and its error is thrown then.
      first.catch(() => undefined);
      begun.push({ chunks, first });
    }
    const next = begun.shift();
    if (!next) break;
    for (let chunk = await next.first; !chunk.done; chunk = await next.chunks.next()) {
      count.records += countOf(chunk.value);
      yield { frame: { $case: 'records', value: chunk.value } };
    }
    count.series += 1;
  }
  yield { frame: { $case: 'end', value: count } };
}

type AgainDeps = {
  /** Returns whether it can be tried again; otherwise the writer that saw a message first has put it aside. */
  readonly isForLater: (error: unknown, attempt: number) => boolean;
  readonly pause: (ms: number) => Promise<unknown>;
  readonly signal: AbortSignal;
};

export type WriteDeps = AgainDeps & {
  readonly records: Pick<RecordStore, 'writeColumns'>;
  readonly applier: { apply(...call: Parameters<BatchApplier['apply']>): Promise<unknown> };
};

/**
 * Writes records as they were, then applies messages of the log again, each partition in its order: what was decided when they came first is
 * known (`write_observations`), so they leave the same.
 * @throws DomainError failed_precondition where frames end before the last one
 */
export async function writeRecords(deps: WriteDeps, frames: AsyncIterable<CopyFrame>): Promise<CopyCount> {
  const count: CopyCount = { series: 0, records: 0, messages: 0 };
  let columns: StoredColumn[] = [];
  let [records, characters, lastNode] = [0, 0, ''];
  const flush = async () => {
    if (columns.length > 0) await again(deps, () => deps.records.writeColumns(columns, deps.signal));
    [columns, records, characters] = [[], 0, 0];
  };
  const partitions = new Map<number, LoggedMessage[]>();
  const apply = async (partition: number) => {
    const messages = partitions.get(partition)?.splice(0) ?? [];
    if (messages.length > 0) await applyAgain(deps, partition, messages);
  };
  for await (const { frame } of frames) {
    deps.signal.throwIfAborted();
    if (frame?.$case === 'records') {
      const chunk = frame.value;
      if (chunk.nodeId !== lastNode) count.series += 1;
      lastNode = chunk.nodeId;
      count.records += countOf(chunk);
      columns.push(...columnsOf(chunk));
      records += countOf(chunk);
      characters += charactersOf(chunk);
      if (records >= WRITTEN_AT_ONCE.records || characters >= WRITTEN_AT_ONCE.characters) await flush();
    } else if (frame?.$case === 'message') {
      await flush();
      const message = frame.value;
      count.messages += 1;
      const waiting = partitions.get(message.partition) ?? [];
      partitions.set(message.partition, waiting);
      waiting.push(message);
      if (waiting.length === APPLIED_AT_ONCE) await apply(message.partition);
    } else if (frame?.$case === 'end') {
      await flush();
      for (const partition of partitions.keys()) await apply(partition);
      return count;
    }
  }
  throw new DomainError('failed_precondition', 'COPY_CUT', 'The copy of records ends before its end');
}

async function applyAgain(deps: WriteDeps, partition: number, messages: readonly LoggedMessage[]): Promise<void> {
  try {
    await again(deps, () => deps.applier.apply(partition, messages, deps.signal));
  } catch (error) {
    if (deps.isForLater(error, TRIES)) throw error;
    // The writer has put a message aside that it could not handle: its dead letter is in the backup.
    if (messages.length > 1) for (const message of messages) await applyAgain(deps, partition, [message]);
  }
}

/**
 * Does what may be done again, where a store was away for a moment.
 * @throws the last error
 */
export async function again<T>(deps: AgainDeps, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === TRIES || deps.signal.aborted || !deps.isForLater(error, attempt)) throw error;
      await deps.pause(attempt * 500);
    }
  }
}
