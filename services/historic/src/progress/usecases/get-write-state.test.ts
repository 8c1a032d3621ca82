import type { ApiCaller } from '@catchment/access';
import { getWriteState, Waiting } from './get-write-state.ts';

const caller: ApiCaller = {
  kind: 'api',
  ownerId: '6'.repeat(24),
  userId: '7'.repeat(24),
  username: 'jo@example.org',
  permission: 'READ_ONLY',
  accessLevel: 'ACCOUNT',
};
const part = (sequence: number) => ({ sourceId: 'a'.repeat(24), sequence, nodeIds: ['b'.repeat(24)] });

/** Makes a store that has the log up to a sequence, later with each look. */
function store(storedUpTo: number[], end = 9, waiting = new Waiting()) {
  let looks = 0;
  const areStored = async (_series: unknown, sequence: number) => {
    const upTo = storedUpTo[Math.min(looks, storedUpTo.length - 1)] ?? 0;
    looks += 1;
    return sequence <= upTo;
  };
  return { deps: { areStored, endOfLog: async () => end, waiting }, looks: () => looks };
}
const ask = (
  deps: Parameters<typeof getWriteState>[0],
  parts = [part(5)],
  waitMs = 0,
  signal = new AbortController().signal,
) => getWriteState(deps, { parts, waitMs }, { caller, signal });

test.each([
  ['nothing was stored', [], [0], 0, { isDurable: true, isReadable: true }],
  ['the store has it', [part(5)], [5], 5, { isDurable: true, isReadable: true }],
  ['the log has it alone', [part(5)], [4], 9, { isDurable: true, isReadable: false }],
  ['the log was restored without it', [part(5)], [4], 4, { isDurable: false, isReadable: false }],
  [
    'the log was restored without it, and all of it is stored',
    [part(5)],
    [9],
    4,
    { isDurable: false, isReadable: false },
  ],
  ['one of two parts is stored', [part(5), part(6)], [5], 9, { isDurable: true, isReadable: false }],
])('%s', async (_what, parts, storedUpTo, end, state) => {
  expect(await ask(store(storedUpTo, end).deps, parts)).toEqual(state);
});

test('who waits is answered when it is readable, and looks no more', async () => {
  const { deps, looks } = store([4, 4, 5]);
  expect(await ask(deps, [part(5)], 30_000)).toEqual({ isDurable: true, isReadable: true });
  expect(looks()).toBe(3);
});

test('who waits in vain is answered as it is', async () => {
  expect(await ask(store([4]).deps, [part(5)], 1)).toEqual({ isDurable: true, isReadable: false });
});

test('who leaves waits no more', async () => {
  const left = new AbortController();
  const asked = ask(store([4]).deps, [part(5)], 30_000, left.signal);
  left.abort();
  await expect(asked).rejects.toThrow(/abort/i);
});

test('an account that waits too often is answered at once, others wait', () => {
  const waiting = new Waiting();
  const places = Array.from({ length: 51 }, () => waiting.enter('one'));
  expect(places.map((leave) => leave !== undefined).filter(Boolean)).toHaveLength(50);
  expect(waiting.enter('two')).toBeDefined();
  places[0]?.();
  expect(waiting.enter('one')).toBeDefined();
});

test('more series than a write has are refused', async () => {
  const nodeIds = Array.from({ length: 1_001 }, () => 'b'.repeat(24));
  await expect(ask(store([5]).deps, [{ ...part(5), nodeIds }])).rejects.toMatchObject({ kind: 'invalid_argument' });
});
