import type { DocumentChunk } from '@catchment/contracts/common';
import type { RenderPreviewRequest, RenderServiceService } from '@catchment/contracts/render';
import { toDomainError, tooLarge } from '@catchment/errors';
import { currentAccount, type FairQueue, PLATFORM } from '@catchment/fair-queue';
import { type CallContext, type Handlers, serviceCaller } from '@catchment/grpc';
import { readChartArguments } from '../domain/chart-arguments.ts';
import { chartMib, PREVIEW_MIB, pictureMib } from '../domain/drawing-cost.ts';
import { type RenderDeps, renderChart } from '../usecases/render-chart.ts';
import { type PreviewDeps, renderPreview } from '../usecases/render-preview.ts';

const CHUNK_BYTES = 256 * 1024;

export type RenderOptions = {
  /** Longest time that one chart may take; over it is 413 (docs/reference/reading.md#too-large-or-too-slow). */
  readonly maxMs: number;
  /** In MiB. */
  readonly memory: FairQueue;
  readonly now: () => number;
};

export const renderHandlers = (
  deps: RenderDeps & PreviewDeps,
  options: RenderOptions,
): Handlers<RenderServiceService> => ({
  async *renderChart({ nodeRef, arguments: raw, arrivalMs }, context) {
    const startedMs = options.now();
    const deadlineMs = Math.min(context.deadlineMs, startedMs + options.maxMs);
    const timeout = AbortSignal.timeout(Math.max(0, Math.ceil(deadlineMs - startedMs)));
    const call = { token: context.token, deadlineMs, signal: AbortSignal.any([context.signal, timeout]) };
    const command = { nodeRef, arguments: raw, arrivalMs: arrivalMs || startedMs };
    const cost = chartMib(readChartArguments(raw, command.arrivalMs));
    const leave = await options.memory.enter({ account: currentAccount() ?? PLATFORM, cost, signal: call.signal });
    try {
      const image = await renderChart(deps, command, call).catch((error: unknown) => {
        // Time over is 413 for charts, whoever noticed it (docs/reference/requests-and-errors.md#status-codes).
        const isLate = timeout.aborted || toDomainError(error).kind === 'deadline_exceeded';
        throw isLate ? tooLarge('The chart took too long: choose a shorter range') : error;
      });
      leave(pictureMib(image.bytes));
      const durationMs = Math.round(options.now() - startedMs);
      const sizeBytes = image.bytes.byteLength;
      context.log.info({ contentType: image.contentType, sizeBytes, durationMs }, 'chart drawn');
      yield* chunksOf(image.bytes, image.contentType);
    } finally {
      leave();
    }
  },
  renderPreview: async (file, context) => {
    serviceCaller(context.caller);
    return { jpeg: await previewOf(deps, options, file, context) };
  },
});

async function previewOf(
  deps: PreviewDeps,
  { memory, maxMs, now }: RenderOptions,
  file: RenderPreviewRequest,
  { token, signal, ...context }: CallContext,
): Promise<Buffer> {
  const deadlineMs = Math.min(context.deadlineMs, now() + maxMs);
  const work = { account: currentAccount() ?? PLATFORM, cost: PREVIEW_MIB, lane: 'previews', signal };
  const jpeg = await memory.run(work, () => renderPreview(deps, file, { token, deadlineMs, signal }));
  return Buffer.from(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength);
}

function* chunksOf(bytes: Uint8Array, contentType: string): Iterable<DocumentChunk> {
  for (let offset = 0; offset < bytes.byteLength; offset += CHUNK_BYTES) {
    const part = bytes.subarray(offset, offset + CHUNK_BYTES);
    const data = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    yield { data, contentType: offset === 0 ? contentType : '', revision: '' };
  }
}
