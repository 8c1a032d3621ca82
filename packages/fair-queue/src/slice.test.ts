import { atOnce, inSlices, Pace, type Steps } from './slice.ts';

/** Turns of the event loop while something goes on. */
async function turnsDuring<T>(work: () => Promise<T>): Promise<{ turns: number; result: T }> {
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const result = await work();
  isOver = true;
  return { turns, result };
}

function* sum(to: number): Steps<number> {
  let all = 0;
  for (let n = 1; n <= to; n += 1) {
    all += n;
    yield;
  }
  return all;
}

test('steps that take less than a slice are done at once, without a turn of the event loop', async () => {
  expect(await turnsDuring(() => inSlices(sum(3), { sliceMs: 60_000 }))).toEqual({ turns: 0, result: 6 });
});

test('others have a turn after each slice, and the result is the same', async () => {
  const { turns, result } = await turnsDuring(() => inSlices(sum(50), { sliceMs: 0 }));
  expect(turns).toBeGreaterThanOrEqual(49);
  expect(result).toBe(atOnce(sum(50)));
});

test('two pieces of work go on in turns', async () => {
  const order: string[] = [];
  function* named(name: string): Steps<void> {
    for (let n = 0; n < 3; n += 1) {
      order.push(name);
      yield;
    }
  }
  await Promise.all(['a', 'b'].map((name) => inSlices(named(name), { sliceMs: 0 })));
  expect(order.join('')).toBe('ababab');
});

test('work that nobody waits for any more ends after its slice', async () => {
  const leaving = new AbortController();
  const reason = new Error('left');
  let steps = 0;
  function* long(): Steps<void> {
    for (; ; yield) {
      steps += 1;
      if (steps === 5) leaving.abort(reason);
    }
  }
  await expect(inSlices(long(), { sliceMs: 0, signal: leaving.signal })).rejects.toBe(reason);
  expect(steps).toBe(5);
});

test('a failure of a step is that of the work', async () => {
  function* failing(): Steps<void> {
    yield;
    throw new Error('broken');
  }
  await expect(inSlices(failing(), { sliceMs: 0 })).rejects.toThrow('broken');
});

test('a pace lets others have a turn each time that it is over', async () => {
  const { turns } = await turnsDuring(async () => {
    const pace = new Pace({ sliceMs: 0 });
    for (let n = 0; n < 20; n += 1) if (pace.isOver) await pace.next();
  });
  expect(turns).toBeGreaterThanOrEqual(19);
  expect(new Pace({ sliceMs: 60_000 }).isOver).toBe(false);
});

test('a pace ends what is not wanted any more', async () => {
  const reason = new Error('left');
  await expect(new Pace({ signal: AbortSignal.abort(reason) }).next()).rejects.toBe(reason);
});
