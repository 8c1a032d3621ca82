import { type Emitted, hasWrongTime } from '../domain/results.ts';
import { MAX_FAILURES } from '../domain/suspension.ts';
import type { StoredPlan } from './ports.ts';
import type { Batch, BatchResult, InputColumn, OutputState, Sandbox } from './sandbox.ts';

/** Of one run, ms (docs/reference/processing-and-ratings.md#process-nodes). */
const RUN_LIMIT_MS = { parameter: 200, processor: 2_000 } as const;
const WRONG_TIME = 'the time of the result is none that a record can have';

/** What the newest records of outputs are, by node id. */
export type OutputStates = Readonly<Record<string, NonNullable<OutputState>>>;

export type Ran = Omit<BatchResult, 'records' | 'outputs'> & {
  readonly records: readonly Emitted[];
  readonly outputs: OutputStates;
};

/** Runs a program at these times. @throws DomainError as `Sandbox.run` */
export async function runBatch(
  sandbox: Sandbox,
  account: string,
  { plan, program }: StoredPlan,
  page: { readonly times: readonly number[]; readonly columns: readonly InputColumn[] },
  before: { readonly outputs: OutputStates; readonly failures: number; readonly keepsConsole?: boolean },
  signal: AbortSignal,
): Promise<Ran> {
  const batch: Batch = {
    ...{ program, times: page.times, columns: page.columns },
    outputs: plan.outputs.map(({ nodeId, name }) => before.outputs[nodeId || name] ?? null),
    limitMs: RUN_LIMIT_MS[plan.kind],
    keepsConsole: before.keepsConsole ?? false,
    maxFailures: MAX_FAILURES,
    failuresBefore: before.failures,
  };
  const { records, outputs, ...result } = await sandbox.run(account, batch, signal);
  const states = plan.outputs.flatMap(({ nodeId, name }, index) => {
    const state = outputs[index];
    return state ? [[nodeId || name, state] as const] : [];
  });
  const wrong = records.filter(hasWrongTime);
  if (wrong.length === 0) return { ...result, records, outputs: Object.fromEntries(states) };
  // The store would refuse all that is written together with them.
  const runs = new Set(wrong.map(({ run }) => run));
  const failures = [...result.failures, ...[...runs].map((run) => ({ run, message: WRONG_TIME }))];
  return {
    ...result,
    failed: result.failed + runs.size,
    failures: failures.sort((a, b) => a.run - b.run).slice(0, MAX_FAILURES),
    records: records.filter((record) => !hasWrongTime(record)),
    outputs: Object.fromEntries(states.filter(([, state]) => Number.isFinite(state.timeMs))),
  };
}
