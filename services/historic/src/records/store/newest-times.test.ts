import { NewestTimes } from './newest-times.ts';

async function remembered() {
  const log: { span: number | undefined } = { span: 1 };
  const times = new NewestTimes(async () => log.span);
  await times.confirm();
  const learn = (nodeId: string, timeMs: number) => times.asking([nodeId])(new Map([[nodeId, timeMs]]));
  return { log, times, learn };
}

test('a time is known once the store was asked, and grows with what is written', async () => {
  const { times, learn } = await remembered();
  expect(times.get('a')).toBeUndefined();
  learn('a', 10);
  times.raise('a', 20);
  times.raise('a', 15);
  times.raise('b', 30);
  expect([times.get('a'), times.get('b')]).toEqual([20, undefined]);
});

test('what is written while the store answers counts', async () => {
  const { times } = await remembered();
  const learn = times.asking(['a']);
  times.raise('a', 20);
  expect(times.get('a')).toBeUndefined();
  learn(new Map([['a', 10]]));
  expect(times.get('a')).toBe(20);
});

test('of two questions at once none takes back what the other one says', async () => {
  const { times } = await remembered();
  const [first, second] = [times.asking(['a']), times.asking(['a'])];
  first(new Map([['a', 10]]));
  times.raise('a', 20);
  second(new Map([['a', 10]]));
  expect(times.get('a')).toBe(20);
});

test.each([
  ['another span', 2],
  ['no span, since others may write', undefined],
])('nothing is known in %s', async (_what, span) => {
  const { log, times, learn } = await remembered();
  learn('a', 10);
  log.span = span;
  await times.confirm();
  expect(times.get('a')).toBeUndefined();
  log.span = 1;
  await times.confirm();
  expect(times.get('a')).toBeUndefined();
});

test('an answer of another span is not remembered', async () => {
  const { log, times } = await remembered();
  const learn = times.asking(['a']);
  log.span = 2;
  await times.confirm();
  learn(new Map([['a', 10]]));
  expect(times.get('a')).toBeUndefined();
});

test('deleted series are asked for again, also where the answer comes after the deletion', async () => {
  const { times, learn } = await remembered();
  learn('a', 10);
  times.forget(['a']);
  expect(times.get('a')).toBeUndefined();
  const late = times.asking(['a']);
  times.forget(['a']);
  late(new Map([['a', 10]]));
  expect(times.get('a')).toBeUndefined();
});
