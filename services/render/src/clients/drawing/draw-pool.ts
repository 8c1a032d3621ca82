import { once } from 'node:events';
import { SHARE_ENV, type Worker } from 'node:worker_threads';
import { tooLarge } from '@catchment/errors';
import { currentAccount, FairQueue, PLATFORM } from '@catchment/fair-queue';
import { Piscina } from 'piscina';
import type { Drawing, Previewing } from '../../usecases/ports.ts';
import type { PagePictures, PicturedPages, Pictures } from '../../usecases/report-ports.ts';
import type { DrawResult, DrawTask } from './draw-worker.ts';
import type { FittedPicture } from './fit-picture.ts';
import { fontsOf } from './fonts/font-config.ts';
import { SCRIPT_FONTS } from './fonts/script-fonts.ts';
import { FONT_FAMILY, FONT_FILES } from './fonts/text-width.ts';

type DrawPoolOptions = {
  /** This many pictures are drawn at the same time, a thread each. */
  readonly threads: number;
  /** JavaScript heap of a thread. */
  readonly heapMegabytes: number;
};

export type DrawPool = Drawing & Previewing & Pictures & PagePictures & { close(): Promise<void> };

type RunOptions = NonNullable<Parameters<Piscina['run']>[1]>;

/** Longer than a chart may take: requests that wait end by their own deadlines. */
const WAIT_MS = 10 * 60_000;

/** A preview may take this long: a page of a PDF cannot be interrupted, so its thread is ended. */
const PREVIEW_MS = 20_000;

/** A thread at rest costs 30 MiB. */
const IDLE_MS = 60_000;

/**
 * Threads that draw, replaced when they break a limit. One is there from the beginning, since the first picture of a new one takes a
 * second; others come with pictures and go when there are none. Accounts take turns at them, and one has at most half: a thread that
 * draws cannot be interrupted for another request. The number of waiting pictures is bounded by their memory.
 */
export async function createDrawPool(options: DrawPoolOptions): Promise<DrawPool> {
  const fontConfigFile = await fontsOf(
    [...Object.values(FONT_FILES), ...SCRIPT_FONTS.map(({ file }) => file)],
    [FONT_FAMILY, ...SCRIPT_FONTS.map(({ family }) => family)],
  );
  const pool = new Piscina<DrawTask, DrawResult>({
    filename: new URL('./draw-worker.ts', import.meta.url).href,
    minThreads: 1,
    idleTimeout: IDLE_MS,
    maxThreads: options.threads,
    env: SHARE_ENV,
    resourceLimits: { maxOldGenerationSizeMb: options.heapMegabytes },
    workerData: { fontConfigFile },
  });
  const loaded = Promise.all(pool.threads.map(hasLoaded));
  const threads = new FairQueue({
    reason: 'TOO_MANY_CHARTS',
    capacity: options.threads,
    waitingPerAccount: Number.POSITIVE_INFINITY,
    waiting: Number.POSITIVE_INFINITY,
    waitMs: WAIT_MS,
  });
  const inThread = <T extends DrawResult>(task: DrawTask, run: RunOptions & { readonly signal: AbortSignal }) =>
    threads.run({ account: currentAccount() ?? PLATFORM, cost: 1, signal: run.signal }, async () => {
      await loaded;
      return (await pool.run(task, run)) as T;
    });
  // A worker that dies fails its picture below; without a listener the event would end the process.
  pool.on('error', () => undefined);
  return {
    async draw(request, signal) {
      try {
        return await inThread<Uint8Array>({ image: request }, { signal });
      } catch (error) {
        throw refusalOf(error, signal);
      }
    },
    async plotWidth(chart, signal) {
      try {
        return await inThread<number>({ measured: chart }, { signal });
      } catch (error) {
        throw refusalOf(error, signal);
      }
    },
    async preview(bytes, signal) {
      const late = AbortSignal.timeout(PREVIEW_MS);
      try {
        // The list is an array, whatever Piscina's types make of Node's newer overload. The file is not copied.
        const transferList = [bytes.buffer] as unknown as NonNullable<RunOptions['transferList']>;
        const run = { signal: AbortSignal.any([signal, late]), transferList };
        return await inThread<Uint8Array>({ preview: bytes }, run);
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        if (isOutOfMemory(error) || late.aborted) return new Uint8Array(0);
        throw error;
      }
    },
    async pages(pdf, asked, signal) {
      try {
        return await inThread<PicturedPages>({ pdf, ...asked }, { signal });
      } catch (error) {
        if (isOutOfMemory(error)) throw tooLarge('The pages need too much memory: ask for smaller pictures');
        throw signal.aborted ? signal.reason : error;
      }
    },
    async fit(bytes, { width, height }, signal) {
      try {
        return await inThread<FittedPicture | undefined>({ fitted: bytes, width, height }, { signal });
      } catch (error) {
        if (isOutOfMemory(error)) return undefined;
        throw signal.aborted ? signal.reason : error;
      }
    },
    async close() {
      await loaded;
      await pool.close();
    },
  };
}

/**
 * Node hangs or crashes at times where a thread is ended while it loads native code, as it is with a picture that nobody waits for any
 * more, or at the end. The pool counts its first threads as loaded at once, later ones when they are.
 */
const hasLoaded = (thread: Worker): Promise<unknown> =>
  Promise.race([once(thread, 'message'), once(thread, 'exit')]).catch(() => undefined);

function refusalOf(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (isOutOfMemory(error)) {
    return tooLarge('The chart needs too much memory: choose a shorter range or a pixel format');
  }
  return error;
}

const isOutOfMemory = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
