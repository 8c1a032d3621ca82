import { type ApiCaller, checkModify, checkPermission } from '@catchment/access';
import { invalid, notFound } from '@catchment/errors';
import { newObjectId } from '@catchment/ids';
import { tickAfter, tickAt } from '@catchment/time';
import { errorText } from '../domain/program.ts';
import type { Bound, ProgramFacts } from './bind-program.ts';
import type { BoundPlan, ReadAs } from './ports.ts';
import { MAX_PAGE, type Page, readMoments, readPage } from './read-page.ts';
import { type OutputStates, runBatch } from './run-batch.ts';
import type { TestRequest } from './test-request.ts';
import { factsOf, readProgram, type ValidateDeps } from './validate-program.ts';

export type TestDeps = Pick<ValidateDeps, 'source' | 'sandbox' | 'reader' | 'now'>;

type TestCall = { readonly caller: ApiCaller; readonly token: string; readonly signal: AbortSignal };

type TestedRecord = {
  readonly ts: string;
  readonly output?: string;
  readonly value: unknown;
  readonly quality?: number;
};
type TestedInput = {
  readonly _id: string;
  readonly name: string;
  /** The program names this path first, in this line. */
  readonly path: string;
  readonly line: number;
  /** Values at the runs' times. */
  readonly values?: readonly unknown[];
};
type TestResult = {
  readonly records: readonly TestedRecord[];
  readonly errors: readonly { readonly ts: string; readonly message: string; readonly line?: number }[];
  readonly console: readonly { readonly ts: string; readonly text: string; readonly line?: number }[];
  /** The program reads these, the first input first, and writes those. */
  readonly inputs: readonly TestedInput[];
  readonly outputs: readonly { readonly _id: string | null; readonly name: string }[];
  /** The times of the runs, where they are asked for. */
  readonly times?: readonly string[];
  readonly runs: number;
  readonly failed: number;
  readonly elapsedMs: number;
  /** All times of the range were run. */
  readonly isComplete: boolean;
};

const MAX_MS = 10_000;
const MAX_RECORDS = 10_000;
const MAX_ERRORS = 100;
const MAX_LINES = 1_000;
/** Inputs show their values at this many times. */
const MAX_TIMES = 1_000;
/** Texts in the answer have this many characters, which limits its size. */
const MAX_CHARACTERS = 2_000_000;

/**
 * Runs a program over recorded history, with the rights of the caller, and writes nothing.
 * @throws DomainError not_found, permission_denied; invalid_argument for what is no program, where nothing has run
 */
export async function testProgram(
  deps: TestDeps,
  nodeRef: string,
  request: TestRequest,
  call: TestCall,
): Promise<TestResult> {
  const { caller } = call;
  const as: ReadAs = { ownerId: caller.ownerId, token: call.token };
  const surroundings = await deps.source.program(caller.ownerId, nodeRef, as);
  const config = surroundings?.node?.config;
  if (!surroundings || !config) throw notFound();
  checkModify(caller);
  checkPermission(caller, config.workspaceId, 'CONFIGURE');
  // People see no keys of AUTH: the text that runs comes to the service itself.
  const saved = await deps.source.program(caller.ownerId, config.nodeId);
  if (!saved) throw notFound();
  const kind = config.class === 'source.data.Processor' ? 'processor' : 'parameter';
  const facts: ProgramFacts = {
    ...factsOf({ ...surroundings, code: saved.code, sharedCode: saved.sharedCode }, kind),
    ...request.process,
  };
  const interval = config.source?.intervalSeconds ?? 0;
  const schedule = { intervalMs: interval * 1_000, offsetMs: (config.source?.intervalOffsetSeconds ?? 0) * 1_000 };
  if (facts.runMode === 'SCHEDULE' && (kind === 'parameter' || interval === 0))
    throw invalid('INVALID_ATTRIBUTE', 'runMode must be ALL_INPUTS or ANY_INPUT of a node without a schedule');
  const { analysis, bound, error } = await readProgram(deps, config, facts, call.signal, as);
  if (!bound || !analysis || error)
    throw invalid('INVALID_PROGRAM', errorText(error ?? { message: 'the program cannot be read' }));
  return new TestRun(deps, bound, request, {
    ...call,
    as,
    schedule,
    lines: analysis.references.map(({ line }) => line),
  }).run();
}

