import { storableText } from '@catchment/ids';
import type { Analysis, Family, ProgramError, ProgramText, Reference, Value } from '../domain/program.ts';

/** A program sees a node like this, whatever the time. */
export type SandboxNode = {
  readonly nodeId: string;
  readonly family?: Family;
  /** JSON object: attributes by dot; those that change with data (currentValue …) come with the inputs. */
  readonly attributes: Readonly<Record<string, unknown>>;
};

/** A reference of the text (by its call and text) has the nodes that it names; more than one of NODES only. */
export type BoundReference = Pick<Reference, 'call' | 'text'> & {
  readonly nodes: readonly {
    /** Index into `nodes` of the program. */
    readonly node: number;
    /** The values have this column in a batch; absent: it has none (it is no series). */
    readonly column?: number;
    /** Index of the output; absent: it cannot be assigned. */
    readonly output?: number;
  }[];
};

/** A program needs all this, whatever the time. Equal keys mean equal programs: a runner may keep it prepared. */
export type BoundProgram = ProgramText & {
  readonly key: string;
  readonly nodes: readonly SandboxNode[];
  /** Indexes into `nodes`; THIS is the process parameter or the processor. */
  readonly globals: {
    readonly THIS: number;
    readonly SOURCE: number;
    readonly LOCATION?: number;
    readonly WORKSPACE: number;
  };
  readonly references: readonly BoundReference[];
  /** Family of each output; a process parameter has one: THIS. */
  readonly outputs: readonly Family[];
  /** Zone of T(). */
  readonly zone: { readonly name: string; readonly adjustsForDst: boolean };
  /** Numbers that Q(name) answers. */
  readonly qualities: Readonly<Record<string, number>>;
};

/** One input over the runs of a batch: an entry for each run; undefined (null on the wire) = the input has none then. */
export type InputColumn = {
  readonly values: readonly (Value | undefined)[];
  /** Unix ms of the record that the value is of. */
  readonly times: readonly (number | undefined)[];
  readonly qualities: readonly (number | undefined)[];
  /** `newestTime` is the time of the newest record of the series, Unix ms, the same in the whole batch. */
  readonly newestMs?: number;
};

/** An output has this newest record so far: what THIS.currentValue, or an output that is read, says; null: none yet. */
export type OutputState = {
  readonly timeMs: number;
  readonly value: Value;
  readonly quality?: number;
} | null;

export type Batch = {
  readonly program: BoundProgram;
  /** NOW of each run, Unix ms, ascending. */
  readonly times: readonly number[];
  readonly columns: readonly InputColumn[];
  readonly outputs: readonly OutputState[];
  /** One run may take 200 ms for a process parameter, 2 000 ms for a processor. */
  readonly limitMs: number;
  /** `console.log` is kept; otherwise it does nothing. */
  readonly keepsConsole: boolean;
  /** Ends the batch after this many failed runs in a row (counting those before, `failuresBefore`). */
  readonly maxFailures: number;
  readonly failuresBefore: number;
};

export type EmittedRecord = {
  /** Index of the run. */
  readonly run: number;
  readonly output: number;
  readonly timeMs: number;
  /** The value; undefined for a record of a quality without a value. */
  readonly value?: Value;
  readonly quality?: number;
};

export type BatchResult = {
  /** Runs that are done, from the first on: all, unless `maxFailures` was reached or the answer is large; then the rest is asked for again. */
  readonly runs: number;
  /** Records come in the order of their runs, at most 100 of a run. Booleans come as 1 and 0. */
  readonly records: readonly EmittedRecord[];
  /** The first 100 failed runs are listed; a failed run emits nothing. */
  readonly failures: readonly (ProgramError & { readonly run: number })[];
  readonly failed: number;
  /** Failed runs in a row at the end. */
  readonly failuresAfter: number;
  /** Outputs after the last run. */
  readonly outputs: readonly OutputState[];
  /** The console has at most 1 000 lines, of at most 1 000 characters, each with the line of the person's code where that is known. */
  readonly console: readonly { readonly run: number; readonly text: string; readonly line?: number }[];
  /** Processor time of all runs. */
  readonly elapsedMs: number;
};

/** A text with functions has a purpose; each kind is called in its own way (`runner/child/call-*.js`). */
export type FunctionKind = 'decoder' | 'converter';

export type FunctionCall = {
  readonly kind: FunctionKind;
  readonly code: string;
  /** The function gets this JSON beside the bytes. */
  readonly argument: string;
  readonly bytes: Uint8Array;
  /** The clock says this, Unix ms. */
  readonly nowMs: number;
  /** Limit of processor time. */
  readonly limitMs: number;
};

/** People's code runs there: never in this process. */
export type Sandbox = {
  /** Reads the text. @returns a ProgramError for what is no program: syntax, a path that is no literal, a global of ours that is redefined … */
  analyse(text: ProgramText, signal: AbortSignal): Promise<Analysis | { readonly error: ProgramError }>;
  /** @param account accounts take turns @throws DomainError unavailable (no runner could be started), resource_exhausted (too many wait) */
  run(account: string, batch: Batch, signal: AbortSignal): Promise<BatchResult>;
  /**
   * Evaluates expressions `{{ … }}` of a text, with NOW, THIS, SOURCE, LOCATION, WORKSPACE and T(). @throws DomainError failed_precondition
   */
  render(
    account: string,
    text: { readonly template: string; readonly nowMs: number } & Pick<BoundProgram, 'nodes' | 'globals' | 'zone'>,
    signal: AbortSignal,
  ): Promise<string>;
  /**
   * Calls a function in a separate engine. @returns JSON texts, 32 M characters together at the most
   * @throws FunctionFailed what the code says or does; DomainError as `run`
   */
  call(account: string, call: FunctionCall, signal: AbortSignal): Promise<readonly string[]>;
  close(): Promise<void>;
};

/** A function threw, took too long or too much, or is not there: a sentence for whoever wrote it. */
export class FunctionFailed extends Error {
  readonly line: number | undefined;
  constructor({ message, line }: ProgramError) {
    super(storableText(message));
    this.name = 'FunctionFailed';
    this.line = line;
  }
}
