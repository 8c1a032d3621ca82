import { WriteMode } from '@catchment/contracts/ingest';
import { type NodeConfig, ValueType } from '@catchment/contracts/nodes';
import { newObjectId } from '@catchment/ids';
import { encodeEntries, type LogEntry } from '@catchment/ingest-log';
import { HANGS_AFTER_MS } from '@catchment/testkit';
import { applyLog } from '../src/usecases/apply-log.ts';
import type { AlarmStore } from '../src/usecases/ports.ts';
import { AHEAD, column, EXAMPLE, NORMAL, NOW, parameter, type Service, source, startService } from './fixture.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** Makes a parameter that the evaluator has not heard of. */
function unheard(node: NodeConfig, isEnabled = true): NodeConfig {
  service.peers.nodes.set(node.nodeId, node);
  service.peers.nodes.set(node.sourceId, source(node, isEnabled));
  return node;
}
const numbered = (values: readonly number[]) => values.map((value, n): [number, number] => [NOW + n + 1, value]);
const reported = (node: NodeConfig) =>
  service.reported(node).map((text) => text.replace(/^\d+/, (ms) => `${Number(ms) - NOW}`));
const HIGH_ALARM = [NORMAL, { name: 'HIGH', threshold: 50, isAlarm: true }];

test.each([
  [
    [45, 50, 49, 47],
    ['2 NORMAL to HIGH NONE', '4 HIGH to NORMAL NONE'],
  ],
  [
    [120, 101, 99, 97, 49, 47],
    ['1 NORMAL to HIGH NONE', '2 HIGH to CRITICAL ACTIVE', '4 CRITICAL to HIGH CLEARED', '6 HIGH to NORMAL NONE'],
  ],
  [
    [60, 20, 22, 23],
    ['1 NORMAL to HIGH NONE', '2 HIGH to LOW NONE', '4 LOW to NORMAL NONE'],
  ],
])('worked example %j, at once and record by record', async (values, expected) => {
  const atOnce = unheard(parameter(EXAMPLE, { hysteresis: 2 }));
  await service.write(column(atOnce, numbered(values)));
  expect(reported(atOnce)).toEqual(expected);
  const oneByOne = unheard(parameter(EXAMPLE, { hysteresis: 2 }));
  for (const record of numbered(values)) await service.write(column(oneByOne, [record], { notify: 'LATEST_ONLY' }));
  expect(reported(oneByOne)).toEqual(expected);
});

test('a clock that says 1970, then 2200, then what it is: what lies behind the newest record counts, what lies before it does not', async () => {
  const node = unheard(parameter(HIGH_ALARM));
  const [epoch, far] = [0, Date.UTC(2200, 0, 1)];
  await service.write(column(node, [[epoch, 60]]));
  await service.write(column(node, [[far, 10]]));
  await service.write(column(node, [[NOW, 60]]));
  expect(service.events(node).map(({ timeMs, message }) => [timeMs, message])).toEqual([
    [epoch, 'State changed from NORMAL to HIGH'],
    [far, 'State changed from HIGH to NORMAL'],
  ]);
  await service.write(column(node, [[far + 1, 70]]));
  expect(service.events(node).at(-1)).toMatchObject({ timeMs: far + 1, message: 'State changed from NORMAL to HIGH' });
});

