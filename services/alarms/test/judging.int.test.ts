// These tests hold alarms about states to the settings that hold, and to the records that are there
// (docs/reference/states.md#updates-of-states, docs/reference/writing.md#notifyon).

import { WriteMode } from '@catchment/contracts/ingest';
import { NodeConfig } from '@catchment/contracts/nodes';
import { HANGS_AFTER_MS } from '@catchment/testkit';
import { followedLog } from '../src/bus/alarm-readers.ts';
import { applyNodeChanges } from '../src/usecases/follow-nodes.ts';
import { AHEAD, caller, column, NORMAL, NOW, parameter, type Service, source, startService } from './fixture.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

type Change = Omit<Partial<NonNullable<NodeConfig['series']>>, 'states'> & {
  high?: number;
  occurrences?: number;
  isAlarm?: boolean;
  notIds?: boolean;
};

/** Changes settings of the parameter. */
function changed(
  node: NodeConfig,
  revision: number,
  { high, occurrences, isAlarm, notIds, ...series }: Change,
): NodeConfig {
  const states = (node.series?.states ?? []).map((state) => ({
    ...state,
    stateId: `${notIds ? 'new' : ''}${state.stateId}`,
    ...(state.name === 'HIGH' && high !== undefined && { threshold: high }),
    ...(state.name === 'HIGH' && isAlarm !== undefined && { isAlarm }),
    ...(state.name === 'HIGH' && occurrences !== undefined && { occurrences }),
  }));
  return NodeConfig.fromPartial({ ...node, revision, series: { ...node.series, ...series, states } });
}

async function heard(high: number, change: Change = {}): Promise<NodeConfig> {
  const node = changed(parameter([NORMAL, { name: 'HIGH', threshold: high, isAlarm: true }]), 1, change);
  service.peers.nodes.set(node.nodeId, node).set(node.sourceId, source(node, true));
  await service.nodeChanged(service.peers.nodes.get(node.sourceId)!, true);
  await service.nodeChanged(node, true);
  return node;
}
const reported = (node: NodeConfig) =>
  service.reported(node).map((text) => text.replace(/^\d+/, (ms) => `${Number(ms) - NOW}`));
const alarmState = (node: NodeConfig) => service.alarms(node).at(-1)?.alarmState ?? 'CLEARED';
const write = (node: NodeConfig, ...records: [number, number | null][]) =>
  service.write(
    column(
      node,
      records.map(([n, value]) => [NOW + n, value]),
    ),
  );

const RAISED = '0 State is HIGH by changed settings ACTIVE';
const OVER = '0 State is NORMAL by changed settings CLEARED';

/** The value is 6 before; then the settings change; then records come that change nothing. */
test.each<[string, { high: number } & Change, Change, string[]]>([
  ['a threshold moves below the value', { high: 10 }, { high: 5 }, [RAISED]],
  ['a threshold moves above it', { high: 5 }, { high: 100 }, ['1 NORMAL to HIGH ACTIVE', OVER]],
  ['a list of new states moves it', { high: 5 }, { high: 100, notIds: true }, ['1 NORMAL to HIGH ACTIVE', OVER]],
  ['a list of new states that says the same', { high: 5 }, { high: 5, notIds: true }, ['1 NORMAL to HIGH ACTIVE']],
  ['a multiplier raises it', { high: 10 }, { multiplier: 2 }, [RAISED]],
  ['a multiplier clears it', { high: 5 }, { multiplier: 0.5 }, ['1 NORMAL to HIGH ACTIVE', OVER]],
  ['an offset', { high: 10 }, { offset: 4 }, [RAISED]],
  ['an equation', { high: 10 }, { equation: 'x * x' }, [RAISED]],
  ['the state becomes an alarm', { high: 5, isAlarm: false }, { isAlarm: true }, ['1 NORMAL to HIGH NONE', RAISED]],
  [
    'the state is no alarm any more',
    { high: 5 },
    { isAlarm: false },
    ['1 NORMAL to HIGH ACTIVE', '0 State is HIGH by changed settings CLEARED'],
  ],
  ['fewer records in a row are asked for', { high: 5, occurrences: 2 }, { occurrences: 1 }, [RAISED]],
  ['more records in a row are asked for', { high: 5 }, { occurrences: 5 }, ['1 NORMAL to HIGH ACTIVE', OVER]],
  ['units alone', { high: 5 }, { units: 'm' }, ['1 NORMAL to HIGH ACTIVE']],
])('settings are changed: %s', async (_what, { high, ...first }, second, expected) => {
  const node = await heard(high, first);
  await write(node, [1, 6]);
  const after = changed(node, 2, second);
  await service.nodeChanged(after);
  expect(reported(node)).toEqual(expected);
  // The same again, and a look at what is to be judged, change nothing.
  await service.nodeChanged(after);
  await service.judge();
  for (const n of [2, 3]) await write(node, [n, 6]);
  expect(reported(node)).toEqual(expected);
  expect(alarmState(node)).toBe(expected.at(-1)?.split(' ').at(-1)?.replace('NONE', 'CLEARED'));
});

