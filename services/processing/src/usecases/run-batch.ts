import { isRecordMs } from '@catchment/time';
import { type Emitted, storageProblem } from '../domain/results.ts';
import { MAX_FAILURES } from '../domain/suspension.ts';
import type { BoundPlan } from './ports.ts';
import type { Batch, BatchResult, InputColumn, OutputState, Sandbox } from './sandbox.ts';

/** One run has at most this processor time, ms (docs/reference/processing-and-ratings.md#process-nodes). */
const RUN_LIMIT_MS = { parameter: 200, processor: 2_000 } as const;

/** Outputs have their newest records, by node id. */
export type OutputStates = Readonly<Record<string, NonNullable<OutputState>>>;

export type Ran = Omit<BatchResult, 'records' | 'outputs'> & {
  readonly records: readonly Emitted[];
  readonly outputs: OutputStates;
};

/** The times of runs with their inputs, and what the runs before them have left. */
type Runs = {
  readonly page: { readonly times: readonly number[]; readonly columns: readonly InputColumn[] };
  readonly before: { readonly outputs: OutputStates; readonly failures: number; readonly keepsConsole?: boolean };
};

/** Runs a program at these times. @throws DomainError as `Sandbox.run` */
export async function runBatch(
  sandbox: Sandbox,
  account: string,
  { plan, program }: BoundPlan,
  { page, before }: Runs,
  signal: AbortSignal,
): Promise<Ran> {
  const batch: Batch = {
    program,
    times: page.times,
    columns: page.columns,
    outputs: plan.outputs.map(({ nodeId, name }) => before.outputs[nodeId || name] ?? null),
    limitMs: plan.kind === 'processor' ? RUN_LIMIT_MS.processor : RUN_LIMIT_MS.parameter,
    keepsConsole: before.keepsConsole ?? false,
    maxFailures: MAX_FAILURES,
    failuresBefore: before.failures,
  };
  const { records, outputs, ...result } = await sandbox.run(account, batch, signal);
  const states = plan.outputs.flatMap(({ nodeId, name }, index) => {
    const state = outputs[index];
    return state ? [[nodeId || name, state] as const] : [];
  });
  const problems = new Map<number, string>();
  for (const record of records) {
    const output = plan.outputs[record.output];
    const problem = output && storageProblem(record, output.valueType);
    if (problem !== undefined) problems.set(record.run, problem);
  }
  if (problems.size === 0) return { ...result, records, outputs: Object.fromEntries(states) };
  // A run that fails makes no record.
  const kept = records.filter(({ run }) => !problems.has(run));
  const failures = [...result.failures, ...[...problems].map(([run, message]) => ({ run, message }))];
  return {
    ...result,
    failed: result.failed + problems.size,
    failuresAfter: lastInRow(problems, result.runs) || result.failuresAfter,
    failures: failures.sort((a, b) => a.run - b.run).slice(0, MAX_FAILURES),
    records: kept,
    outputs: Object.fromEntries(states.filter(([, { timeMs }]) => isRecordMs(timeMs))),
  };
}

/** Counts how many of the last runs have a problem, one after the other. */
function lastInRow(problems: ReadonlyMap<number, string>, runs: number): number {
  let first = runs;
  while (problems.has(first - 1)) first -= 1;
  return runs - first;
}
