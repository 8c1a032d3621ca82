import { createServer, type Socket } from 'node:net';
import { ownInflux, until } from '@catchment/testkit';
import { type Historic, jts, startHistoric } from './fixture.ts';

/** Half of what a request may take. */
const READ_LIMIT_MS = 30_000;
/** A read that is not refused at once waits for 5 s. */
const AT_ONCE_MS = 4_000;

const timed = async (work: Promise<unknown>) => {
  const beganMs = performance.now();
  const outcome = await work.then(
    () => 'answered',
    (error: { reason: string }) => error.reason,
  );
  return { outcome, ms: performance.now() - beganMs };
};

/** A hanging store: the first reads end after some seconds, further ones at once. */
async function expectRefused(historic: Historic, node: Parameters<Historic['readText']>[0]): Promise<void> {
  const read = () => timed(historic.readText(node, { limit: '5' }));
  // More than there are places for reads: those that wait for a place are not to wait for the limit of a request.
  for (const { outcome, ms } of await Promise.all(Array.from({ length: 12 }, read))) {
    expect(outcome).toBe('INFLUX_SILENT');
    expect(ms).toBeLessThan(READ_LIMIT_MS);
  }
  for (let n = 0; n < 5; n += 1) {
    const { outcome, ms } = await read();
    expect(outcome).toBe('INFLUX_SILENT');
    expect(ms).toBeLessThan(AT_ONCE_MS);
  }
}

test('InfluxDB that hangs: reads are refused, writes are answered, and all is there when it goes on', async () => {
  await using influx = await ownInflux();
  const historic = await startHistoric(influx.url);
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

test.each<[string, string, (socket: Socket) => void]>([
  ['takes connections and answers nothing', 'INFLUX_SILENT', () => {}],
  ['takes connections and ends them', 'INFLUX_UNAVAILABLE', (socket) => socket.destroy()],
])('an address that %s: reads are refused soon', async (_what, reason, onConnection) => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const historic = await startHistoric(`http://127.0.0.1:${(server.address() as { port: number }).port}`);
  try {
    const node = historic.parameter();
    expect(await historic.write(node, jts([[1_000, { v: 1 }]]))).toBe(1);
    if (reason === 'INFLUX_SILENT') await expectRefused(historic, node);
    else {
      const { outcome, ms } = await timed(historic.readText(node, { limit: '5' }));
      expect(outcome).toMatch(/INFLUX_UNAVAILABLE|INFLUX_SILENT/);
      expect(ms).toBeLessThan(READ_LIMIT_MS);
    }
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
    await historic.close();
  }
});
