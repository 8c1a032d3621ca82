import type { HistoricServiceService } from '@catchment/contracts/historic';
import { DomainError, invalid } from '@catchment/errors';
import { type Handlers, scopeOf, serviceCaller } from '@catchment/grpc';
import { isSeries } from '../domain/series-node.ts';
import type { TextPiece } from '../usecases/answer-text.ts';
import { edgesOf } from '../usecases/edges.ts';
import type { ReadDeps } from '../usecases/read-deps.ts';
import { readHistoric, readMany } from '../usecases/read-historic.ts';
import { readSeries } from '../usecases/read-series.ts';
import { tellFault } from '../usecases/tell-fault.ts';
import type { WriteDeps } from '../usecases/write-deps.ts';
import { writeHistoric } from '../usecases/write-historic.ts';
import { writeMany } from '../usecases/write-many.ts';
import { deleteHistoric, writeNow } from '../usecases/write-now.ts';

export type HistoricDeps = { readonly write: WriteDeps; readonly read: ReadDeps };

const MAX_EDGES = 500;
const MAX_NEWEST = 15;

export const historicHandlers = ({ write, read }: HistoricDeps): Handlers<typeof HistoricServiceService> => ({
  write: async (request, call) => ({ rows: await writeHistoric(write, request, call) }),
  writeMany: async (request, call) => ({ rows: await writeMany(write, request, call) }),
  writeNow: async (request, call) => ({ rows: await writeNow(write, request, call) }),
  deleteHistoric: async (request, call) => {
    await deleteHistoric(write, request, call);
    return {};
  },
  tellFault: async (request, call) => {
    await tellFault(write, request, call);
    return {};
  },
  read: (request, call) => chunksOf(readHistoric(read, request, call)),
  readMany: (request, call) => chunksOf(readMany(read, request, call)),
  readSeries: (request, call) => readSeries(read, request, call),
  getEdges: async ({ ownerId, nodeIds, newest }, call) => {
    serviceCaller(call.caller);
    const scope = scopeOf(call.caller, ownerId);
    if (nodeIds.length > MAX_EDGES) throw invalid('TOO_MANY_NODES', `nodeIds: must be at most ${MAX_EDGES}`);
    const edges = [];
    for (const nodeId of nodeIds) {
      const none = { nodeId, newest: [], oldest: undefined };
      const node = await read.catalogue
        .resolve(nodeId, { scope, isService: true, token: call.token })
        .catch((error: unknown) => {
          if (error instanceof DomainError && error.kind === 'not_found') return undefined;
          throw error;
        });
      if (!node || !isSeries(node)) edges.push(none);
      else {
        const key = { nodeId, valueType: node.series.valueType };
        edges.push(await edgesOf(read.reader, key, Math.min(newest, MAX_NEWEST), call.signal));
      }
    }
    return { edges };
  },
});

async function* chunksOf(pieces: AsyncIterable<TextPiece>) {
  let isFirst = true;
  for await (const { contentType, text } of pieces) {
    yield { data: Buffer.from(text), contentType: isFirst ? contentType : '', revision: '' };
    isFirst = false;
  }
}
