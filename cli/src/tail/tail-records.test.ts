import type { Change, Client } from '@catchment/client';
import { printRecords } from './tail-records.ts';

const LEVEL = { _id: 'a', _class: 'io.svc.models.node.point.NumberPoint', name: 'Level', units: 'm' };
const change = (second: number, value: unknown, more: Partial<Change> = {}): Change => ({
  node: 'a',
  timeMs: Date.parse('2024-06-01T00:00:00Z') + second * 1_000,
  value,
  quality: undefined,
  annotation: undefined,
  place: undefined,
  ...more,
});

/** Makes a client whose rounds of changes are given, and what was asked. */
function following(rounds: readonly (readonly Change[])[], options: { lines?: number; json?: boolean } = {}) {
  const stop = new AbortController();
  const since: unknown[] = [];
  const printed: string[] = [];
  let nowMs = 0;
  const historic = {
    changes: async function* (_ids: unknown, asked: { since: string }) {
      since.push(asked.since);
      yield* rounds[since.length - 1] ?? [];
    },
    read: async () => ({
      times: [change(0, 1).timeMs],
      columns: [{ values: [1], quality: [undefined], annotations: [undefined] }],
    }),
  };
  const client = { historic } as unknown as Client;
  const clock = {
    nowMs: () => nowMs,
    sleep: async (seconds: number) => {
      nowMs += seconds * 1_000;
      if (since.length === rounds.length) stop.abort(new Error('stopped'));
    },
  };
  const { lines = 0, json = false } = options;
  const ended = printRecords(
    { client, patient: client },
    [LEVEL],
    { follow: true, lines, json, every: 10 },
    {
      print: async (line) => void printed.push(line),
      signal: stop.signal,
      clock,
    },
  );
  return { ended, since, printed };
}

test('each record that is written is shown once, whatever time it is of, and again where it has changed', async () => {
  const { ended, printed } = following([
    [change(1, 5)],
    [change(1, 5), change(2, 6), change(-9, 7, { quality: 150, annotation: 'late\u001b[31m' })],
    [change(2, 6), change(2, 6.5)],
  ]);
  await expect(ended).rejects.toThrow('stopped');
  expect(printed).toEqual([
    '2024-06-01T00:00:02.000Z  Level  6 m',
    '2024-05-31T23:59:51.000Z  Level  7 m  quality 150  late [31m',
    '2024-06-01T00:00:02.000Z  Level  6.5 m',
  ]);
});

test('the newest are shown first, and not again', async () => {
  const { ended, printed } = following([[], [change(0, 1), change(1, 2)]], { lines: 1, json: true });
  await expect(ended).rejects.toThrow('stopped');
  expect(printed.map((line) => JSON.parse(line))).toEqual([
    { time: '2024-06-01T00:00:00.000Z', node: 'a', value: 1, name: 'Level', units: 'm' },
    { time: '2024-06-01T00:00:01.000Z', node: 'a', value: 2, name: 'Level', units: 'm' },
  ]);
});

test('each round reaches back to the round before, by the clock of the server', async () => {
  const { ended, since } = following([[], [], []]);
  await expect(ended).rejects.toThrow('stopped');
  expect(since).toEqual(['NOW-60S', 'NOW-70S', 'NOW-70S']);
});
