import type { BusOptions } from '@catchment/bus';
import { connectionAgeMs, type EnvReader, INGEST_PARTITIONS, natsPrefix, natsUrl } from '@catchment/config';
import { LOG_LEVELS, type LogLevel } from '@catchment/telemetry';
import type { Uses } from './uses.ts';

const PORT = { min: 0, max: 65_535 };

type OfEvery = {
  readonly logLevel: LogLevel;
  readonly healthHost: string;
  readonly healthPort: number;
  readonly serviceTokenSecret: string;
  /** Peers listen here; undefined: a peer of the same process, or an optional one that there is not. */
  readonly addresses: Readonly<Record<string, string | undefined>>;
};
type OfServer = { readonly grpcHost: string; readonly grpcPort: number; readonly connectionAgeMs: number };
type OfBus = {
  readonly natsUrl: string;
  readonly partitions: number;
  readonly streamReplicas: number;
  readonly busOptions: Partial<BusOptions>;
};
type OfDatabase = {
  readonly databaseUrl: string;
  readonly databaseSchema: string;
  readonly databaseConnections: number;
  readonly rehearsesTransactions: boolean;
};

/** Settings that a service has by what it uses. */
export type CommonSettings<U extends Uses> = OfEvery &
  (U extends { server: false } ? unknown : OfServer) &
  (U extends { bus: object } ? OfBus : unknown) &
  (U extends { database: object } ? OfDatabase : unknown);

/** @param isLocal says of a peer that it is in the same process */
export function commonSettings(
  read: EnvReader,
  name: string,
  uses: Uses,
  isLocal: (peer: string) => boolean,
): OfEvery & Partial<OfServer & OfBus & OfDatabase> {
  return {
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS, { fallback: 'info' }),
    healthHost: read.text('HEALTH_HOST', { fallback: '127.0.0.1' }),
    healthPort: read.int('HEALTH_PORT', { ...PORT, ...(uses.healthPort && { fallback: uses.healthPort }) }),
    serviceTokenSecret: read.text('SERVICE_TOKEN_SECRET', { minLength: 32 }),
    ...(uses.server !== false && {
      grpcHost: read.text('GRPC_HOST', { fallback: '127.0.0.1' }),
      grpcPort: read.int('GRPC_PORT', PORT),
      connectionAgeMs: connectionAgeMs(read),
    }),
    ...(uses.bus && {
      natsUrl: natsUrl(read),
      partitions: read.int('INGEST_PARTITIONS', INGEST_PARTITIONS),
      streamReplicas: read.int('STREAM_REPLICAS', { min: 1, max: 5, fallback: 1 }),
      busOptions: { prefix: natsPrefix(read), ...uses.bus.options?.(read) },
    }),
    ...(uses.database && {
      databaseUrl: read.url('DATABASE_URL', { protocols: ['postgres', 'postgresql'] }),
      databaseSchema: databaseSchema(read, name),
      databaseConnections: uses.database.connections(read),
      rehearsesTransactions: read.bool('REHEARSE_TRANSACTIONS', { fallback: false }),
    }),
    addresses: {
      ...addresses(uses.peers, (peer, setting) => (isLocal(peer) ? read.optionalText(setting) : read.text(setting))),
      ...addresses(uses.optionalPeers, (_peer, setting) => read.optionalText(setting)),
    },
  };
}

/** `DATABASE_SCHEMA` names the schema of a service, by its name unless somebody says otherwise. */
export const databaseSchema = (read: EnvReader, service: string): string =>
  read.text('DATABASE_SCHEMA', {
    fallback: service,
    pattern: /^[a-z_][a-z0-9_]{0,62}$/,
    rule: 'must be a lower-case SQL name',
  });

const addresses = (
  peers: readonly string[] = [],
  address: (peer: string, setting: string) => string | undefined,
): Record<string, string | undefined> =>
  Object.fromEntries(peers.map((peer) => [peer, address(peer, `${peer.toUpperCase()}_ADDRESS`)]));
