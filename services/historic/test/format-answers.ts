import type { SeriesConfig } from '@catchment/contracts/nodes';
import { atOnce } from '@catchment/fair-queue';
import { readOptions } from '../src/columns/domain/read-options.ts';
import { viewOf } from '../src/columns/domain/series-view.ts';
import type { Answer, Site } from '../src/formats/domain/answer.ts';
import { columnTable } from '../src/formats/domain/column-table.ts';
import { FORMS, type FurtherFormat } from '../src/formats/domain/forms.ts';
import type { StoredRecord } from '../src/records/domain/record-set.ts';
import { recordSet, seriesNode, TYPES } from './series.ts';

export const A = 'a'.repeat(24);
export const B = 'b'.repeat(24);
export const T = Date.UTC(2024, 4, 15, 0, 10);
/** Any of the forms may take these names for something else. */
export const NAME = 'Pegel "Süd" <1> & \'2\'\t\n🌊';
export const SITE: Site = {
  nodeId: 'c'.repeat(24),
  name: NAME,
  customId: '',
  coordinates: { latitude: -43.5, longitude: 172.6 },
};

export type Given = Record<string, string>;
export type ColumnOf = {
  readonly id?: string;
  readonly name?: string;
  readonly series?: Partial<SeriesConfig>;
  readonly records: readonly Partial<StoredRecord>[];
  readonly given?: Given;
};

export function answerOf(columns: readonly ColumnOf[], given: Given = {}, site: Site = SITE): Answer {
  const query = readOptions({ limit: '9', ...given }, 0);
  const table = columns.map(({ id = A, name = NAME, series, records, given: own }) => {
    const node = seriesNode({ nodeId: id, name, path: `acme/Site/${name}`, series: { units: 'm', ...series } });
    const view = viewOf(node, readOptions({ limit: '9', ...given, ...own }, 0));
    return { view, records: recordSet(series?.valueType ?? TYPES.NUMBER, records) };
  });
  return {
    table: atOnce(columnTable(table)),
    head: { startMs: T, endMs: T + 60_000 },
    query,
    sites: columns.map(() => site),
    nowMs: T,
  };
}

export async function written(format: FurtherFormat, answer: Answer): Promise<Buffer> {
  const pieces = await (await FORMS[format].open())(answer);
  return Buffer.concat([...pieces].map((piece) => Buffer.from(piece as string)));
}

export const NUMBERS: readonly Partial<StoredRecord>[] = [
  { timeMs: T, number: 4.25 },
  { timeMs: T + 60_000, number: -0.5, quality: 155, annotation: NAME },
  { timeMs: T + 120_000, quality: 158 },
  { timeMs: T + 180_000, number: 1e21 },
];
const TEXTS: readonly Partial<StoredRecord>[] = [
  { timeMs: T, text: '' },
  { timeMs: T + 60_000, text: NAME },
  { timeMs: T + 30_000, text: '0' },
].sort((a, b) => a.timeMs - b.timeMs);
export const MIXED: readonly ColumnOf[] = [
  { id: A, records: NUMBERS },
  { id: B, name: 'Note', series: { valueType: TYPES.TEXT, units: '' }, records: TEXTS },
  { id: A, name: 'Again', records: [{ timeMs: T, number: 1 }] },
];
