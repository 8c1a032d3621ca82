import type { ReportedDocument } from '../station/readings.ts';

/** Describes the last record of a report, for people. */
export function summaryOf({ header, data }: ReportedDocument): string {
  const last = data.at(-1);
  const values = Object.entries(last?.f ?? {}).map(([index, { v }]) => {
    const { name, units } = header.columns[index] ?? {};
    return `${String(name ?? index)} ${String(v)}${units ? ` ${String(units)}` : ''}`;
  });
  return `${last?.ts ?? ''}${data.length > 1 ? `, the last of ${data.length} records` : ''}: ${values.join(', ')}`;
}
