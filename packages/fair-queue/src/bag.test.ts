import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Bag } from './bag.ts';

test('what was added is there until it is taken out, once', () => {
  const bag = new Bag<string>();
  const [takeA, takeB, takeC] = ['a', 'b', 'c'].map((item) => bag.add(item));
  expect(bag.all().sort()).toEqual(['a', 'b', 'c']);
  expect(takeA?.()).toBe(true);
  expect(takeA?.()).toBe(false);
  expect(bag.all().sort()).toEqual(['b', 'c']);
  expect(takeC?.()).toBe(true);
  const takeD = bag.add('d');
  expect(takeB?.()).toBe(true);
  expect(takeC?.()).toBe(false);
  expect([bag.all(), bag.size]).toEqual([['d'], 1]);
  takeD();
  expect(bag.size).toBe(0);
});

test('the same item twice is two entries', () => {
  const bag = new Bag<string>();
  const [first, second] = [bag.add('a'), bag.add('a')];
  expect([first(), first(), bag.size, second(), bag.size]).toEqual([true, false, 1, true, 0]);
});

test('all of it can be taken out while it is looked through', () => {
  const bag = new Bag<number>();
  const takes = Array.from({ length: 9 }, (_, n) => bag.add(n));
  for (const n of bag.all()) takes[n]?.();
  expect(bag.size).toBe(0);
});

test('what has gone is collected with the young memory, however old the bag is', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void;
  const bag = new Bag<object>();
  const kept = Array.from({ length: 10 }, () => bag.add({}));
  for (let n = 0; n < 3; n += 1) collect({ type: 'minor' });
  for (const take of kept) take();
  const gone = Array.from({ length: 100 }, () => {
    const item = {};
    bag.add(item)();
    return new WeakRef(item);
  });
  return new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
    for (let n = 0; n < 2; n += 1) collect({ type: 'minor' });
    // A collection in between may have made one of them old; what an old bag points at would all be here.
    expect(gone.filter((item) => item.deref() !== undefined).length).toBeLessThan(10);
  });
});
