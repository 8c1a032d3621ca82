import { once } from 'node:events';
import { Socket } from 'node:net';
import { createLogger } from '@catchment/telemetry';
import { FailedIdents } from '../../listening/usecases/failed-idents.ts';
import { CallbackConnection } from './callback-connection.ts';
import type { ConnectionDeps } from './live-connection.ts';

// Timers are fake, and none may be left.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

test('a logger that leaves while its identification is checked leaves no timer, and is not said to be connected', async () => {
  const socket = new Socket();
  const released = Promise.withResolvers<unknown>();
  const connected = vi.fn();
  const deps = {
    log: createLogger('test', { level: 'silent' }),
    failedIdents: new FailedIdents({ maxFailures: 5, failureWindowSeconds: 60 }, () => 0),
    roundRobin: { take: async () => () => {} },
    refusalMs: 0,
    identLimitMs: 10_000,
    instanceId: 'i',
    now: () => 0,
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
  } as unknown as ConnectionDeps;
  const running = new CallbackConnection(socket, 'c', deps).run();
  socket.emit('data', Buffer.from('490154203237518\r\n'));
  expect(await released.promise).toEqual({ deviceId: 'd', connectionId: 'c' });
  await new Promise(setImmediate);
  expect([vi.getTimerCount(), connected.mock.calls]).toEqual([0, []]);
});
