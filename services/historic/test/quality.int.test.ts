// Every read uses the quality settings of an account (docs/reference/quality.md#quality-codes).
import { qualityTable } from '@catchment/quality';
import { caller, type Historic, jts, startHistoric } from './fixture.ts';

let historic: Historic;
beforeAll(async () => {
  historic = await startHistoric();
});
afterAll(() => historic.close());

const RANGE = { startTime: '1970-01-01T00:00:00Z', endTime: '1970-01-01T01:00:00Z' };
const MINUTE = 60_000;
const OWN = qualityTable({
  excluded: ['BAD'],
  unspecified: 'UNCERTAIN',
  unknown: 'GOOD',
  codes: [
    { name: 'Uncertain - Subnormal', sourceQuality: [], code: 700, type: 'UNCERTAIN' },
    { name: 'Good - No Data', sourceQuality: [], code: 701, type: 'GOOD' },
    { name: 'Broken', sourceQuality: [1, 2], code: 50, type: 'BAD' },
    { name: 'Fine', sourceQuality: [192], code: 10, type: 'GOOD' },
  ],
});

async function written() {
  const node = historic.parameter();
  historic.qualities.set(node.ownerId, OWN);
  await historic.write(
    node,
    jts([
      [0, { v: 1, q: 192 }],
      [MINUTE, { v: 2 }],
      [2 * MINUTE, { v: 3, q: 2 }],
      [3 * MINUTE, { v: 4, q: 99 }],
    ]),
  );
  await historic.idle();
  return node;
}
type Row = { f: Record<string, { v?: number; q?: number }> };
const rowsOf = (text: string) => (JSON.parse(text) as { data: Row[] }).data.map(({ f }) => [f[0]?.v, f[0]?.q]);

test.each([
  [
    'as the account says',
    undefined,
    [
      [1, 10],
      [2, undefined],
      [4, 99],
    ],
  ],
  [
    'NONE',
    'NONE',
    [
      [1, 10],
      [2, undefined],
      [3, 50],
      [4, 99],
    ],
  ],
  [
    'UNCERTAIN',
    'UNCERTAIN',
    [
      [1, 10],
      [3, 50],
      [4, 99],
    ],
  ],
  [
    'GOOD',
    'GOOD',
    [
      [2, undefined],
      [3, 50],
    ],
  ],
])(
  'codes of sources are shown by the table and excluded by its types: %s',
  async (_what, qualityExcluded, expected) => {
    const node = await written();
    const given = { ...RANGE, ...(qualityExcluded && { qualityExcluded }) };
    expect(rowsOf((await historic.readText(node, given)).text)).toEqual(expected);
    const many = await historic.readMany({ ...given, params: node.nodeId }, caller(node.ownerId));
    expect(rowsOf(many)).toEqual(expected);
  },
);

test('aggregates go by the same types, and have the numbers that system entries got', async () => {
  const node = await written();
  const given = { ...RANGE, aggregate: 'AVERAGE', baseTime: 'D', interval: '2M' };
  const rows = rowsOf((await historic.readText(node, { ...given, endTime: '1970-01-01T00:06:00Z' })).text);
  // A record without quality is uncertain here; one of an unknown code is good.
  expect(rows).toEqual([
    [1, 700],
    [4, undefined],
    [undefined, 701],
  ]);
});

test('series for other services have them too; another account has its own', async () => {
  const node = await written();
  const [chunk] = await historic.readSeries(node, { startMs: 0, endMs: 4 * MINUTE });
  const { qualities = Buffer.alloc(0) } = chunk ?? {};
  expect([...new Int32Array(new Uint8Array(qualities).buffer)]).toEqual([10, -1, 99]);
  const other = historic.parameter();
  await historic.write(other, jts([[0, { v: 1, q: 2 }]]));
  await historic.idle();
  expect(rowsOf((await historic.readText(other, RANGE)).text)).toEqual([[1, 2]]);
});
