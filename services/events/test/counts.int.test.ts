import { newObjectId } from '@catchment/ids';
import { recorded, startService } from './fixture.ts';

const HOUR_MS = 3_600_000;
const AT = Date.UTC(2026, 4, 15);
const [ownerId, workspaceId, node, other] = [newObjectId(), newObjectId(), newObjectId(), newObjectId()];

let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
  service = await startService();
  const event = (hours: number, change: object = {}) =>
    recorded({
      ownerId,
      workspaceId,
      nodeId: node,
      alarmState: 'ACTIVE',
      timeMs: AT + hours * HOUR_MS,
      ...change,
    });
  const events = [
    event(0),
    event(1),
    event(1, { nodeId: other, eventType: 'ACQUISITION' }),
    event(2, { eventType: 'ACQUISITION', workspaceId: newObjectId() }),
    event(1, { alarmState: 'CLEARED' }),
    event(1, { alarmState: 'NONE' }),
    event(1, { ownerId: newObjectId() }),
    // Another month, another partition.
    event(24 * 20),
  ];
  await service.events.record(
    events.map(({ transition: _transition, ...event }) => event as Parameters<typeof service.events.record>[0][number]),
  );
});
afterAll(() => service.close());

test.each([
  ['of a workspace, most first', { workspaceId }, [0, 1], 'STATE 2, ACQUISITION 1'],
  ['of nodes', { nodeIds: [node] }, [0, 2], 'STATE 2, ACQUISITION 1'],
  ['both bounds belong to it', { nodeIds: [node] }, [1, 1], 'STATE 1'],
  ['over months', { nodeIds: [node, other] }, [0, 24 * 30], 'STATE 3, ACQUISITION 2'],
  ['of nothing', { nodeIds: [] }, [0, 2], ''],
  ['of a node that has none', { nodeIds: [newObjectId()] }, [0, 2], ''],
] as [string, { workspaceId?: string; nodeIds?: string[] }, [number, number], string][])(
  'events that raise an alarm are counted %s',
  async (_what, whose, [from, to], expected) => {
    const period = { startMs: AT + from * HOUR_MS, endMs: AT + to * HOUR_MS };
    const counts = await service.events.countActive({ ownerId, workspaceId: '', nodeIds: [], ...whose, ...period });
    expect(counts.map(({ eventType, count }) => `${eventType} ${count}`).join(', ')).toBe(expected);
  },
);

test('they are found by an index of such events alone', async () => {
  const { rows } = await service.database.query<{ indexdef: string }>(
    "SELECT indexdef FROM pg_indexes WHERE indexname = 'events_active'",
  );
  expect(rows[0]?.indexdef).toContain("WHERE (alarm_state = 'ACTIVE'::text)");
});
