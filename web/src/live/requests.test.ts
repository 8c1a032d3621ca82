import { inTurn, withArguments } from './requests.ts';

const never = new AbortController().signal;

test('so many at a time, in the order in which they came', async () => {
  const take = inTurn(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const all = [0, 1, 2, 3].map((n) =>
    take(() => {
      begun.push(n);
      return new Promise<number>((resolve) => ends.push(() => resolve(n)));
    }, never),
  );
  expect(begun).toEqual([0, 1]);
  ends[1]!();
  await all[1];
  await Promise.resolve();
  expect(begun).toEqual([0, 1, 2]);
  ends[0]!();
  ends[2]!();
  await all[2];
  await Promise.resolve();
  ends[3]!();
  expect(await Promise.all(all)).toEqual([0, 1, 2, 3]);
});

test('one that is given up while it waits never begins, and others move up', async () => {
  const take = inTurn(1);
  let end = () => {};
  const first = take(() => new Promise<void>((resolve) => (end = resolve)), never);
  const stop = new AbortController();
  let hasBegun = false;
  const second = take(async () => {
    hasBegun = true;
  }, stop.signal);
  const third = take(async () => 'third', never);
  stop.abort();
  await expect(second).rejects.toThrow();
  end();
  await first;
  expect(await third).toBe('third');
  expect(hasBegun).toBe(false);
  await expect(take(async () => 1, AbortSignal.abort())).rejects.toThrow();
});

test('one that fails makes room', async () => {
  const take = inTurn(1);
  await expect(take(() => Promise.reject(new Error('no')), never)).rejects.toThrow('no');
  expect(await take(async () => 'yes', never)).toBe('yes');
});

test.each([
  ['/data', { width: 5 }, '/data?width=5'],
  ['/data?a=1', { b: 'x y' }, '/data?a=1&b=x+y'],
  ['/data?a=1', { a: 2 }, '/data?a=2'],
  ['/data', {}, '/data'],
])('%s with %j', (address, values, expected) => {
  expect(withArguments(address, values as Record<string, string>)).toBe(expected);
});
