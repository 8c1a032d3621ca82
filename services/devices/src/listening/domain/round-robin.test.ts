import { RoundRobin } from './round-robin.ts';

const LIMITS = { atOnce: 1, maxWaiting: 6, maxWaitingEach: 4 };

/** Takes a turn for each, and ends them one by one. @returns in which order they came */
async function orderOf(clients: readonly string[], limits = LIMITS) {
  const roundRobin = new RoundRobin(limits);
  const order: string[] = [];
  const all = clients.map(async (client) => {
    const end = await roundRobin.take(client);
    order.push(end ? client : `${client} refused`);
    // Others may ask before it ends.
    await Promise.resolve();
    end?.();
  });
  await Promise.all(all);
  return order;
}

test('clients take turns, however many requests one has', async () => {
  expect(await orderOf(['a', 'a', 'a', 'a', 'b', 'c'])).toEqual(['a', 'a', 'b', 'c', 'a', 'a']);
});

test.each([
  ['of one client', ['a', 'a', 'a', 'a', 'a', 'a', 'b'], 1],
  ['of all', ['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd'], 1],
])('too many %s are refused at once', async (_what, clients, refused) => {
  const order = await orderOf(clients);
  expect(order.filter((entry) => entry.endsWith('refused'))).toHaveLength(refused);
  expect(order).toHaveLength(clients.length);
});

test('as many go on at once as may, and none is forgotten', async () => {
  const roundRobin = new RoundRobin({ ...LIMITS, atOnce: 2 });
  const [first, second] = await Promise.all([roundRobin.take('a'), roundRobin.take('a')]);
  let third = false;
  const waiting = roundRobin.take('b').then((end) => {
    third = true;
    return end;
  });
  await Promise.resolve();
  expect(third).toBe(false);
  first?.();
  (await waiting)?.();
  second?.();
  expect(await Promise.all([roundRobin.take('a'), roundRobin.take('a')])).toEqual([
    expect.any(Function),
    expect.any(Function),
  ]);
});