test('a state change is announced as event, state and alarm, with growing revisions', async () => {
  const node = unheard(parameter(HIGH_ALARM));
  const time = Date.UTC(2016, 0, 1);
  await service.write(column(node, [[time, 60]]));
  expect(service.events(node)).toEqual([
    {
      eventId: expect.stringMatching(/^[0-9a-f]{24}$/),
      ownerId: node.ownerId,
      workspaceId: node.workspaceId,
      nodeId: node.nodeId,
      nodeClass: 'point.NumberPoint',
      level: 'INFO',
      eventType: 'STATE',
      alarmState: 'ACTIVE',
      alarmType: 'stateAlarm',
      timeMs: time,
      username: 'System',
      message: 'State changed from NORMAL to HIGH',
      transition: {
        alarmType: 'stateAlarm',
        alarmStateTo: 'ACTIVE',
        stateFrom: { stateId: expect.stringMatching(/-NORMAL$/), name: 'NORMAL' },
        stateTo: { stateId: expect.stringMatching(/-HIGH$/), name: 'HIGH' },
        record: { timeMs: time, value: { $case: 'number', value: 60 } },
      },
    },
  ]);
  expect(service.states(node)).toEqual(['HIGH']);
  expect(service.alarms(node)).toMatchObject([
    { alarmType: 'stateAlarm', alarmState: 'ACTIVE', message: 'State changed from NORMAL to HIGH', activeTimeMs: time },
  ]);
  await service.write(column(node, [[time + 1, 10]]));
  expect(service.alarms(node)[1]).toMatchObject({ alarmState: 'CLEARED', message: '', activeTimeMs: 0 });
  const revisions = service.revisions(node);
  expect(new Set(revisions).size).toBe(4);
  expect(service.alarms(node)[1]?.revision).toBeGreaterThan(service.alarms(node)[0]?.revision ?? Infinity);
});

test('a series with NORMAL only is announced once and then costs no statement', async () => {
  const node = unheard(parameter([NORMAL]));
  await service.write(column(node, [[1, 5]]));
  expect([service.states(node), reported(node)]).toEqual([['NORMAL'], []]);
  const { resolved, edgesAsked } = service.peers;
  const refuse = () => Promise.reject(new Error('another statement'));
  const store: Pick<AlarmStore, 'applyOnce'> = { applyOnce: refuse };
  const [data] = encodeEntries([{ kind: 'column', column: column(node, [[2, 6]]) }], 1e6, newObjectId);
  const message = { partition: 7, sequence: 1, data: data as Uint8Array, timeMs: NOW };
  await applyLog({ ...service, store }, [message], AbortSignal.timeout(HANGS_AFTER_MS));
  expect([service.peers.resolved, service.peers.edgesAsked]).toEqual([resolved, edgesAsked]);
});

test('a message that comes twice, or to two replicas at once, changes nothing more', async () => {
  const node = unheard(parameter(HIGH_ALARM));
  const [data] = encodeEntries([{ kind: 'column', column: column(node, numbered([60, 10, 60])) }], 1e6, newObjectId);
  const message = { partition: 9, sequence: 5, data: data as Uint8Array, timeMs: NOW };
  const apply = () => applyLog(service, [message], AbortSignal.timeout(HANGS_AFTER_MS));
  await Promise.all([apply(), apply(), apply()]);
  await apply();
  await applyLog(service, [{ ...message, sequence: 4 }], AbortSignal.timeout(HANGS_AFTER_MS));
  await service.idle();
  expect(reported(node)).toEqual(['1 NORMAL to HIGH ACTIVE', '2 HIGH to NORMAL CLEARED', '3 NORMAL to HIGH ACTIVE']);
});

