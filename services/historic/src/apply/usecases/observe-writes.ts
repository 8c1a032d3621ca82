import { createHash } from 'node:crypto';
import { type Column, type LogEntry, rangeOf } from '@catchment/ingest-log';
import {
  AS_EXPECTED,
  type Existing,
  type ExistingRecords,
  mustRemember,
  type PresenceProgress,
  presenceProgress,
  questionOf,
  type SumAt,
  UNASKED,
} from '../../records/index.ts';
import type { MessageKey, WriteObservations } from './ports.ts';

type ObserveDeps = {
  readonly existing: ExistingRecords;
  readonly sumAt: SumAt;
  readonly observations: WriteObservations;
  readonly unfinished: UnfinishedQuestions;
};

/** An entry with its index in the message. */
export type PlacedEntry = readonly [number, LogEntry];

type LogMessage = Omit<MessageKey, 'digest'> & { readonly data: Uint8Array };

/**
 * Findings of interrupted attempts at the newest message of each partition, by entry: a question that takes longer than
 * one attempt may is answered over several. Holds while this process lives; nothing else writes to the series meanwhile.
 */
export class UnfinishedQuestions {
  readonly #byPartition = new Map<number, { digest: string; entries: Map<number, PresenceProgress> }>();

  of({ partition, digest }: MessageKey, entry: number, length: number): PresenceProgress {
    const name = Buffer.from(digest).toString('hex');
    let known = this.#byPartition.get(partition);
    if (known?.digest !== name) {
      known = { digest: name, entries: new Map() };
      this.#byPartition.set(partition, known);
    }
    const progress = known.entries.get(entry) ?? presenceProgress(length);
    known.entries.set(entry, progress);
    return progress;
  }

  forget(partition: number): void {
    this.#byPartition.delete(partition);
  }
}

/** Concurrent questions of one message. */
const CONCURRENCY = 8;

/**
 * Stored records before the columns of one message, as far as their write modes depend on them (docs/reference/writing.md#write-modes).
 *
 * A message may come twice, and may then find its own records: MERGE_FAIL would fail on them, MERGE_PRESERVE keep what it
 * has itself replaced since. So what decides is seen once, kept under the message's sequence before anything that it
 * decides is written, and taken from there ever after: the plan of every column is the same each time, and every plan says
 * what is in the end at the times it touches. Applying the whole message again, from whatever point the first attempt
 * reached, therefore ends in the same store.
 */
export class WriteObserver {
  readonly #deps: ObserveDeps;
  readonly #message: LogMessage;
  #key: MessageKey | undefined;
  readonly #signal: AbortSignal;
  #seen: Map<number, Uint8Array> | undefined;

  constructor(deps: ObserveDeps, message: LogMessage, signal: AbortSignal) {
    this.#deps = deps;
    this.#message = message;
    this.#signal = signal;
  }

  /**
   * Looks for all columns at once whose series the message does not touch before them: one round to the store and one to
   * keep what was seen, instead of one each.
   */
  async prefetch(entries: readonly PlacedEntry[]): Promise<void> {
    const touched = new Set<string>();
    const wanted: [number, Column][] = [];
    for (const [index, entry] of entries) {
      const nodeIds = touchedBy(entry);
      const isFirst = nodeIds.every((nodeId) => !touched.has(nodeId));
      if (isFirst && entry.kind === 'column' && isRemembered(entry.column)) wanted.push([index, entry.column]);
      for (const nodeId of nodeIds) touched.add(nodeId);
    }
    if (wanted.length === 0) return;
    const known = await this.#known();
    await this.#look(wanted.filter(([index]) => !known.has(index)));
  }

  /** @param index of the column's entry in the message */
  async existing(index: number, column: Column): Promise<Existing> {
    const question = questionOf(column);
    if (question === 'nothing' || column.timestamps.length === 0) return UNASKED;
    if (question === 'times') {
      const times = await this.#deps.existing.timesIn(column.nodeId, rangeOf(column), this.#signal);
      return { ...UNASKED, times };
    }
    if (!(await this.#known()).has(index)) await this.#look([[index, column]]);
    return { presence: (await this.#known()).get(index) ?? UNASKED.presence };
  }

  /** Most messages have no need of it. */
  #keyOf(): MessageKey {
    const { data, ...message } = this.#message;
    this.#key ??= { ...message, digest: createHash('sha256').update(data).digest() };
    return this.#key;
  }

  async #known(): Promise<Map<number, Uint8Array>> {
    this.#seen ??= await this.#deps.observations.of(this.#keyOf());
    return this.#seen;
  }

  async #look(wanted: readonly (readonly [number, Column])[]): Promise<void> {
    if (wanted.length === 0) return;
    const seen = new Map<number, Uint8Array>();
    for (let from = 0; from < wanted.length; from += CONCURRENCY) {
      const some = wanted.slice(from, from + CONCURRENCY);
      const answers = await Promise.all(some.map(([index, column]) => this.#ask(index, column)));
      for (const [n, [index]] of some.entries()) seen.set(index, answers[n] ?? UNASKED.presence);
    }
    this.#signal.throwIfAborted();
    this.#seen = await this.#deps.observations.keep(this.#keyOf(), seen);
    this.#deps.unfinished.forget(this.#message.partition);
  }

  async #ask(index: number, column: Column): Promise<Uint8Array> {
    const { existing, unfinished } = this.#deps;
    if (questionOf(column) === 'presence') {
      const progress = unfinished.of(this.#keyOf(), index, column.timestamps.length);
      const presence = await existing.presenceAt(column.nodeId, column.timestamps, this.#signal, progress);
      return column.expected ? this.#compared(presence, column, column.expected) : presence;
    }
    return Uint8Array.of((await existing.hasAny(column.nodeId, rangeOf(column), this.#signal)) ? 1 : 0);
  }

  async #compared(presence: Uint8Array, column: Column, expected: Uint8Array): Promise<Uint8Array> {
    const sum = await this.#deps.sumAt(column, column.timestamps, this.#signal);
    const withByte = new Uint8Array(presence.length + 1);
    withByte.set(presence);
    withByte[presence.length] = Buffer.compare(sum, expected) === 0 ? AS_EXPECTED : 0;
    return withByte;
  }
}

const isRemembered = (column: Column): boolean => column.timestamps.length > 0 && mustRemember(questionOf(column));

function touchedBy(entry: LogEntry): readonly string[] {
  switch (entry.kind) {
    case 'column':
      return [entry.column.nodeId];
    case 'columnPart':
      return [entry.part.column.nodeId];
    case 'seriesDelete':
      return [entry.seriesDelete.nodeId];
    case 'nodesDelete':
      return entry.nodesDelete.nodeIds;
    case 'acquisition':
      return [];
  }
}
