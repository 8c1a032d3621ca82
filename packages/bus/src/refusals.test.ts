// These tests read what an operator hears when JetStream takes nothing more: real servers that are full.
import { randomBytes } from 'node:crypto';
import { startNats } from '@catchment/servers';
import { createLogger, metricsPage } from '@catchment/telemetry';
import { hang, limitStream, ownNats, removeDataFolder, smallVolume } from '@catchment/testkit';
import { Bus, type BusOptions } from './index.ts';

const MIB = 1024 * 1024;
const SMALL = { INGEST: MIB, APPLIED: MIB, DOMAIN: MIB, NOTIFICATIONS: MIB, DEADLETTER: MIB };

/** Opens a bus, and returns what its log says at error. */
async function opened(options: Pick<BusOptions, 'url'> & Partial<BusOptions>) {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => lines.push(JSON.parse(line));
  const log = createLogger('test', { level: 'error', destination: { write } });
  return { bus: await Bus.open({ name: 'test', partitions: 1, log, ...options }), lines };
}

/** Publishes until the broker takes no more. @returns the reason that the caller gets */
async function publishUntilRefused(bus: Bus, subject: string, timeoutMs = 5_000): Promise<string> {
  for (let n = 0; n < 200; n += 1)
    try {
      await bus.publish(subject, randomBytes(200_000), { msgId: `${subject} ${n}`, timeoutMs });
    } catch (error) {
      return (error as { reason: string }).reason;
    }
  return 'took everything';
}
const counted = async (part: string) =>
  (await metricsPage()).text.match(
    `catchment_writes_refused_total\\{store="nats",part="${part}",reason="(\\w+)"\\} [1-9]`,
  )?.[1];

test('a stream at its limit: callers are asked to come again, the log says which stream and why, once', async () => {
  await using nats = await ownNats();
  const { bus, lines } = await opened({ url: nats.url });
  try {
    await limitStream(nats.url, 'INGEST', () => MIB);
    expect(await publishUntilRefused(bus, 'ingest.0')).toBe('BROKER_UNAVAILABLE');
    expect(await publishUntilRefused(bus, 'ingest.0')).toBe('BROKER_UNAVAILABLE');
    expect(lines).toEqual([
      expect.objectContaining({
        msg: 'a store refuses writes',
        store: 'nats',
        part: 'INGEST',
        reason: 'full',
        says: 'maximum bytes exceeded',
        writes: 1,
      }),
    ]);
    expect(await counted('INGEST')).toBe('full');
  } finally {
    await bus.close();
  }
});

test('a full store of files: the files of people are reported, and each stream that gets nothing more', async () => {
  await using nats = await ownNats({ maxFileStoreBytes: 8 * MIB });
  const { bus, lines } = await opened({ url: nats.url, maxBytes: SMALL });
  try {
    await expect(bus.objects.put('file', randomBytes(9 * MIB))).rejects.toMatchObject({
      reason: 'FILE_STORE_UNAVAILABLE',
    });
    expect(await publishUntilRefused(bus, 'applied.0')).toBe('BROKER_UNAVAILABLE');
    expect(lines).toMatchObject([
      { store: 'nats', part: 'FILES', reason: 'full', says: 'insufficient resources' },
      { store: 'nats', part: 'APPLIED', reason: 'full', says: 'insufficient resources' },
    ]);
  } finally {
    await bus.close();
  }
});

test('a volume without room: a server that stores nothing and says nothing is reported all the same', async ({
  skip,
}) => {
  await using volume = await smallVolume(24);
  if (!volume) return skip('no volume may be mounted here');
  const nats = await startNats({ dataDir: volume.folder, durable: false });
  try {
    const { bus, lines } = await opened({ url: nats.url, maxBytes: { ...SMALL, DOMAIN: 900 * MIB } });
    expect(await publishUntilRefused(bus, 'events.x.happened.v1', 500)).toBe('BROKER_UNAVAILABLE');
    expect(lines).toMatchObject([{ store: 'nats', part: 'DOMAIN', reason: expect.stringMatching(/^(silent|full)$/) }]);
    await bus.close();
  } finally {
    // It does not hear of its end any more.
    process.kill(nats.pid ?? 0, 'SIGKILL');
    await nats.stop();
    await removeDataFolder(volume.folder).catch(() => undefined);
  }
});

test('a broker that hangs is silent, and one that is away refuses nothing', async () => {
  await using nats = await ownNats();
  const { bus, lines } = await opened({ url: nats.url });
  try {
    const goOn = await hang(nats.pid ?? 0);
    await publishUntilRefused(bus, 'notifications.email.due.v1', 200);
    await goOn();
    expect(lines).toMatchObject([{ part: 'NOTIFICATIONS', reason: 'silent', says: 'timeout' }]);
  } finally {
    await bus.close();
  }
  await bus.publish('dead.x', new Uint8Array(), { msgId: 'late' }).catch(() => undefined);
  expect(lines).toHaveLength(1);
});
