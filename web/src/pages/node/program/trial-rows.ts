import type { Trial } from '../../../data/processing/computations.ts';
import type { CodeMark } from '../../../ui/code/index.ts';
import { problemOf } from './problem.ts';

/** A run of a program. */
export type TrialRow = {
  readonly ts: string;
  /** The inputs' values, in order. */
  readonly inputs: readonly unknown[];
  readonly results: Trial['records'];
  readonly error?: Trial['errors'][number];
  readonly said: Trial['console'];
};

/** Returns a test of shared code, in whose text no series is named: errors have the lines that they have in it. */
export const ofSharedCode = (trial: Trial): Trial => ({
  ...trial,
  inputs: trial.inputs.map((input) => ({ ...input, line: 0 })),
  console: trial.console.map(({ ts, text }) => ({ ts, text })),
  errors: trial.errors.map(({ ts, message, line: ofProgram }) => {
    const { line, isShared, message: said } = problemOf(message);
    return isShared && line !== undefined && ofProgram === undefined ? { ts, message: said, line } : { ts, message };
  }),
});

/** Returns the runs in their order, each with all that came of it; a result may have a time at which nothing ran. */
export function rowsOf({ times = [], inputs, records, errors, console: said }: Trial): readonly TrialRow[] {
  const indexOf = new Map(times.map((ts, i) => [ts, i]));
  const all = [...new Set([...times, ...records.map(({ ts }) => ts), ...errors.map(({ ts }) => ts)])].sort();
  const results = grouped(records);
  const lines = grouped(said);
  const failed = grouped(errors);
  return all.map((ts) => {
    const at = indexOf.get(ts);
    const [error] = failed.get(ts) ?? [];
    return {
      ts,
      inputs: inputs.map(({ values }) => (at === undefined ? undefined : (values?.[at] ?? undefined))),
      results: results.get(ts) ?? [],
      ...(error && { error }),
      said: lines.get(ts) ?? [],
    };
  });
}

function grouped<T extends { readonly ts: string }>(all: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const record of all) groups.set(record.ts, [...(groups.get(record.ts) ?? []), record]);
  return groups;
}

/** Makes the marks beside the lines of the program for one of its runs. */
export function marksOf(
  row: TrialRow,
  inputs: Trial['inputs'],
  textOf: (value: unknown) => string,
): readonly CodeMark[] {
  const byLine = new Map<number, string[]>();
  for (const [i, { line, name }] of inputs.entries())
    byLine.set(line, [...(byLine.get(line) ?? []), `${name} = ${textOf(row.inputs[i])}`]);
  return [
    ...[...byLine].map(([line, texts]): CodeMark => ({ line, text: texts.join(', '), look: 'value' })),
    ...row.said.flatMap(({ line, text }): CodeMark[] => (line === undefined ? [] : [{ line, text, look: 'console' }])),
    ...(row.error?.line === undefined
      ? []
      : [{ line: row.error.line, text: row.error.message, look: 'error' } as const]),
  ];
}

/** Returns errors that say the same at the same line, with how often. */
export function errorsOf(
  errors: Trial['errors'],
): readonly { readonly message: string; readonly line?: number; readonly firstTs: string; readonly count: number }[] {
  const all = new Map<string, { message: string; line?: number; firstTs: string; count: number }>();
  for (const { message, line, ts } of errors) {
    const key = `${line} ${message}`;
    const known = all.get(key);
    if (known) known.count += 1;
    else all.set(key, { message, ...(line !== undefined && { line }), firstTs: ts, count: 1 });
  }
  return [...all.values()];
}