type RunCall = TestCall & {
  readonly as: ReadAs;
  readonly schedule: { readonly intervalMs: number; readonly offsetMs: number };
  /** Each reference of the program stands in one of these lines. */
  readonly lines: readonly number[];
};

class TestRun {
  readonly #deps: TestDeps;
  readonly #stored: BoundPlan;
  readonly #request: TestRequest;
  readonly #call: RunCall;
  readonly #records: TestedRecord[] = [];
  readonly #errors: TestResult['errors'][number][] = [];
  readonly #console: TestResult['console'][number][] = [];
  readonly #times: string[] = [];
  readonly #values: unknown[][];
  #runs = 0;
  #failed = 0;
  #elapsedMs = 0;
  #characters = 0;
  #failures = 0;
  #isStopped = false;
  #outputs: OutputStates = {};

  constructor(deps: TestDeps, bound: Bound, request: TestRequest, call: RunCall) {
    this.#deps = deps;
    this.#stored = {
      plan: bound.plan,
      program: { ...bound.program, key: newObjectId() },
    };
    this.#request = request;
    this.#call = call;
    this.#values = bound.plan.inputs.map(() => []);
  }

  async run(): Promise<TestResult> {
    const late = AbortSignal.timeout(MAX_MS);
    const signal = AbortSignal.any([this.#call.signal, late]);
    const isComplete = await this.#pages(signal).catch((error: unknown) => {
      // The runs until then are the answer.
      if (late.aborted && !this.#call.signal.aborted) return false;
      throw error;
    });
    return {
      records: this.#records,
      errors: this.#errors,
      console: this.#console,
      inputs: this.#inputs(),
      outputs: this.#outputNodes(),
      ...(this.#request.withInputs && { times: this.#times }),
      runs: this.#runs,
      failed: this.#failed,
      elapsedMs: Math.round(this.#elapsedMs),
      isComplete,
    };
  }

  #inputs(): readonly TestedInput[] {
    const { plan, program } = this.#stored;
    return plan.inputs.map(({ nodeId }, input) => {
      const reads = ({ column }: { readonly column?: number }) =>
        column !== undefined && plan.columns[column]?.input === input;
      const at = program.references.findIndex(({ nodes }) => nodes.some(reads));
      const reference = program.references[at];
      const node = program.nodes[reference?.nodes.find(reads)?.node ?? -1];
      return {
        _id: nodeId,
        name: String(node?.attributes.name ?? ''),
        path: reference?.text || 'LOCATION',
        line: this.#call.lines[at] ?? 1,
        ...(this.#request.withInputs && { values: this.#values[input] ?? [] }),
      };
    });
  }

  #outputNodes(): TestResult['outputs'] {
    return this.#stored.plan.outputs.map(({ nodeId, name }) => ({ _id: nodeId || null, name }));
  }

  /** Returns the time of the record of the first input from which on there are as many as are wanted. */
  async #startMs(signal: AbortSignal): Promise<number> {
    const { from, endMs } = this.#request;
    if ('startMs' in from) return from.startMs;
    const { plan } = this.#stored;
    const { as, schedule } = this.#call;
    if (plan.runMode === 'SCHEDULE')
      return tickAt(schedule, Math.min(endMs, this.#deps.now())) - (from.last - 1) * schedule.intervalMs;
    const [primary] = plan.inputs;
    if (!primary) return endMs;
    const by = { qualityExcluded: plan.qualityExcluded, as, signal };
    return (await this.#deps.reader.records(primary, { toMs: endMs }, from.last, by)).times[0] ?? endMs;
  }

  /** @returns whether all times of the range were run */
  async #pages(signal: AbortSignal): Promise<boolean> {
    const { limit } = this.#request;
    let afterMs = (await this.#startMs(signal)) - 1;
    // The first run alone: whatever time it takes, what it says is in the answer.
    let size = 1;
    while (this.#runs < limit) {
      const page = await this.#page(afterMs, Math.min(size, limit - this.#runs), signal);
      if (page.times.length > 0) await this.#take(page, signal);
      if (this.#isStopped) return false;
      if (page.isLast) return true;
      afterMs = page.times.at(-1) ?? afterMs;
      if (this.#isFull()) return false;
      size = Math.min(MAX_PAGE, size * 4);
    }
    return (await this.#page(afterMs, 1, signal)).times.length === 0;
  }

  async #page(afterMs: number, limit: number, signal: AbortSignal): Promise<Page> {
    const { plan } = this.#stored;
    const { endMs } = this.#request;
    const { as, schedule } = this.#call;
    if (plan.runMode !== 'SCHEDULE') return readPage(this.#deps, plan, { afterMs, untilMs: endMs, limit, as, signal });
    const lastMs = tickAt(schedule, Math.min(endMs, this.#deps.now()));
    const times: number[] = [];
    for (
      let tick = tickAfter(schedule, afterMs);
      tick <= lastMs && times.length < limit;
      tick = tickAfter(schedule, tick)
    )
      times.push(tick);
    if (times.length === 0) return { times, columns: [], isLast: true };
    const page = await readMoments(this.#deps, plan, times, { as, signal });
    return { ...page, isLast: (page.times.at(-1) ?? lastMs) >= lastMs };
  }

  async #take(page: Page, signal: AbortSignal): Promise<void> {
    const { caller } = this.#call;
    const before = { outputs: this.#outputs, failures: this.#failures, keepsConsole: true };
    const ran = await runBatch(this.#deps.sandbox, caller.ownerId, this.#stored, { page, before }, signal);
    const ts = (run: number) => new Date(page.times[run] ?? 0).toISOString();
    const { kind, outputs } = this.#stored.plan;
    for (const { output, timeMs, value, quality } of ran.records) {
      if (this.#isFull()) break;
      this.#characters += typeof value === 'string' ? value.length : 0;
      this.#records.push({
        ts: new Date(timeMs).toISOString(),
        ...(kind === 'processor' && { output: outputs[output]?.name ?? '' }),
        value: value ?? null,
        ...(quality !== undefined && { quality }),
      });
    }
    for (const { run, message, line } of ran.failures)
      if (this.#errors.length < MAX_ERRORS)
        this.#errors.push({ ts: ts(run), message, ...(line !== undefined && { line }) });
    for (const { run, text, line } of ran.console)
      if (this.#console.length < MAX_LINES)
        this.#console.push({ ts: ts(run), text, ...(line !== undefined && { line }) });
    if (this.#request.withInputs) this.#takeInputs(page, ran.runs);
    this.#runs += ran.runs;
    this.#failed += ran.failed;
    this.#elapsedMs += ran.elapsedMs;
    this.#outputs = ran.outputs;
    this.#failures = ran.failuresAfter;
    // This many failures in a row would suspend the program.
    this.#isStopped = ran.runs < page.times.length;
  }

  #takeInputs({ times, columns }: Page, runs: number): void {
    const { plan } = this.#stored;
    const columnOf = plan.inputs.map((_, input) => columns[plan.columns.findIndex((column) => column.input === input)]);
    for (let run = 0; run < runs && this.#times.length < MAX_TIMES; run += 1) {
      this.#times.push(new Date(times[run] ?? 0).toISOString());
      for (const [input, column] of columnOf.entries()) {
        const value = column?.values[run] ?? null;
        this.#characters += typeof value === 'string' ? value.length : 0;
        this.#values[input]?.push(value);
      }
    }
  }

  #isFull(): boolean {
    return this.#records.length >= MAX_RECORDS || this.#characters > MAX_CHARACTERS;
  }
}
