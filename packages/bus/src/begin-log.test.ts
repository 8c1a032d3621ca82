import { createLogger } from '@catchment/telemetry';
import { testNats, until } from '@catchment/testkit';
import { Bus } from './bus.ts';

const log = createLogger('test', { level: 'silent' });
const EMPTY = Buffer.alloc(1);

test('readers that have never acknowledged get a message that changes nothing, once', async () => {
  const nats = await testNats();
  const bus = await Bus.open({ url: nats.url, prefix: nats.prefix, name: 'test', partitions: 2, log });
  const seen: string[] = [];
  try {
    expect(await bus.neverAcknowledged('INGEST')).toEqual(new Set(['writer-0', 'writer-1', 'alarms-0', 'alarms-1']));
    await bus.beginLog(EMPTY);
    // Another replica may do so at the same time.
    await bus.beginLog(EMPTY);
    for (const reader of ['writer', 'alarms'] as const)
      bus.readPartitions(reader, async (partition, messages) => {
        for (const _ of messages) seen.push(`${reader}-${partition}`);
      });
    await until(async () => (await bus.neverAcknowledged('INGEST')).size === 0);
    await bus.beginLog(EMPTY);
    expect(await bus.lag('INGEST')).toEqual({ 'writer-0': 0, 'writer-1': 0, 'alarms-0': 0, 'alarms-1': 0 });
    expect(seen.sort()).toEqual(['alarms-0', 'alarms-1', 'writer-0', 'writer-1']);
    await bus.beginLog(EMPTY, 'alarms');
    expect((await bus.lag('INGEST'))['alarms-0']).toBe(0);
  } finally {
    await bus.close();
    await nats.drop();
  }
});
