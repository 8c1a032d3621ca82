import { unavailable } from '@catchment/errors';
import { accountRowLimit } from './account-limits.ts';

const log = { warn: () => {} };
const signer = { sign: async () => 'token' };
const answering = (rowsPerSourcePerDay: number | undefined) => ({ getLimits: async () => ({ rowsPerSourcePerDay }) });

test.each([
  ['its own', 500, 500],
  ['none', 0, 0],
  ['the one of the installation', undefined, 100],
])('an account has %s', async (_what, own, expected) => {
  expect(await accountRowLimit(answering(own), signer, 100, log)('a'.repeat(24))).toBe(expected);
});

test('an account is not asked for with each write; while nodes is away the last answer holds, or the installation’s', async () => {
  let asked = 0;
  let isAway = false;
  const limitOf = accountRowLimit(
    {
      getLimits: async () => {
        asked += 1;
        if (isAway) throw unavailable('PEER_UNAVAILABLE');
        return { rowsPerSourcePerDay: 7 };
      },
    },
    signer,
    100,
    log,
  );
  expect([await limitOf('one'), await limitOf('one'), asked]).toEqual([7, 7, 1]);
  isAway = true;
  expect([await limitOf('one'), await limitOf('two')]).toEqual([7, 100]);
});

test('a limit that was changed since an account wrote last rules its next write; while nodes does not answer, what is known', async () => {
  let answer: () => Promise<{ rowsPerSourcePerDay: number | undefined }> = async () => ({ rowsPerSourcePerDay: 7 });
  let nowMs = 1_000;
  const limitOf = accountRowLimit({ getLimits: () => answer() }, signer, 100, log, () => nowMs);
  expect(await limitOf('one')).toBe(7);
  answer = async () => ({ rowsPerSourcePerDay: 0 });
  expect(await limitOf('one')).toBe(7);
  nowMs += 60_000;
  expect(await limitOf('one')).toBe(0);
  answer = async () => {
    throw unavailable('PEER_UNAVAILABLE');
  };
  nowMs += 60_000;
  expect(await limitOf('one')).toBe(0);
  // Nobody waits for an answer that did not come a moment ago.
  answer = () => new Promise(() => {});
  nowMs += 1_500;
  expect([await limitOf('one'), await limitOf('one')]).toEqual([0, 0]);
});
