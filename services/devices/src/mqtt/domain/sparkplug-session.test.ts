import { SparkplugMetric, type SparkplugPayload } from '@catchment/contracts/sparkplug';
import { rebirthCommand, SparkplugSession } from './sparkplug-session.ts';

const T = Date.UTC(2026, 0, 2, 3, 4, 5);
const ISO = '2026-01-02T03:04:05.000Z';
const metric = (over: Partial<SparkplugMetric>): SparkplugMetric => SparkplugMetric.fromPartial(over as object);
const payload = (seq: number | undefined, metrics: SparkplugMetric[]): SparkplugPayload => ({
  timestamp: String(T),
  seq,
  metrics,
});
const topic = (type: string, device = '') => ({ group: 'Mills', type, node: 'Gate', device });
const double = (name: string, value: number, over: Partial<SparkplugMetric> = {}) =>
  metric({ name, datatype: 10, value: { $case: 'doubleValue', value }, ...over });
const byAlias = (alias: string, value: number) => metric({ alias, value: { $case: 'doubleValue', value } });

function session() {
  const session = new SparkplugSession();
  const take = (type: string, seq: number | undefined, metrics: SparkplugMetric[], device = '') =>
    session.take(topic(type, device), payload(seq, metrics), T);
  return { take };
}
/** `<series> <ts>` → value. */
const recordsOf = (documents: readonly object[]) =>
  Object.fromEntries(
    (
      documents as { header: { columns: Record<string, { series: string }> }; data: { ts: string; f: object }[] }[]
    ).flatMap(({ header, data }) =>
      data.flatMap(({ ts, f }) =>
        Object.entries(f).map(([n, { v }]) => [`${header.columns[n]?.series} ${ts}`, v] as const),
      ),
    ),
  );

test('a birth brings values and names for the aliases of what follows', () => {
  const { take } = session();
  const bdSeq = metric({ name: 'bdSeq', datatype: 4, value: { $case: 'longValue', value: '3' } });
  const born = take('NBIRTH', 0, [bdSeq, double('Level', 1.5, { alias: '7' })]);
  expect(born).toMatchObject({ needsBirth: false });
  expect(recordsOf(born.documents)).toEqual({ [`Level ${ISO}`]: 1.5 });
  expect(recordsOf(take('DBIRTH', 1, [double('Speed', 2, { alias: '9' })], 'Pump').documents)).toEqual({
    [`Pump/Speed ${ISO}`]: 2,
  });
  expect(recordsOf(take('NDATA', 2, [byAlias('7', 3)]).documents)).toEqual({ [`Level ${ISO}`]: 3 });
  const data = take('DDATA', 3, [byAlias('9', 4)], 'Pump');
  expect(recordsOf(data.documents)).toEqual({ [`Pump/Speed ${ISO}`]: 4 });
  expect(data).toMatchObject({ needsBirth: false });
});

test.each<[string, Partial<SparkplugMetric>, unknown]>([
  ['Int8', { datatype: 1, value: { $case: 'intValue', value: 0xff } }, -1],
  ['Int32', { datatype: 3, value: { $case: 'intValue', value: 0xffff_fffe } }, -2],
  ['UInt32', { datatype: 7, value: { $case: 'intValue', value: 0xffff_fffe } }, 4_294_967_294],
  ['Int64', { datatype: 4, value: { $case: 'longValue', value: '18446744073709551613' } }, -3],
  ['UInt64', { datatype: 8, value: { $case: 'longValue', value: '18446744073709551615' } }, 2 ** 64],
  ['Float', { datatype: 9, value: { $case: 'floatValue', value: 0.5 } }, 0.5],
  ['Boolean', { datatype: 11, value: { $case: 'booleanValue', value: true } }, true],
  ['Text', { datatype: 14, value: { $case: 'stringValue', value: 'dry' } }, 'dry'],
  ['DateTime', { datatype: 13, value: { $case: 'longValue', value: String(T) } }, ISO],
  ['no number', { datatype: 10, value: { $case: 'doubleValue', value: Number.NaN } }, undefined],
  ['null', { datatype: 10, isNull: true }, undefined],
  ['a template', { datatype: 19 }, undefined],
])('%s', (_what, over, expected) => {
  const { documents } = session().take('NBIRTH', 0, [metric({ name: 'M', ...over })]);
  expect(recordsOf(documents)).toEqual(expected === undefined ? {} : { [`M ${ISO}`]: expected });
});

test.each<[string, (take: ReturnType<typeof session>['take']) => ReturnType<SparkplugSession['take']>, RegExp]>([
  ['data before the birth', (take) => take('NDATA', 0, [double('Level', 1)]), /before the birth/],
  [
    'a sequence with a gap',
    (take) => {
      take('NBIRTH', 255, []);
      return take('NDATA', 1, [double('Level', 1)]);
    },
    /1 came, not 0/,
  ],
  [
    'an alias that no birth has named',
    (take) => {
      take('NBIRTH', 0, []);
      return take('NDATA', 1, [byAlias('5', 1), double('Level', 1)]);
    },
    /1 metric has an alias/,
  ],
])('%s keeps what is certain and asks for a birth', (_what, does, problem) => {
  const taken = does(session().take);
  expect(taken).toMatchObject({ needsBirth: true, problem: expect.stringMatching(problem) });
  expect(recordsOf(taken.documents)).toEqual({ [`Level ${ISO}`]: 1 });
});

test('the death of an earlier connection does not end the births of this one', () => {
  const { take } = session();
  const bdSeq = (value: string) => metric({ name: 'bdSeq', value: { $case: 'longValue', value } });
  take('NBIRTH', 0, [bdSeq('4'), double('Level', 1, { alias: '1' })]);
  take('NDEATH', undefined, [bdSeq('3')]);
  expect(take('NDATA', 1, [byAlias('1', 2)])).toMatchObject({ needsBirth: false });
  take('NDEATH', undefined, [bdSeq('4')]);
  expect(take('NDATA', 2, [byAlias('1', 2)])).toMatchObject({ needsBirth: true });
});

test('more metrics than a write may have columns are several documents', () => {
  const metrics = Array.from({ length: 250 }, (_, n) => double(`M${n}`, n));
  const { documents } = session().take('NBIRTH', 0, metrics);
  expect(documents).toHaveLength(3);
  expect(Object.keys(recordsOf(documents))).toHaveLength(250);
});

test('a command asks for a birth', () => {
  expect(rebirthCommand(T).metrics).toMatchObject([
    { name: 'Node Control/Rebirth', value: { $case: 'booleanValue', value: true } },
  ]);
});
