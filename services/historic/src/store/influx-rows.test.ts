import { rowsOf, seriesOf } from './influx-rows.ts';

type Result = { statement_id?: number; series?: object[]; partial?: boolean; error?: string };
const line = (...results: Result[]) => `${JSON.stringify({ results })}\n`;
const series = (value: number) => [{ tags: { s: 'a' }, values: [[0, value]] }];
async function* inPieces(text: string, length: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
}
async function valuesOf(text: string, statements: number, length = 7): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const chunk of seriesOf(inPieces(text, length), statements))
    for (const one of chunk) values.push(...(one.values ?? []).map(([, value]) => value));
  return values;
}

const FIRST = line({ statement_id: 0, series: series(1) });
const SECOND = line({ statement_id: 1, series: series(2) });

test.each([
  ['a statement', 1, FIRST, [1]],
  ['without an id, as old servers answer', 1, line({ series: series(1) }), [1]],
  ['without a last line end', 1, FIRST.trim(), [1]],
  ['nothing found', 1, line({ statement_id: 0 }), []],
  ['in chunks', 1, line({ statement_id: 0, series: series(1), partial: true }) + FIRST, [1, 1]],
  ['several statements', 2, FIRST + SECOND, [1, 2]],
  ['several statements, one without results', 3, FIRST + SECOND + line({ statement_id: 2 }), [1, 2]],
  ['several statements in a line', 2, line({ series: series(1) }, { statement_id: 1, series: series(2) }), [1, 2]],
])('an answer is read: %s', async (_what, statements, text, expected) => {
  for (const length of [1, 7, 10_000]) expect(await valuesOf(text, statements, length)).toEqual(expected);
});

test.each([
  ['nothing at all', 1, ''],
  ['half a line', 1, FIRST.slice(0, 20)],
  ['more to come', 1, line({ statement_id: 0, series: series(1), partial: true })],
  ['more of a series to come', 1, line({ statement_id: 0, series: [{ values: [[0, 1]], partial: true }] })],
  ['the first of two statements', 2, FIRST],
  ['the second of two statements', 2, SECOND],
  ['a first statement that does not end', 2, line({ statement_id: 0, partial: true }) + SECOND],
])('an answer that is cut is told from a whole one: %s', async (_what, statements, text) => {
  await expect(valuesOf(text, statements)).rejects.toMatchObject({ reason: 'INFLUX_ANSWER_CUT' });
});

test('what InfluxDB refuses is an error, also behind results', async () => {
  const refused = line({ statement_id: 1, error: 'max-select-buckets' });
  await expect(valuesOf(FIRST + refused, 2)).rejects.toMatchObject({ reason: 'INFLUX_REFUSED' });
});

test('rows of all series', async () => {
  const rows = [];
  for await (const chunk of rowsOf(inPieces(line({ series: [...series(1), ...series(2)] }), 5))) rows.push(...chunk);
  expect(rows).toEqual([
    [0, 1],
    [0, 2],
  ]);
});
