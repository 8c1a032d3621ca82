import {
  failureText,
  jtsColumns,
  jtsEntry,
  type Layout,
  type OpenedText,
  openText,
  type TextOptions,
} from '@catchment/delimited-text';
import { countOf } from '@catchment/number-format';
import type { ImportRecord, ImportSource } from './import-source.ts';

const KINDS = {
  TOA5: 'TOA5 file',
  RDB: 'USGS RDB file',
  CATCHMENT: 'CSV file of Catchment',
  DELIMITED: 'delimited text',
};
const DELIMITERS: Readonly<Record<string, string>> = { '\t': 'TAB', ' ': 'SPACE' };

/** Delimited text. @param isStrict the first line or field that cannot be read ends it */
export async function textSource(
  bytes: AsyncIterable<Uint8Array>,
  options: TextOptions,
  isStrict: boolean,
): Promise<ImportSource> {
  const opened = await openText(bytes, options);
  return {
    description: describe(opened.layout),
    columns: jtsColumns(opened.series),
    records: () => records(opened, isStrict),
    remarks: () => remarks(opened),
  };
}

function describe({ kind, delimiter, headerLines, decimalSeparator }: Layout): string {
  const parts = [
    `delimiter ${DELIMITERS[delimiter] ?? `'${delimiter}'`}`,
    ...(headerLines > 0 ? [`header to line ${headerLines}`] : []),
    ...(decimalSeparator === ',' ? ['decimal comma'] : []),
  ];
  return `${KINDS[kind]}, ${parts.join(', ')}`;
}

async function* records(opened: OpenedText, isStrict: boolean): AsyncGenerator<ImportRecord> {
  const { report } = opened;
  for await (const record of opened.records()) {
    if (isStrict) checkStrictly(opened);
    const entry = jtsEntry(record);
    if (entry) yield { place: `line ${record.line}`, ...entry };
  }
  if (isStrict) checkStrictly(opened);
  if (report.parsed === 0) {
    const why = report.firstFailure ? `: ${failureText(report.firstFailure)}` : '';
    throw new Error(`No line of the file could be read${why}`);
  }
}

function checkStrictly({ report }: OpenedText): void {
  const first = report.firstFailure ?? report.firstUnreadable;
  if (first) throw new Error(failureText(first));
}

function remarks({ report }: OpenedText): string[] {
  const { failed, firstFailure, unreadableFields, firstUnreadable } = report;
  return [
    ...(firstFailure ? [`${countOf(failed, 'line')} could not be read, the first: ${failureText(firstFailure)}`] : []),
    ...(firstUnreadable
      ? [`${countOf(unreadableFields, 'field')} could not be read, the first: ${failureText(firstUnreadable)}`]
      : []),
  ];
}
