import { join } from 'node:path';
import { Bus } from '@catchment/bus';
import { DevicesServiceService } from '@catchment/contracts/devices';
import type { TransportName } from '@catchment/contracts/transports';
import { placesFor } from '@catchment/fair-queue';
import { admitted, CallerSigner, CallerVerifier, GrpcServerBuilder } from '@catchment/grpc';
import { followNodes } from '@catchment/node-replica';
import { Database, migrate, OutboxRelay } from '@catchment/pg';
import type { ServiceScope } from '@catchment/service';
import { followNode, sourceFollower } from './bus/nodes-reader.ts';
import { historicClient } from './clients/historic-client.ts';
import { nodesClient } from './clients/nodes-client.ts';
import type { Config } from './config.ts';
import { pgStore } from './store/pg-store.ts';
import { devicesHandlers } from './transport/devices-handlers.ts';
import { transportsOf } from './transport/transports.ts';
import { FileWorker } from './usecases/file-worker.ts';
import { KnownTransports } from './usecases/known-transports.ts';
import { reconcileAtStart } from './usecases/reconcile-sources.ts';
import { SecretHasher } from './usecases/secret-hasher.ts';

export type StartedDevices = {
  readonly grpcPort: number;
  /** Where transports listen; of Scouts: plain, then TLS where it is configured. */
  readonly ports: Readonly<Partial<Record<TransportName, readonly number[]>>>;
};

/** At a time; modems and files have the other connections. */
const LISTS = 4;
/** Of files, 512 KiB each, being stored at a time. */
const SEGMENTS = 32;

/** Wires the service and serves; everything is closed by the scope, modems first. */
export async function startDevices(
  config: Config,
  { log, readiness, defer }: Pick<ServiceScope, 'log' | 'readiness' | 'defer'>,
): Promise<StartedDevices> {
  const { databaseUrl: url, databaseSchema: schema } = config;
  await migrate({ url, schema, folder: join(import.meta.dirname, '..', 'migrations'), log });
  const database = new Database({ url, schema, applicationName: 'devices', log });
  defer(() => database.close());
  readiness.add('postgres', () => database.check());

  const bus = await Bus.open({
    url: config.natsUrl,
    name: 'devices',
    prefix: config.busPrefix,
    partitions: config.partitions,
    replicas: config.streamReplicas,
    log,
  });
  defer(() => bus.close());
  readiness.add('nats', () => bus.check());

  const signer = new CallerSigner(config.serviceTokenSecret);
  const nodes = nodesClient(config.nodesAddress, signer);
  defer(() => nodes.close());
  const historic = historicClient(config.historicAddress, signer);
  defer(() => historic.close());
  const relay = new OutboxRelay({ database, bus, log });
  defer(() => relay.stop());

  const now = Date.now;
  const address = { host: config.scoutPublicHost ?? config.scoutHost, port: config.scoutPort };
  const store = pgStore(database, config.classNamespace);
  const transports = transportsOf(config);
  const followDeps = { store, transports, address, log, now };
  const reader = followNodes(bus, 'devices-nodes', sourceFollower(followDeps));
  defer(() => reader.stop());
  const stopping = new AbortController();
  const follow = (node: Parameters<typeof followNode>[1]) => followNode(followDeps, node);
  const reconciling = reconcileAtStart({ store, deviceSources: nodes.deviceSources, follow, log }, stopping.signal);
  defer(async () => {
    stopping.abort();
    await reconciling;
  });

  // Modems, however many come, do not hold up people, nor people modems.
  const registry = { store, nodes, secrets: new SecretHasher(), namespace: config.classNamespace, address, now };
  const files = new FileWorker({ store, historic, log, now });
  const lists = placesFor('TOO_MANY_LISTS', LISTS);
  const segments = placesFor('TOO_MANY_SEGMENTS', SEGMENTS);
  const handlers = admitted(DevicesServiceService, devicesHandlers(registry, files), lists, { listDevices: 1 });
  const grpc = await new GrpcServerBuilder({
    verifier: new CallerVerifier(config.serviceTokenSecret),
    log,
    connectionAgeMs: config.connectionAgeMs,
  })
    .add(DevicesServiceService, admitted(DevicesServiceService, handlers, segments, { writeFileSegment: 1 }))
    .listen({ host: config.grpcHost, port: config.grpcPort });
  defer(() => grpc.close());
  files.start();
  // Before the server: its calls wait for files.
  defer(() => files.stop());

  const known = new KnownTransports(nodes);
  const ports: Partial<Record<TransportName, readonly number[]>> = {};
  for (const { name, open } of transports) {
    const opened = await open?.({ store, write: historic.write, known, log, now });
    if (!opened) continue;
    defer(() => opened.close());
    ports[name] = opened.ports;
  }
  return { grpcPort: grpc.port, ports };
}
