import type { Acquired } from './acquire.ts';

/** Writes a table of the comparisons, for people. */
export function tableOf(rows: readonly Acquired[]): string {
  const sum = (of: (row: Acquired) => number) => rows.reduce((total, row) => total + of(row), 0);
  const lines = rows.map(
    ({ file, place, parameters, records, values, seconds, parser }) =>
      `| ${file} | ${place} | ${parameters} | ${records} | ${values} | ${seconds.toFixed(1)} | ${parser} |`,
  );
  return [
    '| file | transport | parameters | records | values compared | seconds | parser |',
    '|---|---|---|---|---|---|---|',
    ...lines,
    `| ${new Set(rows.map(({ file }) => file)).size} files | ${rows.length} acquisitions | ${sum((row) => row.parameters)} | ${sum((row) => row.records)} | ${sum((row) => row.values)} | ${sum((row) => row.seconds).toFixed(0)} | |`,
  ].join('\n');
}
