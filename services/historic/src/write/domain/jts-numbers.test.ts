import { ValueType } from '@catchment/contracts/nodes';
import { atOnce } from '@catchment/fair-queue';
import { parseJsonBody } from '@catchment/json-body';
import { randomFrom, SEED } from '@catchment/testkit/write-model';
import { parseJtsDocument } from './jts-document.ts';
import { NumberRows, readNumberRows } from './jts-numbers.ts';
import { parseRecords } from './jts-records.ts';

const HEAD = '{"docType":"jts","version":"1.0","header":{"columns":{"0":{"name":"Température"}}},';
const read = (text: string) => readNumberRows(Buffer.from(text), text);
const ROW = '{"ts":"2024-01-01T00:00:00.000Z","f":{"0":{"v":1.5}}}';
const withRows = (rows: string) => `${HEAD}"data":[${rows}]}`;
const record = (value: string) => withRows(`{"ts":"2024-01-01T00:00:00Z","f":{"0":{"v":${value}}}}`);

test('records are read without objects, the rest stays JSON', () => {
  const result = read(
    withRows(`${ROW},{"ts":"2024-01-01T00:01:00+01:00","f":{"0":{"v":-2},"7":{"v":3e2}}},{"ts":"2024-01-02","f":{}}`),
  );
  expect(JSON.parse(result?.head ?? '')).toMatchObject({ docType: 'jts', data: [] });
  expect(result?.rows).toEqual(
    Object.assign(new NumberRows(), {
      times: [Date.UTC(2024, 0, 1), Date.UTC(2023, 11, 31, 23, 1), Date.UTC(2024, 0, 2)],
      ends: [1, 3, 3],
      keys: [0, 0, 7],
      values: [1.5, -2, 300],
    }),
  );
});

test.each([
  ['Python', JSON.stringify(JSON.parse(withRows(ROW)), null, 1).replaceAll('\n', ' ')],
  ['people', JSON.stringify(JSON.parse(withRows(`${ROW},${ROW}`)), null, 2)],
  ['Windows', JSON.stringify(JSON.parse(withRows(`${ROW},${ROW}`)), null, '\t').replaceAll('\n', '\r\n')],
])('white space as %s may write it', (_who, text) => {
  expect(read(`${text}\n `)?.rows.values).toContain(1.5);
});

test.each([
  '0',
  '-0',
  '1',
  '-1',
  '0.1',
  '-0.05',
  '20.12',
  '123456789012345',
  '1234567890.12345',
  '1e3',
  '1E+3',
  '1.5e-7',
  '0.1234567890123456789',
  '-0.000000000000001',
  '0.00000000000001',
  '0.000000000000000012345',
  '9007199254740991',
  '-9007199254740991',
  '9007199254740993',
  '9999999999999999',
  '900719925474.0991',
  '179769313486231570000',
  '5e-324',
  '2.2250738585072014e-308',
  '0.000001',
  '100000000000000.5',
  '4.35',
  '0.3',
  '1.005',
])('the number %s is what JSON makes of it', (text) => {
  expect(read(record(text))?.rows.values).toEqual([JSON.parse(text)]);
});

test.each([
  ['no data', '{"docType":"jts"}'],
  ['data that are not last', '{"data":[],"docType":"jts"}'],
  ['data before the header', `{"data":[${ROW}],"docType":"jts"}`],
  ['no records', withRows('')],
  ['a row without a comma', withRows(`${ROW}${ROW}`)],
  ['a comma too much', withRows(`${ROW},`)],
  ['an open array', withRows(ROW).slice(0, -2)],
  ['an open object', withRows(ROW).slice(0, -1)],
  ['something behind it', `${withRows(ROW)}x`],
  ['a closing brace too much', `${withRows(ROW)}}`],
  ['f before ts', withRows('{"f":{"0":{"v":1}},"ts":"2024-01-01"}')],
  ['another attribute', withRows('{"ts":"2024-01-01","f":{"0":{"v":1}},"x":1}')],
  ['no ts', withRows('{"f":{"0":{"v":1}}}')],
  ['a time as a number', withRows('{"ts":5,"f":{}}')],
  ['no time', withRows('{"ts":"x","f":{}}')],
  ['a time with an escape', withRows('{"ts":"2024\\u002d01-01","f":{}}')],
  ['a time that cannot be stored', withRows('{"ts":"2263-01-01","f":{}}')],
  ['the 30th of February', withRows('{"ts":"2024-02-30T00:00:00Z","f":{}}')],
  ['an open time', `${HEAD}"data":[{"ts":"2024-01-01`],
  ['a quality', record('1,"q":5')],
  ['an annotation', record('1,"a":"x"')],
  ['a text', record('"x"')],
  ['null', record('null')],
  ['a boolean', record('true')],
  ['an empty field', withRows('{"ts":"2024-01-01","f":{"0":{}}}')],
  ['a field null', withRows('{"ts":"2024-01-01","f":{"0":null}}')],
  ['a number beyond all numbers', record('1e999')],
  ['a leading zero', record('01')],
  ['a leading plus', record('+1')],
  ['a leading point', record('.5')],
  ['a trailing point', record('5.')],
  ['two points', record('1.2.3')],
  ['half an exponent', record('1e')],
  ['a signed nothing', record('-')],
  ['a blank in a number', record('- 1')],
  ['hexadecimal', record('0x10')],
  ['a blank in a name', withRows('{"ts ":"2024-01-01","f":{}}')],
  ['a blank in a key', withRows('{"ts":"2024-01-01","f":{"0 ":{"v":1}}}')],
  ['a key that is no index', withRows('{"ts":"2024-01-01","f":{"a":{"v":1}}}')],
  ['a key with a leading zero', withRows('{"ts":"2024-01-01","f":{"00":{"v":1}}}')],
  ['a key of ten digits', withRows('{"ts":"2024-01-01","f":{"1234567890":{"v":1}}}')],
  ['an empty key', withRows('{"ts":"2024-01-01","f":{"":{"v":1}}}')],
  ['a key twice', withRows('{"ts":"2024-01-01","f":{"0":{"v":1},"0":{"v":2}}}')],
  ['keys that do not ascend', withRows('{"ts":"2024-01-01","f":{"1":{"v":1},"0":{"v":2}}}')],
  ['characters of several bytes in a record', withRows('{"ts":"2024-01-01","f":{"0":{"v":é}}}')],
])('%s is left to JSON', (_what, text) => {
  expect(read(text)).toBeUndefined();
});