test('messages that are applied together bring about what they do one by one, in the same order', async () => {
  const nodes = [0, 1].map(() => ({
    evaluated: unheard(parameter(HIGH_ALARM)),
    plain: unheard(parameter([NORMAL])),
  }));
  const [together, alone] = nodes.map(({ evaluated, plain }, of) => {
    const { nodeId, ownerId, workspaceId, sourceId } = plain;
    const emptied = {
      nodeId,
      ownerId,
      workspaceId,
      sourceId,
      valueType: ValueType.VALUE_TYPE_NUMBER,
      recomputing: false,
      timeMs: NOW,
      username: 'jo',
    };
    const entries: LogEntry[][] = [
      ...numbered([60, 10, 60, 70, 10, 60]).map((record): LogEntry[] => [
        { kind: 'column', column: column(evaluated, [record]) },
      ]),
      [{ kind: 'column', column: column(plain, [[1, 5]]) }],
      [{ kind: 'seriesDelete', seriesDelete: emptied }],
      [{ kind: 'column', column: column(plain, [[2, 6]]) }],
    ];
    return entries.map((all, n) => ({
      partition: 10 + of,
      sequence: n + 1,
      timeMs: NOW,
      data: encodeEntries(all, 1e6, newObjectId)[0] as Uint8Array,
    }));
  });
  for (const message of alone ?? []) await applyLog(service, [message], AbortSignal.timeout(HANGS_AFTER_MS));
  await applyLog(service, together ?? [], AbortSignal.timeout(HANGS_AFTER_MS));
  await applyLog(service, together ?? [], AbortSignal.timeout(HANGS_AFTER_MS));
  await service.idle();
  const outcomes = nodes.map(({ evaluated, plain }) => ({
    events: reported(evaluated),
    states: service.states(evaluated),
    alarms: service.alarms(evaluated).map(({ alarmState, message }) => [alarmState, message]),
    plain: service.states(plain),
  }));
  expect(outcomes[0]).toEqual(outcomes[1]);
  expect(outcomes[0]?.alarms.map(([state]) => state)).toEqual(['ACTIVE', 'CLEARED', 'ACTIVE', 'CLEARED', 'ACTIVE']);
  expect(outcomes[0]?.plain).toHaveLength(3);
});

test('records that are older never raise, but count as history', async () => {
  const node = unheard(parameter(EXAMPLE));
  await service.write(column(node, [[NOW + 10, 30]]));
  await service.write(
    column(node, [
      [NOW + 4, 500],
      [NOW + 5, 500],
    ]),
  );
  expect(reported(node)).toEqual([]);
  await service.write(column(node, [[NOW + 10, 31]]));
  await service.write(column(node, [[NOW + 5, null]]), column(node, [[NOW + 10, 500]]));
  expect(reported(node)).toEqual(['10 NORMAL to CRITICAL (corrected) ACTIVE']);
});

test.each([
  ['LATEST_ONLY', ['3 NORMAL to LOW NONE'], ['LOW']],
  ['ALL_NEWER', ['1 NORMAL to HIGH NONE', '2 HIGH to NORMAL NONE', '3 NORMAL to LOW NONE'], ['LOW']],
  ['NONE', [], ['LOW']],
] as const)('notifyOn %s', async (notify, expected, states) => {
  const node = unheard(parameter(EXAMPLE));
  await service.write(column(node, numbered([60, 30, 10]), { notify }));
  expect([reported(node), service.states(node)]).toEqual([expected, states]);
});

test('kept records that a deletion takes are replaced from historic', async () => {
  const node = unheard(parameter([NORMAL, { name: 'HIGH', threshold: 50, occurrences: 3 }]));
  await service.write(column(node, numbered(Array(20).fill(60))));
  await service.write(column(node, [[NOW + 21, 10]]));
  // Fifteen are kept; all but two go, and historic has older ones at or beyond the threshold.
  await service.write(
    column(
      node,
      [
        [NOW + 7, 0],
        [NOW + 19, 0],
      ],
      { mode: WriteMode.WRITE_MODE_DELETE_RANGE },
    ),
  );
  service.peers.records.set(node.nodeId, [
    [NOW + 20, 60],
    [NOW + 6, 60],
    [NOW + 5, 60],
  ]);
  const before = service.peers.edgesAsked;
  await service.write(column(node, [[NOW + 21, null]]));
  await service.write(column(node, [[NOW + 22, 60]]));
  expect(service.peers.edgesAsked).toBe(before + 1);
  expect(reported(node)).toEqual([
    '3 NORMAL to HIGH NONE',
    '21 HIGH to NORMAL NONE',
    '20 NORMAL to HIGH (corrected) NONE',
  ]);
});

