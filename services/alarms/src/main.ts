import { join } from 'node:path';
import { Bus } from '@catchment/bus';
import { AlarmsServiceService } from '@catchment/contracts/alarms';
import { HistoricServiceService } from '@catchment/contracts/historic';
import { NodesServiceService } from '@catchment/contracts/nodes';
import { CallerSigner, CallerVerifier, createGrpcClient, GrpcServerBuilder } from '@catchment/grpc';
import { newObjectId } from '@catchment/ids';
import { resolveNode } from '@catchment/node-replica';
import { Database, migrate, OutboxRelay } from '@catchment/pg';
import { repeat, runService, serveHealth } from '@catchment/service';
import { readAlarms } from './bus/alarm-readers.ts';
import { readConfig } from './config.ts';
import { PgAlarmStore } from './store/pg-alarm-store.ts';
import { PgKnownNodes } from './store/pg-known-nodes.ts';
import { StoredRaisedSources } from './store/raised-sources.ts';
import { sweep } from './sweep.ts';
import { alarmsHandlers } from './transport/alarms-handlers.ts';
import { grpcHistory } from './transport/grpc-history.ts';

const SWEEP_EVERY_MS = 3_600_000;

await runService('alarms', async ({ log, readiness, defer }) => {
  const config = readConfig(process.env);
  const health = await serveHealth({ host: config.healthHost, port: config.healthPort, readiness });
  defer(() => health.close());

  const { databaseUrl: url, databaseSchema: schema } = config;
  await migrate({ url, schema, folder: join(import.meta.dirname, '../migrations'), log });
  const database = new Database({
    url,
    schema,
    applicationName: 'alarms',
    maxConnections: config.databaseConnections,
    log,
  });
  defer(() => database.close());
  readiness.add('postgres', () => database.check());
  const store = new PgAlarmStore(database, () => newObjectId());

  const bus = await Bus.open({
    url: config.natsUrl,
    name: 'alarms',
    log,
    partitions: config.ingestPartitions,
    replicas: config.streamReplicas,
  });
  defer(() => bus.close());
  readiness.add('nats', () => bus.check());
  const relay = new OutboxRelay({ database, bus, log });
  defer(() => relay.stop());

  const signer = new CallerSigner(config.serviceTokenSecret);
  const nodes = createGrpcClient(NodesServiceService, config.nodesAddress);
  defer(() => nodes.close());
  const historic = createGrpcClient(HistoricServiceService, config.historicAddress);
  defer(() => historic.close());
  const server = await new GrpcServerBuilder({
    verifier: new CallerVerifier(config.serviceTokenSecret),
    log,
    connectionAgeMs: config.connectionAgeMs,
  })
    .add(
      AlarmsServiceService,
      alarmsHandlers({ store, nodes: { resolve: (ref, call) => resolveNode(nodes, ref, call) }, now: Date.now }),
    )
    .listen({ host: config.grpcHost, port: config.grpcPort });
  defer(() => server.close());

  const known = new PgKnownNodes({ database, nodes, signer, max: config.cachedNodes });
  const raised = new StoredRaisedSources(database, log);
  await raised.look();
  raised.start();
  defer(() => raised.stop());
  const readers = readAlarms(bus, { store, known, raised, history: grpcHistory(historic, signer) });
  defer(() => readers.stop());
  const sweeper = repeat(() => sweep(store, Date.now()), {
    everyMs: SWEEP_EVERY_MS,
    failed: 'old rows could not be removed',
    log,
  });
  defer(() => sweeper.stop());
  log.info({ grpcPort: server.port, healthPort: health.port }, 'listening');
});
