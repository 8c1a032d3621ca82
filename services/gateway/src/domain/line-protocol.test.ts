import { keyOfLogin } from './influx-login.ts';
import { influxFailure, isCreateDatabase, leftOutText, precisionOf, sourceRefOf } from './influx-words.ts';
import { hasLines, LineCutter, LineTooLong } from './line-cutter.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

test.each([
  [{ authorization: 'Token KEY' }, 'KEY'],
  [{ authorization: 'token jo:KEY' }, 'KEY'],
  [{ authorization: 'Bearer KEY' }, 'KEY'],
  [{ authorization: `Basic ${base64('jo:KEY')}` }, 'KEY'],
  [{ password: 'KEY' }, 'KEY'],
  [{ apiKey: 'KEY', password: 'other' }, 'KEY'],
  [{ authorization: 'Digest x', password: 'KEY' }, undefined],
  [{ authorization: 'Token' }, undefined],
  [{}, undefined],
])('the key of %j', (login, key) => {
  expect(keyOfLogin({ apiKey: undefined, authorization: undefined, password: undefined, ...login })).toBe(key);
});

test.each([
  ['nothing', { lines: 3, dropped: 0, problems: [] }, undefined],
  [
    'all lines, unread',
    { lines: 1, dropped: 1, problems: ["unable to parse 'x': missing fields"] },
    "unable to parse 'x': missing fields",
  ],
  [
    'some lines',
    { lines: 3, dropped: 2, problems: ["unable to parse 'x': missing fields", 'field type conflict: a'] },
    "partial write: unable to parse 'x': missing fields\nfield type conflict: a dropped=2",
  ],
  [
    'all lines, of their types',
    { lines: 1, dropped: 1, problems: ['field type conflict: a'] },
    'partial write: field type conflict: a dropped=1',
  ],
])('what is said where %s was left out', (_what, leftOut, text) => {
  expect(leftOutText(leftOut)).toBe(text);
});

test.each([
  [1, undefined, 'ns'],
  [1, 'n', 'ns'],
  [1, 'u', 'us'],
  [1, 'h', 'h'],
  [2, 'us', 'us'],
  [2, 's', 's'],
] as const)('version %i, precision %s', (version, given, precision) => {
  expect(precisionOf(version, given)).toEqual({ precision });
});
test.each([
  [1, 'd'],
  [2, 'n'],
  [2, 'h'],
  [1, 'constructor'],
] as const)('version %i knows no precision %s', (version, given) => {
  expect(precisionOf(version, given)).toEqual({ problem: expect.stringContaining('precision') });
});

test.each([
  ['mill', '@mill'],
  ['@mill', '@mill'],
  ['a'.repeat(24), 'a'.repeat(24)],
])('database %s is the node %s', (name, ref) => {
  expect(sourceRefOf(name)).toBe(ref);
});

test.each([
  ['CREATE DATABASE mill', true],
  ['create database "my mill" WITH DURATION 30d REPLICATION 1;', true],
  ['SHOW DATABASES', false],
  ['CREATE DATABASE x; DROP DATABASE x', false],
  ['SELECT * FROM cpu', false],
])('%s', (statement, isOne) => {
  expect(isCreateDatabase(statement)).toBe(isOne);
});

test('failures are in the words of their version', () => {
  expect(influxFailure({ version: 1, status: 404, message: 'x' }).body).toEqual({ error: 'x' });
  expect(influxFailure({ version: 2, status: 413, message: 'x' }).body).toEqual({
    code: 'request too large',
    message: 'x',
  });
  expect(influxFailure({ version: 1, status: 400, message: 'ä\nb' }).headers).toEqual({ 'x-influxdb-error': '??b' });
});

describe('parts of whole lines', () => {
  const all = (text: string, step: number, partBytes = 16) => {
    const cutter = new LineCutter({ partBytes, lineBytes: 64 });
    const bytes = Buffer.from(text);
    const parts = [];
    for (let at = 0; at < bytes.length; at += step) parts.push(...cutter.push(bytes.subarray(at, at + step)));
    return [...parts, cutter.end()].map(String);
  };
  const lines = Array.from({ length: 9 }, (_, n) => `m,t=${n} v=${n} ${n}`).join('\n');

  test.each([1, 3, 7, 100, 1_000])('in steps of %i bytes nothing is lost, and no line is cut', (step) => {
    const parts = all(lines, step);
    expect(parts.join('')).toBe(lines);
    for (const part of parts.slice(0, -1)) expect(part.endsWith('\n')).toBe(true);
  });

  test('a line break within quotes is of its line, one in a comment or a name is not', () => {
    const quoted = 'm v="a\nb\nc\nd\ne\nf\ng\nh" 1\n';
    for (const step of [1, 5, 100]) expect(all(`${quoted}m v=1 1`, step)).toContain(quoted);
    expect(all('# it"s\nm"x v=1 1\nm v=2 2\nm v=3 3\n', 100)[0]).toBe('# it"s\nm"x v=1 1\nm v=2 2\nm v=3 3\n');
  });

  test('a line that is too long is refused before it is held', () => {
    expect(() => all('x'.repeat(200), 50)).toThrow(LineTooLong);
    expect(() => all(`m v="${'\n'.repeat(200)}`, 50)).toThrow(LineTooLong);
  });
});

test.each([
  ['', false],
  ['\n\r\n  \t', false],
  ['# only\n#comments', false],
  ['# one\nm v=1', true],
  ['x', true],
])('%j has lines: %s', (text, has) => {
  expect(hasLines(Buffer.from(text))).toBe(has);
});
