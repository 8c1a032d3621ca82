import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { DomainError, unavailable } from '@catchment/errors';
import { FairQueue, PLATFORM } from '@catchment/fair-queue';
import type { Logger } from '@catchment/telemetry';
import { effectiveZone } from '@catchment/time';
import type { Analysis, ProgramError, ProgramText } from '../domain/program.ts';
import {
  type Batch,
  type BatchResult,
  type BoundProgram,
  type FunctionCall,
  FunctionFailed,
  type Sandbox,
} from '../usecases/sandbox.ts';
import { BatchProgress, type Runs } from './batch-progress.ts';
import type { Frame } from './frames.ts';
import {
  type Call,
  DONE_REASONS,
  type DoneReason,
  type PreparedProgram,
  type Refused,
  type Request,
  tooLong,
} from './messages.ts';
import { type Death, RunnerEnded, RunnerProcess } from './runner-process.ts';
import { expressionsOf } from './template.ts';

type SandboxOptions = {
  /** Child processes at most. */
  readonly runners: number;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Unix ms; only for the standard offset of zones. */
  readonly now?: () => number;
};

/** Runs between two answers of a runner; one each where a run is sought that takes too long. */
const RUNS_A_SLICE = 512;
/** A batch keeps a runner so long before the next account's turn. */
const TURN_MS = 1_000;
const ANALYSE_LIMIT_MS = 3_000;
const OPEN_LIMIT_MS = 4_000;
/** A runner needs so long to make an engine and to read what it is given. */
const BEGIN_CALL_MS = 1_000;
const MAX_CALL_CHARACTERS = 32 * 1024 * 1024;
/** Largest program with its nodes: a frame is larger, whatever the characters are. */
const MAX_PROGRAM_CHARACTERS = 5 * 1024 * 1024;
/** Pause after a runner that did not start, or ended by itself. */
const RESTART_PAUSE_MS = 1_000;
const WAITING = { waitingPerAccount: 200, waiting: 2_000, waitMs: 60_000 };

/** A program comes with what a runner prepares of it. */
type Prepared = { readonly key: string; readonly program: PreparedProgram; readonly nodeId: string };

/** `isCareful`: each run by itself, since a runner has ended; `brokenAt`: with which. */
type Turn = { isCareful: boolean; brokenAt: number; elapsedMs: number };

/** People's programs in QuickJS, in child processes without rights. */
export class QuickJsSandbox implements Sandbox {
  readonly #options: SandboxOptions;
  readonly #queue: FairQueue;
  readonly #idle: RunnerProcess[] = [];
  readonly #all = new Set<RunnerProcess>();
  /** The runner that had a program last has it prepared still. */
  readonly #lastKeys = new WeakMap<RunnerProcess, string>();
  readonly #closing = new AbortController();
  #pauseUntilMs = 0;
  #hasAdvised = false;

  constructor(options: SandboxOptions) {
    this.#options = options;
    this.#queue = new FairQueue({ reason: 'TOO_MANY_RUNS', capacity: options.runners, ...WAITING });
  }

