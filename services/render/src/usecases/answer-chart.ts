import { toDomainError, tooLarge } from '@catchment/errors';
import { currentAccount, type FairQueue, PLATFORM } from '@catchment/fair-queue';
import type { Logger } from '@catchment/telemetry';
import { readChartArguments } from '../domain/chart-arguments.ts';
import { chartMib, chartWork, PREVIEW_MIB, pictureMib } from '../domain/drawing-cost.ts';
import type { Call, PreviewedFile } from './ports.ts';
import type { RenderDeps } from './render-chart.ts';
import { type Image, type RenderChart, renderNode } from './render-node.ts';
import { type PreviewDeps, renderPreview } from './render-preview.ts';

export type RenderOptions = {
  /** One chart may take this long; over it is 413 (docs/reference/reading.md#too-large-or-too-slow). */
  readonly maxMs: number;
  /** The queue counts MiB. */
  readonly memory: FairQueue;
  readonly now: () => number;
};

const PIECE_BYTES = 256 * 1024;

/** Yields a chart in pieces; its memory is held until the last of them is taken. @throws DomainError as `renderNode` */
export async function* answerChart(
  deps: RenderDeps & RenderOptions,
  { nodeRef, arguments: raw, arrivalMs, hidesPaths, draft }: RenderChart,
  { token, deadlineMs: callersDeadlineMs, signal: callersSignal, log }: Call & { readonly log: Pick<Logger, 'info'> },
): AsyncGenerator<Image> {
  const startedMs = deps.now();
  const deadlineMs = Math.min(callersDeadlineMs, startedMs + deps.maxMs);
  const timeout = AbortSignal.timeout(Math.max(0, Math.ceil(deadlineMs - startedMs)));
  const call = { token, deadlineMs, signal: AbortSignal.any([callersSignal, timeout]) };
  const command = { nodeRef, arguments: raw, arrivalMs: arrivalMs || startedMs, hidesPaths, draft };
  const work = chartWork(chartMib(readChartArguments(raw, command.arrivalMs)));
  const leave = await deps.memory.enter({ account: currentAccount() ?? PLATFORM, ...work, signal: call.signal });
  try {
    const { contentType, bytes } = await renderNode(deps, command, call).catch((error: unknown) => {
      // Time over is 413 for charts, whoever noticed it (docs/reference/requests-and-errors.md#status-codes).
      const isLate = timeout.aborted || toDomainError(error).kind === 'deadline_exceeded';
      throw isLate ? tooLarge('The chart took too long: choose a shorter range') : error;
    });
    leave(pictureMib(bytes));
    const durationMs = Math.round(deps.now() - startedMs);
    log.info({ contentType, sizeBytes: bytes.byteLength, durationMs }, 'chart drawn');
    for (let offset = 0; offset < bytes.byteLength; offset += PIECE_BYTES)
      yield { contentType, bytes: bytes.subarray(offset, offset + PIECE_BYTES) };
  } finally {
    leave();
  }
}

/** The preview of a file, once there is memory for it. */
export async function answerPreview(
  deps: PreviewDeps & RenderOptions,
  file: PreviewedFile,
  { token, signal, ...call }: Call,
): Promise<Uint8Array> {
  const deadlineMs = Math.min(call.deadlineMs, deps.now() + deps.maxMs);
  const work = { account: currentAccount() ?? PLATFORM, cost: PREVIEW_MIB, lane: 'previews', isBulk: true, signal };
  return deps.memory.run(work, () => renderPreview(deps, file, { token, deadlineMs, signal }));
}
