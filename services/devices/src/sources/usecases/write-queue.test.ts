import { DomainError, invalid, unavailable } from '@catchment/errors';
import { createLogger } from '@catchment/telemetry';
import { JsonText } from '../domain/document-part.ts';
import { WriteQueue } from './write-queue.ts';

const log = createLogger('test', { level: 'silent' });
const SOURCE = { sourceId: 's1', ownerId: 'o1', writeMode: '' };
const COLUMNS = { 0: { name: 'Level', series: 'Level', dataType: 'NUMBER' } };
const doc = (ts: string | number, v: unknown, columns: object = COLUMNS) => ({
  docType: 'jts',
  version: '1.0',
  header: { recordCount: 1, columns },
  data: [{ ts: typeof ts === 'number' ? new Date(ts).toISOString() : ts, f: { 0: { v } } }],
});

/** Makes a queue whose writes are let through one by one; `fails` decides about each. */
function fixture(fails: (values: unknown[]) => Error | undefined = () => undefined) {
  const writes: { sourceId: string; values: unknown[]; deliveries: number }[] = [];
  const gates: (() => void)[] = [];
  const queue = new WriteQueue({
    log,
    retryMs: [0],
    write: async ({ sourceId }, body, { deliveries }) => {
      await new Promise<void>((resolve) => gates.push(resolve));
      const { data } = JSON.parse(body.toString()) as { data: { f: { 0: { v: unknown } } }[] };
      const values = data.map(({ f }) => f[0].v);
      writes.push({ sourceId, values, deliveries });
      const failure = fails(values);
      if (failure) throw failure;
    },
  });
  /** Lets through all that comes until these writes have ended and nothing comes any more. */
  const run = async (all: readonly Promise<void>[]) => {
    let isOver = false;
    void Promise.allSettled(all).then(() => {
      isOver = true;
    });
    for (let idle = 0; idle < 20 || !isOver; idle += 1) {
      if (gates.length > 0) idle = 0;
      gates.shift()?.();
      await new Promise((resolve) => setTimeout(resolve));
    }
  };
  const values = () => writes.map((write) => write.values);
  return { queue, writes, values, run };
}
async function outcomes(all: Promise<void>[], { run }: Pick<ReturnType<typeof fixture>, 'run'>) {
  const [settled] = await Promise.all([Promise.allSettled(all), run(all)]);
  return settled.map((result) => (result.status === 'fulfilled' ? 'stored' : String(result.reason.message)));
}

test('what waits for a source while another document of it is written is one write, in its order', async () => {
  const f = fixture();
  const all = [1, 2, 3, 4].map((n) => f.queue.write(SOURCE, doc(n * 1_000, n), 'x'));
  expect(await outcomes(all, f)).toEqual(Array(4).fill('stored'));
  expect(f.values()).toEqual([[1], [2, 3, 4]]);
  expect(f.writes.map(({ deliveries }) => deliveries)).toEqual([1, 3]);
});

test.each<[string, Parameters<WriteQueue['write']>, Parameters<WriteQueue['write']>]>([
  ['the same time', [SOURCE, doc(1_000, 1), 'x'], [SOURCE, doc('1970-01-01T01:00:01+01:00', 2), 'x']],
  ['other columns', [SOURCE, doc(1_000, 1), 'x'], [SOURCE, doc(2_000, 2, { 0: { name: 'Flow' } }), 'x']],
  ['another origin', [SOURCE, doc(1_000, 1), 'x'], [SOURCE, doc(2_000, 2), 'y']],
  [
    'a mode in which a document replaces a range',
    [{ ...SOURCE, writeMode: 'INSERT_DELETE_EXISTING' }, doc(1_000, 1), 'x'],
    [{ ...SOURCE, writeMode: 'INSERT_DELETE_EXISTING' }, doc(2_000, 2), 'x'],
  ],
  ['a time that is none', [SOURCE, doc(1_000, 1), 'x'], [SOURCE, doc('yesterday', 2), 'x']],
])('documents with %s are written one after the other', async (_what, first, other) => {
  const f = fixture();
  const all = [f.queue.write(SOURCE, doc(0, 0), 'x'), f.queue.write(...first), f.queue.write(...other)];
  await f.run(all);
  await Promise.all(all);
  expect(f.values().at(-1)).toEqual([2]);
  expect(f.values().flat()).toEqual([0, 1, 2]);
});

test('documents that are text are joined like others; one that is no JSON is written as it is', async () => {
  const f = fixture();
  const text = (n: number) => new JsonText(JSON.stringify(doc(n * 1_000, n)));
  const all = [1, 2, 3].map((n) => f.queue.write(SOURCE, text(n), 'x'));
  all.push(f.queue.write(SOURCE, new JsonText('{"data":[}'), 'x'));
  expect(await outcomes(all, f)).toEqual([...Array(3).fill('stored'), expect.stringContaining('JSON')]);
  expect(f.values()).toEqual([[1], [2, 3]]);
});

test('sources do not wait for each other', async () => {
  const f = fixture();
  const all = ['a', 'b', 'c'].map((sourceId) => f.queue.write({ ...SOURCE, sourceId }, doc(0, sourceId), 'x'));
  await f.run(all);
  await Promise.all(all);
  expect(f.writes.map(({ sourceId }) => sourceId)).toEqual(['a', 'b', 'c']);
});

test('of joined documents that are refused each is written by itself, and only the bad one is refused', async () => {
  const f = fixture((values) => (values.includes(3) ? invalid('INVALID_BODY', 'bad 3') : undefined));
  const all = [1, 2, 3, 4].map((n) => f.queue.write(SOURCE, doc(n * 1_000, n), 'x'));
  expect(await outcomes(all, f)).toEqual(['stored', 'stored', 'bad 3', 'stored']);
  expect(f.values()).toEqual([[1], [2, 3, 4], [2], [3], [4]]);
});

test('while what it needs is away, a document waits in its place as long as it is wanted', async () => {
  let away = 2;
  const f = fixture(() => (away-- > 0 ? unavailable('BROKER_UNAVAILABLE') : undefined));
  const keep = new AbortController().signal;
  const gone = new AbortController();
  gone.abort();
  const all = [
    f.queue.write(SOURCE, doc(1_000, 1), 'x', keep),
    f.queue.write(SOURCE, doc(2_000, 2), 'x'),
    f.queue.write(SOURCE, doc(3_000, 3), 'x', gone.signal),
    f.queue.write(SOURCE, doc(4_000, 4), 'x', keep),
  ];
  expect(await outcomes(all, f)).toEqual([
    'stored',
    expect.stringMatching(/unavailable/),
    expect.any(String),
    'stored',
  ]);
  expect(f.values().at(-1)?.at(-1)).toBe(4);
});

test('a document that fails for a reason of ours is given up after five tries, those behind it are stored', async () => {
  const f = fixture((values) => (values.includes(1) ? new DomainError('internal', 'INTERNAL', 'broken') : undefined));
  const { signal } = new AbortController();
  const all = [1, 2].map((n) => f.queue.write(SOURCE, doc(n * 1_000, n), 'x', signal));
  expect(await outcomes(all, f)).toEqual(['broken', 'stored']);
  expect(f.values().filter((values) => values.includes(1) && values.length === 1)).toHaveLength(5);
});
