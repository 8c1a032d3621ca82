import type { Bus } from '@catchment/bus';
import type { HistoricServiceService } from '@catchment/contracts/historic';
import type { NodesServiceService } from '@catchment/contracts/nodes';
import type { OwnersServiceService } from '@catchment/contracts/owners';
import type { ProgramsServiceService } from '@catchment/contracts/programs';
import type { RatingsServiceService } from '@catchment/contracts/ratings';
import { notFound } from '@catchment/errors';
import type { CallerSigner, GrpcClient } from '@catchment/grpc';
import { resolveNode, seenNodes } from '@catchment/node-replica';
import type { Database } from '@catchment/pg';
import type { Logger } from '@catchment/telemetry';
import { announcements, attemptMessage, eventMessage } from './bus/messages.ts';
import { readForPrograms } from './bus/program-readers.ts';
import { readForRatings } from './bus/rating-readers.ts';
import { ingestLog } from './clients/ingest-log.ts';
import { grpcProgramSource } from './clients/program-source.ts';
import { grpcSeriesReader } from './clients/series-reader.ts';
import { grpcSeriesWriter } from './clients/series-writer.ts';
import { pgComputations } from './store/pg-computations.ts';
import { PgPrograms } from './store/pg-programs.ts';
import { pgRatings } from './store/pg-ratings.ts';
import { pgSteps } from './store/pg-steps.ts';
import type { HandlerDeps } from './transport/processing-handlers.ts';
import { PageSizes } from './usecases/page-sizes.ts';
import type { SeriesReader, SeriesWriter, Work } from './usecases/ports.ts';
import type { Sandbox } from './usecases/sandbox.ts';
import { WholePages } from './usecases/whole-pages.ts';
import { Worker } from './usecases/worker.ts';

const SERVICE = { kind: 'service', service: 'processing' } as const;

type ProcessingOptions = {
  readonly database: Database;
  readonly bus: Bus;
  readonly signer: CallerSigner;
  readonly nodes: GrpcClient<typeof NodesServiceService>;
  readonly programs: GrpcClient<typeof ProgramsServiceService>;
  readonly ratings: GrpcClient<typeof RatingsServiceService>;
  readonly owners: GrpcClient<typeof OwnersServiceService>;
  readonly historic: GrpcClient<typeof HistoricServiceService>;
  readonly sandbox: Sandbox;
  readonly converters: HandlerDeps['convert']['converters'];
  /** Programs and ratings with new input that are computed at a time. */
  readonly loops: number;
  readonly logger: Logger;
  readonly now: () => number;
};

/** Puts the service together and starts following and computing. */
export function startProcessing(options: ProcessingOptions): { readonly handlers: HandlerDeps; stop(): Promise<void> } {
  const { database, bus, signer, nodes, historic, sandbox, loops, logger, now } = options;
  const computations = pgComputations(database);
  const programs = new PgPrograms(database, (node, timeMs) => attemptMessage(node, '', timeMs));
  const source = grpcProgramSource(options);
  const reader: SeriesReader = grpcSeriesReader(historic, signer);
  const writer: SeriesWriter = grpcSeriesWriter(historic, signer);
  const log = ingestLog(bus, historic, signer, source);
  const worker = new Worker({
    reader,
    writer,
    source,
    sandbox,
    announcements,
    now,
    logger,
    log,
    sizes: new PageSizes(),
    pages: new WholePages({ reader, log }),
    steps: pgSteps(database),
    loops: { due: loops, recompute: loops, check: loops },
  });
  const wake = (what: Work) => worker.wake(what);
  const asService = async () => ({ token: await signer.sign(SERVICE) });
  const readers = [
    readForPrograms(bus, { programs, wake }),
    readForRatings(bus, { ratings: pgRatings(database, attemptMessage), wake }),
  ];
  return {
    handlers: {
      test: { source, sandbox, reader, now },
      convert: { sandbox, converters: options.converters },
      acquire: (call) => ({
        programs,
        event: eventMessage,
        wake,
        now,
        resolve: (nodeRef) => resolveNode(nodes, nodeRef, call),
      }),
      computation: (call) => ({
        programs: computations,
        resolve: (nodeRef) => resolveNode(nodes, nodeRef, call),
        seen: (nodeIds) => seenNodes(nodes, nodeIds, call),
      }),
      url: {
        sandbox,
        reader,
        source: async (ownerId, sourceId) => {
          const { source: found, parameters } = await nodes.getSource({ ownerId, sourceId }, await asService());
          if (!found) throw notFound();
          return { source: found, parameters };
        },
        node: async (ownerId, nodeId) => {
          const request = { nodeRefs: [nodeId], ownerId, skipsMissing: true };
          return (await nodes.resolveNodes(request, await asService())).nodes[0];
        },
      },
    },
    stop: async () => {
      await Promise.all(readers.map((reader) => reader.stop()));
      await worker.stop();
    },
  };
}
