import sax from 'sax';
import {
  A,
  answerOf,
  B,
  type ColumnOf,
  type Given,
  MIXED,
  NAME,
  NUMBERS,
  SITE,
  T,
  written,
} from '../../../test/format-answers.ts';
import { TYPES } from '../../../test/series.ts';
import type { Answer } from './answer.ts';
import type { FurtherFormat } from './forms.ts';
import { longCsvPieces } from './long-csv.ts';

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
      { ranges: { [B]: { dataType: 'string', shape: [3], values: [null, '0', NAME] } } },
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
