import { Writable } from 'node:stream';
import { createLogger } from '@catchment/telemetry';
import { vi } from 'vitest';
import { StoreWatch } from './store-watch.ts';

type Store = 'answers' | 'silent' | 'refuses';

/** A watch over a store that answers pings, is silent, or refuses connections. */
function fixture(initial: Store) {
  let store = initial;
  let pings = 0;
  const lines: string[] = [];
  const destination = new Writable({
    write(line, _encoding, done) {
      lines.push(JSON.parse(String(line)).msg);
      done();
    },
  });
  const watch = new StoreWatch({
    store: 'InfluxDB',
    reason: 'INFLUX_SILENT',
    log: createLogger('test', { destination }),
    ping: (signal) => {
      pings += 1;
      if (store === 'answers') return Promise.resolve();
      if (store === 'refuses') return Promise.reject(new Error('connect ECONNREFUSED'));
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    },
  });
  return {
    watch,
    lines,
    pings: () => pings,
    becomes: (next: Store) => {
      store = next;
    },
  };
}

const SILENT = expect.objectContaining({ kind: 'unavailable', reason: 'INFLUX_SILENT' });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a store that is not asked anything is not pinged', async () => {
  const { watch, pings } = fixture('answers');
  await vi.advanceTimersByTimeAsync(60_000);
  const asked = watch.ask();
  await vi.advanceTimersByTimeAsync(900);
  asked.end();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(pings()).toBe(0);
});

test('a question that takes a minute is waited for while pings are answered', async () => {
  const { watch, lines, pings } = fixture('answers');
  const asked = watch.ask();
  await vi.advanceTimersByTimeAsync(60_000);
  expect({ aborted: asked.signal.aborted, lines }).toEqual({ aborted: false, lines: [] });
  expect(pings()).toBeGreaterThan(20);
  expect(pings()).toBeLessThanOrEqual(60);
  expect(() => watch.ask()).not.toThrow();
  watch.close();
});

test('an answer that goes on coming is life, whatever becomes of pings', async () => {
  const { watch } = fixture('silent');
  const asked = watch.ask();
  for (let n = 0; n < 20; n += 1) {
    await vi.advanceTimersByTimeAsync(3_000);
    asked.heard();
  }
  expect(asked.signal.aborted).toBe(false);
  watch.close();
});

test.each<[string, Store]>([
  ['takes connections and answers nothing', 'silent'],
  ['takes no connections', 'refuses'],
])('a store that %s: questions end after 5 s, further ones are refused at once', async (_what, store) => {
  const { watch, lines } = fixture(store);
  const asked = [watch.ask(), watch.ask()];
  await vi.advanceTimersByTimeAsync(4_750);
  expect(asked.map(({ signal }) => signal.aborted)).toEqual([false, false]);
  await vi.advanceTimersByTimeAsync(250);
  expect(asked.map(({ signal }) => signal.reason)).toEqual([SILENT, SILENT]);
  for (const content of asked) content.end();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(() => watch.ask()).toThrow(SILENT);
  expect(lines).toEqual(['the store answers nothing: questions are refused until it does']);
  watch.close();
});

test('the first answered ping lets questions through again, whoever asks', async () => {
  const { watch, lines, becomes } = fixture('silent');
  watch.ask().end();
  const asked = watch.ask();
  await vi.advanceTimersByTimeAsync(5_000);
  asked.end();
  await vi.advanceTimersByTimeAsync(30_000);
  becomes('answers');
  await vi.advanceTimersByTimeAsync(3_000);
  const next = watch.ask();
  expect(lines.at(-1)).toBe('the store answers again');
  // It is watched as before.
  becomes('silent');
  await vi.advanceTimersByTimeAsync(6_000);
  expect(next.signal.aborted).toBe(true);
  watch.close();
});

test('silence is not counted over times without a question', async () => {
  const { watch } = fixture('silent');
  for (let n = 0; n < 10; n += 1) {
    const asked = watch.ask();
    await vi.advanceTimersByTimeAsync(2_000);
    asked.end();
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(() => watch.ask()).not.toThrow();
  watch.close();
});
