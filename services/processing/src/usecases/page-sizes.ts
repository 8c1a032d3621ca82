import { RECORDS_MAX } from '@catchment/ids';
import { LRUCache } from 'lru-cache';
import type { Plan } from '../domain/plan.ts';
import type { StoredProgram } from './ports.ts';
import { MAX_PAGE } from './read-page.ts';

/** A step should take so long: then steps are short and others have their turn. */
const TARGET_MS = 1_000;
/** Runs of a program of which nothing is known yet: all of them may take the time that a run may take. */
const FIRST = { parameter: 20, processor: 2 } as const;
const GROWTH = 10;
const MAX_PROGRAMS = 20_000;

/** Estimates how many runs a program may have in a step, by what they took before. Has no effect on results. */
export class PageSizes {
  readonly #sizes = new LRUCache<string, number>({ max: MAX_PROGRAMS });

  sizeOf(
    { planVersion = '' }: Pick<StoredProgram, 'planVersion'>,
    { kind, outputs }: Pick<Plan, 'kind' | 'outputs'>,
  ): number {
    const most = Math.max(1, Math.floor(RECORDS_MAX / Math.max(1, outputs.length)));
    return Math.min(
      this.#sizes.get(planVersion) ?? (kind === 'processor' ? FIRST.processor : FIRST.parameter),
      most,
      MAX_PAGE,
    );
  }

  learn({ planVersion = '' }: Pick<StoredProgram, 'planVersion'>, runs: number, tookMs: number): void {
    if (runs === 0) return;
    const before = this.#sizes.get(planVersion) ?? runs;
    const fitting = Math.max(1, Math.floor((runs * TARGET_MS) / Math.max(1, tookMs)));
    if (tookMs > TARGET_MS) this.#sizes.set(planVersion, Math.min(fitting, MAX_PAGE));
    // A short page says little of what a full one takes.
    else if (runs >= before) this.#sizes.set(planVersion, Math.min(fitting, runs * GROWTH, MAX_PAGE));
  }

  /** A step took too long: fewer runs next time. */
  failed({ planVersion = '' }: Pick<StoredProgram, 'planVersion'>): void {
    const before = this.#sizes.get(planVersion);
    this.#sizes.set(planVersion, before === undefined ? 1 : Math.max(1, Math.floor(before / 8)));
  }
}
