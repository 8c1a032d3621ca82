import { ValueType } from '@catchment/contracts/nodes';
import { bitsOf, type Column, effectOf, FLAG, type LogEntry, needsVerdict } from '@catchment/ingest-log';
import { columnOf, type ModeName, type Updates } from '@catchment/testkit/write-model';
import { columnChanges as changesOf, deletionChanges, type RecordChange } from '../domain/record-changes.ts';
import { recordMessages } from './record-cloud-events.ts';

const T = Date.UTC(2026, 4, 15, 12);
const PLACE = {
  nodeId: 'a'.repeat(24),
  ownerId: 'b'.repeat(24),
  workspaceId: 'c'.repeat(24),
  sourceId: 'd'.repeat(24),
};
const column = (mode: ModeName, updates: Updates): Column => {
  const times = new Map([...updates].map(([n, update]) => [T + n * 1_000, update]));
  return columnOf(mode, times, { ...PLACE, modifiedMs: T });
};
const published = (changes: readonly RecordChange[]) =>
  changes.flatMap((change) => [...recordMessages(change, 'p-7-0')]).map(({ value }) => JSON.parse(value));
const columnChanges = (written: Column, said: Uint8Array) => changesOf(effectOf(written, said));
const at = (n: number) => new Date(T + n * 1_000).toISOString();
const VALUES: Updates = new Map([
  [0, { v: 1 }],
  [1, { v: 2, q: 9, a: 'note' }],
  [2, { v: 3 }],
]);
const RECORDS = [
  { ts: at(0), v: 1 },
  { ts: at(1), v: 2, q: 9, a: 'note' },
  { ts: at(2), v: 3 },
];

describe('what a topic says of a write by', () => {
  test.each<[ModeName, readonly number[], object[]]>([
    ['MERGE_OVERWRITE_EXISTING', [], [{ mode: 'REPLACE', records: RECORDS }]],
    ['MERGE_PRESERVE_EXISTING', [1], [{ mode: 'REPLACE', records: [RECORDS[1]] }]],
    ['MERGE_FAIL_ON_EXISTING', [], []],
    ['INSERT_FAIL_ON_EXISTING', [0, 1, 2], [{ mode: 'REPLACE', records: RECORDS }]],
    ['MERGE_UPDATE_EXISTING', [1, 2], [{ mode: 'UPDATE', records: RECORDS.slice(1) }]],
    [
      'INSERT_DELETE_EXISTING',
      [],
      [
        { startTime: at(0), endTime: at(2) },
        { mode: 'REPLACE', records: RECORDS },
      ],
    ],
    ['DELETE_RANGE', [], [{ startTime: at(0), endTime: at(2) }]],
    ['DELETE', [], [{ times: [at(0), at(1), at(2)] }]],
    ['DISCARD', [], []],
  ])('%s, of which historic wrote %j', (mode, written, expected) => {
    const data = published(columnChanges(column(mode, VALUES), bitsOf(written, 3))).map((event) => event.data);
    expect(data).toEqual(expected.map((record) => expect.objectContaining(record)));
    expect(needsVerdict(column(mode, VALUES))).toBe(/PRESERVE|FAIL|UPDATE/.test(mode));
  });
});

test('a record that holds nothing is a deletion; an update takes away what is sent as null', () => {
  const empty = { ...column('MERGE_OVERWRITE_EXISTING', VALUES), flags: Uint8Array.of(FLAG.value, 0, FLAG.valueNull) };
  expect(
    published(columnChanges(empty, new Uint8Array())).map(({ type, data }) => [type, data.times ?? data.records]),
  ).toEqual([
    ['io.catchment.records.deleted.v1', [at(1), at(2)]],
    ['io.catchment.records.written.v1', [{ ts: at(0), v: 1 }]],
  ]);
  const cleared = { ...column('MERGE_UPDATE_EXISTING', VALUES), flags: Uint8Array.of(FLAG.valueNull, 0, 0) };
  expect(published(columnChanges(cleared, bitsOf([0], 3)))[0].data.records).toEqual([{ ts: at(0), v: null }]);
});

test('it is a CloudEvent of the node, keyed by the owner', () => {
  const [change] = columnChanges(column('MERGE_OVERWRITE_EXISTING', VALUES), new Uint8Array());
  const [message] = change ? [...recordMessages(change, 'p-7-0')] : [];
  expect(message).toMatchObject({ id: 'p-7-0-w0', key: PLACE.ownerId });
  expect(JSON.parse(message?.value ?? '')).toMatchObject({
    specversion: '1.0',
    id: 'p-7-0-w0',
    source: `/owners/${PLACE.ownerId}`,
    type: 'io.catchment.records.written.v1',
    subject: `/nodes/${PLACE.nodeId}`,
    time: at(0),
    data: { ...PLACE, valueType: 'NUMBER' },
  });
});

test('pieces have at most 1000 records, fewer of long texts; each has an id of its own', () => {
  const numbers = column('MERGE_OVERWRITE_EXISTING', new Map(Array.from({ length: 2_500 }, (_, n) => [n, { v: n }])));
  const pieces = published(columnChanges(numbers, new Uint8Array()));
  expect(pieces.map(({ id, data }) => [id, data.records.length])).toEqual([
    ['p-7-0-w0', 1_000],
    ['p-7-0-w1', 1_000],
    ['p-7-0-w2', 500],
  ]);
  const texts = { ...numbers, valueType: ValueType.VALUE_TYPE_TEXT, texts: Array(2_500).fill('x'.repeat(10_000)) };
  const long = published(columnChanges(texts, new Uint8Array()));
  expect(long.every(({ data }) => JSON.stringify(data).length < 300_000)).toBe(true);
  expect(long.flatMap(({ data }) => data.records)).toHaveLength(2_500);
});

test.each([
  [ValueType.VALUE_TYPE_TEXT, 'TEXT', 'rain'],
  [ValueType.VALUE_TYPE_TIME, 'TIME', at(0)],
  [ValueType.VALUE_TYPE_COORDINATES, 'COORDINATES', [1.5, -2]],
])('values of type %s', (valueType, name, v) => {
  const numbers = Float64Array.from(name === 'TIME' ? [T] : [1.5, -2]);
  const change = {
    ...column('MERGE_OVERWRITE_EXISTING', new Map([[0, { v: 1 }]])),
    valueType,
    numbers,
    texts: ['rain'],
  };
  expect(published(columnChanges(change, new Uint8Array()))[0].data).toMatchObject({
    valueType: name,
    records: [{ ts: at(0), v }],
  });
});

test('deleted series and nodes', () => {
  const series: LogEntry = {
    kind: 'seriesDelete',
    seriesDelete: { ...PLACE, valueType: 1, timeMs: T, username: 'jo', recomputing: false },
  };
  const nodes: LogEntry = {
    kind: 'nodesDelete',
    nodesDelete: { ownerId: PLACE.ownerId, nodeIds: ['1', '2'], timeMs: T },
  };
  const [all] = published(deletionChanges(series));
  expect(all).toMatchObject({ type: 'io.catchment.records.deleted.v1', data: { ...PLACE, username: 'jo' } });
  expect(all.data).not.toHaveProperty('startTime');
  expect(published(deletionChanges(nodes)).map(({ data }) => data)).toEqual([
    { nodeId: '1', ownerId: PLACE.ownerId },
    { nodeId: '2', ownerId: PLACE.ownerId },
  ]);
});
