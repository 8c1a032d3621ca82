import { ValueType } from '@catchment/contracts/nodes';
import { collectLines } from './collect-lines.ts';
import { type Precision, parseInstant } from './line-time.ts';
import { LineError, parseValue } from './line-value.ts';
import { type ParsedLine, parseLines } from './parse-lines.ts';
import { seriesRule } from './series-rule.ts';

const OPTIONS = { precision: 'ms', arrivalMs: 1_000, isDamaged: false } as const;
const parsed = (text: string): ParsedLine[] => [...parseLines(text, OPTIONS)];
/** A line as plain data. */
const plain = ({ fields, problem }: ParsedLine) =>
  problem ??
  fields.map(({ head, key, value, at }) => [head.measurement, Object.fromEntries(head.tags), key, value.value, at.ms]);

test.each([
  ['m v=1 5', [['m', {}, 'v', 1, 5]]],
  ['m v=1', [['m', {}, 'v', 1, 1_000]]],
  [
    'm,b=2,a=1 v=1,w=2i,u=3u,t=t,s="x" 5\n',
    [
      ['m', { b: '2', a: '1' }, 'v', 1, 5],
      ['m', { b: '2', a: '1' }, 'w', 2, 5],
      ['m', { b: '2', a: '1' }, 'u', 3, 5],
      ['m', { b: '2', a: '1' }, 't', 1, 5],
      ['m', { b: '2', a: '1' }, 's', 'x', 5],
    ],
  ],
  ['my\\ m\\,x,t\\=a\\ g=v\\,a\\ l fi\\=e\\ ld=1 5', [['my m,x', { 't=a g': 'v,a l' }, 'fi=e ld', 1, 5]]],
  ['m,t=a\\b v="q\\"u\\\\o" 5', [['m', { t: 'a\\b' }, 'v', 'q"u\\o', 5]]],
  ['m v="two\nlines, and=more" 5', [['m', {}, 'v', 'two\nlines, and=more', 5]]],
  ['  \tm   v=1   5  ', [['m', {}, 'v', 1, 5]]],
  ['m"x,t="a v=1 5', [['m"x', { t: '"a' }, 'v', 1, 5]]],
  ['m v=-1.5e3 -5', [['m', {}, 'v', -1_500, -5]]],
  ['m v="" 5', [['m', {}, 'v', '', 5]]],
])('%j is read', (text, fields) => {
  expect(parsed(text).map(plain)).toEqual([fields]);
});

test.each([
  [',t=1 v=1', 'missing measurement'],
  ['m', 'missing fields'],
  ['m ', 'missing fields'],
  ['m, v=1', 'missing tag key'],
  ['m,=1 v=1', 'missing tag key'],
  ['m,t= v=1', 'missing tag value'],
  ['m,t v=1', 'missing tag value'],
  ['m,t=1,t=2 v=1', 'duplicate tags'],
  ['m v', 'invalid field format'],
  ['m =1', 'missing field key'],
  ['m v=', 'missing field value'],
  ['m v=1,', 'missing field key'],
  ['m v=x', 'invalid boolean'],
  ['m v=NaN', 'invalid number'],
  ['m v=inf', 'invalid number'],
  ['m v=1e999', 'invalid number'],
  ['m v=1.5i', 'invalid number'],
  ['m v=-1u', 'invalid number'],
  ['m v=0x10', 'invalid number'],
  ['m v=9007199254740993i', 'beyond 2^53'],
  ['m v="x', 'unbalanced quotes'],
  ['m v="x"y', 'invalid field format'],
  ['m v=1 now', 'bad timestamp'],
  ['m v=1 5 6', 'bad timestamp'],
  ['m v=1 99999999999999999999', 'bad timestamp'],
  ['m v=1 9223372036854775807', 'time outside range'],
  ['m v=\0 5', 'null character'],
])('%j is refused: %s', (text, problem) => {
  const [line, ...others] = parsed(text);
  expect(others).toEqual([]);
  expect(line?.fields).toEqual([]);
  expect(line?.problem).toBe(`unable to parse '${text}': ${line?.problem?.split("': ")[1]}`);
  expect(line?.problem).toContain(problem);
});

