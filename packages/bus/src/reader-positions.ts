import { unavailable } from '@catchment/errors';
import type { ConsumerInfo } from '@nats-io/jetstream';
import { RequestError } from '@nats-io/transport-node';
import { allConsumers, filtersOf, type StreamLooks } from './all-consumers.ts';

/**
 * Tells how far each durable reader of a stream is: it has finished everything up to this sequence.
 * @param required names of readers that must be among them
 * @throws DomainError unavailable where the broker does not list all
 */
export async function readerPositions(
  looks: StreamLooks,
  stream: string,
  required: readonly string[],
): Promise<Record<string, number>> {
  // The end first: a reader with nothing left has finished at least what was there before it was asked.
  const { info, found } = await allConsumers(looks, stream);
  const durable = found.filter(({ config }) => config.durable_name);
  const missing = required.find((name) => !durable.some((consumer) => consumer.name === name));
  if (missing !== undefined)
    throw unavailable('BROKER_UNAVAILABLE', { cause: new RequestError(`reader ${missing} of ${stream} is not there`) });
  const positions = await Promise.all(
    durable.map(
      async (consumer) => [consumer.name, await positionOf(looks, stream, consumer, info.state.last_seq)] as const,
    ),
  );
  return Object.fromEntries(positions);
}

/**
 * A reader that has nothing left is as far as the stream was. Its own word for that is not enough: the broker reports a message to readers a
 * moment after it has it, and in a cluster their server may not have the newest ones yet. So the leader of the stream is asked what comes
 * behind that which was given to it.
 * @param end of the stream, before the reader was asked
 */
export async function positionOf(
  { streams }: Pick<StreamLooks, 'streams'>,
  stream: string,
  reader: ConsumerInfo,
  end: number,
): Promise<number> {
  const { num_pending, num_ack_pending, ack_floor, delivered, config } = reader;
  if (num_ack_pending > 0) return Math.max(ack_floor.stream_seq, (config.opt_start_seq ?? 1) - 1);
  // One that has never acknowledged anything has no floor yet, wherever it began.
  if (num_pending > 0 || delivered.stream_seq >= end) return delivered.stream_seq;
  const next = await Promise.all(
    filtersOf(reader).map((filter) => nextOf({ streams }, stream, filter, delivered.stream_seq)),
  );
  return Math.min(Math.max(end, delivered.stream_seq), ...next.map((sequence) => sequence - 1));
}

/**
 * Returns how many messages a reader has not finished: 1 at least where there is any.
 * @param end of the stream, before the reader was asked
 */
export async function lagOf(
  looks: Pick<StreamLooks, 'streams'>,
  stream: string,
  reader: ConsumerInfo,
  end: number,
): Promise<number> {
  const known = reader.num_pending + reader.num_ack_pending;
  if (known > 0) return known;
  return (await positionOf(looks, stream, reader, end)) < end ? 1 : 0;
}

/**
 * Returns the sequence of the next message of a subject behind another one, as the leader of the stream has it; Infinity = there is none.
 */
export async function nextOf(
  { streams }: Pick<StreamLooks, 'streams'>,
  stream: string,
  subject: string,
  after: number,
): Promise<number> {
  const query = { seq: after + 1, next_by_subj: subject };
  return (await streams.getMessage(stream, query))?.seq ?? Number.POSITIVE_INFINITY;
}
