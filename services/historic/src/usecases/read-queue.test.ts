import { ReadQueue } from './read-queue.ts';

const signal = new AbortController().signal;
const settled = async (promise: Promise<unknown>) => {
  let state = 'waiting';
  promise.then(
    () => (state = 'in'),
    () => (state = 'out'),
  );
  await new Promise((resolve) => setImmediate(resolve));
  return state;
};

test('as many as there are places go in, the others in order of arrival', async () => {
  const queue = new ReadQueue(2, 5);
  const [leaveFirst] = [await queue.enter(signal), await queue.enter(signal)];
  const [third, fourth] = [queue.enter(signal), queue.enter(signal)];
  expect(await settled(third)).toBe('waiting');
  leaveFirst();
  expect(await settled(third)).toBe('in');
  expect(await settled(fourth)).toBe('waiting');
  (await third)();
  expect(await settled(fourth)).toBe('in');
});

test('too many waiting: unavailable', async () => {
  const queue = new ReadQueue(1, 1);
  const leave = await queue.enter(signal);
  const waiting = queue.enter(signal);
  await expect(queue.enter(signal)).rejects.toMatchObject({ kind: 'unavailable', reason: 'TOO_MANY_READS' });
  leave();
  expect(await settled(waiting)).toBe('in');
});

test('who gives up while waiting leaves the queue and takes no place', async () => {
  const queue = new ReadQueue(1, 1);
  const leave = await queue.enter(signal);
  const caller = new AbortController();
  const waiting = queue.enter(caller.signal);
  caller.abort(new Error('left'));
  await expect(waiting).rejects.toThrow('left');
  const next = queue.enter(signal);
  leave();
  expect(await settled(next)).toBe('in');
});

test('who has left already does not enter', async () => {
  const queue = new ReadQueue(1, 1);
  await expect(queue.enter(AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
  expect(await settled(queue.enter(signal))).toBe('in');
});

test('leaving twice frees one place', async () => {
  const queue = new ReadQueue(1, 5);
  const leave = await queue.enter(signal);
  leave();
  leave();
  await queue.enter(signal);
  expect(await settled(queue.enter(signal))).toBe('waiting');
});