test('who has changed the settings is named, as configuration, and what people may hear of', async () => {
  const node = await heard(10);
  await write(node, [1, 6]);
  await service.nodeChanged(changed(node, 2, { high: 5 }));
  expect(service.events(node).at(-1)).toMatchObject({
    level: 'WARNING',
    eventType: 'CONFIGURATION',
    alarmState: 'ACTIVE',
    alarmType: 'stateAlarm',
    username: 'al@example.org',
    transition: {
      stateFrom: { name: 'NORMAL' },
      stateTo: { name: 'HIGH' },
      record: { timeMs: NOW + 1, value: { value: 6 } },
    },
  });
  await service.nodeChanged(changed(node, 3, { high: 5, isAlarm: false }));
  expect(service.events(node).at(-1)).toMatchObject({
    level: 'INFO',
    transition: { stateFrom: { name: 'HIGH' }, stateTo: { name: 'NORMAL' }, alarmStateTo: 'CLEARED' },
  });
});

test('cleared by hand it stays so while records stay, and until a fresh occurrence', async () => {
  const node = await heard(5);
  const by = caller(node.ownerId);
  const clear = () => service.clear(by, node.nodeId, 'stateAlarm');
  await write(node, [1, 6]);
  await clear();
  await write(node, [2, 7]);
  await service.nodeChanged(changed(node, 2, { high: 5.5 }));
  await service.nodeChanged(changed(node, 3, { high: 5.5, notIds: true }));
  expect(alarmState(node)).toBe('CLEARED');
  await service.nodeChanged(changed(node, 4, { high: 5, isAlarm: false }));
  await service.nodeChanged(changed(node, 5, { high: 5, isAlarm: true }));
  expect(alarmState(node)).toBe('ACTIVE');
  await clear();
  await write(node, [3, 1]);
  await write(node, [4, 6]);
  expect(reported(node).slice(1)).toEqual([
    "0 Cleared alarm 'STATE' CLEARED",
    RAISED,
    "0 Cleared alarm 'STATE' CLEARED",
    '3 HIGH to NORMAL NONE',
    '4 NORMAL to HIGH ACTIVE',
  ]);
});

test('a record never leaves the alarm CLEARED in an alarm state that came silently, nor ACTIVE in another', async () => {
  const node = await heard(5);
  const silent = (n: number, value: number) => service.write(column(node, [[NOW + n, value]], { notify: 'NONE' }));
  await silent(1, 6);
  await write(node, [2, 7]);
  await silent(3, 1);
  expect(alarmState(node)).toBe('ACTIVE');
  await write(node, [4, 2]);
  expect(reported(node)).toEqual(['2 State is HIGH ACTIVE', '4 State is NORMAL CLEARED']);
});

