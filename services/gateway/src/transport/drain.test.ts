import { until } from '@catchment/testkit';
import { Drain, type DrainLimits } from './drain.ts';

const FAR_MS = 60_000;
const limits = (own: Partial<DrainLimits>): DrainLimits => ({
  connections: async () => 1,
  lingerMs: 0,
  quietMs: 0,
  serveMs: FAR_MS,
  limitMs: FAR_MS,
  ...own,
});

/** Makes a client that keeps its connection, with the number of looks at it: {@link Drain} waits in looks, not in time. */
function staying() {
  const client = {
    looks: 0,
    connections: async () => {
      client.looks += 1;
      return 1;
    },
  };
  return client;
}

test('without connections it ends at once', async () => {
  const drain = new Drain();
  await drain.begin(limits({ connections: async () => 0, lingerMs: FAR_MS }));
  expect([drain.isDraining, drain.isClosed]).toEqual([true, true]);
});

test('idle connections are waited for while clients may use them again', async () => {
  const idle = staying();
  await new Drain().begin(limits({ connections: idle.connections, lingerMs: 200 }));
  expect(idle.looks).toBe(1 + 200 / 50);
});

test('a request in flight is waited for, and requests are served meanwhile', async () => {
  const drain = new Drain();
  drain.enter();
  const client = staying();
  const drained = drain.begin(limits({ connections: client.connections }));
  await until(() => client.looks >= 4);
  expect([drain.isDraining, drain.isClosed]).toEqual([true, false]);
  drain.leave();
  await drained;
  expect(drain.isClosed).toBe(true);
});

test('the end comes a time after the last request only, in which the process could have read another one', async () => {
  const drain = new Drain();
  let looks = 0;
  let isOver = false;
  const connections = async () => {
    looks += 1;
    // A process that stands still sees nothing, whatever has arrived.
    if (looks === 2) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    return 1;
  };
  const drained = drain.begin(limits({ connections, quietMs: 400 })).then(() => {
    isOver = true;
  });
  while (looks < 4) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(isOver).toBe(false);
  drain.enter();
  drain.leave();
  const asked = looks;
  await drained;
  expect(looks - asked).toBeGreaterThanOrEqual(8);
});

test('requests that come without end are turned away after the time to serve, and those in flight end', async () => {
  const drain = new Drain();
  drain.enter();
  let isOver = false;
  const drained = drain.begin(limits({ serveMs: 100 })).then(() => {
    isOver = true;
  });
  while (!drain.isClosed) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(isOver).toBe(false);
  drain.leave();
  await drained;
});

test('nothing is waited for longer than the limit', async () => {
  const drain = new Drain();
  drain.enter();
  await drain.begin(limits({ serveMs: 50, limitMs: 100 }));
  expect(drain.isClosed).toBe(true);
});
