import { databaseConnections, leastConnections, secondConnections } from './pool-size.ts';

test.each([
  ['nothing is held', 0, 3],
  ['a listener is held', 1, 4],
  ['two listeners are held', 2, 6],
  ['a listener and twelve loops hold one each', 13, 20],
])('the fewest connections where %s', (_what, held, least) => {
  expect(leastConnections(held)).toBe(least);
  // One is for the rest of the service's own work, and one for accounts.
  expect(least - secondConnections(least)).toBeGreaterThanOrEqual(held + 2);
  expect(least - 1 - secondConnections(least - 1)).toBeLessThan(held + 2);
});

test('the setting has the same name and the same rule for every service', () => {
  const asked: unknown[] = [];
  const read = {
    int: (...given: [string, { min: number; max: number; fallback: number }]) => {
      asked.push(given);
      return given[1].fallback;
    },
  };
  expect(databaseConnections(read, { held: 1, usual: 10 })).toBe(10);
  expect(asked).toEqual([['DATABASE_CONNECTIONS', { min: 4, max: 500, fallback: 10 }]]);
});
