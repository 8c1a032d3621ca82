import { once } from 'node:events';
import { type AddressInfo, createServer, Socket } from 'node:net';
import { dial } from './dial.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test('an address where nothing answers is given up', async () => {
  vi.useFakeTimers();
  // A pod that is gone behaves like this: neither a connection nor a refusal comes.
  vi.spyOn(Socket.prototype, 'connect').mockReturnThis();
  const socket = dial(1_500);
  const failed = once(socket, 'error');
  socket.connect(5432, 'gone');
  vi.advanceTimersByTime(1_500);
  expect(await failed).toEqual([expect.objectContaining({ code: 'ETIMEDOUT' })]);
});

test('a connection that is made has no clock', async () => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const socket = dial(1_500);
  socket.connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  expect(vi.getTimerCount()).toBe(0);
  socket.destroy();
  server.close();
});
