import { isStorableText, storableText, TEXT_MAX } from '@catchment/ids';
import type { ProgramError, Value } from '../domain/program.ts';
import type { Batch, BatchResult, EmittedRecord, OutputState } from '../usecases/sandbox.ts';
import { type Chunk, type Part, tooLong } from './messages.ts';

const MAX_CHUNK_RUNS = 1_000;
/** A chunk may have about this many characters; with escapes it stays below the limit of a frame. */
const MAX_CHUNK_CHARACTERS = 2 * 1024 * 1024;
/** A batch ends early after about this many characters of an answer. */
const MAX_ANSWER_CHARACTERS = 32 * 1024 * 1024;
const MAX_FAILURES_REPORTED = 100;
const MAX_CONSOLE = { lines: 1_000, characters: 1_000 };
const MAX_MESSAGE = 600;
const MAX_LINE = 1_000_000;
/** A record has this many fields in a part. */
const FIELDS = 5;

/** A batch, whatever its program. */
export type Runs = Omit<Batch, 'program'>;
type Console = BatchResult['console'][number];

/** Follows how far a batch has come, whatever number of runners works on it. */
export class BatchProgress {
  readonly #batch: Runs;
  #position = 0;
  #chunk: { readonly from: number; readonly to: number; done: number } = { from: 0, to: 0, done: 0 };
  readonly #records: EmittedRecord[] = [];
  readonly #failures: (ProgramError & { readonly run: number })[] = [];
  readonly #console: Console[] = [];
  readonly #outputs: OutputState[];
  #failed = 0;
  #failuresInRow: number;
  #characters = 0;

  constructor(batch: Runs) {
    this.#batch = batch;
    this.#outputs = [...batch.outputs];
    this.#failuresInRow = batch.failuresBefore;
  }

  /** Runs that are done. */
  get position(): number {
    return this.#position;
  }

  get isFinished(): boolean {
    return (
      this.#position >= this.#batch.times.length ||
      this.#failuresInRow >= this.#batch.maxFailures ||
      this.#characters > MAX_ANSWER_CHARACTERS
    );
  }

  /** The next runs, as many as fit into a frame. */
  nextChunk(): Chunk {
    const { times, columns, maxFailures, keepsConsole, limitMs } = this.#batch;
    const from = this.#position;
    let to = from;
    for (let characters = 0; to < times.length && to - from < MAX_CHUNK_RUNS; to += 1) {
      characters += 20;
      for (const { values } of columns) characters += 60 + textLength(values[to]);
      if (characters > MAX_CHUNK_CHARACTERS && to > from) break;
    }
    this.#chunk = { from, to, done: 0 };
    return {
      first: from,
      times: times.slice(from, to),
      columns: columns.map(({ values, times: recordTimes, qualities, newestMs }) => ({
        values: values.slice(from, to),
        times: recordTimes.slice(from, to),
        qualities: qualities.slice(from, to),
        ...(newestMs !== undefined && { newestMs }),
      })),
      outputs: this.#outputs,
      maxFailures,
      failuresInRow: this.#failuresInRow,
      consoleLeft: keepsConsole ? MAX_CONSOLE.lines - this.#console.length : 0,
      tooLong: tooLong(limitMs),
    };
  }

  /** Takes what the runner says. @throws Error when it says what no kernel of ours says */
  take(text: string): void {
    const part = JSON.parse(text) as Part;
    const { from, to, done } = this.#chunk;
    check(isIndex(part.done, to - from + 1) && part.done >= done);
    const isRun = (run: unknown): run is number => isIndex(run, to) && run >= from + done && run < from + part.done;
    const { records } = part;
    check(Array.isArray(records) && records.length % FIELDS === 0);
    for (let at = 0; at < records.length; at += FIELDS) this.#takeRecord(records.slice(at, at + FIELDS), isRun);
    for (const [run, message, line] of part.failures) {
      check(isRun(run) && isText(message, MAX_MESSAGE) && isIndex(line, MAX_LINE));
      // A program throws what it likes.
      this.#report({ run, message: storableText(message), ...(line > 0 && { line }) });
    }
    for (const [output, state] of part.outputs) {
      check(isIndex(output, this.#outputs.length) && isState(state));
      this.#outputs[output] = state;
    }
    for (const [run, said, line] of part.console) {
      check(isRun(run) && isText(said, MAX_CONSOLE.characters) && this.#console.length < MAX_CONSOLE.lines);
      check(isIndex(line, MAX_LINE));
      this.#console.push({ run, text: storableText(said), ...(line > 0 && { line }) });
    }
    check(isIndex(part.failuresInRow, Number.MAX_SAFE_INTEGER));
    this.#failuresInRow = part.failuresInRow;
    this.#chunk.done = part.done;
    this.#position = from + part.done;
    this.#characters += text.length;
  }

  /** The next run fails, as the runner has ended with it. */
  failNext(error: ProgramError): void {
    this.#report({ ...error, run: this.#position });
    this.#failuresInRow += 1;
    this.#position += 1;
  }

  /** All runs fail: the program cannot begin. */
  failAll(error: ProgramError): void {
    while (!this.isFinished) this.failNext(error);
  }

  result(elapsedMs: number): BatchResult {
    return {
      runs: this.#position,
      records: this.#records,
      failures: this.#failures,
      failed: this.#failed,
      failuresAfter: this.#failuresInRow,
      outputs: this.#outputs,
      console: this.#console,
      elapsedMs,
    };
  }

  #takeRecord(fields: readonly unknown[], isRun: (run: unknown) => run is number): void {
    const [run, output, timeMs, value, quality] = fields;
    check(isRun(run) && isIndex(output, this.#outputs.length) && Number.isSafeInteger(timeMs));
    check(value === null || isValue(value));
    check(quality === null || isIndex(quality, 65_536));
    this.#records.push({
      run,
      output,
      timeMs: timeMs as number,
      ...(value !== null && { value }),
      ...(quality !== null && { quality }),
    });
  }

  #report(failure: ProgramError & { readonly run: number }): void {
    this.#failed += 1;
    if (this.#failures.length < MAX_FAILURES_REPORTED) this.#failures.push(failure);
  }
}

function check(isRight: boolean): asserts isRight {
  if (!isRight) throw new Error('a runner answers what it cannot know');
}

const isIndex = (value: unknown, end: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < end;
const isText = (value: unknown, limit: number): value is string => typeof value === 'string' && value.length <= limit;
const isValue = (value: unknown): value is Value =>
  Number.isFinite(value) || (isText(value, TEXT_MAX) && isStorableText(value));
const isState = (state: OutputState): boolean =>
  state === null || (Number.isSafeInteger(state.timeMs) && isValue(state.value) && isQuality(state.quality));
const isQuality = (quality: unknown): boolean => quality === undefined || isIndex(quality, 65_536);
const textLength = (value: Value | undefined): number => (typeof value === 'string' ? value.length : 0);