test('a source that is enabled again says what its parameters are in; one that moves below a disabled source is silent', async () => {
  const node = await heard(5);
  await write(node, [1, 6]);
  await service.nodeChanged(source(node, false, 2));
  await service.nodeChanged(source(node, true, 3));
  await service.judge();
  expect(reported(node).slice(1)).toEqual(["0 Cleared alarm 'STATE' CLEARED", RAISED]);
  const elsewhere = await heard(5);
  await service.nodeChanged(source(elsewhere, false, 2));
  await service.nodeChanged({ ...node, sourceId: elsewhere.sourceId, workspaceId: elsewhere.workspaceId, revision: 2 });
  expect(alarmState(node)).toBe('CLEARED');
  const { rows } = await service.database.query('SELECT workspace_id FROM alarms WHERE node_id = $1', [node.nodeId]);
  expect(rows).toEqual([{ workspace_id: elsewhere.workspaceId }]);
});

test('records that are on their way to the store when a series gets its states are judged once they are there', async () => {
  const base = parameter([NORMAL]);
  await service.nodeChanged(source(base, true), true);
  await service.nodeChanged(base, true);
  await write(base, [1, 6]);
  service.peers.isHistoricBehind = true;
  const node = {
    ...parameter([NORMAL, { name: 'HIGH', threshold: 5, isAlarm: true }], base),
    ownerId: base.ownerId,
  };
  await service.nodeChanged({ ...node, sourceId: base.sourceId, workspaceId: base.workspaceId, revision: 2 });
  await service.judge();
  expect(reported(base)).toEqual([]);
  service.peers.isHistoricBehind = false;
  service.peers.records.set(base.nodeId, [[NOW + 1, 6]]);
  await service.judge();
  expect(reported(base)).toEqual([RAISED]);
});

/** Makes a series that gets its states when it has records already. */
async function beginning(): Promise<NodeConfig> {
  const base = parameter([NORMAL]);
  await service.nodeChanged(source(base, true), true);
  await service.nodeChanged(base, true);
  await write(base, [1, 1]);
  const { ownerId, sourceId, workspaceId } = base;
  const states = [NORMAL, { name: 'HIGH', threshold: 5, isAlarm: true }];
  return { ...parameter(states, base), ownerId, sourceId, workspaceId, revision: 2 };
}

test('records that the store has before they are read from the log are reported, and not taken for what was there', async () => {
  const node = await beginning();
  service.peers.isHistoricBehind = true;
  await service.nodeChanged(node);
  service.peers.isHistoricBehind = false;
  service.peers.records.set(
    node.nodeId,
    [3, 2, 1].map((n) => [NOW + n, n === 3 ? 6 : 1, undefined, n === 1 ? 0 : AHEAD]),
  );
  let asked = 0;
  await service.judge(async () => {
    asked += 1;
    // First whether the change itself is followed, then all that there is, then whether what was stored meanwhile is.
    if (asked === 4) await write(node, [2, 1], [3, 6]);
    return asked !== 3;
  });
  expect([asked, reported(node)]).toEqual([4, ['3 NORMAL to HIGH ACTIVE']]);
  await service.judge();
  expect(reported(node)).toHaveLength(1);
});

test('the store is not read again and again while the readers of the log are behind', async () => {
  const node = await beginning();
  service.peers.isHistoricBehind = true;
  await service.nodeChanged(node);
  service.peers.isHistoricBehind = false;
  service.peers.records.set(node.nodeId, [[NOW + 1, 6]]);
  const before = service.peers.edgesAsked;
  let asked = 0;
  await service.judge(async () => {
    asked += 1;
    return asked === 1;
  });
  expect([service.peers.edgesAsked, reported(node)]).toEqual([before, []]);
  await service.judge();
  expect(reported(node)).toEqual([RAISED]);
});

test('a series gets its states while the log is read: it is judged when the log has been', async () => {
  const node = await beginning();
  service.peers.records.set(node.nodeId, [[NOW + 1, 6]]);
  const deps = { ...service, log: { ...followedLog(service.bus), isFollowed: async () => false } };
  const change = { created: false, timeMs: NOW, username: 'al@example.org', node };
  await applyNodeChanges(deps, [change], AbortSignal.timeout(HANGS_AFTER_MS));
  await service.idle();
  expect(reported(node)).toEqual([]);
  await service.judge();
  expect(reported(node)).toEqual([RAISED]);
});

