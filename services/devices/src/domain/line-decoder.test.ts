import { type Line, LineDecoder } from './line-decoder.ts';

const read = (chunks: readonly Buffer[], maxBytes = 1_000): Line[] => {
  const decoder = new LineDecoder(maxBytes);
  return chunks.flatMap((chunk) => [...decoder.push(chunk)]);
};
const lines = (...texts: string[]): Line[] => texts.map((text) => ({ kind: 'line', text }));

test('the same lines come out wherever the bytes are cut', () => {
  const bytes = Buffer.from('{"a":"ü€😀"}\r\n\n{"b":2}\nrest');
  const expected = lines('{"a":"ü€😀"}', '{"b":2}');
  for (let at = 0; at <= bytes.length; at += 1) {
    expect(read([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(expected);
  }
  expect(read([...bytes].map((byte) => Buffer.from([byte])))).toEqual(expected);
});

test.each([
  ['exactly the limit', 'x'.repeat(10), lines('x'.repeat(10), 'ok')],
  ['one byte more', 'x'.repeat(11), [{ kind: 'bad', reason: 'TOO_LONG', head: 'x'.repeat(11) }, ...lines('ok')]],
  [
    'much more',
    'x'.repeat(5_000),
    [{ kind: 'bad', reason: 'TOO_LONG', head: expect.stringMatching(/^x{10,256}$/) }, ...lines('ok')],
  ],
])('a line of %s', (_what, line, expected) => {
  const bytes = Buffer.from(`${line}\nok\n`);
  expect(read([bytes], 10)).toEqual(expected);
  for (let at = 0; at <= bytes.length; at += 97)
    expect(read([bytes.subarray(0, at), bytes.subarray(at)], 10)).toMatchObject([
      { kind: expected[0]?.kind },
      { text: 'ok' },
    ]);
});

test('invalid UTF-8 is told, and the next line is read', () => {
  expect(read([Buffer.from([0x61, 0xff, 0x0a, 0x62, 0x0a])])).toEqual([
    { kind: 'bad', reason: 'NOT_UTF8', head: 'aÿ' },
    ...lines('b'),
  ]);
});

test('no more than the limit is kept of a line without end', () => {
  const decoder = new LineDecoder(1_000);
  for (let i = 0; i < 100; i += 1) {
    expect([...decoder.push(Buffer.alloc(100, 0x78))]).toEqual([]);
    expect(decoder.pendingBytes).toBeLessThanOrEqual(1_000);
  }
  expect([...decoder.push(Buffer.from('\n'))]).toMatchObject([{ reason: 'TOO_LONG' }]);
});