test('empty lines and comments are nothing, and line ends may be those of Windows', () => {
  expect(parsed('\n# m v="1\n\r\n  \n m v=1 5\r\n#\n').map(plain)).toEqual([[['m', {}, 'v', 1, 5]]]);
  expect(parsed('')).toEqual([]);
});

test('a bad line leaves the others alone, and so does a quote that never ends', () => {
  expect(parsed('m v=1 1\nm v="x 2\nm v=3 3\nbad\nm v=5 5').map(plain)).toEqual([
    [['m', {}, 'v', 1, 1]],
    expect.stringContaining('unbalanced quotes'),
    [['m', {}, 'v', 3, 3]],
    expect.stringContaining('missing fields'),
    [['m', {}, 'v', 5, 5]],
  ]);
});

test('no text is read more than a few times, however its quotes lie', () => {
  // Each line ends the quote of the one before, and begins one.
  const text = 'c" d="\n'.repeat(75_000);
  expect(parsed(text).length).toBe(75_000);
  expect(parsed('m v=1 1\n'.repeat(75_000)).length).toBe(75_000);
});

test('what was no UTF-8 is reported of its line alone', () => {
  const lines = [...parseLines('m v=1 1\nm,t=\ufffd v=2 2\nm v=3 3', { ...OPTIONS, isDamaged: true })];
  expect(lines.map(({ problem }) => problem !== undefined)).toEqual([false, true, false]);
  expect([...parseLines('m,t=\ufffd v=2 2', OPTIONS)][0]?.problem).toBeUndefined();
});

test.each([
  ['ns', '1717200000123456789', 1_717_200_000_123, 456_789],
  ['ns', '-1', -1, 999_999],
  ['ns', '-1000000', -1, 0],
  ['ns', '0', 0, 0],
  ['us', '1717200000123456', 1_717_200_000_123, 456],
  ['ms', '1717200000123', 1_717_200_000_123, 0],
  ['s', '1717200000', 1_717_200_000_000, 0],
  ['m', '28620000', 1_717_200_000_000, 0],
  ['h', '477000', 1_717_200_000_000, 0],
] as [Precision, string, number, number][])('a time in %s: %s', (precision, text, ms, below) => {
  expect(parseInstant(text, precision)).toEqual({ ms, below });
});

test.each(['t', 'T', 'true', 'True', 'TRUE'])('%s is true', (text) => {
  expect(parseValue(text)).toEqual({ type: 'boolean', value: 1 });
});

test.each([
  ['{site}/{sensor}/{field}', 'm,site=a,sensor=b v=1', 'a/b/v'],
  ['{measurement}.{field}', 'm,site=a v=1', 'm.v'],
  ['{field}', 'm,site=a v=1', 'v'],
  ['', 'm,b=2,a=1 v=1', 'm,a=1,b=2/v'],
  ['', 'm v=1', 'm/v'],
])('rule %j makes of %j the series %j', (rule, line, key) => {
  const [field] = parsed(line)[0]?.fields ?? [];
  expect(field && seriesRule(rule)(field.head, field.key)).toBe(key);
});

test('a tag that the rule names and the line lacks is reported, and a key that is too long', () => {
  const [field] = parsed('m v=1')[0]?.fields ?? [];
  if (!field) throw new Error('no field');
  expect(() => seriesRule('{site}/{field}')(field.head, field.key)).toThrow("missing tag 'site'");
  expect(() => seriesRule(`${'x'.repeat(255)}{field}`)(field.head, field.key)).toThrow(LineError);
});

/** Returns the records of lines by their series, all of one kind where they have no parameter. */
function collect(text: string, precision: Precision = 'ns', known: Record<string, 'number' | 'text'> = {}) {
  const steps = collectLines(text, { ...OPTIONS, precision }, seriesRule('{field}'), (key) => known[key] ?? 'unknown');
  for (;;) {
    const step = steps.next();
    if (!step.done) continue;
    const collected = step.value;
    const records = [...collected.columns.values()].map((column) => {
      const type = column.kind === 'text' ? ValueType.VALUE_TYPE_TEXT : ValueType.VALUE_TYPE_NUMBER;
      const { timestamps, numbers, texts } = collected.build(column, type, undefined);
      return [column.key, [...timestamps], column.kind === 'text' ? [...texts] : [...numbers]];
    });
    return { records, lines: collected.lines, dropped: collected.dropped, problems: collected.problems };
  }
}

