import { encode } from '@msgpack/msgpack';
import { rowsOf, seriesOf } from './influx-rows.ts';

type Result = { statement_id?: number; series?: object[]; partial?: boolean; error?: string };
const answer = (...results: Result[]) => encode({ results });
const series = (value: unknown) => [{ tags: { s: 'a' }, values: [[0, value]] }];
async function* inPieces(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}
async function valuesOf(bytes: Uint8Array, length = 7): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const chunk of seriesOf(inPieces(bytes, length)))
    for (const series of chunk) values.push(...(series.values ?? []).map(([, value]) => value));
  return values;
}
const joined = (...documents: Uint8Array[]) => new Uint8Array(Buffer.concat(documents));

const WHOLE = answer({ statement_id: 0, series: series(1) });
const PART = answer({ series: series(1), partial: true });

test.each([
  ['in one piece', WHOLE, [1]],
  ['nothing found', answer({ statement_id: 0, series: [] }), []],
  ['in chunks', joined(PART, WHOLE), [1, 1]],
  ['series by series', joined(WHOLE, answer({ series: series(2) })), [1, 2]],
  ['a series in chunks', joined(answer({ series: [{ values: [[0, 1]], partial: true }] }), WHOLE), [1, 1]],
])('an answer is read: %s', async (_what, bytes, expected) => {
  for (let length = 1; length <= bytes.length; length += 1) expect(await valuesOf(bytes, length)).toEqual(expected);
});

test.each([1_000, 65_535, 65_536, 65_537, 200_000, 1_000_000])(
  'the rows of a large answer are read wherever it is cut: pieces of %i bytes',
  async (length) => {
    const texts = Array.from({ length: 6_000 }, (_, n) => [n * 60_000.5, n % 7 === 0 ? null : `°${n}`.repeat(n % 90)]);
    const chunks = [0, 1, 2].map((n) => ({
      series: [{ values: texts.slice(n * 2_000, (n + 1) * 2_000) }],
      partial: n < 2,
    }));
    const rows = await Array.fromAsync(rowsOf(inPieces(joined(...chunks.map((chunk) => answer(chunk))), length)));
    expect(rows.flat()).toEqual(texts);
  },
);

/** InfluxDB writes whole numbers so: eight bytes with a sign, or without one. */
const int64 = (value: bigint) => {
  const bytes = Buffer.alloc(9);
  bytes[0] = value > 0x7fffffffffffffffn ? 0xcf : 0xd3;
  bytes.writeBigUInt64BE(BigInt.asUintN(64, value), 1);
  return bytes;
};
const float64 = (value: number) => {
  const bytes = Buffer.alloc(9, 0xcb);
  bytes.writeDoubleBE(value, 1);
  return bytes;
};
const rowWith = (cell: Uint8Array) => {
  const whole = answer({ series: series('CELL') });
  const at = Buffer.from(whole).indexOf('\xa4CELL', 'latin1');
  return joined(whole.subarray(0, at), cell, whole.subarray(at + 5));
};

test.each<[string, Uint8Array, unknown]>([
  ['no value', encode(null), null],
  ['a time before 1970', int64(-9_223_372_036_855n), -9_223_372_036_855],
  ['the presence field', int64(14_137_632_000_007n), 14_137_632_000_007],
  ['the largest whole number that is exact', int64(2n ** 53n - 1n), Number.MAX_SAFE_INTEGER],
  ['the smallest one', int64(1n - 2n ** 53n), Number.MIN_SAFE_INTEGER],
  ['the nearest number to a larger one', int64(2n ** 53n + 3n), 2 ** 53 + 4],
  ['the same below 0', int64(-(2n ** 63n) + 1n), -(2 ** 63)],
  ['without a sign', int64(2n ** 64n - 1n), 2 ** 64],
  ['a float', float64(0.1 + 0.2), 0.1 + 0.2],
  ['the largest float', float64(Number.MAX_VALUE), Number.MAX_VALUE],
  ['the smallest float', float64(Number.MIN_VALUE), Number.MIN_VALUE],
  ['a zero with a sign', float64(-0), -0],
  ['a text', encode('5 µS/cm\n"«»" 🌊'), '5 µS/cm\n"«»" 🌊'],
  ['an empty text', encode(''), ''],
  ['the longest text', encode('🌊ж'.repeat(5_000)), '🌊ж'.repeat(5_000)],
])('a cell is exactly what was stored: %s', async (_what, cell, expected) => {
  for (const length of [7, 10_000_000]) expect(await valuesOf(rowWith(cell), length)).toEqual([expected]);
});

test.each([
  ['of one chunk', WHOLE, []],
  ['of two chunks', joined(PART, WHOLE), [1]],
])(
  'an answer %s that is cut anywhere is distinguished from a whole answer, and shows nothing that is half',
  async (_what, bytes, most) => {
    for (let end = 0; end < bytes.length; end += 1) {
      const seen: unknown[] = [];
      const read = async () => {
        for await (const rows of rowsOf(inPieces(bytes.subarray(0, end), 7)))
          seen.push(...rows.map(([, value]) => value));
      };
      await expect(read(), `${end} bytes`).rejects.toMatchObject({ reason: 'INFLUX_ANSWER_CUT' });
      expect(most).toEqual(expect.arrayContaining(seen));
    }
  },
);

test.each([
  ['a second result in the midst', joined(WHOLE, answer({ series: series(2) }).subarray(0, 30))],
  ['more to come', PART],
  ['more of a series to come', answer({ series: [{ values: [[0, 1]], partial: true }] })],
  ['a text beyond all that is stored', answer({ series: series('a'.repeat(2 ** 20 + 1)) })],
  ['more rows than were asked for', answer({ series: [{ values: Array(100_001).fill(null) }] })],
  ['another format', Buffer.from('{"results":[{"statement_id":0}]}\n')],
])('an answer that is no whole one is refused: %s', async (_what, bytes) => {
  await expect(valuesOf(bytes, 1_000)).rejects.toMatchObject({ reason: 'INFLUX_ANSWER_CUT' });
});

test.each([
  ['behind results', joined(WHOLE, answer({ error: 'max-select-buckets' }))],
  ['in the midst of a series', joined(PART, answer({ error: 'query interrupted' }))],
  ['as the whole answer', encode({ error: 'database not found' })],
])('what InfluxDB refuses is an error: %s', async (_what, bytes) => {
  await expect(valuesOf(bytes)).rejects.toMatchObject({ reason: 'INFLUX_REFUSED' });
});

test('an error of the connection goes on as it is', async () => {
  const broken = (async function* () {
    yield PART;
    throw new Error('socket hang up');
  })();
  await expect(Array.fromAsync(seriesOf(broken))).rejects.toThrow('socket hang up');
});

test('rows of all series', async () => {
  const rows = [];
  for await (const chunk of rowsOf(inPieces(answer({ series: [...series(1), ...series(2)] }), 5))) rows.push(...chunk);
  expect(rows).toEqual([
    [0, 1],
    [0, 2],
  ]);
});
