// qualityAlarm (docs/reference/alarms.md#conditions, quality).
import { WriteMode } from '@catchment/contracts/ingest';
import { NodeConfig, ValueType } from '@catchment/contracts/nodes';
import { newObjectId } from '@catchment/ids';
import type { Column } from '@catchment/ingest-log';
import { FLAG } from '@catchment/ingest-log';
import { DEFAULT_QUALITY } from '@catchment/quality';
import { caller, column, NORMAL, NOW, parameter, type Service, source, startService } from './fixture.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const FAMILIES = {
  NUMBER: ['point.NumberPoint', ValueType.VALUE_TYPE_NUMBER],
  TEXT: ['point.TextPoint', ValueType.VALUE_TYPE_TEXT],
  TIME: ['point.TimePoint', ValueType.VALUE_TYPE_TIME],
  COORDINATES: ['location.Location', ValueType.VALUE_TYPE_COORDINATES],
} as const;

function watched(family: keyof typeof FAMILIES, change: { qualityTypes?: string[]; isEnabled?: boolean } = {}) {
  const [nodeClass, valueType] = FAMILIES[family];
  const { qualityTypes = ['BAD'], isEnabled = true } = change;
  const base = parameter([NORMAL]);
  const node = NodeConfig.fromPartial({
    ...base,
    class: nodeClass,
    sourceId: family === 'COORDINATES' ? base.nodeId : base.sourceId,
    series: { ...base.series, valueType, ...(family !== 'NUMBER' && { statesType: '', states: [] }) },
    alarms: [{ type: 'qualityAlarm', isEnabled, qualityTypes, categoryId: 'c1' }],
  });
  service.peers.nodes.set(node.nodeId, node);
  if (family !== 'COORDINATES') service.peers.nodes.set(node.sourceId, source(node, true));
  return node;
}

/** Makes records with a value and a code; null stands for no code, a negative code for no value. */
function graded(
  node: NodeConfig,
  codes: readonly (readonly [number, number | null])[],
  notify: 'LATEST_ONLY' | 'ALL_NEWER' | 'NONE' = 'ALL_NEWER',
): Column {
  const { valueType = ValueType.VALUE_TYPE_NUMBER } = node.series ?? {};
  const flags = codes.map(([, code]) =>
    code === null ? FLAG.value : code < 0 ? FLAG.quality : FLAG.value | FLAG.quality,
  );
  const perRecord =
    valueType === ValueType.VALUE_TYPE_COORDINATES ? 2 : valueType === ValueType.VALUE_TYPE_TEXT ? 0 : 1;
  return {
    ...column(
      node,
      codes.map(([timeMs]) => [timeMs, 1]),
      { notify },
    ),
    valueType,
    flags: Uint8Array.from(flags),
    numbers: Float64Array.from({ length: perRecord * codes.length }, (_, n) => n),
    texts: valueType === ValueType.VALUE_TYPE_TEXT ? codes.map(() => 'text') : [],
    qualities: Uint16Array.from(codes.map(([, code]) => Math.abs(code ?? 0))),
  };
}
const reported = (node: NodeConfig) =>
  service.events(node).map(({ level, eventType, alarmState, message }) => [level, eventType, alarmState, message]);
const RAISED = ['WARNING', 'ACQUISITION', 'ACTIVE', 'Quality is BAD: Bad - Data Unavailable [158]'];
const OVER = ['INFO', 'ACQUISITION', 'CLEARED', 'Quality is GOOD'];

test.each(['NUMBER', 'TEXT', 'TIME', 'COORDINATES'] as const)(
  'a bad %s record raises it, a good one clears it',
  async (family) => {
    const node = watched(family);
    await service.write(graded(node, [[NOW, null]]));
    await service.write(graded(node, [[NOW + 1, 158]]));
    await service.write(graded(node, [[NOW + 2, 158]]));
    expect(reported(node)).toEqual([RAISED]);
    expect(service.alarms(node)).toMatchObject([{ alarmType: 'qualityAlarm', alarmState: 'ACTIVE', categoryId: 'c1' }]);
    await service.write(graded(node, [[NOW + 3, null]]));
    expect(reported(node)).toEqual([RAISED, OVER]);
  },
);

test.each([
  ['LATEST_ONLY', [RAISED]],
  ['ALL_NEWER', [RAISED, OVER, RAISED]],
  ['NONE', []],
] as const)('notifyOn %s', async (notify, expected) => {
  const node = watched('NUMBER');
  await service.write(
    graded(
      node,
      [
        [NOW, 158],
        [NOW + 1, null],
        [NOW + 2, 158],
      ],
      notify,
    ),
  );
  expect(reported(node)).toEqual(expected);
});

test('records that are older say nothing; a gap with a quality does', async () => {
  const node = watched('NUMBER');
  await service.write(graded(node, [[NOW + 10, null]]));
  await service.write(graded(node, [[NOW, 158]]));
  expect(reported(node)).toEqual([]);
  await service.write(graded(node, [[NOW + 11, -158]]));
  expect(reported(node)).toEqual([RAISED]);
});

test('the current record is corrected, then deleted: its quality is judged at once', async () => {
  const node = watched('TEXT');
  await service.write(
    graded(node, [
      [NOW, null],
      [NOW + 1, null],
    ]),
  );
  await service.write(graded(node, [[NOW + 1, 158]], 'LATEST_ONLY'));
  const again = graded(node, [[NOW + 1, null]]);
  await service.write({ ...again, writeMode: WriteMode.WRITE_MODE_DELETE });
  const why = (row: string[]) => row.map((text) => text.replace(/(GOOD|158\])$/, '$1 (corrected)'));
  expect(reported(node)).toEqual([why(RAISED), why(OVER)]);
});

