import type { HistoricServiceService } from '@catchment/contracts/historic';
import type { Handlers } from '@catchment/grpc';
import type { AnswerPiece } from '../usecases/answer-bytes.ts';
import { type EdgeDeps, getEdges } from '../usecases/get-edges.ts';
import { readAggregateAt } from '../usecases/read-aggregate-at.ts';
import type { ReadDeps } from '../usecases/read-deps.ts';
import { readHistoric, readMany } from '../usecases/read-historic.ts';
import { readSeries } from '../usecases/read-series.ts';

type ReadCalls = 'read' | 'readMany' | 'readSeries' | 'readAggregateAt' | 'getEdges';

export const readHandlers = (deps: ReadDeps & EdgeDeps): Pick<Handlers<typeof HistoricServiceService>, ReadCalls> => ({
  read: (request, call) => chunksOf(readHistoric(deps, request, call)),
  readMany: (request, call) => chunksOf(readMany(deps, request, call)),
  readSeries: (request, call) => readSeries(deps, request, call),
  readAggregateAt: (request, call) => readAggregateAt(deps, request, call),
  getEdges: (request, call) => getEdges(deps, request, call),
});

async function* chunksOf(pieces: AsyncIterable<AnswerPiece>) {
  let isFirst = true;
  for await (const { contentType, bytes } of pieces) {
    yield { data: bytes, contentType: isFirst ? contentType : '', revision: '' };
    isFirst = false;
  }
}
