import { SERVICES } from '../src/start/service-table.ts';
import { CONDITIONS, ENDINGS, openTrials } from './cancelled-start.ts';

// A sample of `npm run test:starts -w cli` runs: every service, condition and ending once at least.
const SHARED = ['nodes', 'historic', 'alarms', 'processing'] as const;

test('every service can be ended while it starts, alone or with others, whatever its servers are like, and leaves no process behind', async () => {
  await using trials = await openTrials();
  const outcomes = await Promise.all(
    [...SERVICES.map((service) => [service]), SHARED].map(async (services, n) => {
      const condition = CONDITIONS[(n + 1) % CONDITIONS.length]!;
      const ending = ENDINGS[n % ENDINGS.length]!;
      const { goneMs, leftBehind } = await trials.run({
        services,
        condition,
        ending,
        schema: `_${n}`,
        afterMs: 500 * n,
      });
      return { services, condition, ending, isGone: goneMs !== undefined, leftBehind };
    }),
  );
  expect(outcomes.filter(({ isGone, leftBehind }) => !isGone || leftBehind > 0)).toEqual([]);
});
