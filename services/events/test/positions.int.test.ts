import { newObjectId } from '@catchment/ids';
import { readEventQuery } from '../src/domain/event-query.ts';
import type { EventScope } from '../src/usecases/ports.ts';
import { caller, NOW, recorded, type Service, startService } from './fixture.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const scopeOf = (ownerId: string, change: Partial<EventScope> = {}): EventScope => ({
  ownerId,
  workspaceIds: undefined,
  withAccountEvents: true,
  nodeId: undefined,
  closedNodeIds: [],
  nodeIds: new Map(),
  ...change,
});

test('positions are those of commit: a reader that follows writers of the same time misses nothing', async () => {
  const { ownerId } = caller();
  const first = await service.events.lastPosition();
  const events = Array.from({ length: 300 }, (_, n) => recorded({ ownerId, timeMs: NOW - n * 1_000_000 }));
  let done = false;
  const writing = Promise.all(
    Array.from({ length: 6 }, async (_, writer) => {
      for (let n = writer; n < events.length; n += 6) await service.events.record(events.slice(n, n + 1));
    }),
  ).finally(() => {
    done = true;
  });
  const seen: string[] = [];
  let position = first;
  for (let last = false; !last; ) {
    last = done;
    for (const event of await service.events.recordedAfter(position, 7)) {
      expect(event.position).toBeGreaterThan(position);
      position = event.position;
      seen.push(event.eventId);
      last = false;
    }
  }
  await writing;
  expect(seen.sort()).toEqual(events.map((event) => event.eventId).sort());
  expect(await service.events.lastPosition()).toBe(position);
});

test('an event that comes twice keeps its position', async () => {
  const event = recorded({ ownerId: caller().ownerId });
  await service.events.record([event]);
  const position = await service.events.lastPosition();
  await service.events.record([event]);
  expect(await service.events.lastPosition()).toBe(position);
});

test('a list is followed within its scope and filter, whatever its bounds and order', async () => {
  const { ownerId } = caller();
  const [open, closed] = [newObjectId(), newObjectId()];
  const position = await service.events.lastPosition();
  const wanted = recorded({ ownerId, nodeId: open, level: 'WARNING', timeMs: NOW - 5 });
  const later = recorded({ ownerId, nodeId: open, level: 'WARNING', timeMs: NOW - 9 });
  await service.events.record([
    wanted,
    recorded({ ownerId, nodeId: open, level: 'DEBUG' }),
    recorded({ ownerId, nodeId: closed, level: 'WARNING' }),
    recorded({ ownerId, workspaceId: '', nodeId: '', nodeClass: '', level: 'WARNING' }),
    recorded({ ownerId: newObjectId(), level: 'WARNING' }),
  ]);
  await service.events.record([later]);
  const given = { filter: 'level($eq:WARNING)', sort: 'eventTime(DESC)', limit: '1', startTime: 'NOW' };
  const list = service.events.list(readEventQuery(given, NOW));
  const scope = scopeOf(ownerId, { withAccountEvents: false, closedNodeIds: [closed] });
  const page = await list.recordedAfter(scope, position, 10);
  expect(page.map((event) => event.eventId)).toEqual([wanted.eventId, later.eventId]);
  expect((await list.recordedAfter(scope, page[0]?.position ?? 0, 10)).map((event) => event.eventId)).toEqual([
    later.eventId,
  ]);
});
