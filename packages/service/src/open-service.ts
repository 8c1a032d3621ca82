import { Bus } from '@catchment/bus';
import {
  CallerSigner,
  CallerVerifier,
  GrpcServerBuilder,
  type LocalCalls,
  type Peer,
  remotePeer,
} from '@catchment/grpc';
import { Database, migrate, OutboxRelay } from '@catchment/pg';
import { createLogger, type Logger, type LogLevel } from '@catchment/telemetry';
import { watchCertificates } from './certificate-watch.ts';
import type { CommonSettings, commonSettings } from './common-settings.ts';
import { serveHealth } from './health-server.ts';
import { followLogLevels } from './log-levels/follow-log-levels.ts';
import type { Readiness } from './readiness.ts';
import type { Environment, ServiceConfig } from './service-config.ts';
import type { StartScope } from './start.ts';
import type { Uses } from './uses.ts';

type PeersOf<U extends Uses> = { readonly [Name in U['peers'][number]]: Peer } & {
  readonly [Name in NonNullable<U['optionalPeers']>[number]]: Peer | undefined;
};

/** The start of a service gets this: all that it uses is open, and is closed after it, in reverse order. */
export type ServiceScope<U extends Uses, Settings> = StartScope & {
  readonly name: string;
  readonly log: Logger;
  readonly readiness: Readiness;
  readonly config: CommonSettings<U> & Settings;
  readonly signer: CallerSigner;
  readonly peers: PeersOf<U>;
  /** Answers calls of other services, in this process and by gRPC, until the end. */
  readonly serve: (add: (server: GrpcServerBuilder) => unknown) => Promise<void>;
} & (U extends { database: object } ? { readonly database: Database } : unknown) &
  (U extends { bus: object } ? { readonly bus: Bus } : unknown);

/** The configuration gives a service its scope. */
export type ScopeOf<C> = C extends ServiceConfig<infer U, infer Settings> ? ServiceScope<U, Settings> : never;

/** A service is started in this. */
type Host = StartScope & {
  /** Environment of this service (`serviceEnvironment`). */
  readonly env: Environment;
  readonly readiness: Readiness;
  /** The services of this process, if there are several or a test takes part. */
  readonly calls?: LocalCalls;
  /** Names of this process's services. */
  readonly hosted?: ReadonlySet<string>;
  /** The service makes a logger on standard output where it is absent. */
  readonly log?: Logger;
};

/** A service as a value: whoever composes a process starts it, gives it what it needs, and closes what it has opened. */
export type Service<Facts = unknown> = {
  readonly name: string;
  readonly config: { read(env: Environment, hosted?: ReadonlySet<string>): { readonly logLevel: LogLevel } };
  /**
   * Opens what the service uses, in order: health, database (migrated), bus, outbox; then starts it. Resolves when it serves. One
   * without a bus has changes of its log level from nodes.
   * @returns where it listens
   */
  start(host: Host): Promise<StartedWith<Facts>>;
};

/** The service says its ports, and more, of its start. */
export type Started = { readonly healthPort: number; readonly grpcPort?: number };

export type StartedWith<Facts> = Started & (Facts extends object ? Facts : unknown);

/** @param start returns what the log says of it besides its ports */
export function openService<U extends Uses, Settings extends object, Facts>(
  serviceConfig: ServiceConfig<U, Settings>,
  start: (scope: ServiceScope<U, Settings>) => Promise<Facts>,
): Service<Facts> {
  const { name, uses } = serviceConfig;
  return {
    name,
    config: serviceConfig,
    start: async (host) => {
      const config: Common = serviceConfig.read(host.env, host.hosted);
      const log = host.log ?? createLogger(name, { level: config.logLevel });
      const { readiness, signal, defer } = host;
      const health = await serveHealth({ host: config.healthHost, port: config.healthPort, readiness });
      defer(() => health.close());
      defer(await watchCertificates({ env: host.env, log }));
      const scope = { name, log, readiness, signal, defer, config };
      const stores = await openStores(scope, uses);
      const server = new Server(scope, host.calls);
      const signer = new CallerSigner(config.serviceTokenSecret);
      const peers = peersOf(uses, config.addresses, host);
      if (!stores.bus && peers.nodes) {
        const levels = followLogLevels({ name, log, nodes: peers.nodes, signer });
        defer(() => levels.stop());
      }
      const facts = await start({
        ...scope,
        ...stores,
        signer,
        peers,
        serve: (add: (server: GrpcServerBuilder) => unknown) => server.serve(add),
      } as unknown as ServiceScope<U, Settings>);
      const ports = { healthPort: health.port, ...(server.port !== undefined && { grpcPort: server.port }) };
      const started = { ...(facts as object | undefined), ...ports };
      log.info(started, 'listening');
      return started as StartedWith<Facts>;
    },
  };
}

