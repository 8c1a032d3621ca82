import { HistoricServiceService } from '@catchment/contracts/historic';
import { NodesServiceService } from '@catchment/contracts/nodes';
import { OwnersServiceService } from '@catchment/contracts/owners';
import { ProcessingServiceService } from '@catchment/contracts/processing';
import { ProgramsServiceService } from '@catchment/contracts/programs';
import { RatingsServiceService } from '@catchment/contracts/ratings';
import { openService } from '@catchment/service';
import { config } from './config.ts';
import { startProcessing } from './processing.ts';
import { QuickJsSandbox } from './runner/quickjs-sandbox.ts';
import { readConverters } from './store/converter-folder.ts';
import { reportUnprocessed } from './store/unprocessed.ts';
import { processingHandlers } from './transport/processing-handlers.ts';

export const service = openService(config, async (scope) => {
  const { config, log, defer, database, bus, signer, peers } = scope;
  defer(reportUnprocessed(database));
  const nodes = peers.nodes.client(NodesServiceService);
  const programs = peers.nodes.client(ProgramsServiceService);
  const ratings = peers.nodes.client(RatingsServiceService);
  const owners = peers.nodes.client(OwnersServiceService);
  const historic = peers.historic.client(HistoricServiceService);

  const sandbox = new QuickJsSandbox({ runners: config.runners, log });
  defer(() => sandbox.close());
  const processing = startProcessing({
    database,
    bus,
    signer,
    nodes,
    programs,
    ratings,
    owners,
    historic,
    sandbox,
    loops: config.loops,
    logger: log,
    now: Date.now,
    converters: await readConverters(config.convertersFolder, log),
  });
  defer(() => processing.stop());
  await scope.serve((server) => server.add(ProcessingServiceService, processingHandlers(processing.handlers)));
});