test('a node is read from the log before it is followed: states that come together with its creation are judged by its records', async () => {
  const base = parameter([NORMAL]);
  service.peers.nodes.set(base.nodeId, base).set(base.sourceId, source(base, true));
  await write(base, [1, 6]);
  service.peers.records.set(base.nodeId, [[NOW + 1, 6]]);
  const { ownerId, sourceId, workspaceId } = base;
  const states = [NORMAL, { name: 'HIGH', threshold: 5, isAlarm: true }];
  const node = { ...parameter(states, base), ownerId, sourceId, workspaceId, revision: 2 };
  const by = { timeMs: NOW, username: 'al@example.org' };
  const changes = [
    { ...by, created: true, node: base },
    { ...by, created: false, node },
  ];
  await applyNodeChanges({ ...service, log: followedLog(service.bus) }, changes, AbortSignal.timeout(HANGS_AFTER_MS));
  await service.idle();
  await service.judge();
  expect(reported(node)).toEqual([RAISED]);
});

test('what was computed anew is judged when it is complete, and says nothing before', async () => {
  const node = await heard(5);
  const { nodeId, ownerId, workspaceId, sourceId } = node;
  const empty = () => {
    const series = { nodeId, ownerId, workspaceId, sourceId, valueType: 1, timeMs: NOW, username: 'jo' } as const;
    return service.publish([{ kind: 'seriesDelete', seriesDelete: { ...series, recomputing: true } }]);
  };
  const compute = (value: number) => service.write(column(node, [[NOW + 1, value]], { notify: 'NONE' }));
  await write(node, [1, 6]);
  await empty();
  await compute(7);
  await service.recomputed(node);
  expect(reported(node)).toEqual(['1 NORMAL to HIGH ACTIVE']);
  await empty();
  await compute(3);
  expect(alarmState(node)).toBe('ACTIVE');
  await service.recomputed(node);
  expect(reported(node).slice(1)).toEqual([OVER]);
  await empty();
  await compute(8);
  await service.recomputed(node);
  await service.recomputed(node);
  expect(reported(node).slice(2)).toEqual([RAISED]);
});

test('alarms that an older release left wrong are judged once', async () => {
  const [silenced, frozen, right] = [await heard(5), await heard(5), await heard(5)];
  for (const node of [silenced, frozen, right]) await write(node, [1, 6]);
  const before = reported(frozen);
  const run = (sql: string, node: NodeConfig) => service.database.query(sql, [node.nodeId]);
  await run('DELETE FROM alarms WHERE node_id = $1', silenced);
  // The spike was overwritten, and nobody looked at it.
  await run(
    `UPDATE series SET history = jsonb_build_array(jsonb_build_array(history->0->0, 1)) WHERE node_id = $1`,
    frozen,
  );
  for (const node of [silenced, frozen, right]) await run('INSERT INTO judgements (node_id) VALUES ($1)', node);
  await Promise.all([service.judge(), service.judge(), service.judge()]);
  expect(reported(silenced).slice(1)).toEqual([RAISED]);
  expect([reported(frozen).slice(1), service.states(frozen).at(-1)]).toEqual([[OVER], 'NORMAL']);
  expect(reported(right)).toEqual(before);
  // The state that is shown may differ from the state that was reported once.
  expect(service.states(right)).toEqual(['HIGH', 'HIGH']);
  const { rowCount } = await service.database.query('SELECT 1 FROM judgements', []);
  expect(rowCount).toBe(0);
});

test('changes that two replicas take at once, and out of order, leave what the last one says', async () => {
  const node = await heard(10);
  await write(node, [1, 6]);
  const deps = { ...service, log: followedLog(service.bus) };
  const take = (revision: number, high: number) => {
    const change = { created: false, timeMs: NOW, username: 'al@example.org', node: changed(node, revision, { high }) };
    return applyNodeChanges(deps, [change], AbortSignal.timeout(HANGS_AFTER_MS));
  };
  await Promise.all([take(2, 5), take(4, 5), take(3, 10), take(2, 5)]);
  await service.idle();
  expect(alarmState(node)).toBe('ACTIVE');
  await Promise.all([take(6, 10), take(5, 5), take(6, 10)]);
  await service.idle();
  expect(alarmState(node)).toBe('CLEARED');
  expect(reported(node).filter((text) => text.endsWith('ACTIVE')).length).toBe(reported(node).length / 2);
});

