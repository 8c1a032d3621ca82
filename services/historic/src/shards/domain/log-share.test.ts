import { logSharesOf } from './log-share.ts';

const shares = (taken: number, backlogs: Record<string, number>, messages = 100) => {
  const { used, searched, refused } = logSharesOf({ taken, messages, backlogs: new Map(Object.entries(backlogs)) });
  return { used: [...used.values()], searched, refused: [...refused] };
};

test.each([
  ['nothing waits', 0, { default: 0, b: 0 }, [0, 0], [], []],
  ['all have the messages, another reader lacks them', 0.9, { default: 0, b: 0 }, [0, 0], [], []],
  ['one lacks a quarter of the log', 0.25, { default: 0, b: 100 }, [0, 0.5], [], []],
  ['one is near its half', 0.4, { default: 0, b: 100 }, [0, 0.8], ['b'], []],
  ['one lacks half of the log', 0.5, { default: 2, b: 100 }, [0.02, 1], ['b'], ['b']],
  ['the first one lacks half of the log', 0.5, { default: 100, b: 0 }, [1, 0], ['default'], ['default']],
  ['one lacks half of a full log', 1, { default: 0, b: 50 }, [0, 1], ['b'], ['b']],
  ['both lack half of the log, so nobody is spared', 0.5, { default: 100, b: 100 }, [1, 1], [], []],
  ['two of three share the half', 0.5, { default: 0, b: 50, c: 40 }, [0, 1, 0.8], ['b', 'c'], ['b']],
  ['there is one shard', 1, { default: 100 }, [2], [], []],
] as const)('%s', (_what, taken, backlogs, used, searched, refused) => {
  expect(shares(taken, backlogs)).toEqual({ used, searched, refused });
});

test('an empty log has no shares', () => {
  expect(shares(0, { default: 0, b: 0 }, 0)).toEqual({ used: [0, 0], searched: [], refused: [] });
});
