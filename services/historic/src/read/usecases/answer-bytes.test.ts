import { notFound } from '@catchment/errors';
import { DEFAULT_TABLE } from '@catchment/quality';
import { arrayReader } from '../../../test/array-reader.ts';
import { recordSet, seriesNode, TYPES } from '../../../test/series.ts';
import { readOptions } from '../../columns/domain/read-options.ts';
import { viewOf } from '../../columns/domain/series-view.ts';
import type { RecordReader } from '../../records/usecases/ports.ts';
import { answerBytes, nextPiece } from './answer-bytes.ts';
import type { ReadDeps } from './read-deps.ts';
import { readingQueue } from './reading-queues.ts';

const ROWS = 100;
const readerOf = (annotation?: string) => {
  const records = Array.from({ length: ROWS }, (_, n) => ({ timeMs: n * 1_000, number: n, annotation }));
  const set = recordSet(TYPES.NUMBER, records);
  return arrayReader(Array.from({ length: ROWS }, (_, n) => set.at(n)));
};
const MAX_BYTES = 10_000;

async function answer(given: Record<string, string>, reader = readerOf(), nodes = [seriesNode()]): Promise<string> {
  const options = readOptions({ limit: '1000', ...given }, 0);
  const deps: Omit<ReadDeps, 'summaries' | 'outlines'> = {
    reader,
    catalogue: { resolve: async () => Promise.reject(notFound()), resolveAll: async () => [] },
    qualityOf: async () => DEFAULT_TABLE,
    queueOf: async () => readingQueue(1),
    settledUntil: async () => Number.MAX_SAFE_INTEGER,
    limits: { maxRecords: 1_000, maxBytes: MAX_BYTES },
    maxMs: 10_000,
    now: () => 0,
  };
  const columns = nodes.map((node) => ({ node, options, view: viewOf(node, options) }));
  const question = { query: options, columns, settled: { startMs: undefined, endMs: undefined }, nowMs: 0 };
  const call = { caller: {}, token: '', signal: new AbortController().signal };
  let text = '';
  let pieces = 0;
  for await (const piece of answerBytes(deps as ReadDeps, question, call as Parameters<typeof answerBytes>[2])) {
    text += piece.bytes.toString();
    pieces += 1;
  }
  expect(pieces).toBeGreaterThan(0);
  return text;
}

test.each<[string, Record<string, string>]>([
  ['JSON', {}],
  ['CSV', { format: 'CSV' }],
  ['a short format', { timeFormat: 'YYYY-MM-DD HH:mm:ss' }],
  ['a long number pattern, which JSON does not print', { renderFormat: `'${'m'.repeat(90)}'0` }],
])('%s has room', async (_what, given) => {
  expect((await answer(given)).length).toBeLessThanOrEqual(MAX_BYTES);
});

test.each<[string, Record<string, string>]>([
  ['names of months over and over', { timeFormat: 'MMMM'.repeat(25) }],
  ['the same in CSV', { format: 'CSV', timeFormat: 'MMMM'.repeat(25) }],
  ['a long number pattern', { format: 'CSV', renderFormat: `'${'m'.repeat(90)}'0` }],
])('what a format makes longer counts before the first byte: %s', async (_what, given) => {
  await expect(answer(given)).rejects.toMatchObject({ kind: 'too_large' });
});

test.each<[string, Record<string, string>]>([
  ['a node’s name in every line', { format: 'CSV', layout: 'LONG' }],
  ['the elements of WaterML', { format: 'WATERML2' }],
])('what a form repeats counts before the first byte: %s', async (_what, given) => {
  await expect(answer(given)).rejects.toMatchObject({ kind: 'too_large' });
});

test.each(['ARROW', 'PARQUET', 'RDB', 'COVJSON'])('%s has room', async (format) => {
  expect((await answer({ format })).length).toBeLessThanOrEqual(MAX_BYTES);
});

test.each([
  ['JSON', true],
  ['ARROW', false],
  ['PARQUET', false],
])('cells of rows in which a column has nothing count too: %s has room: %s', async (format, hasRoom) => {
  const nodes = [seriesNode(), seriesNode()];
  const set = recordSet(
    TYPES.NUMBER,
    Array.from({ length: 120 }, (_, n) => ({ timeMs: n, number: n })),
  );
  const [even, odd] = [0, 1].map((half) => arrayReader(Array.from({ length: 60 }, (_, n) => set.at(2 * n + half)))) as [
    RecordReader,
    RecordReader,
  ];
  const reader: RecordReader = {
    ...even,
    scan: (key, ...rest) => (key.nodeId === nodes[0]?.nodeId ? even : odd).scan(key, ...rest),
  };
  const read = answer({ format, header: 'FALSE' }, reader, nodes);
  if (hasRoom) await expect(read).resolves.toContain('119');
  else await expect(read).rejects.toMatchObject({ kind: 'too_large' });
});

test.each(['WIDE', 'LONG'])('CSV without header and records is an answer of no bytes, layout %s', async (layout) => {
  expect(await answer({ format: 'CSV', header: 'FALSE', layout }, arrayReader([]))).toBe('');
});

test('texts count as they are written: a control character takes six', async () => {
  const given = { header: 'FALSE' };
  expect((await answer(given, readerOf('x'.repeat(20)))).length).toBeLessThanOrEqual(MAX_BYTES);
  await expect(answer(given, readerOf('\u0001'.repeat(20)))).rejects.toMatchObject({ kind: 'too_large' });
});

test('a line that takes long is a piece of its own, so that all others have their turn behind it', () => {
  const lines = ['a', 'b', 'c'];
  const all = lines.values();
  const pieces: string[] = [];
  for (let piece = nextPiece(all, 0); !piece.isLast; piece = nextPiece(all, 0))
    pieces.push(Buffer.from(piece.bytes).toString());
  expect(pieces).toEqual(lines);
  expect(nextPiece(lines.values(), 60_000)).toEqual({ bytes: Buffer.from('abc'), isLast: true });
});
