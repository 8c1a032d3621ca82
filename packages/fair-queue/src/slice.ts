import { setImmediate as nextTurn } from 'node:timers/promises';
import { currentAccount } from './current-account.ts';
import { FairQueue, PLATFORM } from './fair-queue.ts';

/** The processor of this thread works on one slice at a time. Only work in progress waits here, so nothing is refused. */
const processor = new FairQueue({
  reason: 'PROCESSOR_BUSY',
  capacity: 1,
  waitingPerAccount: Number.POSITIVE_INFINITY,
  waiting: Number.POSITIVE_INFINITY,
  waitMs: 10 * 60_000,
});

/** A piece of work computes so long before all others have their turn. */
const SLICE_MS = 10;

/**
 * Runs a slice of a long piece of work: some milliseconds of computing. Accounts take turns, whatever number of requests each has
 * in progress, and the event loop gets to everything else between two slices.
 */
export async function inSlice<T>(work: () => T): Promise<T> {
  const leave = await processor.enter({ account: currentAccount() ?? PLATFORM, cost: 1 });
  try {
    return work();
  } finally {
    void nextTurn().then(() => leave());
  }
}

/** Computing that may be interrupted at each `yield`: what it does is pure, whoever runs it decides when it goes on. */
export type Steps<T> = Generator<void, T, void>;

/**
 * Runs steps, some milliseconds of them at a time, each in a slice. Short work is done at once.
 * @throws the signal's reason, between two slices
 */
export async function inSlices<T>(steps: Steps<T>, { signal, sliceMs = SLICE_MS }: SliceOptions = {}): Promise<T> {
  let step = slice(steps, sliceMs);
  while (!step.done) {
    step = await inSlice(() => slice(steps, sliceMs));
    signal?.throwIfAborted();
  }
  return step.value;
}

type SliceOptions = { readonly signal?: AbortSignal | undefined; readonly sliceMs?: number };

function slice<T>(steps: Steps<T>, sliceMs: number): IteratorResult<void, T> {
  const endMs = performance.now() + sliceMs;
  for (;;) {
    const step = steps.next();
    if (step.done || performance.now() >= endMs) return step;
  }
}

/**
 * Paces loops over what comes piece by piece: `if (pace.isOver) await pace.next()` lets all others have their turn every few milliseconds.
 */
export class Pace {
  readonly #sliceMs: number;
  readonly #signal: AbortSignal | undefined;
  #endMs: number;

  constructor({ signal, sliceMs = SLICE_MS }: SliceOptions = {}) {
    this.#sliceMs = sliceMs;
    this.#signal = signal;
    this.#endMs = performance.now() + sliceMs;
  }

  get isOver(): boolean {
    return performance.now() >= this.#endMs;
  }

  /** @throws the signal's reason */
  async next(): Promise<void> {
    await inSlice(() => undefined);
    this.#signal?.throwIfAborted();
    this.#endMs = performance.now() + this.#sliceMs;
  }
}

/** Runs all steps now. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
