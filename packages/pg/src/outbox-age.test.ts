import { OutboxAge } from './outbox-age.ts';

type Look = readonly [atMs: number, first: number | null, newest: number, ageMs: number];
test.each<[string, readonly Look[]]>([
  ['an empty outbox', [[0, null, 0, 0]]],
  [
    'a message that stays',
    [
      [0, 5, 5, 0],
      [10, 5, 5, 10],
      [20, 5, 9, 20],
    ],
  ],
  [
    'one that grows while it moves: the age is that of the first message',
    [
      [0, 1, 10, 0],
      [10, 5, 30, 10],
      [20, 11, 50, 10],
      [30, 20, 80, 20],
      [40, 31, 90, 20],
    ],
  ],
  [
    'one that keeps up',
    [
      [0, 1, 10, 0],
      [10, 11, 20, 0],
      [20, 21, 30, 0],
    ],
  ],
  [
    'one that was empty in between',
    [
      [0, 1, 10, 0],
      [10, null, 0, 0],
      [20, 11, 11, 0],
    ],
  ],
])('%s', (_what, looks) => {
  let nowMs = 0;
  const age = new OutboxAge(() => nowMs);
  const ages = looks.map(([atMs, firstId, newestId]) => {
    nowMs = atMs;
    return age.look(firstId === null ? undefined : { firstId, newestId });
  });
  expect(ages).toEqual(looks.map(([, , , ageMs]) => ageMs));
});

test('a message that stays for very many looks keeps its age, and one behind it is never shown as older than it is', () => {
  let nowMs = 0;
  const age = new OutboxAge(() => nowMs);
  for (nowMs = 0; nowMs < 10_000; nowMs += 1) expect(age.look({ firstId: 1, newestId: 1 + nowMs })).toBe(nowMs);
  const shown = age.look({ firstId: 5_000, newestId: 10_000 });
  // The message 5 000 was first seen at 4 999.
  expect(shown).toBeLessThanOrEqual(nowMs - 4_999);
  expect(shown).toBeGreaterThan(4_700);
});
