import type { SeriesConfig } from '@catchment/contracts/nodes';
import { tableFromIPC } from 'apache-arrow';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { A, answerOf, B, type Given, MIXED, NAME, NUMBERS, T, written } from '../../../test/format-answers.ts';
import { TYPES } from '../../../test/series.ts';
import type { StoredRecord } from '../../records/domain/record-set.ts';
import type { Answer } from './answer.ts';
import type { FurtherFormat } from './forms.ts';

async function bytesOf(format: FurtherFormat, answer: Answer): Promise<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = await written(format, answer);
  return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
}

const WITH = { quality: 'SEPARATE_VALUE', annotation: 'SEPARATE_VALUE' };

/** Both columnar forms have these cells, by the names of their fields. */
const MIXED_ROWS = [
  { time: T, [A]: 4.25, [B]: '', [`${A}.2`]: 1 },
  { time: T + 30_000, [A]: null, [B]: '0', [`${A}.2`]: null },
  { time: T + 60_000, [A]: -0.5, [B]: NAME, [`${A}.2`]: null },
  { time: T + 120_000, [A]: null, [B]: null, [`${A}.2`]: null },
  { time: T + 180_000, [A]: 1e21, [B]: null, [`${A}.2`]: null },
];

type Row = Record<string, unknown>;
const arrowRows = (bytes: Uint8Array): Row[] =>
  tableFromIPC(bytes)
    .toArray()
    .map((row) => ({ ...row.toJSON() }));
async function parquetRows(file: ArrayBuffer): Promise<Row[]> {
  const rows = await parquetReadObjects({ file });
  const plain = (value: unknown) => (value instanceof Date ? value.getTime() : value);
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])));
}

test('ARROW: a reader of others finds every cell, null where there is none, and the same node twice distinguished', async () => {
  expect(arrowRows(await written('ARROW', answerOf(MIXED)))).toEqual(MIXED_ROWS);
});

test('PARQUET: the same', async () => {
  expect(await parquetRows(await bytesOf('PARQUET', answerOf(MIXED)))).toEqual(MIXED_ROWS);
});

test.each<FurtherFormat>(['ARROW', 'PARQUET'])(
  '%s: qualities and annotations are columns where they are asked for',
  async (format) => {
    const answer = answerOf([{ records: NUMBERS.slice(0, 3) }], WITH);
    const rows =
      format === 'ARROW' ? arrowRows(await written(format, answer)) : await parquetRows(await bytesOf(format, answer));
    expect(rows.map((row) => [row[`${A}.quality`], row[`${A}.annotation`]])).toEqual([
      [null, null],
      [155, NAME],
      [158, null],
    ]);
  },
);

const OWN = { column: '0', part: 'value', node: A, name: NAME, path: `acme/Site/${NAME}`, units: 'm', type: 'NUMBER' };

test('ARROW: types and metadata that programs go by', async () => {
  const { schema } = tableFromIPC(
    await written('ARROW', answerOf(MIXED, { ...WITH, timezone: 'Australia/Sydney', timezoneAdjustForDst: 'TRUE' })),
  );
  expect(schema.fields.map(({ name, type, nullable }) => `${name} ${type} ${nullable}`)).toEqual([
    'time Timestamp<MILLISECOND, UTC> false',
    `${A} Float64 true`,
    `${A}.quality Int32 true`,
    `${A}.annotation Utf8 true`,
    `${B} Utf8 true`,
    `${B}.quality Int32 true`,
    `${B}.annotation Utf8 true`,
    `${A}.2 Float64 true`,
    `${A}.2.quality Int32 true`,
    `${A}.2.annotation Utf8 true`,
  ]);
  expect(Object.fromEntries(schema.fields[1]?.metadata ?? [])).toEqual({
    ...OWN,
    renderType: 'VALUE',
    aggregate: 'NONE',
  });
  expect(Object.fromEntries(schema.fields[2]?.metadata ?? [])).toEqual({ column: '0', part: 'quality', node: A });
  expect(Object.fromEntries(schema.metadata)).toEqual({
    timezone: 'Australia/Sydney',
    startTime: '2024-05-15T10:10:00.000+10:00',
    endTime: '2024-05-15T10:11:00.000+10:00',
    recordCount: '5',
    aggregate: 'NONE',
  });
});

