import { MAX_CONTAINERS, MAX_DEPTH, NestingCheck, parseJsonBody } from './index.ts';

/** Above which bodies are looked through before they are parsed. */
const LARGE = 128 * 1024 + 1;
const MIB = 1024 * 1024;
const padded = (text: string): Buffer => Buffer.from(text.padEnd(LARGE, ' '));
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const TOO_DEEP = `body: must nest objects and arrays at most ${MAX_DEPTH} deep`;

test.each([
  ['5 MiB of [', '['.repeat(5 * MIB)],
  ['5 MiB of {"a":', '{"a":'.repeat(MIB)],
  ['5 MiB of [{"a":, closed', `${'[{"a":'.repeat(600_000)}0${'}]'.repeat(600_000)}`],
  ['65 levels behind 3 MiB of good rows', `[${'{"v":1},'.repeat(3 * 128 * 1024)}${nested(MAX_DEPTH)}]`],
  ['65 levels behind texts with brackets and quotes', `["]]]","\\"]","\\\\",${nested(MAX_DEPTH)}]`],
  ['65 levels of which each has texts', `${'["]","\\\\",'.repeat(MAX_DEPTH + 1)}0${']'.repeat(MAX_DEPTH + 1)}`],
  ['objects and arrays in turns', `${'[{"]":'.repeat(33)}0${'}]'.repeat(33)}`],
])('%s is refused before it is parsed', (_what, text) => {
  expect(() => parseJsonBody(padded(text))).toThrow(
    expect.objectContaining({ kind: 'invalid_argument', message: TOO_DEEP }),
  );
});

test.each([
  ['64 levels', nested(MAX_DEPTH)],
  ['64 levels twice', `[${nested(MAX_DEPTH - 1)},${nested(MAX_DEPTH - 1)}]`],
  ['brackets in a text', JSON.stringify('['.repeat(1_000))],
  ['brackets in a key', JSON.stringify({ ['{'.repeat(1_000)]: 1 })],
  ['brackets behind an escaped quote', JSON.stringify(`"${'['.repeat(100)}`)],
  ['brackets between escaped backslashes', JSON.stringify(`\\${'[\\'.repeat(100)}`)],
  ['brackets in a text behind one that ends with a backslash', JSON.stringify(['\\', '['.repeat(100)])],
  ['text outside of ASCII', JSON.stringify(['[é', '漢字[[', '𝄞{'])],
  ['no container at all', '17'],
])('%s: a large body is parsed', (_what, text) => {
  expect(parseJsonBody(padded(text))).toEqual(JSON.parse(text));
});

test('a small body may nest as it likes', () => {
  expect(parseJsonBody(Buffer.from(nested(1_000)))).toEqual(JSON.parse(nested(1_000)));
});

test.each([
  ['as many objects and arrays as there may be', MAX_CONTAINERS - 1, undefined],
  ['one more', MAX_CONTAINERS, `body: must have at most ${MAX_CONTAINERS} objects and arrays`],
])('%s', (_what, inner, message) => {
  const body = Buffer.from(`[${Array.from({ length: inner }, () => '{}').join()}]`);
  if (message === undefined) expect(parseJsonBody(body)).toHaveLength(inner);
  else expect(() => parseJsonBody(body)).toThrow(expect.objectContaining({ kind: 'too_large', message }));
});

test.each([
  ['an empty body', ''],
  ['half an object', '{"a":'],
  ['an open text', '"abc'],
  ['an open text that ends with a backslash', '"abc\\'],
  ['more closed than opened', `${']'.repeat(100)}[`],
  ['a bracket of the other kind', '[}'],
  ['single quotes', `'[['`],
])('%s is no JSON, small or large', (_what, text) => {
  for (const body of [Buffer.from(text), Buffer.from(text.padStart(LARGE, ' '))])
    expect(() => parseJsonBody(body)).toThrow(
      expect.objectContaining({ kind: 'invalid_argument', message: 'body: must be JSON' }),
    );
});

