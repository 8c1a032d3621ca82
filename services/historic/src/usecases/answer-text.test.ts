import { DEFAULT_TABLE } from '@catchment/quality';
import { arrayReader } from '../../test/array-reader.ts';
import { recordSet, seriesNode, TYPES } from '../../test/series.ts';
import { readOptions } from '../domain/read-options.ts';
import { viewOf } from '../domain/series-view.ts';
import { answerText, nextPiece } from './answer-text.ts';
import type { ReadDeps } from './read-deps.ts';
import { readingQueue } from './work-queues.ts';

const ROWS = 100;
const readerOf = (annotation?: string) => {
  const records = Array.from({ length: ROWS }, (_, n) => ({ timeMs: n * 1_000, number: n, annotation }));
  const set = recordSet(TYPES.NUMBER, records);
  return arrayReader(Array.from({ length: ROWS }, (_, n) => set.at(n)));
};
const MAX_BYTES = 10_000;

async function answer(given: Record<string, string>, reader = readerOf()): Promise<string> {
  const options = readOptions({ limit: '1000', ...given }, 0);
  const node = seriesNode();
  const deps: Omit<ReadDeps, 'catalogue' | 'summaries' | 'outlines'> = {
    reader,
    qualityOf: async () => DEFAULT_TABLE,
    queueOf: async () => readingQueue(1),
    settledUntil: async () => Number.MAX_SAFE_INTEGER,
    limits: { maxRecords: 1_000, maxBytes: MAX_BYTES },
    maxMs: 10_000,
    now: () => 0,
  };
  const columns = [{ node, options, view: viewOf(node, options) }];
  const question = { query: options, columns, settled: { startMs: undefined, endMs: undefined }, nowMs: 0 };
  const call = { caller: {}, token: '', signal: new AbortController().signal };
  let text = '';
  for await (const piece of answerText(deps as ReadDeps, question, call as Parameters<typeof answerText>[2]))
    text += piece.text;
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

test('texts count as they are written: a control character takes six', async () => {
  const given = { header: 'FALSE' };
  expect((await answer(given, readerOf('x'.repeat(20)))).length).toBeLessThanOrEqual(MAX_BYTES);
  await expect(answer(given, readerOf('\u0001'.repeat(20)))).rejects.toMatchObject({ kind: 'too_large' });
});

test('a line that takes long is a piece of its own, so that all others have their turn behind it', () => {
  const lines = ['a', 'b', 'c'];
  const all = lines.values();
  const pieces: string[] = [];
  for (let piece = nextPiece(all, 0); !piece.isLast; piece = nextPiece(all, 0)) pieces.push(piece.text);
  expect(pieces).toEqual(lines);
  expect(nextPiece(lines.values(), 60_000)).toEqual({ text: 'abc', isLast: true });
});
