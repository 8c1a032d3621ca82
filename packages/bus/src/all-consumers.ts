import { unavailable } from '@catchment/errors';
import type { ConsumerInfo, JetStreamManager, StreamInfo } from '@nats-io/jetstream';
import { RequestError } from '@nats-io/transport-node';

/** Only this part of the broker's interface is used. */
export type StreamLooks = {
  readonly streams: Pick<JetStreamManager['streams'], 'info' | 'getMessage'>;
  readonly consumers: Pick<JetStreamManager['consumers'], 'list'>;
};

/**
 * Returns all consumers of a stream, and the stream as it was before they were asked.
 * @throws DomainError unavailable where a broker of a cluster does not list all of them, as during an election
 */
export async function allConsumers(
  { streams, consumers }: StreamLooks,
  stream: string,
): Promise<{ info: StreamInfo; found: ConsumerInfo[] }> {
  const info = await streams.info(stream);
  const found: ConsumerInfo[] = [];
  for await (const consumer of consumers.list(stream)) found.push(consumer);
  if (found.length >= info.state.consumer_count) return { info, found };
  throw unavailable('BROKER_UNAVAILABLE', {
    cause: new RequestError(`${found.length} of ${info.state.consumer_count} readers of ${stream} are listed`),
  });
}

/** Subjects that a consumer reads, as patterns. */
export const filtersOf = ({ config: { filter_subject, filter_subjects } }: Pick<ConsumerInfo, 'config'>): string[] =>
  filter_subjects ?? [filter_subject ?? '>'];