test('a body that is not UTF-8 is refused', () => {
  expect(() => parseJsonBody(Buffer.from([0x22, 0xff, 0x22]))).toThrow('body: must be UTF-8');
});

test('a byte order mark is passed over', () => {
  expect(parseJsonBody(Buffer.from('\ufeff{"a":1}'))).toEqual({ a: 1 });
});

const HALF = '\\ud83d';
const NUL = '\\u0000';
const RULE = 'well-formed Unicode, without half of a surrogate pair';

test.each([
  ['a text', `"x${HALF}"`, 'body: must be'],
  ['the second half', '{"name":"\\udc00"}', 'name: must be'],
  ['the halves the wrong way round', '{"name":"\\ude00\\ud83d"}', 'name: must be'],
  [
    'a text within',
    `{"metadata":[{"name":"a","value":1},{"name":"b","value":"${HALF} x"}]}`,
    'metadata[1].value: must be',
  ],
  ['a value of a document', `{"data":[{"ts":"2024-01-01","f":{"0":{"v":"${HALF}"}}}]}`, 'data[0].f.0.v: must be'],
  ['a name', `{"a":{"${HALF}":1}}`, 'a: must have names of'],
  ['a name at the top', `{"${HALF}":1}`, 'body: must have names of'],
  ['upper case', '{"name":"\\uD83D"}', 'name: must be'],
  ['a deep place', `${'['.repeat(500)}"${HALF}"${']'.repeat(500)}`, '[0][0]'],
  ['a text of U+0000', `"${NUL}"`, 'body: must be'],
  ['a value with U+0000', `{"data":[{"ts":"2024-01-01","f":{"0":{"v":"x${NUL}y"}}}]}`, 'data[0].f.0.v: must be'],
  ['a name with U+0000', `{"a":{"b${NUL}":1}}`, 'a: must have names of'],
  ['a run of U+0000', `{"metadata":[{"value":"${NUL.repeat(512)}"}]}`, 'metadata[0].value: must be'],
])('%s: what cannot be stored is refused where it is', (_what, text, begin) => {
  const refused = { kind: 'invalid_argument', message: expect.stringContaining(RULE) };
  expect(() => parseJsonBody(Buffer.from(text))).toThrow(expect.objectContaining(refused));
  expect(() => parseJsonBody(Buffer.from(text))).toThrow(begin);
  if (!text.startsWith('[')) expect(() => parseJsonBody(padded(text))).toThrow(begin);
});

test.each([
  ['a pair', '"\\ud83d\\ude00"', '😀'],
  ['a character of several bytes', '"😀é"', '😀é'],
  ['an escaped backslash before ud83d', '"\\\\ud83d"', '\\ud83d'],
  ['an escaped backslash before u0000', '"\\\\u0000"', '\\u0000'],
  ['the other control characters', '"\\u0001\\u001f\\u007f"', '\u0001\u001f\u007f'],
  ['the last character before the surrogates', '"\\ud7ff"', '\ud7ff'],
])('%s is taken', (_what, text, expected) => {
  expect(parseJsonBody(Buffer.from(text))).toBe(expected);
});

test.each([1, 2, 3, 7, 1_000])('bytes that come in pieces of %i are counted as they are in one', (size) => {
  const push = (text: string) => {
    const check = new NestingCheck('file');
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += size) check.push(bytes.subarray(at, at + size));
  };
  for (const text of ['["]]]","\\"]","\\\\",', '{"a[[":"\\\\\\"[[","b":'])
    for (const [depth, isDeep] of [
      [MAX_DEPTH - 1, false],
      [MAX_DEPTH, true],
    ] as const)
      expect([text, depth, refused(() => push(`${text}${nested(depth)}`))]).toEqual([text, depth, isDeep]);
});

const refused = (work: () => void): boolean => {
  try {
    work();
    return false;
  } catch {
    return true;
  }
};