/** A deletion of more records than are kept: the store says which one is current then, once it has done it. */
test('a range of newest records is deleted: the record that is current then is judged when the store has it', async () => {
  const node = await heard(5);
  await write(node, ...Array.from({ length: 40 }, (_, n): [number, number] => [n, n < 20 ? 1 : 6]));
  service.peers.isHistoricBehind = true;
  const { WRITE_MODE_DELETE_RANGE: mode } = WriteMode;
  await service.write(
    column(
      node,
      [
        [NOW + 20, 0],
        [NOW + 39, 0],
      ],
      { mode },
    ),
  );
  await write(node, [50, 2]);
  expect(reported(node)).toEqual(['20 NORMAL to HIGH ACTIVE']);
  service.peers.isHistoricBehind = false;
  service.peers.records.set(
    node.nodeId,
    Array.from({ length: 20 }, (_, n) => [NOW + 19 - n, 1]),
  );
  await service.resume();
  expect(reported(node)).toEqual(['20 NORMAL to HIGH ACTIVE', '19 HIGH to NORMAL (corrected) CLEARED']);
});

test('a state that is corrected to what it was is not reported again; DISCRETE reports none until its first is accepted', async () => {
  const held = parameter([NORMAL, { name: 'HIGH', threshold: 10, isAlarm: true }], { hysteresis: 3 });
  const some = parameter([{ name: 'E', threshold: 5, isAlarm: true, occurrences: 3 }]);
  const discrete = NodeConfig.fromPartial({ ...some, series: { ...some.series, statesType: 'DISCRETE' } });
  for (const node of [held, discrete]) await service.nodeChanged(node, true);
  for (const [n, value] of [
    [1, 12],
    [2, 8],
    [2, 8.5],
  ] as const)
    await write(held, [n, value]);
  expect([service.states(held), reported(held)]).toEqual([['HIGH'], ['1 NORMAL to HIGH ACTIVE']]);
  for (const n of [1, 2]) await write(discrete, [n, 5]);
  expect([service.states(discrete), reported(discrete)]).toEqual([[''], []]);
  await write(discrete, [3, 5]);
  expect([service.states(discrete), reported(discrete)]).toEqual([['', 'E'], ['3 NONE to E ACTIVE']]);
});

test('more records in a row are asked for than a deletion has left: the store says whether there are as many', async () => {
  const node = await heard(5, { hysteresis: 1 });
  // The newest that are left are held by hysteresis alone.
  const value = (n: number) => (n < 25 ? 6 : 4.5);
  await write(node, ...Array.from({ length: 40 }, (_, n): [number, number] => [n, value(n)]));
  const range: [number, number][] = [
    [NOW + 27, 0],
    [NOW + 39, 0],
  ];
  await service.write(column(node, range, { mode: WriteMode.WRITE_MODE_DELETE_RANGE }));
  service.peers.records.set(
    node.nodeId,
    Array.from({ length: 27 }, (_, n) => [NOW + 26 - n, value(26 - n)]),
  );
  await service.nodeChanged(changed(node, 2, { occurrences: 3 }));
  await service.judge();
  expect([reported(node), service.states(node)]).toEqual([['0 NORMAL to HIGH ACTIVE'], ['HIGH']]);
});

test('a range that is removed and filled again by one message changes nothing where the values are the same', async () => {
  const node = await heard(5);
  await write(node, [1, 1], [2, 6]);
  const range: [number, number][] = [
    [NOW, 0],
    [NOW + 9, 0],
  ];
  const fill = (value: number) =>
    service.write(
      column(node, range, { mode: WriteMode.WRITE_MODE_DELETE_RANGE }),
      column(node, [
        [NOW + 1, 1],
        [NOW + 2, value],
      ]),
    );
  await fill(7);
  expect(reported(node)).toEqual(['2 NORMAL to HIGH ACTIVE']);
  await fill(2);
  expect(reported(node).slice(1)).toEqual(['2 HIGH to NORMAL (corrected) CLEARED']);
});
