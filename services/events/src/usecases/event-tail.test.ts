import { EventTail } from './event-tail.ts';

test('watchers that begin at the same moment miss nothing of each other', async () => {
  const last = [Promise.withResolvers<number>(), Promise.withResolvers<number>()] as const;
  const asked = last.values();
  const looked: number[] = [];
  const tail = new EventTail({
    lastPosition: () => asked.next().value!.promise,
    accountsAfter: async (position) => {
      looked.push(position);
      return { position: 12, ownerIds: ['owner'] };
    },
  });
  const stop = new AbortController();
  const [first, other] = [tail.watch(stop.signal), tail.watch(stop.signal)];
  const begun = [first.next(), other.next()];
  last[0].resolve(10);
  await begun[0];
  // An event is recorded, and the other one begins behind it.
  last[1].resolve(11);
  await begun[1];
  await tail.look();
  expect(looked).toEqual([10]);
  for (const watch of [first, other]) expect(await watch.next()).toMatchObject({ value: ['owner'] });
  stop.abort();
});
