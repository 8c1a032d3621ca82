/** A start that takes longer is given up: whatever it waits for does not come. Migrations of large tables take minutes. */
export const START_LIMIT_MS = 3_600_000;
/** Steps that heed their signal end within this time once the start is given up; the others are left behind. */
const UNWIND_MS = 1_000;

/** Every step of a start gets this. */
export type StartScope = {
  /** Aborted when the start is given up; steps that wait for others end then. */
  readonly signal: AbortSignal;
  /**
   * Registers what to do at the end; run in reverse order of registration, each awaited. Once the start is given up it
   * throws, so that no further step begins.
   */
  defer(close: () => unknown): void;
};

type Close = () => unknown;

/** Holds what the steps of a start have opened. */
export class Closers {
  readonly #open: Close[] = [];
  readonly #failed: (error: unknown) => void;
  #isClosed = false;

  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  /** Closes at once what comes after everything was closed: its step was left behind. */
  add(close: Close): void {
    if (this.#isClosed) void this.#run(close);
    else this.#open.push(close);
  }

  async close(): Promise<void> {
    for (let close = this.#open.pop(); close; close = this.#open.pop()) await this.#run(close);
    this.#isClosed = true;
  }

  async #run(close: Close): Promise<void> {
    try {
      await close();
    } catch (error) {
      this.#failed(error);
    }
  }
}

/**
 * Runs a start until it has ended, `stop` is aborted or its time is over, at whatever step it is.
 * @param options.limitMs 0: none
 * @throws what the start threw, unless it was given up
 */
export async function runStart(
  start: (scope: StartScope) => Promise<void>,
  { closers, stop, limitMs }: { closers: Closers; stop: AbortSignal; limitMs: number },
): Promise<'started' | 'stopped' | 'late'> {
  const givingUp = new AbortController();
  const { signal } = givingUp;
  const outcome = Promise.withResolvers<'stopped' | 'late'>();
  const giveUp = (why: 'stopped' | 'late') => {
    givingUp.abort(new StartGivenUp(why));
    outcome.resolve(why);
  };
  const stopped = () => giveUp('stopped');
  if (stop.aborted) return 'stopped';
  stop.addEventListener('abort', stopped, { once: true });
  const limit = limitMs > 0 ? setTimeout(() => giveUp('late'), limitMs) : undefined;
  const defer = (close: Close) => {
    closers.add(close);
    signal.throwIfAborted();
  };
  const starting = start({ signal, defer }).then(() => 'started' as const);
  try {
    return await Promise.race([starting, outcome.promise]);
  } catch (error) {
    if (!signal.aborted) throw error;
    return outcome.promise;
  } finally {
    clearTimeout(limit);
    stop.removeEventListener('abort', stopped);
    if (signal.aborted) await unwound(starting);
  }
}

/** Waits a moment for the steps of a start that was given up, so that they close what they have half opened. */
async function unwound(starting: Promise<unknown>): Promise<void> {
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, UNWIND_MS);
  await Promise.race([starting.catch(() => undefined), over.promise]);
  clearTimeout(timer);
}

/** The steps of a start get this when it is given up. */
class StartGivenUp extends Error {
  constructor(why: 'stopped' | 'late') {
    super(`the start was given up: ${why}`);
  }
}
