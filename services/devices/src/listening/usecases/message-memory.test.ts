import { MessageMemory } from './message-memory.ts';

const MIB = 1024 * 1024;
const NOTHING_MORE = async () => new Promise((resolve) => setImmediate(resolve));

/** Messages that are read until they are let go. */
function reader(memory: MessageMemory) {
  const begun: string[] = [];
  const read = (account: string, bytes: number) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const done = memory.run(account, bytes, () => {
      begun.push(`${account} ${bytes / MIB}`);
      return promise;
    });
    return { finish: resolve, done };
  };
  return { begun, read };
}

test('of the largest messages one is read at a time, and accounts take turns; small ones wait for nobody', async () => {
  const memory = new MessageMemory();
  const { begun, read } = reader(memory);
  const all = [read('a', 5 * MIB), read('a', 5 * MIB), read('b', 5 * MIB), read('c', 5 * MIB), read('a', 0.0625 * MIB)];
  await NOTHING_MORE();
  expect([...begun].sort()).toEqual(['a 0.0625', 'a 5']);
  for (const work of all) work.finish();
  await Promise.all(all.map(({ done }) => done));
  expect(begun.slice(2)).toEqual(['b 5', 'c 5', 'a 5']);
  expect(memory.load).toEqual({ inWork: 0, waiting: 0 });
});

test('who waits may leave, and a message that fails lets the next one in', async () => {
  const memory = new MessageMemory();
  const { begun, read } = reader(memory);
  const first = read('a', 5 * MIB);
  const left = new AbortController();
  const waiting = memory.run('a', 5 * MIB, async () => 'read', left.signal);
  left.abort(new Error('the client has left'));
  await expect(waiting).rejects.toThrow('the client has left');
  first.finish();
  await first.done;
  await expect(memory.run('a', 5 * MIB, () => Promise.reject(new Error('no JSON')))).rejects.toThrow('no JSON');
  const next = read('a', 5 * MIB);
  next.finish();
  await next.done;
  expect(begun).toEqual(['a 5', 'a 5']);
});
