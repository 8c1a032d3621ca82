// Acquisitions of the log raise alarms of sources about records that were left out (docs/reference/alarms.md#conditions: data, overload).
import { Acquisition, NotifyOn, WriteMode } from '@catchment/contracts/ingest';
import type { NodeConfig } from '@catchment/contracts/nodes';
import { type Column, FLAG } from '@catchment/ingest-log';
import { caller, column, NORMAL, NOW, parameter, type Service, source, startService } from './fixture.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const DAY = 86_400_000;
function setUp(isEnabled = true) {
  const level = parameter([NORMAL]);
  const sourceNode = source(level, isEnabled);
  service.peers.nodes.set(level.nodeId, level).set(sourceNode.nodeId, sourceNode);
  return { level, sourceNode };
}
async function acquired(of: NodeConfig, ...changes: Partial<Acquisition>[]) {
  const { nodeId, ownerId, workspaceId, sourceId } = of;
  const base = {
    nodeId,
    ownerId,
    workspaceId,
    sourceId,
    rows: 1,
    timeMs: NOW,
    notifyOn: NotifyOn.NOTIFY_ON_LATEST_ONLY,
  };
  await service.publish(
    changes.map((change) => ({ kind: 'acquisition', acquisition: Acquisition.fromPartial({ ...base, ...change }) })),
  );
  await service.idle();
}
const reported = (node: NodeConfig) =>
  service.events(node).map(({ level, eventType, alarmState, message }) => [level, eventType, alarmState, message]);

test('discarded rows raise overloadAlarm of the source, once; an acquisition on the next day that drops nothing clears it', async () => {
  const { level, sourceNode } = setUp();
  await acquired(level, { dropped: 4 }, { dropped: 6 }, {});
  await acquired(sourceNode, { timeMs: NOW + 1_000 });
  expect(reported(sourceNode)).toEqual([['WARNING', 'ACQUISITION', 'ACTIVE', 'Overload: 4 records discarded']]);
  expect(service.alarms(sourceNode).map((alarm) => [alarm.alarmType, alarm.alarmState, alarm.message])).toEqual([
    ['overloadAlarm', 'ACTIVE', 'Overload: 6 records discarded'],
  ]);
  await acquired(sourceNode, { timeMs: NOW + DAY });
  expect(reported(sourceNode).at(-1)).toEqual(['INFO', 'ACQUISITION', 'CLEARED', 'Overload cleared']);
});

test('records outside of the window raise dataAlarm until an acquisition without any; a silent one does nothing', async () => {
  const { level, sourceNode } = setUp();
  await acquired(level, { excluded: 2, notifyOn: NotifyOn.NOTIFY_ON_NONE });
  expect(reported(sourceNode)).toEqual([]);
  await acquired(level, { excluded: 2 });
  await service.acknowledge(caller(sourceNode.ownerId), sourceNode.nodeId, 'dataAlarm');
  await acquired(sourceNode, { notifyOn: NotifyOn.NOTIFY_ON_NONE });
  await acquired(sourceNode, {});
  expect(reported(sourceNode).map(([, , state, message]) => [state, message])).toEqual([
    ['ACTIVE', 'Data invalid: 2 records outside of the accepted time'],
    ['ACKNOWLEDGED', "Acknowledged alarm 'DATA'"],
    ['CLEARED', 'Data valid'],
  ]);
});

test('a file at fault raises dataAlarm; the rest of its records do not clear it, the next acquisition does', async () => {
  const { sourceNode } = setUp();
  await acquired(
    sourceNode,
    { fault: 'a.csv: parsed 40%, 90% required', rows: 0 },
    { continues: true },
    { continues: true },
  );
  expect(service.alarms(sourceNode).map((alarm) => [alarm.alarmType, alarm.alarmState])).toEqual([
    ['dataAlarm', 'ACTIVE'],
  ]);
  await acquired(sourceNode, {});
  expect(reported(sourceNode)).toEqual([
    ['WARNING', 'ACQUISITION', 'ACTIVE', 'Data invalid: a.csv: parsed 40%, 90% required'],
    ['INFO', 'ACQUISITION', 'CLEARED', 'Data valid'],
  ]);
});

test('nothing is raised on a disabled source', async () => {
  const { level, sourceNode } = setUp(false);
  await acquired(level, { excluded: 2, dropped: 3 }, { fault: 'x' });
  expect([reported(sourceNode), service.alarms(sourceNode)]).toEqual([[], []]);
});

test('a replica that starts knows what is raised', async () => {
  const { level, sourceNode } = setUp();
  await acquired(level, { dropped: 1 });
  await service.raised.look();
  expect([service.raised.has(sourceNode.nodeId), service.raised.has(level.nodeId)]).toEqual([true, false]);
});

test('a record more than a day ahead is reported once for a source and day, whatever its series', async () => {
  const { level, sourceNode } = setUp();
  const ahead = (ms: number, change: Partial<Column> = {}) =>
    service.write({ ...column(level, [[NOW + ms, 1]]), modifiedMs: NOW, ...change });
  await ahead(DAY);
  await ahead(2 * DAY, { flags: Uint8Array.of(FLAG.deleteMarker) });
  await ahead(2 * DAY, { writeMode: WriteMode.WRITE_MODE_DELETE_RANGE });
  expect(reported(sourceNode)).toEqual([]);
  await ahead(DAY + 1);
  await ahead(9 * DAY);
  await ahead(9 * DAY, { modifiedMs: NOW + DAY });
  expect(reported(sourceNode).map(([type, , state]) => [type, state])).toEqual([
    ['WARNING', 'NONE'],
    ['WARNING', 'NONE'],
  ]);
  expect(reported(sourceNode)[0]?.[3]).toBe(
    'A record of 2026-05-16T12:00:00.001Z lies more than a day ahead: until then it is the current one, and no older record changes a state. Set dataAlarm.excludeAfterSeconds of the source to leave such records out',
  );
});
