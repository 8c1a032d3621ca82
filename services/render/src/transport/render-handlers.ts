import { scopeOf, serviceCaller } from '@catchment/access';
import type { DocumentChunk } from '@catchment/contracts/common';
import type { RenderServiceService } from '@catchment/contracts/render';
import type { CallContext, Handlers } from '@catchment/grpc';
import { answerChart, answerPreview, type RenderOptions } from '../usecases/answer-chart.ts';
import type { AskedReport, Piece } from '../usecases/answer-report.ts';
import type { RenderDeps } from '../usecases/render-chart.ts';
import type { Image } from '../usecases/render-node.ts';
import type { PreviewDeps } from '../usecases/render-preview.ts';
import { counted, countedPieces } from './render-metrics.ts';

type AnswerReport = (asked: AskedReport, call: CallContext) => AsyncIterable<Piece>;

export const renderHandlers = (
  deps: RenderDeps & PreviewDeps & RenderOptions,
  answerReport: AnswerReport,
): Handlers<RenderServiceService> => ({
  renderChart: (request, call) => chunksOf(countedPieces('chart', answerChart(deps, request, call))),
  renderReport: (request, call) => {
    // A service names the account; for a caller of the API the account is its own.
    const ownerId = call.caller.kind === 'service' ? scopeOf(call.caller, request.ownerId).ownerId : '';
    return chunksOf(countedPieces('report', answerReport({ ...request, ownerId }, call)));
  },
  renderPreview: async (file, call) => {
    serviceCaller(call.caller);
    return { jpeg: bufferOf(await counted('preview', answerPreview(deps, file, call))) };
  },
});

async function* chunksOf(pieces: AsyncIterable<Image & { readonly fileName?: string }>): AsyncGenerator<DocumentChunk> {
  let isFirst = true;
  for await (const { contentType, bytes, fileName } of pieces) {
    yield {
      data: bufferOf(bytes),
      contentType: isFirst ? contentType : '',
      revision: '',
      fileName: isFirst ? fileName : undefined,
    };
    isFirst = false;
  }
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
