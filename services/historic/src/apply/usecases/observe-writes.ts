import { createHash } from 'node:crypto';
import { inParallel } from '@catchment/fair-queue';
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
import { type SeriesTimes, TouchedTimes, wholeSeries } from '../domain/touched-times.ts';
import type { MessageKey, WriteObservations } from './ports.ts';

type ObserveDeps = {
  readonly existing: ExistingRecords;
  readonly sumAt: SumAt;
  readonly observations: WriteObservations;
  readonly unfinished: UnfinishedQuestions;
};

/** The number is the entry's index in the message. */
export type PlacedEntry = readonly [number, LogEntry];

/** This writer applies those entries of the message. */
type ObservedMessage = {
  readonly sequence: number;
  readonly data: Uint8Array;
  readonly entries: readonly PlacedEntry[];
};

type Batch = {
  readonly partition: number;
  /** The messages have the order of the log. */
  readonly messages: readonly ObservedMessage[];
  /** No message before this sequence comes again. */
  readonly unfinishedFrom: number;
};

/**
 * Keeps findings of interrupted attempts at the messages of each partition that are under way, by message and entry: a question that takes
 * longer than one attempt may is answered over several. Holds while this process lives; nothing else writes to the series meanwhile.
 */
export class UnfinishedQuestions {
  readonly #byPartition = new Map<number, Map<string, PresenceProgress>>();

  progressOf({ key, index, column }: AskedColumn): PresenceProgress {
    const known = this.#byPartition.get(key.partition) ?? new Map<string, PresenceProgress>();
    this.#byPartition.set(key.partition, known);
    const name = nameOf(key, index);
    const progress = known.get(name) ?? presenceProgress(column.timestamps.length);
    known.set(name, progress);
    return progress;
  }

  /** Forgets what is known of other questions than these: an attempt that went on to others has no need of it. */
  keepOnly(partition: number, asked: readonly AskedColumn[]): void {
    const names = new Set(asked.map(({ key, index }) => nameOf(key, index)));
    const known = this.#byPartition.get(partition);
    for (const name of known?.keys() ?? []) if (!names.has(name)) known?.delete(name);
  }

  forget(partition: number): void {
    this.#byPartition.delete(partition);
  }
}

const nameOf = ({ sequence, digest }: MessageKey, index: number): string =>
  `${sequence} ${Buffer.from(digest).toString('hex')} ${index}`;

type AskedColumn = { readonly key: MessageKey; readonly index: number; readonly column: Column };

/** Concurrent questions of a batch. */
const CONCURRENCY = 8;
/** A round takes one message whole, and of those behind it as many as have these together: entries, and records that are asked about. */
const MOST_AHEAD = { entries: 1_000, records: 20_000 };

/**
 * Observes stored records before the columns of a batch of messages, as far as their write modes depend on them
 * (docs/reference/writing.md#write-modes).
 *
 * A message may come twice, and may then find its own records: MERGE_FAIL would fail on them, MERGE_PRESERVE keep what it
 * has itself replaced since. So what decides is seen once, kept under the message's sequence before anything that it
 * decides is written, and taken from there ever after: the plan of every column is the same each time, and every plan says
 * what is in the end at the times it touches. Applying the whole message again, from whatever point the first attempt
 * reached, therefore ends in the same store. Findings go when their message is finished and none before it can come again.
 *
 * What the store says at times that nothing before in the batch touches is the same now and at the column's turn: such questions are
 * asked together, and their findings are kept together.
 */
export class BatchObserver {
  readonly #deps: ObserveDeps;
  readonly #batch: Batch;
  readonly #messages: readonly Observed[];
  readonly #signal: AbortSignal;

  constructor(deps: ObserveDeps, batch: Batch, signal: AbortSignal) {
    this.#deps = deps;
    this.#batch = batch;
    this.#messages = batch.messages.map((message) => new Observed(batch.partition, message));
    this.#signal = signal;
  }

  /**
   * Looks for the columns of a message, and of those behind it, whose times nothing touches before them from this message on.
   * @param at the message's place in the batch
   * @param settle stores what waits to be written; awaited before the store is asked
   */
  async lookAhead(at: number, settle: () => Promise<void>): Promise<void> {
    const first = this.#messages[at];
    if (!first || first.open.size === 0) return;
    const round = this.#roundFrom(at);
    await this.#loadKnown(round.map(({ message }) => message));
    const asked = round.filter(({ message, index }) => !message.findings?.has(index));
    if (asked.length > 0) {
      await settle();
      await this.#look(asked);
    }
    for (const { message, index } of round) message.open.delete(index);
  }

  /**
   * @param at the message's place in the batch
   * @param index of the column's entry in the message
   */
  async existing(at: number, index: number, column: Column): Promise<Existing> {
    const question = questionOf(column);
    const message = this.#messages[at];
    if (!message || question === 'nothing' || column.timestamps.length === 0) return UNASKED;
    if (question === 'times') {
      const times = await this.#deps.existing.timesIn(column.nodeId, rangeOf(column), this.#signal);
      return { ...UNASKED, times };
    }
    await this.#loadKnown([message]);
    if (!message.findings?.has(index)) await this.#look([{ message, index, column, key: message.key }]);
    const presence = message.findings?.get(index);
    // A plan without its finding could overwrite what the write mode keeps.
    if (!presence) throw new Error(`the finding of entry ${index} of message ${message.key.sequence} is missing`);
    return { presence };
  }

