import { newObjectId } from '@catchment/ids';
import { caller, recorded, type Service, startService } from './fixture.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({ monthsMax: 6 });
});
afterAll(() => service.close());

test('the newest acquisitions of a source come newest first, without alarms and those of others', async () => {
  const { ownerId } = caller();
  const nodeId = newObjectId();
  const nowMs = Date.now();
  const event = (ageMs: number, message: string, more: object = {}) =>
    recorded({
      ownerId,
      nodeId,
      eventType: 'ACQUISITION',
      alarmState: 'NONE',
      level: 'DEBUG',
      timeMs: nowMs - ageMs,
      message,
      ...more,
    });
  await service.events.record([
    event(3_000, 'oldest'),
    event(1_000, 'newest'),
    event(2_000, 'middle'),
    event(1_500, 'an alarm', { alarmState: 'ACTIVE' }),
    event(1_500, 'settings', { eventType: 'CONFIGURATION' }),
    event(1_500, 'of another', { nodeId: newObjectId() }),
  ]);
  const found = await service.events.acquisitionsOf(ownerId, nodeId, 2);
  expect(found.map(({ message, timeMs, level }) => [message, nowMs - timeMs, level])).toEqual([
    ['newest', 1_000, 'DEBUG'],
    ['middle', 2_000, 'DEBUG'],
  ]);
  expect(await service.events.acquisitionsOf(caller().ownerId, nodeId, 9)).toEqual([]);
});