  async analyse(text: ProgramText, signal: AbortSignal): Promise<Analysis | { readonly error: ProgramError }> {
    let answer: Analysis | Refused | undefined;
    const death = await this.#ask(PLATFORM, 'analyse', signal, (runner) =>
      runner.request({ type: 'analyse' }, JSON.stringify(text), { limitMs: ANALYSE_LIMIT_MS }, (frame) => {
        answer = JSON.parse(expected(frame, 'analysed')) as Analysis | Refused;
        return true;
      }),
    );
    if (death === undefined) return answer as Analysis | Refused;
    return { error: { message: death === 'stuck' ? 'the program takes too long to be read' : BROKEN } };
  }

  async run(account: string, batch: Batch, signal: AbortSignal): Promise<BatchResult> {
    const { program } = batch;
    const prepared = {
      key: `${account} ${program.key}`,
      program: this.#preparedOf(program),
      nodeId: nodeIdOf(program),
    };
    return await this.#runPrepared(account, prepared, batch, signal);
  }

  async render(
    account: string,
    { template, nowMs, nodes, globals, zone }: Parameters<Sandbox['render']>[1],
    signal: AbortSignal,
  ): Promise<string> {
    let result = '';
    for (const piece of expressionsOf(template)) {
      if ('text' in piece) {
        result += piece.text;
        continue;
      }
      const facts = { sharedCode: '', nodes, globals, references: [], outputs: ['TEXT'] as const, qualities: {} };
      const program = { kind: 'expression' as const, code: piece.expression, ...facts, zone: this.#zoneOf(zone) };
      const key = `${account} ${createHash('sha256').update(JSON.stringify(program)).digest('base64url')}`;
      const batch = { times: [nowMs], columns: [], outputs: [null], limitMs: 200, keepsConsole: false };
      const single = { ...batch, maxFailures: 1, failuresBefore: 0 };
      const nodeId = nodes[globals.THIS]?.nodeId ?? '';
      const { records, failures } = await this.#runPrepared(account, { key, program, nodeId }, single, signal);
      const [failure] = failures;
      if (failure !== undefined)
        throw new DomainError(
          'failed_precondition',
          'EXPRESSION_FAILED',
          `{{ ${piece.expression.trim()} }}: ${failure.message}`,
        );
      result += records[0]?.value ?? '';
    }
    return result;
  }

  async call(
    account: string,
    { bytes, limitMs, ...call }: FunctionCall,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const body = JSON.stringify({ ...call, bytes: Buffer.from(bytes).toString('base64') } satisfies Call);
    let values: string[] = [];
    let characters = 0;
    let refusal: ProgramError | undefined;
    const death = await this.#ask(account, call.kind, signal, (runner) => {
      [values, characters] = [[], 0];
      return runner.request({ type: 'call', limitMs }, body, { limitMs: limitMs + BEGIN_CALL_MS }, (frame) => {
        if (frame.head.type === 'value') {
          characters += frame.body.length;
          // Values beyond that are dropped: the runner ends its work soon by itself.
          if (characters <= MAX_CALL_CHARACTERS) values.push(frame.body);
          return false;
        }
        if (frame.head.type === 'refused') refusal = JSON.parse(frame.body) as ProgramError;
        else expected(frame, 'called');
        return true;
      });
    });
    if (death !== undefined) refusal = { message: death === 'stuck' ? tooLong(limitMs) : BROKEN };
    if (refusal !== undefined) throw new FunctionFailed(refusal);
    if (characters > MAX_CALL_CHARACTERS) throw new FunctionFailed({ message: 'the results are too large together' });
    return values;
  }

  async close(): Promise<void> {
    this.#closing.abort(unavailable('STOPPING'));
    await Promise.all([...this.#all].map((runner) => runner.close()));
  }

  /**
   * Asks a runner, and another one where the first has ended by itself: the system may have ended it, which says nothing of the work.
   * @returns how the last one ended; undefined: it has answered
   */
  async #ask(
    account: string,
    what: string,
    signal: AbortSignal,
    work: (runner: RunnerProcess) => Promise<void>,
  ): Promise<Death | undefined> {
    const once = () =>
      this.#queue.run({ account, cost: 1, signal }, () =>
        this.#with(undefined, async (runner) => {
          try {
            await work(runner);
            return undefined;
          } catch (error) {
            if (!isOwnFault(error)) throw error;
            this.#report(error.death, undefined, what);
            return error.death;
          }
        }),
      );
    const death = await once();
    return death === 'exit' ? await once() : death;
  }

  async #runPrepared(account: string, prepared: Prepared, batch: Runs, signal: AbortSignal): Promise<BatchResult> {
    const progress = new BatchProgress(batch);
    const turn: Turn = { isCareful: false, brokenAt: -1, elapsedMs: 0 };
    while (!progress.isFinished) {
      signal.throwIfAborted();
      await this.#queue.run({ account, cost: 1, signal }, () =>
        this.#with(prepared.key, (runner) => this.#turn(runner, prepared, batch.limitMs, progress, turn)),
      );
    }
    return progress.result(turn.elapsedMs);
  }

  /** Has a runner go on with a batch for a while. A run that ends the runner, or stops it, fails, and the others go on. */
  async #turn(
    runner: RunnerProcess,
    prepared: Prepared,
    limitMs: number,
    progress: BatchProgress,
    turn: Turn,
  ): Promise<void> {
    const began = performance.now();
    try {
      const refusal = await this.#open(runner, prepared);
      if (refusal !== undefined) return progress.failAll(refusal);
      const request: Request = {
        type: 'run',
        key: prepared.key,
        limitMs,
        count: turn.isCareful ? 1 : RUNS_A_SLICE,
        budgetMs: TURN_MS,
      };
      let reason: DoneReason | undefined;
      await runner.request(request, JSON.stringify(progress.nextChunk()), { limitMs }, (frame) => {
        if (frame.head.type === 'part') progress.take(frame.body);
        else {
          expected(frame, 'done');
          reason = DONE_REASONS.find((reason) => reason === frame.head.reason);
          if (reason === undefined) throw new Error('a runner gives no reason');
        }
        return reason !== undefined;
      });
      if (reason !== 'unclear') return;
      this.#failOrRetry(progress, turn, BROKEN, true);
    } catch (error) {
      if (!isOwnFault(error)) throw error;
      this.#report(error.death, prepared.nodeId, 'run');
      const isStuck = error.death === 'stuck';
      this.#failOrRetry(progress, turn, isStuck ? tooLong(limitMs) : BROKEN, isStuck);
    } finally {
      turn.elapsedMs += performance.now() - began;
    }
  }

  /** The next run fails where it is sure that it was the reason, or when a second runner ends with it. From now on each is tried by itself. */
  #failOrRetry(progress: BatchProgress, turn: Turn, message: string, isSure: boolean): void {
    if (turn.isCareful && (isSure || turn.brokenAt === progress.position)) progress.failNext({ message });
    else turn.brokenAt = progress.position;
    turn.isCareful = true;
  }

  /** Has the program prepared. @returns why it cannot begin */
  async #open(runner: RunnerProcess, { key, program }: Prepared): Promise<ProgramError | undefined> {
    let state = 'unknown';
    let refusal: ProgramError | undefined;
    const onFrame = ({ head, body }: Frame) => {
      state = String(head.type);
      if (!['ready', 'unknown', 'refused'].includes(state)) throw new Error('a runner answers something else');
      if (state === 'refused') refusal = JSON.parse(body) as ProgramError;
      return true;
    };
    const patience = { limitMs: OPEN_LIMIT_MS };
    await runner.request({ type: 'open', key }, '', patience, onFrame);
    if (state !== 'unknown') return refusal;
    const body = JSON.stringify(program);
    if (body.length > MAX_PROGRAM_CHARACTERS) return { message: 'the nodes of the program are too large together' };
    await runner.request({ type: 'open', key }, body, patience, onFrame);
    return refusal;
  }

  /** Works with a runner: the one that knows the program, else any. @throws DomainError unavailable when none can be started */
  async #with<T>(key: string | undefined, work: (runner: RunnerProcess) => Promise<T>): Promise<T> {
    const known = this.#idle.findIndex((runner) => key !== undefined && this.#lastKeys.get(runner) === key);
    const [idle] = this.#idle.splice(Math.max(0, known), 1);
    if (idle?.isAlive === false) this.#all.delete(idle);
    const runner = idle?.isAlive ? idle : await this.#start();
    if (key !== undefined) this.#lastKeys.set(runner, key);
    try {
      return await work(runner);
    } catch (error) {
      if (error instanceof RunnerEnded) throw unavailable('RUNNER_AWAY', { cause: error });
      throw error;
    } finally {
      if (runner.isAlive) this.#idle.push(runner);
      else this.#all.delete(runner);
    }
  }

  async #start(): Promise<RunnerProcess> {
    this.#closing.signal.throwIfAborted();
    const pauseMs = this.#pauseUntilMs - performance.now();
    if (pauseMs > 0) await pause(pauseMs, undefined, { signal: this.#closing.signal });
    const { log } = this.#options;
    const runner = new RunnerProcess((errorText) => log.warn({ errorText }, 'runner wrote errors'));
    this.#all.add(runner);
    try {
      await runner.started();
    } catch (error) {
      runner.end('exit');
      this.#all.delete(runner);
      this.#pauseUntilMs = performance.now() + RESTART_PAUSE_MS;
      throw unavailable('RUNNER_AWAY', { cause: error });
    }
    log.info({ pid: runner.pid }, 'runner started');
    if (runner.advice !== undefined && !this.#hasAdvised)
      log.warn({ advice: runner.advice }, 'runners have more rights than they need');
    this.#hasAdvised ||= runner.advice !== undefined;
    return runner;
  }

  /** Logs that a runner was ended: the node, never its program. */
  #report(death: Death, nodeId: string | undefined, work: string): void {
    if (death === 'exit') this.#pauseUntilMs = performance.now() + RESTART_PAUSE_MS;
    this.#options.log.warn({ death, nodeId, work }, 'runner ended');
  }

  #preparedOf({
    kind,
    code,
    sharedCode,
    nodes,
    globals,
    references,
    outputs,
    zone,
    qualities,
  }: BoundProgram): PreparedProgram {
    return { kind, code, sharedCode, nodes, globals, references, outputs, zone: this.#zoneOf(zone), qualities };
  }

  #zoneOf({ name, adjustsForDst }: BoundProgram['zone']): PreparedProgram['zone'] {
    const zone = effectiveZone(name, adjustsForDst, this.#options.now?.() ?? Date.now());
    return { name: zone.name, offsetMinutes: adjustsForDst && !zone.isUtc ? null : zone.offsetMsAt(0) / 60_000 };
  }
}

const BROKEN = 'the program cannot be run: it ends the engine';

/** Ends of a runner that what it was doing has caused. */
const isOwnFault = (error: unknown): error is RunnerEnded => error instanceof RunnerEnded && error.death !== 'closed';

function expected({ head, body }: Frame, type: string): string {
  if (head.type !== type) throw new Error(`a runner answers something else than ${type}`);
  return body;
}

const nodeIdOf = ({ nodes, globals }: BoundProgram): string => nodes[globals.THIS]?.nodeId ?? '';
