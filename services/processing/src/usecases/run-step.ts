import { DomainError } from '@catchment/errors';
import { countOf } from '@catchment/number-format';
import type { OutboxMessage } from '@catchment/pg';
import { counter } from '@catchment/telemetry';
import { tickAfter } from '@catchment/time';
import { errorText, isLimit } from '../domain/program.ts';
import { recordsByOutput } from '../domain/results.ts';
import { MAX_FAILURES, resumeAt } from '../domain/suspension.ts';
import { tickToRun } from '../domain/ticks.ts';
import type { PageSizes } from './page-sizes.ts';
import {
  type BoundPlan,
  type IngestLog,
  isRated,
  type OutputRecords,
  type Progress,
  type RatedPlan,
  type SeriesReader,
  type SeriesWriter,
  type Step,
  type StoredPlan,
  type StoredProgram,
} from './ports.ts';
import { ratePage, settleMarks } from './rate-records.ts';
import { readMoments } from './read-page.ts';
import { type Ran, runBatch } from './run-batch.ts';
import type { InputColumn, Sandbox } from './sandbox.ts';
import type { WholePages } from './whole-pages.ts';

const runs = counter({
  name: 'catchment_processing_runs_total',
  help: 'Runs of programs: ok; failed, because of the program; limit, ended by its limits of time or memory.',
  labels: ['outcome'],
  known: [{ outcome: 'ok' }, { outcome: 'failed' }, { outcome: 'limit' }],
});

export type ProgramEvent = {
  readonly level: 'DEBUG' | 'INFO';
  readonly eventType: 'ACQUISITION' | 'CONFIGURATION';
  readonly message: string;
  readonly timeMs: number;
  readonly username?: string;
};

/** Messages for other services. */
export type Announcements = {
  /** Makes a line of the event log of the node. */
  event(program: StoredProgram, event: ProgramEvent): OutboxMessage;
  /** Makes a message for its processAlarm; an empty failure means that it works. */
  attempt(program: StoredProgram, failure: string, timeMs: number): OutboxMessage;
  recomputed(program: StoredProgram, timeMs: number): OutboxMessage;
};

export type StepDeps = {
  readonly reader: SeriesReader;
  readonly writer: SeriesWriter;
  readonly sandbox: Sandbox;
  readonly log: IngestLog;
  readonly announcements: Announcements;
  readonly sizes: PageSizes;
  readonly pages: WholePages;
  readonly now: () => number;
};

/** A recomputation reports how far it is. */
const ANNOUNCE_EVERY_MS = 10_000;
/** Pause until the store is asked again whether it has all. */
const SETTLE_MS = 200;
/** Recomputations wait while so much is on its way to the store, so that they never delay what people write. */
const MAX_BACKLOG = 20;
const WAIT_MS = 200;

/**
 * The next runs of a program, or the next results of a rating: reads, runs, writes, and then records how far it is. A step that is repeated, because it died in between,
 * writes the same again: what its results depend on beside the inputs is in its row.
 */
export async function runStep(deps: StepDeps, step: Step, signal: AbortSignal): Promise<void> {
  const { program } = step;
  const stored = await step.plan();
  if (isSuspended(program, deps.now())) return step.save({ due: false });
  // New records of a rating are computed before old ones, since only they raise states and alarms: filled first, they would be new no more.
  if (isRated(stored) && program.phase !== 'empty' && (await settleMarks(deps, step, stored, signal))) return;
  if (program.phase === 'settle') return endRecomputation(deps, step);
  if (program.phase) return runPage(deps, step, stored, signal);
  if (isRated(stored)) return step.save({ due: false });
  if (program.acquireMs !== undefined)
    return runOnce(deps, step, stored, { timeMs: program.acquireMs, progress: { acquireMs: null } }, signal);
  if (stored.plan.runMode !== 'SCHEDULE') return runPage(deps, step, stored, signal);
  return runTick(deps, step, stored, signal);
}

const isSuspended = ({ suspendedUntilMs }: StoredProgram, nowMs: number): boolean =>
  suspendedUntilMs !== undefined && suspendedUntilMs > nowMs;

async function runTick(deps: StepDeps, step: Step, stored: BoundPlan, signal: AbortSignal): Promise<void> {
  const { tickMs, schedule } = step.program;
  const nowMs = deps.now();
  if (!schedule || tickMs === undefined)
    return step.save({ due: false, tickMs: schedule ? tickAfter(schedule, nowMs) : null });
  if (tickMs > nowMs) return step.save({ due: false });
  const runs = tickToRun(schedule, tickMs, nowMs);
  const progress = { tickMs: tickAfter(schedule, runs), due: false };
  return runOnce(deps, step, stored, { timeMs: runs, progress }, signal);
}

async function runOnce(
  deps: StepDeps,
  step: Step,
  stored: BoundPlan,
  { timeMs, progress }: { readonly timeMs: number; readonly progress: Progress },
  signal: AbortSignal,
): Promise<void> {
  const page = await readMoments(deps, stored.plan, [timeMs], { signal });
  const ran = await run(deps, step, stored, page, signal);
  await write(deps, step, stored, { series: recordsByOutput(ran.records, stored.plan.outputs) }, signal);
  await settle(deps, step, ran, progress);
}