test('PARQUET: the same metadata in the file, and the schema as Arrow has it', async () => {
  const answer = answerOf(MIXED.slice(0, 1));
  const { key_value_metadata: pairs = [] } = parquetMetadata(await bytesOf('PARQUET', answer));
  const found = Object.fromEntries(pairs.map(({ key, value }) => [key, value ?? '']));
  expect(found).toMatchObject({ timezone: 'Etc/UTC', recordCount: '4', startTime: '2024-05-15T00:10:00.000Z' });
  expect(JSON.parse(found['catchment.columns'] ?? '')).toMatchObject([{ field: 'time' }, { field: A, ...OWN }]);
  const schema = Buffer.from(found['ARROW:schema'] ?? '', 'base64');
  const end = Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]);
  expect(tableFromIPC(Buffer.concat([schema, end])).schema.fields.map(({ name }) => name)).toEqual(['time', A]);
});

test.each<[string, Partial<SeriesConfig>, readonly Partial<StoredRecord>[], Given, unknown]>([
  ['times', { valueType: TYPES.TIME }, [{ timeMs: T, number: -1 }], {}, { [A]: -1 }],
  [
    'the latest time of all',
    { valueType: TYPES.TIME },
    [{ timeMs: T, number: 253_370_764_800_000 }],
    {},
    { [A]: 253_370_764_800_000 },
  ],
  [
    'coordinates',
    { valueType: TYPES.COORDINATES },
    [{ timeMs: T, number: 1.5, longitude: -2 }],
    {},
    { [`${A}.latitude`]: 1.5, [`${A}.longitude`]: -2 },
  ],
  [
    'names of states',
    {
      displayType: 'STATE',
      statesType: 'RANGE',
      states: [
        {
          stateId: 's',
          name: 'LOW',
          threshold: 0.5,
          occurrences: 1,
          isAlarm: false,
          notify: '',
          categoryId: '',
          messageAway: '',
          messageTowards: '',
        },
      ],
    },
    [{ timeMs: T, number: 1 }],
    {},
    { [A]: 'LOW' },
  ],
  [
    'numbers after transform and rounding',
    { multiplier: 2, offset: 0.123 },
    [{ timeMs: T, number: 1 }],
    { renderFormat: '0.0' },
    { [A]: 2.1 },
  ],
  [
    'infinity after the transform is no number',
    { multiplier: 1e308 },
    [{ timeMs: T, number: 1e308 }],
    {},
    { [A]: null },
  ],
])('ARROW and PARQUET hold %s', async (_what, series, records, given, row) => {
  const answer = answerOf([{ series, records }], given);
  expect(arrowRows(await written('ARROW', answer))).toEqual([{ time: T, ...(row as Row) }]);
  expect(await parquetRows(await bytesOf('PARQUET', answer))).toEqual([{ time: T, ...(row as Row) }]);
});

test.each<FurtherFormat>(['ARROW', 'PARQUET'])(
  '%s: an answer of several batches is whole, and so is one without rows',
  async (format) => {
    const many = Array.from({ length: 70_000 }, (_, n) => ({
      timeMs: T + n,
      number: n,
      quality: n % 7 === 0 ? n % 65_536 : undefined,
    }));
    const answer = answerOf([{ records: many }, { id: B, records: many.slice(10, 20) }], { quality: 'SEPARATE_VALUE' });
    const rows =
      format === 'ARROW' ? arrowRows(await written(format, answer)) : await parquetRows(await bytesOf(format, answer));
    expect(rows.length).toBe(70_000);
    expect(rows[69_993]).toEqual({
      time: T + 69_993,
      [A]: 69_993,
      [`${A}.quality`]: 69_993 % 65_536,
      [B]: null,
      [`${B}.quality`]: null,
    });
    expect(rows[15]).toMatchObject({ [A]: 15, [B]: 15 });
    const none = answerOf([{ records: [] }]);
    expect(
      format === 'ARROW' ? arrowRows(await written(format, none)) : await parquetRows(await bytesOf(format, none)),
    ).toEqual([]);
  },
);
