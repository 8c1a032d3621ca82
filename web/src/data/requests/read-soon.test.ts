import { AT_ONCE, readSoon } from './read-soon.ts';

/** Runs what is planned when the test asks for it, and keeps how long that would have waited. */
function clock() {
  const waits: number[] = [];
  let next: (() => void) | undefined;
  return {
    waits,
    after: (work: () => void, ms: number) => {
      waits.push(ms);
      next = work;
      return () => {
        next = undefined;
      };
    },
    go: async () => {
      const work = next;
      next = undefined;
      work?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

function reading() {
  const { after, go, waits } = clock();
  const asked: (readonly string[])[] = [];
  let all = 0;
  let failing = 0;
  const soon = readSoon(
    {
      settleMs: 100,
      read: async (keys) => {
        asked.push(keys);
        if (failing-- > 0) throw new Error('away');
      },
      readAll: () => {
        all += 1;
      },
    },
    after,
  );
  return { ...soon, go, waits, asked, all: () => all, fail: (times: number) => (failing = times) };
}

test('news of one moment are read together', async () => {
  const soon = reading();
  for (const key of ['a', 'b', 'a']) soon.add(key);
  await soon.go();
  expect(soon.asked).toEqual([['a', 'b']]);
  await soon.go();
  expect(soon.asked).toHaveLength(1);
});

test('what could not be read is not lost: it is tried again, more and more seldom, and then at once as before', async () => {
  const soon = reading();
  soon.fail(2);
  soon.add('a');
  await soon.go();
  soon.add('b');
  await soon.go();
  await soon.go();
  expect(soon.asked).toEqual([['a'], ['a', 'b'], ['a', 'b']]);
  soon.add('c');
  expect(soon.waits).toEqual([100, 200, 400, 100]);
});

test('as many are asked for at once as an address takes; of very many all are read', async () => {
  const soon = reading();
  for (let n = 0; n < AT_ONCE + 1; n += 1) soon.add(String(n));
  await soon.go();
  await soon.go();
  expect(soon.asked.map(({ length }) => length)).toEqual([AT_ONCE, 1]);
  for (let n = 0; n < 20 * AT_ONCE; n += 1) soon.add(String(n));
  await soon.go();
  expect([soon.asked.length, soon.all()]).toEqual([2, 1]);
});

test('after its end nothing is read', async () => {
  const soon = reading();
  soon.add('a');
  soon.end();
  await soon.go();
  expect(soon.asked).toEqual([]);
});
