import { serviceCaller } from '@catchment/access';
import type { DocumentChunk } from '@catchment/contracts/common';
import type { RenderServiceService } from '@catchment/contracts/render';
import type { Handlers } from '@catchment/grpc';
import { answerChart, answerPreview, type RenderOptions } from '../usecases/answer-chart.ts';
import type { RenderDeps } from '../usecases/render-chart.ts';
import type { Image } from '../usecases/render-node.ts';
import type { PreviewDeps } from '../usecases/render-preview.ts';

export const renderHandlers = (deps: RenderDeps & PreviewDeps & RenderOptions): Handlers<RenderServiceService> => ({
  renderChart: (request, call) => chunksOf(answerChart(deps, request, call)),
  renderPreview: async (file, call) => {
    serviceCaller(call.caller);
    return { jpeg: bufferOf(await answerPreview(deps, file, call)) };
  },
});

async function* chunksOf(pieces: AsyncIterable<Image>): AsyncGenerator<DocumentChunk> {
  let isFirst = true;
  for await (const { contentType, bytes } of pieces) {
    yield { data: bufferOf(bytes), contentType: isFirst ? contentType : '', revision: '' };
    isFirst = false;
  }
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
