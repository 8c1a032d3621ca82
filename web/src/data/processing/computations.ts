import { call, nodePath } from '../requests/call.ts';

type ComputationState =
  | 'NONE'
  | 'CHECKING'
  | 'REFUSED'
  | 'DISABLED'
  | 'SUSPENDED'
  | 'COMPUTING'
  | 'FAILING'
  | 'RUNNING';

type Standing = {
  readonly state: ComputationState;
  readonly message: string | null;
  readonly suspendedUntil: string | null;
};
export type SeriesLink = { readonly _id: string; readonly name: string; readonly path: string };
export type Follower = SeriesLink & Standing & { readonly kind: 'PROGRAM' | 'RATING' };

/**
 * A series is computed in this way, and these series are computed from it
 * (docs/reference/processing-and-ratings.md#how-a-series-is-computed).
 */
export type Computation = Standing & {
  readonly failuresInRow: number;
  readonly evaluatedUntil: string | null;
  readonly computedRecords: number;
  readonly inputs: readonly SeriesLink[];
  readonly outputs: readonly SeriesLink[];
  readonly followers: readonly Follower[];
  readonly hasMore: boolean;
};

export const readComputation = (id: string, signal: AbortSignal): Promise<Computation> =>
  call('GET', `${nodePath(id)}/computation`, { signal });

/** A program that was suspended begins again: a process parameter with all its records, a processor where it was. */
export const startAgain = (id: string): Promise<unknown> => call('POST', `${nodePath(id)}/operate/acquire`);

/**
 * A program has these results for the last records, and nothing of them is written
 * (docs/reference/processing-and-ratings.md#trying-a-program-out).
 */
export type Trial = {
  readonly records: readonly {
    readonly ts: string;
    readonly output?: string;
    readonly value: number | string | boolean | null;
    readonly quality?: number;
  }[];
  readonly errors: readonly { readonly ts: string; readonly message: string; readonly line?: number }[];
  readonly console: readonly { readonly ts: string; readonly text: string; readonly line?: number }[];
  readonly inputs: readonly {
    readonly _id: string;
    readonly name: string;
    readonly path: string;
    readonly line: number;
    readonly values?: readonly unknown[];
  }[];
  readonly outputs: readonly { readonly _id: string | null; readonly name: string }[];
  readonly times?: readonly string[];
  readonly runs: number;
  readonly failed: number;
  readonly elapsedMs: number;
  readonly isComplete: boolean;
};

/** A program is as it is typed: what is not given is as it is saved. */
export type TrialProgram = {
  readonly code?: string;
  readonly sharedCode?: string;
  readonly runMode?: string;
  readonly qualityFilter?: readonly string[] | null;
  readonly secondaryInputs?: string;
  readonly aggregateInputs?: string;
};

/** @param last this many of the newest records of the first input; 0: the program is only checked */
export const tryProgram = (id: string, program: TrialProgram, last: number, signal: AbortSignal): Promise<Trial> => {
  const endTime = new Date().toISOString();
  const range = last === 0 ? { startTime: endTime, endTime, limit: 1 } : { last, endTime, withInputs: true };
  return call('POST', `${nodePath(id)}/process/test`, { body: { ...program, ...range }, signal });
};
