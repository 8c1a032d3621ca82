import { rowsOf, seriesOf } from './influx-rows.ts';

type Result = { statement_id?: number; series?: object[]; partial?: boolean; error?: string };
const line = (...results: Result[]) => `${JSON.stringify({ results })}\n`;
const series = (value: number) => [{ tags: { s: 'a' }, values: [[0, value]] }];
async function* inPieces(text: string, length: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
}
async function valuesOf(text: string, length = 7): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const chunk of seriesOf(inPieces(text, length)))
    for (const one of chunk) values.push(...(one.values ?? []).map(([, value]) => value));
  return values;
}

const WHOLE = line({ statement_id: 0, series: series(1) });

test.each([
  ['in one piece', WHOLE, [1]],
  ['without a last line end', WHOLE.trim(), [1]],
  ['nothing found', line({ statement_id: 0 }), []],
  ['in chunks', line({ series: series(1), partial: true }) + WHOLE, [1, 1]],
  ['series by series', WHOLE + line({ series: series(2) }), [1, 2]],
  ['a series in chunks', line({ series: [{ values: [[0, 1]], partial: true } as never] }) + WHOLE, [1, 1]],
])('an answer is read: %s', async (_what, text, expected) => {
  for (const length of [1, 7, 10_000]) expect(await valuesOf(text, length)).toEqual(expected);
});

test.each([
  ['nothing at all', ''],
  ['half a line', WHOLE.slice(0, 20)],
  ['more to come', line({ series: series(1), partial: true })],
  ['more of a series to come', line({ series: [{ values: [[0, 1]], partial: true }] })],
])('an answer that is cut is told from a whole one: %s', async (_what, text) => {
  await expect(valuesOf(text)).rejects.toMatchObject({ reason: 'INFLUX_ANSWER_CUT' });
});

test('what InfluxDB refuses is an error, also behind results', async () => {
  await expect(valuesOf(WHOLE + line({ error: 'max-select-buckets' }))).rejects.toMatchObject({
    reason: 'INFLUX_REFUSED',
  });
});

test('rows of all series', async () => {
  const rows = [];
  for await (const chunk of rowsOf(inPieces(line({ series: [...series(1), ...series(2)] }), 5))) rows.push(...chunk);
  expect(rows).toEqual([
    [0, 1],
    [0, 2],
  ]);
});
