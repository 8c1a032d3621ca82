import { type ConsumerInfo, JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';
import { allConsumers, filtersOf } from './all-consumers.ts';
import { DEAD_LETTER } from './dead-letter-headers.ts';
import { type Naming, streamName, subjectName } from './naming.ts';
import { partitionConsumerName } from './readers.ts';

/** Message of the ingest log. */
type LoggedMessage = { readonly sequence: number; readonly data: Uint8Array };

export type UnneededSearch = {
  /** These parts of the writer are behind; undefined is the one without a name. */
  readonly behind: readonly (string | undefined)[];
  /** The search before has ended here; 0 where it begins with the oldest message. */
  readonly after: number;
  /** @returns sequences of those in which any of these parts has something to do */
  readonly needed: (messages: readonly LoggedMessage[]) => Promise<ReadonlySet<number>>;
};

export type UnneededFound = {
  /** It has looked at all messages up to this sequence. */
  readonly upTo: number;
  /** There are others that could be looked at now. */
  readonly isMore: boolean;
};

/** Messages in hand. */
const MOST = { messages: 64, bytes: 8 * 1024 * 1024 };

/**
 * Looks at the next messages of a partition of the ingest log that every other reader has finished, and removes those that have nothing for
 * the parts of the writer that are behind: a reader in strict order comes to them only after what it waits with. Dead letters that are tried again
 * stay, and so does the newest message of a partition, by which a part learns how far the log is.
 */
export async function removeUnneeded(
  manager: JetStreamManager,
  naming: Naming,
  partition: number,
  { behind, after, needed }: UnneededSearch,
): Promise<UnneededFound> {
  const stream = streamName(naming, 'INGEST');
  const subject = subjectName(naming, `ingest.${partition}`);
  const waiting = new Set(behind.map((part) => partitionConsumerName('writer', partition, part)));
  const readers = () => readersOf(manager, stream, subject);
  const newest = (await manager.streams.getMessage(stream, { last_by_subj: subject }))?.seq ?? 0;
  const others = (await readers()).filter(({ name }) => !waiting.has(name));
  const upTo = Math.min(newest - 1, ...others.map(({ finished }) => finished));
  const messages: LoggedMessage[] = [];
  let looked = after;
  for (let bytes = 0; looked < upTo && messages.length < MOST.messages && bytes < MOST.bytes; ) {
    const query = { seq: looked + 1, next_by_subj: subject };
    const next = await manager.streams.getMessage(stream, query);
    looked = Math.min(next?.seq ?? upTo, upTo);
    if (!next || next.seq > upTo) break;
    bytes += next.data.byteLength;
    // A dead letter that is tried again is for one reader, wherever its series are by now; for the others it costs next to nothing.
    if (!next.header?.get(DEAD_LETTER.reader)) messages.push({ sequence: next.seq, data: next.data });
  }
  const found = { upTo: looked, isMore: looked < upTo };
  if (messages.length === 0) return found;
  const kept = await needed(messages);
  // Asked again: there may be other readers by now, and one that was behind may have come to them.
  const now = await readers();
  const isUnneeded = ({ sequence }: LoggedMessage) =>
    !kept.has(sequence) &&
    now.every(({ name, finished, delivered }) => sequence <= finished || (waiting.has(name) && sequence > delivered));
  await Promise.all(messages.filter(isUnneeded).map(({ sequence }) => remove(manager, stream, sequence)));
  return found;
}

type Place = {
  readonly name: string;
  /** It has acknowledged everything up to here. */
  readonly finished: number;
  /** The consumer was given nothing behind this. */
  readonly delivered: number;
};

/**
 * All that a message of a subject waits for, also what others have made.
 * @throws DomainError unavailable where a broker of a cluster does not list all of them
 */
async function readersOf(manager: JetStreamManager, stream: string, subject: string): Promise<Place[]> {
  const { found } = await allConsumers(manager, stream);
  // A pattern may match.
  const isOf = (filter: string) => filter === subject || /[*>]/.test(filter);
  return found.flatMap((info) =>
    filtersOf(info).some(isOf)
      ? [{ name: info.name, finished: finishedBy(info), delivered: info.delivered.stream_seq }]
      : [],
  );
}

/**
 * Reads how far a consumer has finished. Its number of pending messages counts only where nothing is under way: its server may not have the
 * newest ones yet.
 */
const finishedBy = ({ ack_floor, num_ack_pending, delivered }: ConsumerInfo): number =>
  num_ack_pending === 0 ? Math.max(ack_floor.stream_seq, delivered.stream_seq) : ack_floor.stream_seq;

async function remove(manager: JetStreamManager, stream: string, sequence: number): Promise<void> {
  await manager.streams.deleteMessage(stream, sequence, false).catch((error: unknown) => {
    // Another replica removes them too; whatever stays costs room alone.
    if (!(error instanceof JetStreamApiError)) throw error;
  });
}