test('of one time the later line counts, whatever the order of the times', () => {
  expect(collect('m a=1 3\nm a=2 1\nm a=3 3\nm b=4 2', 'ms')).toEqual({
    records: [
      ['a', [1, 3], [2, 3]],
      ['b', [2], [4]],
    ],
    lines: 4,
    dropped: 0,
    problems: [],
  });
});

test('points within a millisecond: the last of them is kept, the others are reported', () => {
  const { records, dropped, problems } = collect('m a=1 1000001\nm a=2 1000002\nm a=3 2000000\nm a=4 2000000');
  expect(records).toEqual([['a', [1, 2], [2, 4]]]);
  expect([dropped, problems]).toEqual([1, [expect.stringContaining('less than 1 ms apart')]]);
});

test('a field of another type leaves out its line, and no other', () => {
  const { records, dropped, problems } = collect('m a=1,b=1 1\nm a="x",b=2 2\nm b=3 3\nm t=4 4', 'ms', { t: 'text' });
  expect(records).toEqual([
    ['a', [1], [1]],
    ['b', [1, 3], [1, 3]],
  ]);
  expect([dropped, problems]).toEqual([
    2,
    [
      'field type conflict: input field "a" on measurement "m" is type string, already exists as type float',
      'field type conflict: input field "t" on measurement "m" is type float, already exists as type string',
    ],
  ]);
});

/** Returns a generator of numbers below `n`, the same in each run. */
function randomOf(seed: number) {
  let state = seed;
  return (n: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * n);
  };
}
const CHARACTERS = ['a', 'B', ' ', ',', '=', '"', '\\', 'ä', '/', '\n', '#', 'i', '1', '-', '\t', '\r'];

test('what is written as InfluxDB’s clients escape it is read as it was', () => {
  const random = randomOf(7);
  const text = (of: readonly string[]) => Array.from({ length: 1 + random(5) }, () => of[random(of.length)]).join('');
  // Clients write no line breaks and no backslash at the end into names.
  const name = () => `${text(CHARACTERS.filter((character) => !'\n\r\t\\#'.includes(character)))}x`;
  const escaped = (raw: string) => raw.replaceAll(/([,= ])/g, '\\$1');
  for (let n = 0; n < 2_000; n += 1) {
    const [measurement, tag, value, field, string] = [name(), name(), name(), name(), text(CHARACTERS)];
    const quoted = `"${string.replaceAll(/(["\\])/g, '\\$1')}"`;
    const line = `${measurement.replaceAll(/([, ])/g, '\\$1')},${escaped(tag)}=${escaped(value)} ${escaped(field)}=${quoted} ${n}`;
    expect([line, ...parsed(`first v=1 1\n${line}\nlast v=1 1`).map(plain)]).toEqual([
      line,
      [['first', {}, 'v', 1, 1]],
      [[measurement, { [tag]: value }, field, string, n]],
      [['last', {}, 'v', 1, 1]],
    ]);
  }
});

test('whatever comes is read or refused, line by line, and a good line behind it is read', () => {
  const random = randomOf(11);
  for (let n = 0; n < 5_000; n += 1) {
    const noise = Array.from({ length: random(30) }, () => CHARACTERS[random(CHARACTERS.length)]).join('');
    const lines = parsed(noise.replaceAll('"', ''));
    for (const { fields, problem } of lines) expect(fields.length > 0).toBe(problem === undefined);
    expect(parsed(noise).length).toBeLessThanOrEqual(31);
    expect(plain(parsed(`${noise.replaceAll(/["\\]/g, '')}\nm v=1 5`).at(-1) as ParsedLine)).toEqual([
      ['m', {}, 'v', 1, 5],
    ]);
  }
});