type Common = ReturnType<typeof commonSettings>;

/** Every part of a service has this. */
type Base = StartScope & {
  readonly name: string;
  readonly log: Logger;
  readonly readiness: Readiness;
  readonly config: Common;
};

async function openStores(scope: Base, uses: Uses): Promise<{ database?: Database; bus?: Bus }> {
  const database = uses.database && (await openDatabase(scope, uses.database));
  const bus = uses.bus && (await openBus(scope));
  if (database && bus && uses.database?.outbox) {
    const relay = new OutboxRelay({ database, bus, log: scope.log });
    scope.defer(() => relay.stop());
  }
  return { ...(database && { database }), ...(bus && { bus }) };
}

async function openDatabase(scope: Base, { migrations, prepare }: NonNullable<Uses['database']>): Promise<Database> {
  const { name, log, signal, defer, readiness, config } = scope;
  const { databaseUrl: url = '', databaseSchema: schema = name, databaseConnections, rehearsesTransactions } = config;
  await migrate({ url, schema, folder: migrations, log, signal });
  const database = new Database({
    url,
    schema,
    applicationName: name,
    log,
    ...(databaseConnections !== undefined && { maxConnections: databaseConnections }),
    ...(rehearsesTransactions && { rehearsesTransactions }),
  });
  defer(() => database.close());
  readiness.add('postgres', () => database.check());
  await prepare?.({ database, signal, defer });
  return database;
}

async function openBus({ name, log, signal, defer, readiness, config }: Base): Promise<Bus> {
  const { natsUrl: url = '', partitions = 1, streamReplicas: replicas = 1, busOptions } = config;
  const bus = await Bus.open({ url, name, log, signal, partitions, replicas, ...busOptions });
  defer(() => bus.close());
  readiness.add('nats', () => bus.check());
  return bus;
}

/**
 * An address that somebody gave wins: a peer of the same process may be reached through what stands before it. Clients are closed
 * with what was opened after them.
 */
function peersOf(
  uses: Uses,
  addresses: Readonly<Record<string, string | undefined>>,
  { calls, hosted, defer }: Pick<Host, 'calls' | 'hosted' | 'defer'>,
): Record<string, Peer | undefined> {
  const peerOf = (name: string): Peer | undefined => {
    const address = addresses[name];
    const peer = address === undefined ? hosted?.has(name) && calls?.peer(name) : remotePeer(address);
    if (!peer) return undefined;
    return {
      client: (definition, options) => {
        const client = peer.client(definition, options);
        defer(() => client.close());
        return client;
      },
    };
  };
  return Object.fromEntries([...uses.peers, ...(uses.optionalPeers ?? [])].map((name) => [name, peerOf(name)]));
}

/** A service's one server. */
class Server {
  readonly #scope: Base;
  readonly #calls: LocalCalls | undefined;
  port: number | undefined;

  constructor(scope: Base, calls: LocalCalls | undefined) {
    this.#scope = scope;
    this.#calls = calls;
  }

  async serve(add: (server: GrpcServerBuilder) => unknown): Promise<void> {
    const { name, log, defer, config } = this.#scope;
    const { serviceTokenSecret, connectionAgeMs, grpcHost: host = '127.0.0.1', grpcPort: port = 0 } = config;
    const builder = new GrpcServerBuilder({
      verifier: new CallerVerifier(serviceTokenSecret),
      log,
      ...(connectionAgeMs !== undefined && { connectionAgeMs }),
      ...(this.#calls && { local: { calls: this.#calls, name } }),
    });
    add(builder);
    const server = await builder.listen({ host, port });
    this.port = server.port;
    defer(() => server.close());
  }
}
