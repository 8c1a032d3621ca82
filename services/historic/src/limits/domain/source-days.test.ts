import { DAY_MS } from '@catchment/time';
import { byDay, CountChanges } from './source-days.ts';

test('times are divided by their days (UTC), also before 1970', () => {
  const times = Float64Array.of(-1, 0, DAY_MS - 1, DAY_MS, 3 * DAY_MS);
  expect([...byDay(times)].map(([day, some]) => [day, [...some]])).toEqual([
    [-1, [-1]],
    [0, [0, DAY_MS - 1]],
    [1, [DAY_MS]],
    [3, [3 * DAY_MS]],
  ]);
});

test('changes are summed with the counts that are known, by source and day', () => {
  const changes = new CountChanges(({ day }) => ({ acquired: day, stored: 10 }));
  changes.add({ sourceId: 'a', day: 1 }, { stored: 2 });
  changes.add({ sourceId: 'a', day: 1 }, { acquired: 5, stored: -4 });
  changes.add({ sourceId: 'b', day: 1 }, { stored: 1 });
  expect(changes.sum({ sourceId: 'a', day: 1 }, 'stored')).toBe(8);
  expect(changes.sum({ sourceId: 'a', day: 1 }, 'acquired')).toBe(6);
  expect(changes.sum({ sourceId: 'a', day: 2 }, 'acquired')).toBe(2);
  expect(changes.all()).toEqual([
    { sourceId: 'a', day: 1, acquired: 5, stored: -2 },
    { sourceId: 'b', day: 1, acquired: 0, stored: 1 },
  ]);
});
