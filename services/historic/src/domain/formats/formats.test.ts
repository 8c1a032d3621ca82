import type { SeriesConfig } from '@catchment/contracts/nodes';
import { atOnce } from '@catchment/fair-queue';
import { tableFromIPC } from 'apache-arrow';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import sax from 'sax';
import { recordSet, seriesNode, TYPES } from '../../../test/series.ts';
import { columnTable } from '../column-table.ts';
import { readOptions } from '../read-options.ts';
import type { StoredRecord } from '../record-set.ts';
import { viewOf } from '../series-view.ts';
import type { Answer, Site } from './answer.ts';
import { FORMS, type FurtherFormat } from './forms.ts';
import { longCsvPieces } from './long-csv.ts';

const A = 'a'.repeat(24);
const B = 'b'.repeat(24);
const T = Date.UTC(2024, 4, 15, 0, 10);
/** Names that any of the forms may take for something else. */
const NAME = 'Pegel "Süd" <1> & \'2\'\t\n🌊';
const SITE: Site = {
  nodeId: 'c'.repeat(24),
  name: NAME,
  customId: '',
  coordinates: { latitude: -43.5, longitude: 172.6 },
};

type Given = Record<string, string>;
type ColumnOf = {
  readonly id?: string;
  readonly name?: string;
  readonly series?: Partial<SeriesConfig>;
  readonly records: readonly Partial<StoredRecord>[];
  readonly given?: Given;
};

function answerOf(columns: readonly ColumnOf[], given: Given = {}, site: Site = SITE): Answer {
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

async function written(format: FurtherFormat, answer: Answer): Promise<Buffer> {
  const pieces = await (await FORMS[format].open())(answer);
  return Buffer.concat([...pieces].map((piece) => Buffer.from(piece as string)));
}

async function bytesOf(format: FurtherFormat, answer: Answer): Promise<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = await written(format, answer);
  return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
}

const NUMBERS: readonly Partial<StoredRecord>[] = [
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
const MIXED: readonly ColumnOf[] = [
  { id: A, records: NUMBERS },
  { id: B, name: 'Note', series: { valueType: TYPES.TEXT, units: '' }, records: TEXTS },
  { id: A, name: 'Again', records: [{ timeMs: T, number: 1 }] },
];
const WITH = { quality: 'SEPARATE_VALUE', annotation: 'SEPARATE_VALUE' };

/** What both columnar forms have in their cells, by the names of their fields. */
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

test('ARROW: a reader of others finds every cell, null where there is none, twice the same node told apart', async () => {
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

const textOf = async (format: FurtherFormat, answer: Answer) => (await written(format, answer)).toString();

test('RDB: comments, names, widths and types, then rows, as the USGS writes them', async () => {
  const lines = (await textOf('RDB', answerOf(MIXED.slice(0, 1), { timezone: 'Australia/Sydney' }))).split('\n');
  const begin = lines.findIndex((line) => !line.startsWith('#'));
  expect(lines.slice(0, begin).every((line) => line.startsWith('#'))).toBe(true);
  expect(lines.slice(0, begin)).toContain(`#    ${A}  Pegel "Süd" <1> & '2' 🌊, m`);
  const site = `acme\t${SITE.nodeId}`;
  expect(lines.slice(begin)).toEqual([
    `agency_cd\tsite_no\tdatetime\ttz_cd\t${A}\t${A}_cd`,
    '5s\t15s\t20d\t6s\t14n\t10s',
    `${site}\t2024-05-15 10:10\t+10:00\t4.25\t`,
    `${site}\t2024-05-15 10:11\t+10:00\t-0.5\t155`,
    `${site}\t2024-05-15 10:12\t+10:00\t\t158`,
    `${site}\t2024-05-15 10:13\t+10:00\t1e+21\t`,
    '',
  ]);
});

test('RDB: rows are grouped by site, and a row has nothing of other sites', async () => {
  const answer = answerOf([
    { id: A, records: [{ timeMs: T, number: 1 }] },
    { id: B, records: [{ timeMs: T + 500, number: 2, quality: 1 }] },
  ]);
  const other = { nodeId: B, name: 'East', customId: 'east' };
  const lines = (await textOf('RDB', { ...answer, sites: [SITE, other] })).split('\n').slice(-3, -1);
  expect(lines).toEqual([
    `acme\t${SITE.nodeId}\t2024-05-15 00:10:00.000\tUTC\t1\t\t\t`,
    'acme\teast\t2024-05-15 00:10:00.500\tUTC\t\t\t2\t1',
  ]);
});

test.each<[string, ColumnOf, Given, string]>([
  [
    'a tab in a text',
    { series: { valueType: TYPES.TEXT }, records: [{ timeMs: T, text: 'a\tb' }] },
    {},
    'format: RDB cannot hold',
  ],
  [
    'a line break in a text',
    { series: { valueType: TYPES.TEXT }, records: [{ timeMs: T, text: 'a\nb' }] },
    {},
    'format: RDB cannot hold',
  ],
  [
    'a tab in timeFormat',
    { records: [{ timeMs: T, number: 1 }] },
    { timeFormat: 'YYYY[\t]MM' },
    'timeFormat: RDB cannot hold',
  ],
])('RDB: %s is refused', async (_what, column, given, message) => {
  await expect(textOf('RDB', answerOf([column], given))).rejects.toThrow(message);
});

type Parsed = {
  readonly names: readonly string[];
  readonly text: (name: string) => string[];
  readonly attribute: (name: string, attribute: string) => string[];
};

/** @throws Error for what is no XML */
function parsed(xml: string): Parsed {
  const elements: { name: string; attributes: Record<string, string>; text: string }[] = [];
  const open: (typeof elements)[number][] = [];
  const parser = sax.parser(true, { trim: false });
  parser.onerror = (error) => {
    throw error;
  };
  parser.onopentag = ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, text: '' };
    elements.push(element);
    open.push(element);
  };
  parser.ontext = (text) => {
    const element = open.at(-1);
    if (element) element.text += text;
  };
  parser.onclosetag = () => open.pop();
  parser.write(xml).close();
  const named = (name: string) => elements.filter((element) => element.name === name);
  return {
    names: elements.map(({ name }) => name),
    text: (name) => named(name).map(({ text }) => text),
    attribute: (name, attribute) => named(name).map(({ attributes }) => attributes[attribute] ?? ''),
  };
}

test('WATERML2: an observation for each column with its points, whatever names and annotations hold', async () => {
  const records = [...NUMBERS, { timeMs: T + 240_000, number: 1, annotation: 'bell \u0007 \uD800 rings' }];
  const xml = parsed(await textOf('WATERML2', answerOf([{ records }, { id: B, records: [] }])));
  expect(xml.text('gml:name')).toEqual([NAME, NAME, NAME]);
  expect(xml.text('wml2:time')).toEqual([0, 1, 2, 3, 4].map((n) => `2024-05-15T00:1${n}:00.000Z`));
  expect(xml.text('wml2:value')).toEqual(['4.25', '-0.5', '', '1e+21', '1']);
  expect(xml.attribute('wml2:value', 'xsi:nil')).toEqual(['', '', 'true', '', '']);
  expect(xml.text('swe:value')).toEqual(['155', '158']);
  expect(xml.text('wml2:comment')).toEqual([NAME, 'bell   rings']);
  expect(xml.attribute('wml2:uom', 'code')).toEqual(['m', 'm']);
  expect(xml.text('gml:pos')).toEqual(['-43.5 172.6']);
  expect(xml.attribute('om:featureOfInterest', 'xlink:href')).toEqual([`#site-${SITE.nodeId}`, `#site-${SITE.nodeId}`]);
  const ids = [...(await textOf('WATERML2', answerOf([{ records }, { records }]))).matchAll(/gml:id="([^"]+)"/g)].map(
    ([, id]) => id,
  );
  expect(new Set(ids).size).toBe(ids.length);
});