test('what the alarm says is true for the settings that hold', async () => {
  const node = watched('NUMBER');
  const change = (revision: number, qualityTypes: string[], isEnabled = true) =>
    service.nodeChanged(
      NodeConfig.fromPartial({ ...node, revision, alarms: [{ type: 'qualityAlarm', isEnabled, qualityTypes }] }),
    );
  await service.write(graded(node, [[NOW, 158]]));
  await change(2, ['UNCERTAIN']);
  await change(3, ['UNCERTAIN', 'BAD']);
  await change(4, ['BAD'], false);
  service.peers.records.set(node.nodeId, [[NOW, 1, 158]]);
  await change(5, ['BAD']);
  expect(reported(node).map(([, , state, message]) => [state, message])).toEqual([
    ['ACTIVE', RAISED[3]],
    ['CLEARED', 'Quality is BAD by changed settings'],
    ['ACTIVE', `${RAISED[3]} by changed settings`],
    ['CLEARED', "Cleared alarm 'QUALITY'"],
    ['ACTIVE', `${RAISED[3]} by changed settings`],
  ]);
});

test('types and names are those of the account', async () => {
  const node = watched('NUMBER', { qualityTypes: ['UNCERTAIN', 'GOOD'] });
  const mine = {
    name: 'Dirty lens',
    sourceQuality: [7],
    code: 200,
    type: 'UNCERTAIN',
    color: '#000000',
    isSystem: false,
  } as const;
  service.peers.quality = { ...DEFAULT_QUALITY, codes: [...DEFAULT_QUALITY.codes, mine], unspecified: 'BAD' };
  await service.write(graded(node, [[NOW, 7]]));
  await service.write(graded(node, [[NOW + 1, null]]));
  service.peers.quality = DEFAULT_QUALITY;
  expect(reported(node)).toEqual([
    ['WARNING', 'ACQUISITION', 'ACTIVE', 'Quality is UNCERTAIN: Dirty lens [200]'],
    ['INFO', 'ACQUISITION', 'CLEARED', 'Quality is BAD'],
  ]);
});

test('acknowledged it stays while records are bad; cleared by hand the next bad record raises it again', async () => {
  const node = watched('NUMBER');
  const by = caller(node.ownerId);
  await service.write(graded(node, [[NOW, 158]]));
  await service.acknowledge(by, node.nodeId, 'qualityAlarm');
  await service.write(graded(node, [[NOW + 1, 155]]));
  expect(service.alarms(node).at(-1)).toMatchObject({
    alarmState: 'ACKNOWLEDGED',
    message: 'Quality is BAD: Bad - No Data [155]',
  });
  await service.clear(by, node.nodeId, 'qualityAlarm');
  await service.write(graded(node, [[NOW + 2, 158]]));
  expect(reported(node).map(([, , state]) => state)).toEqual(['ACTIVE', 'ACKNOWLEDGED', 'CLEARED', 'ACTIVE']);
});

test('switched on later it looks at what comes then; switched off it is cleared', async () => {
  const node = watched('TIME', { isEnabled: false });
  const change = (revision: number, isEnabled: boolean) =>
    service.nodeChanged(
      NodeConfig.fromPartial({
        ...node,
        revision,
        alarms: [{ type: 'qualityAlarm', isEnabled, qualityTypes: ['BAD'] }],
      }),
    );
  await service.nodeChanged(node, true);
  await service.write(graded(node, [[NOW, 158]]));
  await change(2, true);
  await service.write(graded(node, [[NOW + 1, 158]]));
  expect(reported(node)).toEqual([RAISED]);
  await change(3, false);
  expect(reported(node).at(-1)).toEqual(['INFO', 'CONFIGURATION', 'CLEARED', "Cleared alarm 'QUALITY'"]);
  // The record that passed by unseen was newer than the one that comes then.
  await service.write(graded(node, [[NOW + 9, null]]));
  service.peers.records.set(node.nodeId, [[NOW + 9, 1]]);
  await change(4, true);
  await service.write(graded(node, [[NOW + 5, 158]]));
  expect([reported(node).length, service.states(node)]).toEqual([2, []]);
});

test('records of the series are deleted: the alarm goes with them, silently', async () => {
  const node = watched('TEXT');
  await service.write(graded(node, [[NOW, 158]]));
  const { nodeId, ownerId, workspaceId, sourceId } = node;
  const series = { nodeId, ownerId, workspaceId, sourceId, valueType: 2, timeMs: NOW, username: 'jo' } as const;
  await service.publish([{ kind: 'seriesDelete', seriesDelete: { ...series, recomputing: false } }]);
  await service.idle();
  expect([reported(node), service.alarms(node).at(-1)?.alarmState]).toEqual([[RAISED], 'CLEARED']);
});

test('a state and a quality of one record are announced together', async () => {
  const node = watched('NUMBER');
  const states = parameter([NORMAL, { name: 'HIGH', threshold: 0, isAlarm: true }]).series;
  service.peers.nodes.set(node.nodeId, NodeConfig.fromPartial({ ...node, series: states }));
  await service.write(graded(node, [[NOW, 158]]));
  expect(
    service
      .alarms(node)
      .map(({ alarmType }) => alarmType)
      .sort(),
  ).toEqual(['qualityAlarm', 'stateAlarm']);
});

test('a node of a disabled source is silent', async () => {
  const node = watched('NUMBER');
  service.peers.nodes.set(node.sourceId, source(node, false));
  await service.write(graded(node, [[NOW, 158]]));
  expect(reported({ ...node, nodeId: node.nodeId || newObjectId() })).toEqual([]);
});