  #roundFrom(at: number): Asked[] {
    const touched = new TouchedTimes();
    const round: Asked[] = [];
    let [entries, records] = [0, 0];
    for (const message of this.#messages.slice(at)) {
      const isFirst = entries === 0;
      entries += message.entries.length;
      if (!isFirst && (entries > MOST_AHEAD.entries || records + recordsOf(message) > MOST_AHEAD.records)) break;
      for (const [index, entry] of message.entries) {
        const touches = touchedBy(entry);
        if (entry.kind === 'column' && message.open.has(index) && !touches.some((touch) => touched.meets(touch))) {
          round.push({ message, index, column: entry.column, key: message.key });
          records += entry.column.timestamps.length;
        }
        for (const touch of touches) touched.add(touch);
      }
    }
    return round;
  }

  async #loadKnown(messages: readonly Observed[]): Promise<void> {
    const unknown = [...new Set(messages)].filter(({ findings }) => !findings);
    if (unknown.length === 0) return;
    const known = await this.#deps.observations.of(
      this.#batch.partition,
      unknown.map(({ key }) => key),
    );
    for (const [n, message] of unknown.entries()) message.findings = known[n] ?? new Map();
  }

  async #look(asked: readonly Asked[]): Promise<void> {
    const { observations, unfinished } = this.#deps;
    const { partition, unfinishedFrom } = this.#batch;
    unfinished.keepOnly(partition, asked);
    const answers = await inParallel(asked, { atOnce: CONCURRENCY, signal: this.#signal }, (column, signal) =>
      this.#ask(column, signal),
    );
    this.#signal.throwIfAborted();
    const messages = [...new Set(asked.map(({ message }) => message))];
    const findings = messages.map(({ key }) => ({ key, seen: new Map<number, Uint8Array>() }));
    const byMessage = new Map(messages.map((message, n) => [message, findings[n]?.seen]));
    for (const [n, { message, index }] of asked.entries())
      byMessage.get(message)?.set(index, answers[n] ?? UNASKED.presence);
    const kept = await observations.keep(partition, findings, unfinishedFrom);
    for (const [n, message] of messages.entries()) message.findings = kept[n] ?? new Map();
    unfinished.forget(partition);
  }

  async #ask(asked: Asked, signal: AbortSignal): Promise<Uint8Array> {
    const { existing, unfinished } = this.#deps;
    const { column } = asked;
    if (questionOf(column) === 'presence') {
      const presence = await existing.presenceAt(
        column.nodeId,
        column.timestamps,
        signal,
        unfinished.progressOf(asked),
      );
      return column.expected ? this.#compared(presence, column, column.expected, signal) : presence;
    }
    return Uint8Array.of((await existing.hasAny(column.nodeId, rangeOf(column), signal)) ? 1 : 0);
  }

  async #compared(
    presence: Uint8Array,
    column: Column,
    expected: Uint8Array,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const sum = await this.#deps.sumAt(column, column.timestamps, signal);
    const withByte = new Uint8Array(presence.length + 1);
    withByte.set(presence);
    withByte[presence.length] = Buffer.compare(sum, expected) === 0 ? AS_EXPECTED : 0;
    return withByte;
  }
}

type Asked = AskedColumn & { readonly message: Observed };

/** Keeps a message, and what is known of the records before it. */
class Observed {
  readonly entries: readonly PlacedEntry[];
  /** No round has taken the columns of these entries yet. */
  readonly open: Set<number>;
  findings: Map<number, Uint8Array> | undefined;
  readonly #partition: number;
  readonly #message: ObservedMessage;
  #key: MessageKey | undefined;

  constructor(partition: number, message: ObservedMessage) {
    this.#partition = partition;
    this.#message = message;
    this.entries = message.entries;
    this.open = new Set(
      message.entries.flatMap(([index, entry]) =>
        entry.kind === 'column' && isRemembered(entry.column) ? [index] : [],
      ),
    );
  }

  /** Most messages do not need the digest. */
  get key(): MessageKey {
    const { data, sequence } = this.#message;
    this.#key ??= { partition: this.#partition, sequence, digest: createHash('sha256').update(data).digest() };
    return this.#key;
  }
}

/** Counts the records that a round may still ask about. */
const recordsOf = ({ entries, open }: Observed): number =>
  entries.reduce(
    (sum, [index, entry]) => (entry.kind === 'column' && open.has(index) ? sum + entry.column.timestamps.length : sum),
    0,
  );

const isRemembered = (column: Column): boolean => column.timestamps.length > 0 && mustRemember(questionOf(column));

function touchedBy(entry: LogEntry): readonly SeriesTimes[] {
  switch (entry.kind) {
    case 'column':
      return entry.column.timestamps.length > 0 ? [{ nodeId: entry.column.nodeId, ...rangeOf(entry.column) }] : [];
    case 'columnPart':
      // Its other parts came before, perhaps in another batch.
      return [wholeSeries(entry.part.column.nodeId)];
    case 'seriesDelete':
      return [wholeSeries(entry.seriesDelete.nodeId)];
    case 'nodesDelete':
      return entry.nodesDelete.nodeIds.map(wholeSeries);
    case 'acquisition':
      return [];
  }
}
