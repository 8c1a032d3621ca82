import { type Repeated, repeat } from '@catchment/service';
import type { Logger } from '@catchment/telemetry';
import type { Step, Steps, Work } from './ports.ts';
import { needsValidation, runStep, type StepDeps } from './run-step.ts';
import { type ValidateDeps, validateProgram } from './validate-program.ts';
import { validateRating } from './validate-rating.ts';

export type WorkerDeps = StepDeps &
  ValidateDeps & {
    readonly steps: Steps;
    readonly logger: Logger;
    /** Loops of each kind. */
    readonly loops: Readonly<Record<Work, number>>;
  };

/** Others may have marked something, or left something undone: one loop of each kind looks often. */
const POLL_MS = 500;
const OTHERS_POLL_MS = 10_000;
/** The limit is well below the time after which a transaction that waits is ended, and with it the claim. */
const STEP_LIMIT_MS = 20_000;
const RETRY_MS = 5_000;

type Loop = { readonly what: Work; repeated?: Repeated; isWorking: boolean };

/**
 * Validates and runs programs, and ratings: those with new input, recomputations beside them, page by page. What there is to do is in Postgres, so it
 * outlives this process; each step is one transaction that holds one program.
 */
export class Worker {
  readonly #deps: WorkerDeps;
  readonly #loops: readonly Loop[];

  constructor(deps: WorkerDeps) {
    this.#deps = deps;
    this.#loops = (Object.entries(deps.loops) as [Work, number][]).flatMap(([what, count]) =>
      Array.from({ length: count }, (_, nth) => {
        const loop: Loop = { what, isWorking: false };
        // It begins at once.
        loop.repeated = repeat((stopping) => this.#step(loop, stopping), {
          everyMs: nth === 0 ? POLL_MS : OTHERS_POLL_MS,
          failed: 'programs could not be computed, trying again',
          log: deps.logger,
        });
        return loop;
      }),
    );
  }

  /** There is something to do. One loop is enough to look: with work in hand it wakes the next. */
  wake(what: Work): void {
    this.#loops.find((loop) => loop.what === what && !loop.isWorking)?.repeated?.wake();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#loops.map(({ repeated }) => repeated?.stop()));
  }

  /** @returns whether there may be more to do */
  async #step(loop: Loop, stopping: AbortSignal): Promise<boolean> {
    const { what } = loop;
    const { steps, now } = this.#deps;
    if (what !== 'recompute') await steps.absorb(now());
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(STEP_LIMIT_MS)]);
    let claimed: string | undefined;
    try {
      return (
        (await steps.step(what, now(), async (step) => {
          claimed = step.program.nodeId;
          loop.isWorking = true;
          this.wake(what);
          await this.#work(what, step, signal);
          return true;
        })) ?? false
      );
    } catch (error) {
      if (stopping.aborted) return false;
      if (claimed === undefined) throw error;
      this.#deps.logger.warn({ err: error, nodeId: claimed }, 'program could not be computed, trying again');
      if (what !== 'check' && needsValidation(error)) await steps.defer(claimed, 'check', now());
      await steps.defer(claimed, what, now() + RETRY_MS);
      return true;
    } finally {
      loop.isWorking = false;
      if (what === 'check' && claimed !== undefined) {
        this.wake('due');
        this.wake('recompute');
      }
    }
  }

  async #work(what: Work, step: Step, signal: AbortSignal): Promise<void> {
    if (what === 'check' && step.program.kind === 'rating') return validateRating(this.#deps, step, signal);
    if (what === 'check') return validateProgram(this.#deps, step, signal);
    await runStep(this.#deps, step, signal);
  }
}