async function runPage(deps: StepDeps, step: Step, stored: StoredPlan, signal: AbortSignal): Promise<void> {
  const { program } = step;
  if (program.phase && (await deps.log.backlog(program)) > MAX_BACKLOG)
    return step.save({ retryMs: deps.now() + WAIT_MS });
  const isEmpty = program.phase === 'empty';
  const afterMs = isEmpty ? undefined : program.positionMs;
  const fresh = isEmpty ? { ...program, outputs: {}, failures: 0 } : program;
  const beganMs = performance.now();
  const page = isRated(stored)
    ? await ratedPage(deps, fresh, stored, afterMs, signal)
    : await programPage(deps, fresh, stored, afterMs, signal);
  if (!page) return step.save({ retryMs: deps.now() + SETTLE_MS });
  const toldFromMs = isEmpty ? await beginsNews(deps, stored, program, signal) : program.toldFromMs;
  const told = program.phase && toldFromMs !== undefined && { toldFromMs };
  await write(deps, step, stored, { series: page.series, empties: isEmpty, ...told }, signal);
  const { ran, isLast, positionMs } = page;
  deps.sizes.learn(program, ran.runs, performance.now() - beganMs);
  if (!program.phase) return settle(deps, step, ran, { positionMs, due: !isLast });
  await recomputed(deps, step, stored, { ...page, ...(toldFromMs !== undefined && { toldFromMs }) }, signal);
}

type ComputedPage = {
  readonly ran: Ran;
  readonly series: readonly OutputRecords[];
  readonly positionMs: number | null;
  readonly isLast: boolean;
  /** A recomputation reports these records. */
  readonly done: number;
};

/** @returns undefined where the store does not have all of the page yet */
async function programPage(
  deps: StepDeps,
  program: StoredProgram,
  stored: BoundPlan,
  afterMs: number | undefined,
  signal: AbortSignal,
): Promise<ComputedPage | undefined> {
  const limit = deps.sizes.sizeOf(program, stored.plan);
  const page = await deps.pages.read(program, stored.plan, { afterMs, limit, signal });
  if (!page) return undefined;
  const ran = page.times.length > 0 ? await run(deps, { program }, stored, page, signal) : nothing(program);
  return {
    ran,
    series: recordsByOutput(ran.records, stored.plan.outputs),
    positionMs: page.times[ran.runs - 1] ?? afterMs ?? null,
    isLast: page.isLast && ran.runs === page.times.length,
    done: ran.records.length,
  };
}

/** A rating never fails: its page has no runs that could. */
async function ratedPage(
  deps: StepDeps,
  program: StoredProgram,
  stored: RatedPlan,
  afterMs: number | undefined,
  signal: AbortSignal,
): Promise<ComputedPage> {
  const range = afterMs === undefined ? {} : { fromMs: afterMs + 1 };
  const { series, toMs, isLast, seen } = await ratePage(deps, stored, range, signal);
  return { ran: nothing(program), series, positionMs: isLast ? (afterMs ?? null) : toMs, isLast, done: seen };
}

/** Records of the primary input that come from now on are news, and those that the program had not evaluated before it was to be computed anew. */
async function beginsNews(
  deps: StepDeps,
  { plan }: StoredPlan,
  { newsFromMs = Number.POSITIVE_INFINITY }: StoredProgram,
  signal: AbortSignal,
): Promise<number | undefined> {
  const [newestMs] = await deps.reader.newest(plan.inputs.slice(0, 1), signal);
  return newestMs === undefined ? undefined : Math.min(newestMs + 1, newsFromMs);
}

async function recomputed(
  deps: StepDeps,
  step: Step,
  stored: StoredPlan,
  page: ComputedPage & { readonly toldFromMs?: number },
  signal: AbortSignal,
): Promise<void> {
  const { program } = step;
  const timeMs = deps.now();
  const doneRecords = (program.phase === 'empty' ? 0 : program.doneRecords) + page.done;
  const isAnnounced = !page.isLast && program.phase === 'fill' && timeMs - program.announcedMs >= ANNOUNCE_EVERY_MS;
  const share = isAnnounced && isRated(stored) ? `${await percentDone(deps, stored, page, signal)} % done, ` : '';
  await settle(deps, step, page.ran, {
    positionMs: page.positionMs,
    doneRecords,
    toldFromMs: page.toldFromMs ?? null,
    newsFromMs: null,
    ...(page.isLast ? { phase: 'settle', settleSequence: await deps.log.end() } : { phase: 'fill' }),
    // Records that come from now on have a mark.
    due: !page.isLast,
    ...((isAnnounced || program.phase === 'empty') && { announcedMs: timeMs }),
  });
  if (!isAnnounced) return;
  const line = { level: 'DEBUG', eventType: 'CONFIGURATION', timeMs } as const;
  const what = program.kind === 'rating' ? 'Recomputing rating' : 'Recomputing';
  await step.announce([
    deps.announcements.event(program, { ...line, message: `${what}: ${share}${countOf(doneRecords, 'record')}` }),
  ]);
}

