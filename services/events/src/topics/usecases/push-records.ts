import { DomainError } from '@catchment/errors';
import { decodeBatch, effectOf, NOTHING_WRITTEN, readEntries } from '@catchment/ingest-log';
import type { Logger } from '@catchment/telemetry';
import { columnChanges, deletionChanges, type RecordChange } from '../domain/record-changes.ts';
import type { SettledLog, Topic, TopicMessage } from './ports.ts';

type RecordPushDeps = {
  readonly settled: SettledLog;
  readonly topic: Topic;
  readonly messagesOf: (change: RecordChange, placeId: string) => Iterable<TopicMessage>;
  /** Returns the share of the ingest log that is taken. */
  readonly fill: () => Promise<number>;
  /** Resolves after a time, or when the signal aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly log: Pick<Logger, 'error'>;
};

export type LogMessage = {
  readonly sequence: number;
  /** Names the message, also when it was a dead letter and comes again. */
  readonly firstSequence: number;
  readonly isRetry: boolean;
  readonly data: Uint8Array;
};

/** A fuller log gives up the topic, so that writes go on: they need the rest of it while a store is away too. */
const MAX_FILL = 0.5;
const ASK_AGAIN_MS = 200;

/**
 * Sends what messages of the ingest log have done to records, once historic has stored them, in the order of each partition. A message that
 * comes twice is sent again, unless this process has sent it.
 */
export class RecordPusher {
  readonly #deps: RecordPushDeps;
  /** The key is the partition, as in the following. */
  readonly #sentUpTo = new Map<number, number>();
  readonly #settledUpTo = new Map<number, number>();

  constructor(deps: RecordPushDeps) {
    this.#deps = deps;
  }

  /**
   * @throws DomainError unavailable while a store or the topic is away; invalid_argument (MESSAGE_TOO_LARGE) for what the topic will never
   *   take: the rest of the message is there; failed_precondition where parts of a column are missing
   */
  async push(partition: number, messages: readonly LogMessage[], signal: AbortSignal): Promise<void> {
    for (const message of messages) {
      if (message.sequence <= (this.#sentUpTo.get(partition) ?? 0)) continue;
      // A message that comes again was settled long ago.
      if (!message.isRetry) await this.#untilSettled(partition, message.sequence, signal);
      if (signal.aborted) throw new DomainError('unavailable', 'TIMEOUT', 'no time left for this message');
      await this.#send(partition, message);
      this.#sentUpTo.set(partition, message.sequence);
    }
    const sent = messages.map(({ firstSequence }) => firstSequence);
    await this.#deps.settled.forget(partition, sent);
  }

  /** Historic is mostly done already. While its store is away, this reader waits like it. */
  async #untilSettled(partition: number, sequence: number, signal: AbortSignal): Promise<void> {
    const { settled, pause } = this.#deps;
    while ((this.#settledUpTo.get(partition) ?? 0) < sequence) {
      const upTo = await settled.upTo(partition);
      this.#settledUpTo.set(partition, upTo);
      if (upTo < sequence) await pause(ASK_AGAIN_MS, signal);
      if (signal.aborted) throw new DomainError('unavailable', 'TIMEOUT', 'not settled yet');
    }
  }

  async #send(partition: number, message: LogMessage): Promise<void> {
    const changes = await this.#changesOf(partition, message);
    if (changes.length === 0) return;
    const { topic, messagesOf, fill, log } = this.#deps;
    function* all() {
      for (const { entry, change } of changes)
        yield* messagesOf(change, `${partition}-${message.firstSequence}-${entry}`);
    }
    try {
      const { refused } = await topic.send(all());
      if (refused.length > 0)
        throw new DomainError(
          'invalid_argument',
          'MESSAGE_TOO_LARGE',
          `topic: does not take ${refused.length} messages`,
        );
    } catch (error) {
      const isAway = error instanceof DomainError && error.kind === 'unavailable';
      if (!isAway || (await fill()) < MAX_FILL) throw error;
      log.error(
        { partition, sequence: message.sequence },
        'ingest log is half full, records are left out of their topic',
      );
    }
  }

  async #changesOf(partition: number, { firstSequence: sequence, data }: LogMessage) {
    const { settled } = this.#deps;
    const entries = decodeBatch(data).map((entry, index) => ({ index, entry }));
    const read = await readEntries(entries, {
      parts: {
        stagePart: (part) => settled.stagePart({ ...part, partition }),
        partsOf: (columnKey) => settled.partsOf(columnKey),
      },
      written: () => settled.verdicts(partition, sequence),
    });
    return read.flatMap(({ index, entry, written = NOTHING_WRITTEN }) => {
      // A column whose node is gone makes no message.
      const found = entry.kind === 'column' ? columnChanges(effectOf(entry.column, written)) : deletionChanges(entry);
      return found.map((change) => ({ entry: index, change }));
    });
  }
}
