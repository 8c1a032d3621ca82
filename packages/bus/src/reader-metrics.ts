import { atMostEvery, counter, gauge, histogram } from '@catchment/telemetry';
import type { ConsumerInfo, JetStreamManager } from '@nats-io/jetstream';

const ASK_EVERY_MS = 4_000;

export const processDuration = histogram({
  name: 'messaging_process_duration_seconds',
  help: 'Duration of the work on a batch of messages by a reader of the bus.',
  labels: ['messaging_destination_name', 'messaging_consumer_group_name', 'error_type'],
});
export const deadLetters = counter({
  name: 'catchment_dead_letters_total',
  help: 'Messages that a reader could not handle and that were put aside.',
  labels: ['reader'],
});
const pending = gauge({
  name: 'catchment_reader_pending',
  help: 'Messages that a reader has not finished, over all partitions. Each replica reports the same.',
  labels: ['stream', 'reader'],
});
const oldest = gauge({
  name: 'catchment_reader_oldest_seconds',
  help: 'Age of the oldest message that a reader has not finished, 0 without any. Each replica reports the same.',
  labels: ['stream', 'reader'],
});

/** Returns a durable consumer without the number of its partition. */
export const readerOf = (consumer: string): string => consumer.replace(/-\d+$/, '');
/** Returns a stream without the installation's prefix: its own name has no underscore. */
export const streamOf = (name: string): string => name.slice(name.lastIndexOf('_') + 1);

type Lag = { readonly stream: string; readonly reader: string; readonly messages: number; readonly ageMs: number };

/**
 * Reports the lag of the readers that this process runs, asked of the broker at a scrape.
 * @param consumers by stream, as the broker names them
 * @returns ends it
 */
export function reportReaders(
  manager: JetStreamManager,
  consumers: () => ReadonlyMap<string, ReadonlySet<string>>,
): () => void {
  const lags = atMostEvery(ASK_EVERY_MS, async () => {
    const ofStreams = [...consumers()].map(([stream, names]) => lagsOf(manager, stream, names));
    return (await Promise.all(ofStreams)).flat();
  });
  const ends = [
    pending.from(async () => (await lags()).map(({ messages, ...at }) => [labelsOf(at), messages] as const)),
    oldest.from(async () => (await lags()).map(({ ageMs, ...at }) => [labelsOf(at), ageMs / 1_000] as const)),
  ];
  return () => {
    for (const end of ends) end();
  };
}

const labelsOf = ({ stream, reader }: Pick<Lag, 'stream' | 'reader'>) => ({ stream, reader });

async function lagsOf(manager: JetStreamManager, stream: string, consumers: ReadonlySet<string>): Promise<Lag[]> {
  const nowMs = Date.now();
  const lags = new Map<string, Lag>();
  for await (const info of manager.consumers.list(stream)) {
    if (!consumers.has(info.name)) continue;
    const reader = readerOf(info.name);
    const before = lags.get(reader);
    const oldestMs = await oldestMsOf(manager, stream, info);
    lags.set(reader, {
      stream: streamOf(stream),
      reader,
      messages: (before?.messages ?? 0) + info.num_pending + info.num_ack_pending,
      ageMs: Math.max(before?.ageMs ?? 0, oldestMs === undefined ? 0 : nowMs - oldestMs),
    });
  }
  return [...lags.values()];
}

/** Returns when the oldest message came that a consumer has not finished, in Unix ms; undefined where there is none. */
export async function oldestMsOf(
  manager: JetStreamManager,
  stream: string,
  { num_pending, num_ack_pending, ack_floor, config }: ConsumerInfo,
): Promise<number | undefined> {
  if (num_pending + num_ack_pending === 0) return undefined;
  const next = { seq: ack_floor.stream_seq + 1, next_by_subj: config.filter_subject ?? '>' };
  const message = await manager.streams.getMessage(stream, next);
  return message ? Date.parse(message.timestamp) : undefined;
}
