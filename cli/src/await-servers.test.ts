import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort, until } from '@catchment/testkit';
import { addressOf, awaitServers } from './await-servers.ts';

test.each([
  ['postgres://jo:secret@db.example.org/catchment', [{ host: 'db.example.org', port: 5432 }]],
  ['postgres://db:6432/catchment?sslmode=require', [{ host: 'db', port: 6432 }]],
  ['postgres:///catchment?host=/run/postgresql', []],
  [
    'nats://a:4222, tls://b',
    [
      { host: 'a', port: 4222 },
      { host: 'b', port: 4222 },
    ],
  ],
  ['https://influx.example.org', [{ host: 'influx.example.org', port: 443 }]],
  ['http://[::1]:8086', [{ host: '::1', port: 8086 }]],
  ['catchment-nodes:50051', [{ host: 'catchment-nodes', port: 50051 }]],
  ['', []],
])('%s is at %j', (urls, expected) => {
  expect(addressOf(urls)).toEqual(expected);
});

/** Makes addresses on this machine, of a server that can be opened later. */
async function ownServer() {
  const server = createServer((socket) => socket.destroy());
  // Not one of outgoing connections: who looks for a server there could meet itself.
  const port = await freePort();
  return {
    address: { host: '127.0.0.1', port },
    open: () => once(server.listen(port, '127.0.0.1'), 'listening'),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

test('a server that comes later is waited for, and named', async () => {
  const server = await ownServer();
  const said: string[] = [];
  let isOver = false;
  const waiting = awaitServers([[server.address]], 60_000, (line) => said.push(line)).then(() => {
    isOver = true;
  });
  await until(() => said.length > 0);
  expect(isOver).toBe(false);
  await server.open();
  await waiting;
  await server.close();
  const at = `127.0.0.1:${server.address.port}`;
  // Errors of sockets are of another realm in tests, where texts of them have their name.
  const text = `waiting for ${at} to answer … [connect ECONNREFUSED ${at}]`;
  expect(said.map((line) => line.replace('[Error: ', '[').replace(/ \(\d+ s\)/, ''))).toEqual([text]);
});

test('one member of a cluster is enough; what has no address is not waited for', async () => {
  const [first, other] = [await ownServer(), await ownServer()];
  await first.open();
  const said: string[] = [];
  await awaitServers([[other.address, first.address], []], 60_000, (line) => said.push(line));
  await first.close();
  expect(said).toEqual([]);
});

test('one that never comes is waited for no longer than the time', async () => {
  const server = await ownServer();
  await awaitServers([[server.address]], 100, () => undefined);
});