test('COVJSON: a point series for each column, with times and values of its own', async () => {
  const document = JSON.parse(await textOf('COVJSON', answerOf(MIXED.slice(0, 2), { quality: 'SEPARATE_VALUE' })));
  expect(document).toMatchObject({
    type: 'CoverageCollection',
    domainType: 'PointSeries',
    parameters: {
      [A]: { type: 'Parameter', observedProperty: { label: { en: NAME } }, unit: { symbol: 'm' } },
      [B]: {},
    },
    coverages: [
      {
        domain: {
          domainType: 'PointSeries',
          axes: {
            x: { values: [172.6] },
            y: { values: [-43.5] },
            t: { values: [0, 1, 2, 3].map((n) => `2024-05-15T00:1${n}:00.000Z`) },
          },
        },
        ranges: {
          [A]: { dataType: 'float', shape: [4], values: [4.25, -0.5, null, 1e21] },
          [`${A}.quality`]: { dataType: 'integer', values: [null, 155, 158, null] },
        },
      },
      { ranges: { [B]: { dataType: 'string', shape: [3], values: ['', '0', NAME] } } },
    ],
  });
});

test('COVJSON: without coordinates there are times alone', async () => {
  const { coordinates: _none, ...site } = SITE;
  const document = JSON.parse(await textOf('COVJSON', answerOf([{ records: [] }], {}, site)));
  expect(Object.keys(document)).toEqual(['type', 'parameters', 'coverages']);
  expect(Object.keys(document.coverages[0].domain.axes)).toEqual(['t']);
});

const longText = (answer: Answer) => [...longCsvPieces(answer, answer.query.zone.formatIso)].join('');

test('CSV in long form: a line for each record with its quality and annotation', () => {
  const answer = answerOf(
    [
      { records: NUMBERS.slice(0, 3), name: 'Stage' },
      { id: B, name: 'No "te"', series: { valueType: TYPES.TEXT, units: '' }, records: [{ timeMs: T, text: 'wet' }] },
    ],
    { format: 'CSV', layout: 'LONG', quality: 'NONE' },
  );
  expect(longText(answer).split('\n')).toEqual([
    'time,node,name,value,units,quality,annotation',
    `2024-05-15T00:10:00.000Z,${A},"Stage",4.25,"m",,`,
    `2024-05-15T00:10:00.000Z,${B},"No ""te""","wet","",,`,
    `2024-05-15T00:11:00.000Z,${A},"Stage",-0.5,"m",155,"${NAME.replaceAll('"', '""').split('\n')[0]}`,
    `${NAME.split('\n')[1]}"`,
    `2024-05-15T00:12:00.000Z,${A},"Stage",,"m",158,`,
    '',
  ]);
});

test('CSV in long form: delimiter, decimal comma, formula guard and header as in the wide form', () => {
  const given = {
    format: 'CSV',
    layout: 'long',
    decimalSeparator: ',',
    formulaGuard: 'TRUE',
    header: 'FALSE',
    textQualifier: "'",
  };
  const answer = answerOf([{ name: '=1+1', records: [{ timeMs: T, number: 1.5 }] }], given);
  expect(longText(answer)).toBe(`2024-05-15T00:10:00.000Z;${A};'''=1+1';1,5;'m';;\n`);
});