test('the first column of a series is announced whole, however far the store is ahead', async () => {
  const node = unheard(parameter(HIGH_ALARM));
  const values = [60, 10, ...Array(20).fill(60)];
  service.peers.records.set(
    node.nodeId,
    numbered(values)
      .reverse()
      .map(([timeMs, value]) => [timeMs, value, undefined, AHEAD]),
  );
  await service.write(column(node, numbered(values)));
  expect(reported(node)).toEqual(['1 NORMAL to HIGH ACTIVE', '2 HIGH to NORMAL CLEARED', '3 NORMAL to HIGH ACTIVE']);
});

test('historic away: a series whose records are not known waits, the others go on, nothing is lost', async () => {
  const [known, unknown] = [unheard(parameter(EXAMPLE)), unheard(parameter(EXAMPLE))];
  await service.write(column(known, [[NOW, 30]]));
  service.peers.isHistoricAway = true;
  await service.write(column(unknown, [[NOW, 60]]));
  await service.write(column(unknown, [[NOW + 1, 30]]), column(known, [[NOW + 1, 60]]));
  expect([reported(unknown), reported(known)]).toEqual([[], ['1 NORMAL to HIGH NONE']]);
  await service.resume();
  expect(reported(unknown)).toEqual([]);
  service.peers.isHistoricAway = false;
  service.clock.now += 1_000;
  await service.resume();
  expect(reported(unknown)).toEqual(['0 NORMAL to HIGH NONE', '1 HIGH to NORMAL NONE']);
});

test('deleting the series resets state and alarm silently; the next record begins anew', async () => {
  const node = unheard(parameter(HIGH_ALARM));
  await service.write(column(node, [[NOW, 60]]));
  const { nodeId, ownerId, workspaceId, sourceId } = node;
  const series = { nodeId, ownerId, workspaceId, sourceId, valueType: 1, timeMs: NOW, username: 'jo' } as const;
  await service.publish([{ kind: 'seriesDelete', seriesDelete: { ...series, recomputing: false } }]);
  await service.idle();
  expect([reported(node), service.states(node)]).toEqual([['0 NORMAL to HIGH ACTIVE'], ['HIGH', 'NORMAL']]);
  expect(service.alarms(node).map((alarm) => alarm.alarmState)).toEqual(['ACTIVE', 'CLEARED']);
  await service.write(column(node, [[NOW - 5, 60]]));
  expect(reported(node)).toEqual(['0 NORMAL to HIGH ACTIVE', '-5 NORMAL to HIGH ACTIVE']);
});

test('a column that spans messages is applied with its last part, once', async () => {
  const node = unheard(parameter(EXAMPLE));
  const values = [60, ...Array(3_000).fill(30), 10];
  await service.publish(
    [{ kind: 'column', column: column(node, numbered(values), { notify: 'LATEST_ONLY' }) }],
    16_384,
  );
  await service.idle();
  expect(reported(node)).toEqual(['3002 NORMAL to LOW NONE']);
  const { rows } = await service.database.query<{ n: number }>('SELECT count(*) AS n FROM column_parts');
  expect(rows).toEqual([{ n: 0 }]);
});

test('changed states hold from the next record on, also where the series had none', async () => {
  const node = parameter([NORMAL]);
  await service.nodeChanged(source(node, true), true);
  await service.nodeChanged(node, true);
  await service.write(column(node, [[NOW, 60]]));
  service.peers.records.set(node.nodeId, [[NOW, 60]]);
  const withStates = { ...parameter(HIGH_ALARM, node), ownerId: node.ownerId, sourceId: node.sourceId, revision: 2 };
  await service.nodeChanged(withStates);
  expect(service.states(node)).toEqual(['NORMAL', 'HIGH']);
  await service.write(column(node, [[NOW + 1, 60]]));
  await service.write(column(node, numbered([0, 0, 10, 60]).slice(2)));
  const expected = [
    '0 State is HIGH by changed settings ACTIVE',
    '3 HIGH to NORMAL CLEARED',
    '4 NORMAL to HIGH ACTIVE',
    '0 State is NORMAL by changed settings CLEARED',
  ];
  expect(reported(node)).toEqual(expected.slice(0, 3));
  // HIGH is gone while it is the current state, and an older revision that comes late is ignored.
  await service.nodeChanged({ ...node, revision: 3 });
  await service.nodeChanged({ ...withStates, revision: 2 });
  await service.write(column(node, [[NOW + 9, 60]]));
  expect([reported(node), service.states(node).at(-1)]).toEqual([expected, 'NORMAL']);
});

