import { type Line, LineDecoder, readLine } from './line-decoder.ts';

const read = (chunks: readonly Buffer[], maxBytes = 1_000): Line[] => {
  const decoder = new LineDecoder(maxBytes);
  return chunks.flatMap((chunk) => [...decoder.push(chunk)].map(readLine));
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

test('invalid UTF-8 is reported, and the next line is read', () => {
  expect(read([Buffer.from([0x61, 0xff, 0x0a, 0x62, 0x0a])])).toEqual([
    { kind: 'bad', reason: 'NOT_UTF8', head: 'aÿ' },
    ...lines('b'),
  ]);
});

test('no more than the limit is kept of a line without end', () => {
  const decoder = new LineDecoder(1_000);
  for (let i = 0; i < 100; i += 1) {
    expect([...decoder.push(Buffer.alloc(100, 0x78))]).toEqual([]);
    expect(decoder.pendingBytes).toBeLessThanOrEqual(2_000);
  }
  expect([...decoder.push(Buffer.from('\n'))]).toMatchObject([{ reason: 'TOO_LONG' }]);
});

test.each([
  ['tiny ones', 7, 300_000],
  ['packets', 1_400, 3_000_000],
  ['large ones', 65_536, 3_000_000],
  ['one', 3_000_000, 3_000_000],
])('what is kept of a line takes little more than its bytes, whatever its chunks: %s', (_what, size, total) => {
  const decoder = new LineDecoder(5_000_000);
  const chunk = Buffer.alloc(size, 0x78);
  const chunks = Math.ceil(total / size);
  let came = 0;
  for (let n = 0; n < chunks; n += 1) came += [...decoder.push(chunk)].length;
  expect([came, decoder.pendingBytes <= chunks * size + 65_536]).toEqual([0, true]);
  const [line] = [...decoder.push(Buffer.from('\r\n'))].map(readLine);
  expect(line).toEqual({ kind: 'line', text: 'x'.repeat(chunks * size) });
  expect(decoder.pendingBytes).toBe(0);
});
