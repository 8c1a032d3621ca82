import { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { createLogger } from '@catchment/telemetry';
import { ownNats, until } from '@catchment/testkit';
import { ACK_WAIT_MS } from './consumers.ts';
import { Bus } from './index.ts';

const STALL_MS = 3_000;
/** A stall of this length is a silence, and readers may pull again: on a full machine a stall takes longer than it should. */
const SILENCE_MS = 4_000;
/** Messages in flight without a receiver come again after `ACK_WAIT_MS`: a busy machine takes less than half of it. */
const SOON_MS = ACK_WAIT_MS / 2;

/** Nobody gets a processor: the timers of this process fire late, and all at once. */
const holdEventLoop = async () => {
  const untilMs = performance.now() + STALL_MS;
  while (performance.now() < untilMs);
};

test.each<[string, (brokerPid: number) => Promise<void>]>([
  [
    'the broker says nothing for some seconds',
    async (pid) => {
      process.kill(pid, 'SIGSTOP');
      await delay(STALL_MS).finally(() => process.kill(pid, 'SIGCONT'));
    },
  ],
  ['the event loop stands still for some seconds', holdEventLoop],
])('%s: readers go on at once', async (_what, stall) => {
  await using nats = await ownNats();
  const lines: string[] = [];
  const destination = new Writable({
    write(line, _encoding, done) {
      lines.push(String(line));
      done();
    },
  });
  const log = createLogger('test', { destination });
  const bus = await Bus.open({ url: nats.url, prefix: 'stalls', name: 'test', partitions: 1, log });
  const seen: string[] = [];
  const see = (messages: readonly { data: Uint8Array }[]) =>
    seen.push(...messages.map(({ data }) => Buffer.from(data).toString()));
  bus.readPartitions('writer', async (_partition, messages) => void see(messages));
  bus.readDomain('alarms-nodes', async (messages) => void see(messages));
  const publishBoth = async (id: string) => {
    await bus.publish('ingest.0', Buffer.from(`log ${id}`), { msgId: `log-${id}`, timeoutMs: 10_000 });
    await bus.publish('nodes.node.changed.v1', Buffer.from(`event ${id}`), { msgId: `event-${id}`, timeoutMs: 10_000 });
  };
  try {
    let [longestMs, lastMs] = [0, performance.now()];
    await publishBoth('before');
    await until(() => seen.length === 2);
    for (const round of ['first', 'second']) {
      const quietSinceMs = lastMs;
      seen.length = 0;
      await stall(nats.pid ?? 0);
      lastMs = performance.now();
      await publishBoth(round);
      const publishedMs = performance.now();
      await until(() => seen.length === 2, { what: 'both readers go on' });
      expect(performance.now() - publishedMs).toBeLessThan(SOON_MS);
      expect(new Set(seen)).toEqual(new Set([`log ${round}`, `event ${round}`]));
      longestMs = Math.max(longestMs, performance.now() - quietSinceMs);
    }
    const others = lines.filter((line) => JSON.parse(line).silentMs === undefined);
    expect(longestMs < SILENCE_MS ? lines : others).toEqual([]);
  } finally {
    await bus.close();
  }
});