/** Progress by the times of the input's records. */
async function percentDone(
  { reader }: StepDeps,
  { plan }: StoredPlan,
  { positionMs }: ComputedPage,
  signal: AbortSignal,
): Promise<number> {
  const [input] = plan.inputs;
  const { oldestMs = 0, newestMs = 0 } = input ? await reader.edges(input, undefined, signal) : {};
  if (positionMs === null || newestMs <= oldestMs) return 0;
  return Math.floor(100 * Math.min(1, Math.max(0, (positionMs - oldestMs) / (newestMs - oldestMs))));
}

/** Series that are computed from the results must not read the store before it has them. */
async function endRecomputation(
  { log, announcements, now }: StepDeps,
  { program, save, announce }: Step,
): Promise<void> {
  const timeMs = now();
  if (!(await log.isStored(program, program.settleSequence ?? 0))) return save({ retryMs: timeMs + SETTLE_MS });
  await save({ phase: null });
  const line = { level: 'INFO', eventType: 'CONFIGURATION', timeMs } as const;
  const what = program.kind === 'rating' ? 'Rating recomputed from' : 'Recomputed';
  await announce([
    announcements.event(program, { ...line, message: `${what} ${countOf(program.doneRecords, 'record')}` }),
    announcements.recomputed(program, timeMs),
  ]);
}

async function run(
  deps: StepDeps,
  { program }: Pick<Step, 'program'>,
  stored: BoundPlan,
  page: { readonly times: readonly number[]; readonly columns: readonly InputColumn[] },
  signal: AbortSignal,
): Promise<Ran> {
  const isResumed = program.suspendedUntilMs !== undefined;
  const before = { outputs: program.outputs, failures: isResumed ? 0 : program.failures };
  try {
    const ran = await runBatch(deps.sandbox, program.ownerId, stored, { page, before }, signal);
    // The first hundred failures say what they are.
    const ended = ran.failures.filter(isLimit).length;
    runs.add({ outcome: 'ok' }, ran.runs - ran.failed);
    runs.add({ outcome: 'limit' }, ended);
    runs.add({ outcome: 'failed' }, ran.failed - ended);
    return ran;
  } catch (error) {
    if (signal.aborted) deps.sizes.failed(program);
    throw error;
  }
}

async function write(
  deps: StepDeps,
  { program }: Pick<Step, 'program'>,
  { plan }: StoredPlan,
  {
    series,
    empties = false,
    ...rest
  }: { readonly series: readonly OutputRecords[]; readonly empties?: boolean; readonly toldFromMs?: number },
  signal: AbortSignal,
): Promise<void> {
  const isAcquisition = plan.kind === 'processor';
  if (series.length === 0 && !empties) return;
  signal.throwIfAborted();
  const all = empties
    ? plan.outputs.map((output) => series.find((computed) => computed.output === output) ?? { output, ...NONE })
    : series;
  await deps.writer.write(program, all, { empties, isAcquisition, ...rest }, signal);
}
const NONE = { times: [], values: [], qualities: [] } as const;

/** Saves the progress and reports what the processAlarm is to say, where that has changed. */
async function settle(deps: StepDeps, step: Step, ran: Ran, progress: Progress): Promise<void> {
  const { program } = step;
  const timeMs = deps.now();
  const isSuspending = ran.failuresAfter >= MAX_FAILURES;
  const last = ran.failures.at(-1);
  const texts: string[] = [];
  if (ran.runs > 0) {
    if (ran.failed > 0 && last) texts.push(errorText(last));
    // The last run has worked.
    if (ran.failuresAfter === 0) texts.push('');
  }
  const changes = texts.filter((text, n) => text !== (n === 0 ? program.failure : texts[n - 1]));
  await step.save({
    ...progress,
    ...(ran.runs > 0 && { outputs: ran.outputs, outputsMs: timeMs, failures: isSuspending ? 0 : ran.failuresAfter }),
    ...(ran.runs > 0 && program.suspendedUntilMs !== undefined && { suspendedUntilMs: null }),
    ...(isSuspending && { suspendedUntilMs: resumeAt(timeMs), due: false }),
    ...(texts.length > 0 && { failure: texts.at(-1) ?? '' }),
  });
  await step.announce(changes.map((text) => deps.announcements.attempt(program, text, timeMs)));
}

const nothing = ({ outputs, failures }: Pick<StoredProgram, 'outputs' | 'failures'>): Ran => ({
  runs: 0,
  records: [],
  failures: [],
  failed: 0,
  failuresAfter: failures,
  outputs,
  console: [],
  elapsedMs: 0,
});

/** An output that is gone, or not the program's any more: a validation finds out what is wrong. */
export const needsValidation = (error: unknown): boolean =>
  error instanceof DomainError &&
  ['not_found', 'invalid_argument', 'permission_denied', 'failed_precondition'].includes(error.kind);
