import { join } from 'node:path';
import { Bus } from '@catchment/bus';
import { HistoricServiceService } from '@catchment/contracts/historic';
import { NodesServiceService } from '@catchment/contracts/nodes';
import { OwnersServiceService } from '@catchment/contracts/owners';
import { ProcessingServiceService } from '@catchment/contracts/processing';
import { ProgramsServiceService } from '@catchment/contracts/programs';
import { CallerSigner, CallerVerifier, createGrpcClient, GrpcServerBuilder } from '@catchment/grpc';
import { Database, migrate, OutboxRelay } from '@catchment/pg';
import { runService, serveHealth } from '@catchment/service';
import { readConfig } from './config.ts';
import { startProcessing } from './processing.ts';
import { QuickJsSandbox } from './runner/quickjs-sandbox.ts';
import { readConverters } from './store/converter-folder.ts';
import { tellUnprocessed } from './store/unprocessed.ts';
import { processingHandlers } from './transport/processing-handlers.ts';

await runService('processing', async ({ log, readiness, signal, defer }) => {
  const config = readConfig(process.env);
  const health = await serveHealth({ host: config.healthHost, port: config.healthPort, readiness });
  defer(() => health.close());

  const { databaseUrl: url, databaseSchema: schema } = config;
  await migrate({ url, schema, folder: join(import.meta.dirname, '../migrations'), log, signal });
  const database = new Database({
    ...{ url, schema, log },
    applicationName: 'processing',
    maxConnections: config.databaseConnections,
  });
  defer(() => database.close());
  readiness.add('postgres', () => database.check());
  defer(tellUnprocessed(database));

  const bus = await Bus.open({
    ...{ url: config.natsUrl, name: 'processing', log, signal },
    partitions: config.ingestPartitions,
    replicas: config.streamReplicas,
  });
  defer(() => bus.close());
  readiness.add('nats', () => bus.check());
  const relay = new OutboxRelay({ database, bus, log });
  defer(() => relay.stop());

  const nodes = createGrpcClient(NodesServiceService, config.nodesAddress);
  defer(() => nodes.close());
  const programs = createGrpcClient(ProgramsServiceService, config.nodesAddress);
  defer(() => programs.close());
  const owners = createGrpcClient(OwnersServiceService, config.nodesAddress);
  defer(() => owners.close());
  const historic = createGrpcClient(HistoricServiceService, config.historicAddress);
  defer(() => historic.close());

  const sandbox = new QuickJsSandbox({ runners: config.runners, log });
  defer(() => sandbox.close());
  const signer = new CallerSigner(config.serviceTokenSecret);
  const processing = startProcessing({
    ...{ database, bus, signer, nodes, programs, owners, historic, sandbox, loops: config.loops },
    ...{ logger: log, now: Date.now, converters: await readConverters(config.convertersFolder, log) },
  });
  defer(() => processing.stop());
  const server = await new GrpcServerBuilder({
    verifier: new CallerVerifier(config.serviceTokenSecret),
    log,
    connectionAgeMs: config.connectionAgeMs,
  })
    .add(ProcessingServiceService, processingHandlers(processing.handlers))
    .listen({ host: config.grpcHost, port: config.grpcPort });
  defer(() => server.close());
  log.info({ grpcPort: server.port, healthPort: health.port }, 'listening');
});