const CASES = 3_000;
const INSERTED = [...'{}[]":,.-+eE0123456789 \n\\tsfvdaé', '"data":[', '{"v":1}', '"v"', '1e9', '},'];

/**
 * Makes a document that may be read so, most times with something in it changed.
 * @param quoted how many of its numbers are sent as text
 */
function randomText(random: () => number, quoted = 0): string {
  const below = (count: number) => Math.floor(random() * count);
  const bare = () => [below(100), -below(1e9) / 1000, random(), `${below(99)}e-${below(9)}`, '-0'][below(5)];
  const number = () => (random() < quoted ? `"${bare()}"` : bare());
  const field = (key: number) => `"${key}":{"v":${number()}}`;
  const fields = () => [0, 1, 5].filter(() => random() < 0.6).map(field);
  const time = () => new Date(below(3) * 60_000 + Date.UTC(2024, 1, 28 + below(3))).toISOString();
  const row = () => `{"ts":"${random() < 0.2 ? time().slice(0, 10 + below(14)) : time()}","f":{${fields()}}}`;
  let text = `${HEAD}"data":[${Array.from({ length: 1 + below(4) }, row)}]}`;
  for (let changes = below(4); changes > 0; changes -= 1) {
    const at = below(text.length);
    text = text.slice(0, at) + (INSERTED[below(2 * INSERTED.length)] ?? '') + text.slice(at + below(3));
  }
  return text;
}

const TARGETS = [
  {
    index: 0,
    valueType: ValueType.VALUE_TYPE_NUMBER,
    qualityOf: (value: number | string) => (Number(value) > 50 ? 7 : undefined),
  },
  { index: 1, valueType: ValueType.VALUE_TYPE_NUMBER, qualityOf: undefined },
];
const tryParse = (text: string): Record<string, never> | undefined => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
const outcome = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return (error as Error).message;
  }
};

test(`whatever is read so is what JSON.parse reads (seed ${SEED})`, () => {
  const random = randomFrom(SEED);
  let compared = 0;
  for (let n = 0; n < CASES; n += 1) {
    const text = randomText(random);
    const result = read(text);
    if (!result) continue;
    const head = tryParse(result.head);
    if (!Array.isArray(head?.data)) continue;
    const { data = [], ...rest } = tryParse(text) ?? {};
    expect([text, head]).toEqual([text, { ...rest, data: [] }]);
    compared += 1;
    for (const others of ['ignored', 'refused'] as const)
      expect([text, outcome(() => atOnce(parseRecords(result.rows, TARGETS, others)))]).toEqual([
        text,
        outcome(() => atOnce(parseRecords(data, TARGETS, others))),
      ]);
  }
  expect(compared).toBeGreaterThan(CASES / 5);
});

/** Returns the stored records of a document, or the reason of its refusal. @param isRead whether its records may be read without objects */
function stored(text: string, isRead: boolean): unknown {
  return outcome(() => {
    const bytes = Buffer.from(text);
    const rows = isRead ? parseJtsDocument(bytes).rows : (parseJsonBody(bytes) as { data: [] }).data;
    return atOnce(parseRecords(rows, TARGETS, 'ignored'));
  });
}

test(`a document is stored alike whichever way it is read, numbers sent as text too (seed ${SEED})`, () => {
  const random = randomFrom(SEED);
  const read = { without: 0, with: 0 };
  for (let n = 0; n < CASES; n += 1) {
    const text = randomText(random, n % 2 === 0 ? 0.1 : 0);
    if (!Array.isArray(tryParse(text)?.data)) continue;
    const document = outcome(() => parseJtsDocument(Buffer.from(text)));
    if (typeof document === 'string') continue;
    read[(document as { rows: unknown }).rows instanceof NumberRows ? 'without' : 'with'] += 1;
    expect([text, stored(text, true)]).toEqual([text, stored(text, false)]);
  }
  expect(Math.min(read.without, read.with)).toBeGreaterThan(CASES / 20);
});

test(`a number sent as text is stored as the number (seed ${SEED})`, () => {
  const random = randomFrom(SEED);
  for (let n = 0; n < CASES / 10; n += 1) {
    const bare = withRows(
      Array.from({ length: 3 }, (_, row) => {
        const value = JSON.stringify((random() - 0.5) * 10 ** Math.floor(random() * 30 - 10));
        return `{"ts":"2024-01-01T00:0${row}:00Z","f":{"0":{"v":${value}}}}`;
      }).join(','),
    );
    expect(stored(bare.replaceAll(/"v":([^}]+)/g, '"v":"$1"'), true)).toEqual(stored(bare, true));
  }
});
