import { FilesServiceService } from '@catchment/contracts/files';
import { HistoricServiceService } from '@catchment/contracts/historic';
import { NodesServiceService } from '@catchment/contracts/nodes';
import { OwnersServiceService } from '@catchment/contracts/owners';
import { RenderServiceService } from '@catchment/contracts/render';
import { SecurityServiceService } from '@catchment/contracts/security';
import { CallerVerifier, createGrpcClient, GrpcServerBuilder } from '@catchment/grpc';
import { runService, serveHealth } from '@catchment/service';
import { chartedNodesClient } from './clients/charted-nodes-client.ts';
import { createDrawPool } from './clients/drawing/draw-pool.ts';
import { filesClient } from './clients/files-client.ts';
import { preferencesClient } from './clients/preferences-client.ts';
import { qualitiesClient } from './clients/qualities-client.ts';
import { seriesClient } from './clients/series-client.ts';
import { readConfig } from './config.ts';
import { renderHandlers } from './transport/render-handlers.ts';
import { drawingMemory } from './usecases/drawing-memory.ts';

await runService('render', async ({ log, readiness, defer }) => {
  const config = readConfig(process.env);
  const health = await serveHealth({ host: config.healthHost, port: config.healthPort, readiness });
  defer(() => health.close());

  const nodes = createGrpcClient(NodesServiceService, config.nodesAddress);
  defer(() => nodes.close());
  const owners = createGrpcClient(OwnersServiceService, config.nodesAddress);
  defer(() => owners.close());
  const security = createGrpcClient(SecurityServiceService, config.nodesAddress);
  defer(() => security.close());
  const files = createGrpcClient(FilesServiceService, config.nodesAddress);
  defer(() => files.close());
  const historic = createGrpcClient(HistoricServiceService, config.historicAddress);
  defer(() => historic.close());
  const drawing = await createDrawPool({
    threads: config.drawThreads,
    heapMegabytes: config.drawHeapMegabytes,
  });
  defer(() => drawing.close());

  const deps = {
    nodes: chartedNodesClient(nodes),
    records: seriesClient(historic),
    qualities: qualitiesClient(owners),
    preferences: preferencesClient(security),
    drawing,
    files: filesClient(files),
    previewing: drawing,
    maxRecords: config.maxRecords,
    maxBytes: config.maxBytes,
    maxMs: config.maxMs,
    memory: drawingMemory({ mib: config.drawMemoryMegabytes, waiting: config.drawQueue }),
    now: Date.now,
  };
  const server = await new GrpcServerBuilder({
    verifier: new CallerVerifier(config.serviceTokenSecret),
    log,
    connectionAgeMs: config.connectionAgeMs,
  })
    .add(RenderServiceService, renderHandlers(deps))
    .listen({ host: config.grpcHost, port: config.grpcPort });
  defer(() => server.close());
  log.info({ grpcPort: server.port, healthPort: health.port }, 'listening');
});