test('a disabled source is silent, and disabling it clears what is raised', async () => {
  const node = parameter(HIGH_ALARM);
  await service.nodeChanged(source(node, true), true);
  await service.nodeChanged(node, true);
  await service.write(column(node, [[NOW, 60]]));
  await service.nodeChanged(source(node, false, 2));
  expect(reported(node)).toEqual(['0 NORMAL to HIGH ACTIVE', "0 Cleared alarm 'STATE' CLEARED"]);
  expect(service.events(node)[1]).toMatchObject({ username: 'al@example.org', eventType: 'CONFIGURATION' });
  await service.write(column(node, numbered([10, 60])));
  expect(reported(node)).toHaveLength(2);
  expect(service.alarms(node).at(-1)?.alarmState).toBe('CLEARED');
});

test('a deleted node is forgotten, whatever still comes for it', async () => {
  const node = parameter(HIGH_ALARM);
  await service.nodeChanged(node, true);
  await service.write(column(node, [[NOW, 60]]));
  await service.nodesDeleted(node);
  await service.write(column(node, [[NOW + 1, 10]]));
  await service.nodeChanged({ ...node, revision: 9 });
  await service.write(column(node, [[NOW + 2, 60]]));
  expect(reported(node)).toEqual(['0 NORMAL to HIGH ACTIVE']);
  for (const table of ['series', 'alarms']) {
    const { rowCount } = await service.database.query(`SELECT 1 FROM ${table} WHERE node_id = $1`, [node.nodeId]);
    expect(rowCount).toBe(0);
  }
});

test('a replica that has only heard of a node asks for it', async () => {
  const node = unheard(parameter(HIGH_ALARM));
  service.known.learn(node);
  await service.write(column(node, [[NOW, 60]]));
  expect(reported(node)).toEqual(['0 NORMAL to HIGH ACTIVE']);
  const gone = { ...parameter(HIGH_ALARM), ownerId: node.ownerId };
  service.known.learn(gone);
  await service.write(column(gone, [[NOW, 60]]));
  expect(reported(gone)).toEqual([]);
});

test('a series that historic does not know has no records', async () => {
  const [known, unknown] = [unheard(parameter(HIGH_ALARM)), unheard(parameter(HIGH_ALARM))];
  service.peers.unknownSeries.add(unknown.nodeId);
  const both = { ...unknown, ownerId: known.ownerId };
  service.peers.nodes.set(unknown.nodeId, both);
  await service.write(column(known, [[NOW, 60]]), column(both, [[NOW, 60]]));
  expect([reported(known), reported(both)]).toEqual([['0 NORMAL to HIGH ACTIVE'], ['0 NORMAL to HIGH ACTIVE']]);
});

test('a node that nobody knows holds nothing up; a bad message is put aside', async () => {
  const [gone, node] = [parameter(HIGH_ALARM), unheard(parameter(HIGH_ALARM))];
  await service.bus.publish('ingest.0', Buffer.from([0x08, 0x63]), { msgId: newObjectId() });
  await service.write(column({ ...gone, ownerId: node.ownerId }, [[NOW, 60]]), column(node, [[NOW, 60]]));
  expect(reported(node)).toEqual(['0 NORMAL to HIGH ACTIVE']);
  expect(service.bus.deadLetterCount).toBe(1);
});
