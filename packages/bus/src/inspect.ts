import { unavailable } from '@catchment/errors';
import { type ConsumerInfo, type JetStreamManager, jetstreamManager, type StreamInfo } from '@nats-io/jetstream';
import { connect, errors } from '@nats-io/transport-node';
import { partitionsOf } from './check-partitions.ts';
import { requiredConsumers } from './consumers.ts';
import { type Naming, streamName, subjectName } from './naming.ts';
import { GONE_READERS, partsIn } from './readers.ts';
import { serversOf } from './servers-of.ts';
import { streamConfigs } from './stream-configs.ts';
import type { StreamName } from './streams.ts';

export type StreamReport = {
  readonly name: StreamName;
  /** It is there, and no server of the cluster answers for it. */
  readonly isLeaderless?: boolean;
  /** undefined: there is no such stream, or nobody who knows it. */
  readonly found?: {
    readonly bytes: number;
    /** -1: no limit. */
    readonly limitBytes: number;
    /** A full one refuses new messages, or drops the oldest ones. */
    readonly whenFull: 'refuses' | 'drops';
    readonly replicas: number;
    /** Replicas that have all messages, the leader included. */
    readonly currentReplicas: number;
    /** These differ from what the services would set: `subjects`, `max_age` … */
    readonly differs: readonly string[];
  };
};

export type ReaderReport = {
  readonly stream: StreamName;
  /** The durable consumer. */
  readonly name: string;
  readonly found?: {
    /** Messages that it has not finished. */
    readonly pending: number;
    /** The oldest of them has this age in ms; 0 without any. */
    readonly oldestMs: number;
  };
};

/** A broker says this of an installation. */
export type BrokerReport = {
  readonly version: string;
  /** Its clock minus ours, ms; undefined before NATS 2.10, whose answers have no time. */
  readonly clockSkewMs: number | undefined;
  /** The ingest log has this many partitions; undefined where there is none. */
  readonly partitions: number | undefined;
  readonly streams: readonly StreamReport[];
  readonly readers: readonly ReaderReport[];
  /** Dead letters by their readers. */
  readonly deadLetters: Readonly<Record<string, number>>;
  /** Files of all streams of the account; no limit: undefined. */
  readonly storage: { readonly bytes: number; readonly limitBytes: number | undefined };
};

/** Readers that lag are asked for their oldest message; further ones are reported without its age. */
const MAX_AGES = 200;

/**
 * Looks at an installation's streams and readers, and changes nothing.
 * @param options.url as of the bus
 * @param options.maxBytes limits of streams other than the usual ones
 * @param options.partitions as configured; undefined: as the ingest log has them
 * @param options.parts of the writer that must be there, besides those of which the log knows any consumer
 * @throws DomainError unavailable while the broker does not answer within `limitMs`
 */
export async function inspectBroker(options: {
  url: string;
  prefix?: string;
  partitions?: number | undefined;
  parts?: readonly string[];
  replicas: number;
  maxBytes?: Partial<Record<StreamName, number>>;
  limitMs: number;
}): Promise<BrokerReport> {
  const { url, prefix = '', replicas, limitMs } = options;
  try {
    const connection = await connect({ ...serversOf(url), name: 'inspection', timeout: limitMs, reconnect: false });
    try {
      const manager = await jetstreamManager(connection, { timeout: limitMs });
      const version = connection.info?.version ?? '';
      const found = await streamsOf(manager);
      const names = new Set<string>();
      for await (const name of manager.streams.names()) names.add(name);
      const isLeaderless = (stream: string) => names.has(stream) && !found.has(stream);
      const log = found.get(streamName({ prefix }, 'INGEST'));
      const partitions = log && partitionsOf(log);
      const { maxBytes = {} } = options;
      const topology = { prefix, replicas, maxBytes, partitions: options.partitions ?? partitions ?? 1 };
      const account = await manager.getAccountInfo();
      return {
        version,
        clockSkewMs: await clockSkew(manager, log),
        partitions,
        streams: streamConfigs(topology).map(([name, expected]) =>
          isLeaderless(expected.name) ? { name, isLeaderless: true } : streamReport(name, expected, found),
        ),
        readers: (await readerReports(manager, topology, found, options.parts ?? [])).filter(
          ({ stream }) => !isLeaderless(streamName(topology, stream)),
        ),
        deadLetters: await deadLetters(manager, { prefix }, found),
        storage: { bytes: account.storage, limitBytes: limitOf(account.limits.max_storage) },
      };
    } catch (error) {
      throw isSilent(error) ? new Error('takes connections, and JetStream does not answer', { cause: error }) : error;
    } finally {
      await connection.close();
    }
  } catch (error) {
    throw unavailable('BROKER_UNAVAILABLE', { cause: error });
  }
}

