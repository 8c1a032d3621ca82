import { newObjectId } from '@catchment/ids';
import { until } from '@catchment/testkit';
import { caller, NOW, recorded, type Service, startService } from './fixture.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({ monthsMax: 6 });
});
afterAll(() => service.close());

const { ownerId } = caller();
const nodeId = newObjectId();
const HOUR = 3_600_000;

const about = (hour: number, alarmState: string, more: object = {}) =>
  recorded({
    ownerId,
    nodeId,
    alarmType: 'stateAlarm',
    alarmState,
    timeMs: NOW + hour * HOUR,
    message: `${alarmState} ${hour}`,
    ...more,
  });

beforeAll(async () => {
  // The events come out of order: a late one counts where it belongs.
  await service.events.record([
    about(5, 'CLEARED'),
    about(1, 'ACTIVE'),
    about(3, 'ACKNOWLEDGED', { username: 'jo@example.org' }),
    about(2, 'NONE'),
    about(2, 'ACTIVE', { alarmType: 'qualityAlarm' }),
    about(1, 'ACTIVE', { nodeId: newObjectId() }),
    about(1, 'ACTIVE', { alarmType: undefined, eventType: 'CONFIGURATION' }),
  ]);
});

const at = async (hour: number, of = ownerId) =>
  (await service.events.alarmsAt(of, [nodeId], NOW + hour * HOUR))
    .map(({ alarmType, alarmState, message, activeTimeMs }) => [alarmType, alarmState, message, activeTimeMs])
    .sort();

const raised = ['stateAlarm', 'ACTIVE', 'ACTIVE 1', NOW + HOUR];
const quality = ['qualityAlarm', 'ACTIVE', 'ACTIVE 2', NOW + 2 * HOUR];

test.each([
  ['before the first event', 0.5, []],
  ['at the time of an event', 1, [raised]],
  ['after an event that changes no alarm', 2.5, [quality, raised]],
  [
    'acknowledged: it names the event that raised it',
    3,
    [quality, ['stateAlarm', 'ACKNOWLEDGED', 'ACTIVE 1', NOW + HOUR]],
  ],
  ['cleared alarms are left out', 5, [quality]],
])('alarms %s', async (_what, hour, expected) => expect(await at(hour)).toEqual(expected));

test('who has acknowledged, and when, is shown; another account sees nothing', async () => {
  const found = await service.events.alarmsAt(ownerId, [nodeId], NOW + 4 * HOUR);
  expect(found.find(({ alarmType }) => alarmType === 'stateAlarm')).toMatchObject({
    acknowledgeUsername: 'jo@example.org',
    acknowledgeTimeMs: NOW + 3 * HOUR,
  });
  expect(await at(4, newObjectId())).toEqual([]);
});

test('an alarm that there is not is refused', async () => {
  const readers = service.read();
  await service.publish(about(9, 'ACTIVE', { alarmType: 'fireAlarm' }));
  await service.publish(about(9, 'ACTIVE'));
  await until(async () => (await at(9)).length === 2);
  await until(() => service.bus.deadLetterCount === 1, { what: 'the other one is put aside' });
  await readers.stop();
});
