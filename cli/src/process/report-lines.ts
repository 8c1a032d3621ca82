import { countOf } from '@catchment/number-format';
/** Answer of `POST /nodes/:id/process/test` (docs/reference/processing-and-ratings.md#trying-a-program-out). */
export type TestReport = {
  readonly records: readonly {
    readonly ts: string;
    readonly output?: string;
    readonly value?: number | string | boolean | null;
    readonly quality?: number;
  }[];
  readonly errors: readonly { readonly ts?: string; readonly message: string; readonly line?: number }[];
  readonly console: readonly { readonly ts: string; readonly text: string }[];
  readonly runs: number;
  readonly failed: number;
  readonly elapsedMs: number;
  readonly isComplete: boolean;
};

/** Returns what a test of a program says, for a terminal. */
export function reportLines(report: TestReport): string[] {
  const { records, errors, console: said, runs, failed, elapsedMs, isComplete } = report;
  const hasOutputs = records.some(({ output }) => output !== undefined);
  const rows = records.map(({ ts, output, value, quality }) => [
    ts,
    ...(hasOutputs ? [output ?? ''] : []),
    onOneLine(value === undefined || value === null ? '–' : String(value)),
    quality === undefined ? '' : String(quality),
  ]);
  const table = rows.length > 0 ? tableOf(['time', ...(hasOutputs ? ['output'] : []), 'value', 'quality'], rows) : [];
  const lines = [
    ...table,
    ...headed(
      'Errors',
      errors.map(({ ts, message, line }) =>
        [ts, line === undefined ? undefined : `line ${line}`, onOneLine(message)].filter(Boolean).join('  '),
      ),
    ),
    ...headed(
      'Console',
      said.map((line) => `${line.ts}  ${onOneLine(line.text)}`),
    ),
  ];
  const summary = `${countOf(runs, 'run')}, ${failed} failed, ${countOf(records.length, 'record')}, ${elapsedMs.toFixed(1)} ms`;
  const rest = isComplete ? '' : '; not all of the range was evaluated: give a shorter one';
  return [...lines, ...(lines.length > 0 ? [''] : []), summary + rest];
}

const headed = (title: string, lines: readonly string[]): string[] =>
  lines.length > 0 ? ['', `${title}:`, ...lines.map((line) => `  ${line}`)] : [];

/** Data cannot write to the terminal what it likes. */
const onOneLine = (text: string): string => text.replaceAll(/\p{C}/gu, ' ');

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
