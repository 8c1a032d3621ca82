import { ValueType } from '@catchment/contracts/nodes';
import { FLAG } from '@catchment/ingest-log';
import { buildNowColumn, parseNowBody } from './now-record.ts';

const NOW = Date.UTC(2024, 4, 15);
const parse = (body: unknown) => parseNowBody(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), NOW);
const build = (body: unknown, type: ValueType) => buildNowColumn(parse(body), type, undefined);
const { VALUE_TYPE_NUMBER: NUMBER, VALUE_TYPE_TEXT: TEXT, VALUE_TYPE_TIME: TIME } = ValueType;
const PLACE = ValueType.VALUE_TYPE_COORDINATES;
const NEEDED = 'body: must have at least one of value, quality and annotation';

test.each([
  ['no JSON', 'x', 'body: must be JSON'],
  ['an array', [], 'body: must be an object'],
  ['an empty object', {}, NEEDED],
  ['all null', { value: null, quality: null, annotation: null }, NEEDED],
  ['only a timestamp', { timestamp: '2024-01-01' }, NEEDED],
  ['a bad timestamp', { value: 1, timestamp: 'yesterday' }, 'timestamp: must be an ISO 8601 timestamp'],
  ['a timestamp beyond the store', { value: 1, timestamp: '2300-01-01' }, 'timestamp: must be from 1800-01-01'],
])('%s is refused', (_what, body, message) => {
  expect(() => parse(body)).toThrow(
    expect.objectContaining({ kind: 'invalid_argument', message: expect.stringContaining(message) }),
  );
});

test.each([
  ['a text for a number', { value: 'one' }, NUMBER, 'value: must be a number'],
  ['a number for a text', { value: 1 }, TEXT, 'value: must be a string'],
  ['no time', { value: 'soon' }, TIME, 'value: must be a time'],
  ['no coordinates', { value: [1] }, PLACE, 'value: must be {"$coords"'],
  ['a quality out of range', { quality: 70_000 }, NUMBER, 'quality: must be a whole number from 0 to 65535 or null'],
  ['an annotation that is no text', { annotation: {} }, NUMBER, 'annotation: must be a string'],
])('%s is refused by the name of its key', (_what, body, type, message) => {
  expect(() => build(body, type)).toThrow(expect.objectContaining({ message: expect.stringContaining(message) }));
});

test.each([
  ['a number', { value: 2 }, NUMBER, [2]],
  ['a boolean', { value: true }, NUMBER, [1]],
  ['an ISO text', { value: '1970-01-01T00:00:01Z' }, TIME, [1000]],
  ['a $time', { value: { $time: '1970-01-01T00:00:01Z' } }, TIME, [1000]],
  ['a pair', { value: [1, 2] }, PLACE, [1, 2]],
  ['a $coords', { value: { $coords: [1, 2] } }, PLACE, [1, 2]],
])('%s is a value at the time of arrival', (_what, body, type, numbers) => {
  const built = build(body, type);
  expect([...built.numbers]).toEqual(numbers);
  expect([...built.timestamps]).toEqual([NOW]);
  expect([...built.flags]).toEqual([FLAG.value]);
});

test('null with a quality is a gap at the time given', () => {
  const built = build({ value: null, quality: 158, timestamp: '2024-01-01' }, NUMBER);
  expect([...built.flags]).toEqual([FLAG.quality]);
  expect([...built.qualities]).toEqual([158]);
  expect([...built.timestamps]).toEqual([Date.UTC(2024, 0, 1)]);
});
