import { once } from 'node:events';
import { Socket } from 'node:net';
import { createLogger } from '@catchment/telemetry';
import { FailedIdents } from '../../listening/usecases/failed-idents.ts';
import { CallbackConnection } from './callback-connection.ts';
import type { ConnectionDeps } from './live-connection.ts';

// Timers are fake, and none may be left.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A connection asks these; the store is that of the test. */
const depsOf = (more: object) =>
  ({
    log: createLogger('test', { level: 'silent' }),
    failedIdents: new FailedIdents({ maxFailures: 5, failureWindowSeconds: 60 }, () => 0),
    roundRobin: { take: async () => () => {} },
    refusalMs: 0,
    identLimitMs: 10_000,
    instanceId: 'i',
    now: () => 0,
    ...more,
  }) as unknown as ConnectionDeps;

test('a logger that leaves while its identification is checked leaves no timer, and is not said to be connected', async () => {
  const socket = new Socket();
  const released = Promise.withResolvers<unknown>();
  const connected = vi.fn();
  const deps = depsOf({
    store: {
      findUnsecured: async () => ({ device: { deviceId: 'd', datasourceId: 's', deviceKey: '490154203237518' } }),
      transaction: async () => {
        socket.destroy();
        await once(socket, 'close');
        await running;
        return { device: { deviceId: 'd', deviceKey: '490154203237518' }, sources: [{}], session: '', ackedSeq: 0 };
      },
    },
    release: async (ended: unknown) => released.resolve(ended),
    connected,
  });
  const running = new CallbackConnection(socket, 'c', deps).run();
  socket.emit('data', Buffer.from('490154203237518\r\n'));
  expect(await released.promise).toEqual({ deviceId: 'd', connectionId: 'c' });
  await new Promise(setImmediate);
  expect([vi.getTimerCount(), connected.mock.calls]).toEqual([0, []]);
});

test('what was read of a device before a change does not take the place of what was read after it', async () => {
  const socket = new Socket();
  const [connected, before] = [Promise.withResolvers<unknown>(), Promise.withResolvers<object[]>()];
  const device = { deviceId: 'd', datasourceId: 's', deviceKey: '490154203237518' };
  const sources = vi
    .fn(async () => [{ sourceId: 'old' }, { sourceId: 'new' }])
    .mockReturnValueOnce(before.promise as never);
  const deps = depsOf({
    store: {
      findUnsecured: async () => ({ device }),
      transaction: async () => ({ device, sources: [{ sourceId: 'old' }], session: '', ackedSeq: 0 }),
      findDevice: async () => device,
      isRegistered: async () => true,
      sourcesOfDevice: sources,
    },
    release: async () => {},
    connected: connected.resolve,
  });
  const connection = new CallbackConnection(socket, 'c', deps);
  const running = connection.run();
  socket.emit('data', Buffer.from('490154203237518\r\n'));
  while (sources.mock.calls.length === 0) await new Promise(setImmediate);
  // The device changes while it is read for the first time.
  const changed = connection.refresh();
  await new Promise(setImmediate);
  before.resolve([{ sourceId: 'old' }]);
  await Promise.all([changed, connected.promise]);
  expect(connection.sourceIds).toEqual(['old', 'new']);
  socket.destroy();
  await running;
});
