import type { ProgramError } from '../domain/program.ts';
import type { BoundProgram, FunctionCall, OutputState } from '../usecases/sandbox.ts';

/** A program as a runner prepares it; `expression`: one of a text, whose value is what it reads as. */
export type PreparedProgram = Omit<BoundProgram, 'key' | 'kind' | 'zone'> & {
  readonly kind: BoundProgram['kind'] | 'expression';
  /** Offset of a zone without daylight saving time; null: by the rules of the zone. */
  readonly zone: { readonly name: string; readonly offsetMinutes: number | null };
};

/** A frame to a runner has such a head. */
export type Request =
  /** Body: a ProgramText. Answers `analysed`, body: Analysis or `{error}`. */
  | { readonly type: 'analyse' }
  /** Body: a PreparedProgram, or empty: is it there still? Answers `ready`, `unknown`, or `refused`, body: a ProgramError. */
  | { readonly type: 'open'; readonly key: string }
  /** Body: a Chunk. Answers any number of `part`, then `done`. */
  | {
      readonly type: 'run';
      readonly key: string;
      readonly limitMs: number;
      /** At most this many runs lie between parts. */
      readonly count: number;
      /** The runner stops between two runs after this long. */
      readonly budgetMs: number;
    }
  /** Body: a Call. Answers any number of `value`, whose bodies are its values, then `called`, or `refused`, body: a ProgramError. */
  | { readonly type: 'call'; readonly limitMs: number };

/** A call of a function, in an engine that nothing else has seen. */
export type Call = Omit<FunctionCall, 'limitMs' | 'bytes'> & {
  /** Base64. */
  readonly bytes: string;
};

/** The kernel gets these runs of a batch. */
export type Chunk = {
  /** The index of the first run in the batch. */
  readonly first: number;
  readonly times: readonly number[];
  readonly columns: readonly {
    readonly values: readonly unknown[];
    readonly times: readonly unknown[];
    readonly qualities: readonly unknown[];
    readonly newestMs?: number;
  }[];
  readonly outputs: readonly OutputState[];
  readonly maxFailures: number;
  readonly failuresInRow: number;
  readonly consoleLeft: number;
  /** Message of a run that is interrupted. */
  readonly tooLong: string;
};

/** Some runs brought this, as the kernel writes it. */
export type Part = {
  /** Runs of the chunk that are done. */
  readonly done: number;
  /** Each has five entries: run, output, time, value or null, quality or null. */
  readonly records: readonly unknown[];
  /** Run, message, line; 0: unknown. */
  readonly failures: readonly (readonly [run: number, message: string, line: number])[];
  readonly failuresInRow: number;
  /** States of outputs that have changed. */
  readonly outputs: readonly (readonly [output: number, state: OutputState])[];
  /** Run, text, line; 0: unknown. */
  readonly console: readonly (readonly [run: number, text: string, line: number])[];
};

/**
 * A runner stops for these reasons: it has nothing more to do, its time is over, or one of the runs since the last part took too long and
 * it is unknown which.
 */
export const DONE_REASONS = ['all', 'time', 'unclear'] as const;
export type DoneReason = (typeof DONE_REASONS)[number];

export type Refused = { readonly error: ProgramError };

/** `took longer than 0.2 s` */
export const tooLong = (limitMs: number): string => `took longer than ${limitMs / 1000} s`;
