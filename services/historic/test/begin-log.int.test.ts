import { Bus } from '@catchment/bus';
import { createLogger } from '@catchment/telemetry';
import { testNats, until } from '@catchment/testkit';
import { beginLog } from '../src/bus/begin-log.ts';

const log = createLogger('test', { level: 'silent' });

test('readers that have never acknowledged get a message that changes nothing, once', async () => {
  const nats = await testNats();
  const bus = await Bus.open({ url: nats.url, prefix: nats.prefix, name: 'test', partitions: 2, log });
  const seen: string[] = [];
  try {
    expect(await bus.neverAcknowledged('INGEST')).toEqual(new Set(['writer-0', 'writer-1', 'alarms-0', 'alarms-1']));
    await beginLog(bus, 2);
    // As by another replica at the same time.
    await beginLog(bus, 2);
    for (const reader of ['writer', 'alarms'] as const)
      bus.readPartitions(reader, async (partition, messages) => {
        for (const _ of messages) seen.push(`${reader}-${partition}`);
      });
    await until(async () => (await bus.neverAcknowledged('INGEST')).size === 0, { deadlineMs: 10_000 });
    await beginLog(bus, 2);
    expect(await bus.lag('INGEST')).toEqual({ 'writer-0': 0, 'writer-1': 0, 'alarms-0': 0, 'alarms-1': 0 });
    expect(seen.sort()).toEqual(['alarms-0', 'alarms-1', 'writer-0', 'writer-1']);
  } finally {
    await bus.close();
    await nats.drop();
  }
});