/** A full disk silences JetStream, or turns it off; the server itself goes on. */
const isSilent = (error: unknown): boolean =>
  error instanceof errors.TimeoutError || (error instanceof Error && error.name === 'JetStreamNotEnabled');

const limitOf = (bytes: number): number | undefined => (bytes > 0 ? bytes : undefined);

async function streamsOf(manager: JetStreamManager): Promise<Map<string, StreamInfo>> {
  const found = new Map<string, StreamInfo>();
  for await (const info of manager.streams.list()) found.set(info.config.name, info);
  return found;
}

function streamReport(
  name: StreamName,
  expected: ReturnType<typeof streamConfigs>[number][1],
  found: ReadonlyMap<string, StreamInfo>,
): StreamReport {
  const info = found.get(expected.name);
  if (!info) return { name };
  const { config, state, cluster } = info;
  const differs = Object.entries(expected)
    .filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(config[key as keyof typeof config]))
    .map(([key]) => key);
  const followers = (cluster?.replicas ?? []).filter(({ current, offline }) => current && !offline).length;
  return {
    name,
    found: {
      bytes: state.bytes,
      limitBytes: config.max_bytes,
      whenFull: config.discard === 'new' ? 'refuses' : 'drops',
      replicas: config.num_replicas,
      currentReplicas: followers + 1,
      differs,
    },
  };
}

async function readerReports(
  manager: JetStreamManager,
  topology: Naming & { partitions: number },
  found: ReadonlyMap<string, StreamInfo>,
  parts: readonly string[],
): Promise<ReaderReport[]> {
  const streams = new Set(requiredConsumers(topology).map(([name]) => name));
  const reports: ReaderReport[] = [];
  let ages = 0;
  for (const stream of streams) {
    const name = streamName(topology, stream);
    const there = new Map<string, ConsumerInfo>();
    if (found.has(name)) for await (const info of manager.consumers.list(name)) there.set(info.name, info);
    // A part that has lost one of its consumers has others.
    const required = requiredConsumers(topology, [...new Set([...parts, ...partsIn(there.keys())])]);
    const wanted = required.filter(([name]) => name === stream).map(([, { durable_name }]) => durable_name);
    // Optional ones, those of further InfluxDBs, and what others may have made: all of them keep messages.
    for (const reader of new Set([...wanted, ...there.keys()]).difference(GONE_READERS)) {
      const info = there.get(reader);
      const pending = info ? info.num_pending + info.num_ack_pending : 0;
      if (pending > 0) ages += 1;
      const oldestMs = info && pending > 0 && ages <= MAX_AGES ? await oldestAgeMs(manager, name, info) : 0;
      reports.push({
        stream,
        name: reader,
        ...(info && { found: { pending, oldestMs } }),
      });
    }
  }
  return reports;
}

async function oldestAgeMs(manager: JetStreamManager, stream: string, info: ConsumerInfo): Promise<number> {
  const { ack_floor, config } = info;
  const next = { seq: ack_floor.stream_seq + 1, next_by_subj: config.filter_subject ?? '>' };
  const message = await manager.streams.getMessage(stream, next);
  return message ? Math.max(0, Date.now() - Date.parse(message.timestamp)) : 0;
}

/** Letters lie under `dead.<reader>`. */
async function deadLetters(
  manager: JetStreamManager,
  naming: Naming,
  found: ReadonlyMap<string, StreamInfo>,
): Promise<Record<string, number>> {
  const name = streamName(naming, 'DEADLETTER');
  if (!found.get(name)?.state.messages) return {};
  const { state } = await manager.streams.info(name, { subjects_filter: subjectName(naming, 'dead.>') });
  const first = subjectName(naming, 'dead.').length;
  return Object.fromEntries(
    Object.entries(state.subjects ?? {}).map(([subject, count]) => [subject.slice(first), count]),
  );
}

async function clockSkew(manager: JetStreamManager, log: StreamInfo | undefined): Promise<number | undefined> {
  if (!log) return undefined;
  const beganMs = Date.now();
  const { ts } = await manager.streams.info(log.config.name);
  const skew = ts === undefined ? Number.NaN : Date.parse(ts) - (beganMs + Date.now()) / 2;
  return Number.isNaN(skew) ? undefined : Math.round(skew);
}
