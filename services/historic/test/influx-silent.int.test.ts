import { createServer, type Socket } from 'node:net';
import { ownInflux, until } from '@catchment/testkit';
import { type Historic, jts, startHistoric } from './fixture.ts';

/** A read that ends by the limit of a request has another reason. */
const reasonOf = (read: Promise<unknown>) =>
  read.then(
    () => 'answered',
    (error: { reason: string }) => error.reason,
  );

/**
 * Fakes a hanging store: the first reads end when it is found silent, further ones are refused without asking it.
 * @param questions that reached the store, where they are counted
 */
async function expectRefused(
  historic: Historic,
  node: Parameters<Historic['readText']>[0],
  questions = () => 0,
): Promise<void> {
  const read = () => reasonOf(historic.readText(node, { limit: '5' }));
  // More than there are places for reads: those that wait for a place are not to wait for the limit of a request.
  const first = await Promise.all(Array.from({ length: 12 }, read));
  expect(new Set(first)).toEqual(new Set(['INFLUX_SILENT']));
  const asked = questions();
  for (let n = 0; n < 5; n += 1) expect(await read()).toBe('INFLUX_SILENT');
  expect(questions()).toBe(asked);
}

test('InfluxDB that hangs: reads are refused, writes are answered, and all is there when it goes on', async () => {
  await using influx = await ownInflux();
  // Memory would answer without the store.
  const historic = await startHistoric(influx.url, { recentBytes: 0 });
  try {
    const node = historic.parameter();
    const count = async () => JSON.parse((await historic.readText(node, { limit: '100' })).text).header.recordCount;
    expect(await historic.write(node, jts([[1_000, { v: 1 }]]))).toBe(1);
    await until(async () => (await count()) === 1);

    process.kill(influx.pid ?? 0, 'SIGSTOP');
    try {
      await expectRefused(historic, node);
      for (let n = 2; n <= 10; n += 1) expect(await historic.write(node, jts([[n * 1_000, { v: n }]]))).toBe(1);
    } finally {
      process.kill(influx.pid ?? 0, 'SIGCONT');
    }
    await until(async () => (await count()) >= 1, { what: 'reads are answered again' });
    await until(async () => (await count()) === 10, { what: 'all 10 are stored' });
  } finally {
    await historic.close();
  }
});

test.each<[string, RegExp, (socket: Socket) => void]>([
  ['takes connections and answers nothing', /^INFLUX_SILENT$/, () => {}],
  ['takes connections and ends them', /^INFLUX_(?:UNAVAILABLE|SILENT)$/, (socket) => socket.destroy()],
])(
  'an address that %s: reads are refused, and do not wait for the limit of a request',
  async (_what, reason, onConnection) => {
    const sockets = new Set<Socket>();
    let questions = 0;
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => {}));
      socket.on('data', (bytes) => {
        questions += bytes.toString().split(' /query').length - 1;
      });
      onConnection(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const historic = await startHistoric(`http://127.0.0.1:${(server.address() as { port: number }).port}`);
    try {
      const node = historic.parameter();
      expect(await historic.write(node, jts([[1_000, { v: 1 }]]))).toBe(1);
      expect(await reasonOf(historic.readText(node, { limit: '5' }))).toMatch(reason);
      if (reason.test('INFLUX_UNAVAILABLE')) return;
      expect(questions).toBeGreaterThan(0);
      // It asks too, and tries again for as long as it must.
      for (const writer of historic.writers.values()) await writer.stop();
      await expectRefused(historic, node, () => questions);
    } finally {
      for (const socket of sockets) socket.destroy();
      server.close();
      await historic.close();
    }
  },
);
