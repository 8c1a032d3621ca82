// Programs have results (docs/reference/processing-and-ratings.md#program-runs), and read data.
import type { Caller } from '@catchment/access';
import { ComputedSeries } from '@catchment/contracts/historic';
import { NotifyOn } from '@catchment/contracts/ingest';
import type { NodeConfig } from '@catchment/contracts/nodes';
import { bytesOf, floatsOf } from '@catchment/contracts/packed-numbers';
import { newObjectId } from '@catchment/ids';
import { decodeBatch, type LogEntry } from '@catchment/ingest-log';
import { caller, type Historic, jts, PROCESSING, SERVICE, startHistoric } from './fixture.ts';
import { TYPES } from './series.ts';

let historic: Historic;
beforeAll(async () => {
  historic = await startHistoric();
});
afterAll(() => historic.close());

const READ_ONLY = { writable: false } as const;
/** Makes a process parameter with a source for it. */
const processed = (
  series: Partial<NonNullable<NodeConfig['series']>> = {},
  nodeClass = 'point.NumberProcessPoint',
  source = historic.source(),
) => historic.child(source, { class: nodeClass, series: { ...READ_ONLY, ...series } });

const floats = (...numbers: number[]) => bytesOf(Float64Array.from(numbers));
type Row = readonly [timeMs: number, value: number | string, quality?: number];
const columnOf = ({ nodeId }: NodeConfig, rows: readonly Row[], change: Partial<ComputedSeries> = {}) =>
  ComputedSeries.fromPartial({
    nodeId,
    timestamps: floats(...rows.map(([timeMs]) => timeMs)),
    ...(rows.some(([, value]) => typeof value === 'string')
      ? { texts: rows.map(([, value]) => String(value)) }
      : { numbers: floats(...rows.map(([, value]) => Number(value))) }),
    qualities: rows.some(([, , quality]) => quality !== undefined)
      ? bytesOf(Int32Array.from(rows, ([, , quality]) => quality ?? -1))
      : Buffer.alloc(0),
    ...change,
  });

async function compute(node: NodeConfig, rows: readonly Row[], change: Partial<ComputedSeries> = {}): Promise<void> {
  const { ownerId, sourceId } = node;
  await historic.writeComputed({ ownerId, sourceId, series: [columnOf(node, rows, change)] });
}

type Field = { v?: unknown; q?: number };
async function recordsOf(node: NodeConfig): Promise<(readonly unknown[])[]> {
  await historic.idle();
  const range = { startTime: '1800-01-01T00:00:00Z', endTime: '2262-01-01T00:00:00Z' };
  const { text } = await historic.readText(node, { ...range, renderType: 'VALUE' });
  const { data } = JSON.parse(text) as { data: { ts: string; f: Record<string, Field> }[] };
  return data.map(({ ts, f }) => [Date.parse(ts), f[0]?.v, f[0]?.q]);
}

/** Returns what the log holds of a series, in order. */
const entriesOf = ({ nodeId }: NodeConfig): LogEntry[] =>
  historic.messages
    .flatMap(({ data }) => decodeBatch(data))
    .filter(
      (entry) =>
        (entry.kind === 'column' && entry.column.nodeId === nodeId) ||
        (entry.kind === 'seriesDelete' && entry.seriesDelete.nodeId === nodeId) ||
        (entry.kind === 'acquisition' && entry.acquisition.nodeId === nodeId),
    );

test('results of each type are records of a series that nobody else can write', async () => {
  const number = processed();
  await compute(number, [
    [1, 1.5],
    [2, 2, 9],
    [3, Number.NaN, 155],
    [4, Number.NaN],
    [5, Number.POSITIVE_INFINITY],
  ]);
  expect(await recordsOf(number)).toEqual([
    [1, 1.5, undefined],
    [2, 2, 9],
    [3, undefined, 155],
  ]);
  await expect(historic.write(number, jts([[9, { v: 1 }]]))).rejects.toMatchObject({ reason: 'NODE_READ_ONLY' });

  const text = processed({ valueType: TYPES.TEXT }, 'point.TextProcessPoint');
  await compute(text, [
    [1, 'wet'],
    [2, '', 7],
    [3, ''],
  ]);
  expect(await recordsOf(text)).toEqual([
    [1, 'wet', undefined],
    [2, undefined, 7],
  ]);

  const time = processed({ valueType: TYPES.TIME }, 'point.TimeProcessPoint');
  await compute(time, [[1, 86_400_000]]);
  expect(await recordsOf(time)).toEqual([[1, { $time: '1970-01-02T00:00:00.000Z' }, undefined]]);
});

test('the same results again change nothing', async () => {
  const node = processed();
  for (let n = 0; n < 2; n += 1)
    await compute(node, [
      [1, 1],
      [2, 2],
    ]);
  expect(await recordsOf(node)).toEqual([
    [1, 1, undefined],
    [2, 2, undefined],
  ]);
});

test('states give qualities where the program gave none', async () => {
  const state = (name: string, threshold: number | undefined, qualityCode: number | undefined) => ({
    stateId: newObjectId(),
    name,
    threshold,
    qualityCode,
    textThreshold: undefined,
    occurrences: 1,
    isAlarm: false,
    notify: 'NEVER',
    categoryId: '',
    messageAway: '',
    messageTowards: '',
  });
  const states = [state('NORMAL', undefined, undefined), state('HIGH', 10, 77)];
  const node = processed({ statesType: 'RANGE', states, multiplier: 2 });
  await compute(node, [
    [1, 4],
    [2, 5],
    [3, 6, 0],
    [4, Number.NaN, 3],
  ]);
  expect(await recordsOf(node)).toEqual([
    [1, 8, undefined],
    [2, 10, 77],
    [3, 12, 0],
    [4, undefined, 3],
  ]);
  const rooted = processed({ statesType: 'RANGE', states, multiplier: 2, equation: '5*sqrt(x)' });
  await compute(rooted, [
    [1, 1],
    [2, 4],
    [3, -1],
  ]);
  expect(await recordsOf(rooted)).toEqual([
    [1, 5, undefined],
    [2, 10, 77],
    [3, undefined, undefined],
  ]);
});

test('an empty text is a value where it is said to be one', async () => {
  const node = processed({ valueType: TYPES.TEXT }, 'point.TextProcessPoint');
  const rows: Row[] = [
    [1, 'a'],
    [2, ''],
    [3, ''],
    [4, '', 162],
  ];
  await compute(node, rows, { emptyTexts: [1, 3] });
  expect(await recordsOf(node)).toEqual([
    [1, 'a', undefined],
    [2, '', undefined],
    [4, '', 162],
  ]);
});

test('a series that is computed anew is emptied by the same append; its history is silent, what is new is reported', async () => {
  const node = processed();
  await compute(node, [
    [1, 1],
    [50, 5],
  ]);
  await compute(
    node,
    [
      [10, 1],
      [20, 2],
      [30, 3],
    ],
    { empties: true, toldFromMs: 20 },
  );
  expect(await recordsOf(node)).toEqual([
    [10, 1, undefined],
    [20, 2, undefined],
    [30, 3, undefined],
  ]);
  const entries = entriesOf(node).map((entry) =>
    entry.kind === 'column' ? [entry.column.notifyOn, ...entry.column.timestamps] : entry.kind,
  );
  const { NOTIFY_ON_NONE: NONE, NOTIFY_ON_ALL_NEWER: ALL_NEWER } = NotifyOn;
  expect(entries).toEqual([[ALL_NEWER, 1, 50], 'seriesDelete', [NONE, 10], [ALL_NEWER, 20, 30]]);
  const emptied = entriesOf(node).find((entry) => entry.kind === 'seriesDelete');
  expect(emptied?.seriesDelete).toMatchObject({ recomputing: true, username: 'System' });
  const batches = historic.messages.map(({ data }) => decodeBatch(data));
  const whole = batches.find((entries) => entries.some((entry) => entry === emptied || entry.kind === 'seriesDelete'));
  expect(whole?.map(({ kind }) => kind)).toEqual(['seriesDelete', 'column', 'column']);
});

test('outputs of a processor come together, as an acquisition of it', async () => {
  const source = historic.source({ class: 'source.data.Processor' });
  const [speed, label] = [historic.child(source), historic.child(source, { series: { valueType: TYPES.TEXT } })];
  const series = [
    columnOf(speed, [
      [1, 1],
      [2, 2],
    ]),
    columnOf(label, [
      [2, 'gust'],
      [3, 'calm'],
    ]),
  ];
  const { ownerId, nodeId: sourceId } = source;
  await historic.writeComputed({ ownerId, sourceId, series, isAcquisition: true });
  expect([await recordsOf(speed), await recordsOf(label)]).toEqual([
    [
      [1, 1, undefined],
      [2, 2, undefined],
    ],
    [
      [2, 'gust', undefined],
      [3, 'calm', undefined],
    ],
  ]);
  const acquisitions = entriesOf(source).flatMap((entry) => (entry.kind === 'acquisition' ? [entry.acquisition] : []));
  expect(acquisitions).toMatchObject([{ isSource: true, rows: 3, parameters: 2, origin: 'program', dropped: 0 }]);
});

test('results are within the storage limit of their source only, and those beyond it raise its overloadAlarm', async () => {
  const node = processed();
  historic.rowLimits.set(node.ownerId, 20);
  const old = Date.UTC(2020, 0, 1);
  const rows = Array.from({ length: 25 }, (_, n): Row => [old + n, n]);
  const overloads = () =>
    historic.applied.flatMap(({ acquisitions }) => acquisitions).filter(({ sourceId }) => sourceId === node.sourceId);
  await compute(node, rows.slice(0, 20));
  expect([(await recordsOf(node)).length, overloads()]).toEqual([20, []]);
  await compute(node, rows);
  expect(await recordsOf(node)).toHaveLength(20);
  // It is no acquisition: it counts nothing, and clears nothing.
  const what = { nodeId: node.sourceId, isSource: false, rows: 0, excluded: 0, continues: true, deliveries: 0 };
  expect(overloads()).toEqual([expect.objectContaining({ ...what, dropped: 5 })]);
  const days = Array.from({ length: 40 }, (_, n): Row => [old + (n + 1) * 86_400_000, n]);
  await compute(node, days);
  expect(await recordsOf(node)).toHaveLength(60);
});

test('a rating parameter has what its results say, of ranges and times that are gone too', async () => {
  const input = processed();
  const output = historic.child(historic.source({ ownerId: input.ownerId }), {
    class: 'point.NumberRatingPoint',
    series: READ_ONLY,
  });
  await compute(output, [
    [1, 1],
    [2, 2],
    [3, 3, 9],
    [4, 4],
  ]);
  const { ownerId, sourceId } = output;
  const write = (change: Partial<ComputedSeries>, ...rows: Row[]) =>
    historic.writeComputed({ ownerId, sourceId, series: [columnOf(output, rows, change)] });
  await write({ clears: { fromMs: 1, toMs: 2 }, toldFromMs: 100 }, [2, 5]);
  await write({ removesAbsent: true, numbers: floats(7, Number.NaN) }, [3, 7], [4, 0]);
  await historic.idle();
  expect(await recordsOf(output)).toEqual([
    [2, 5, undefined],
    [3, 7, undefined],
  ]);
  for (const clears of [
    { fromMs: 2, toMs: 1 },
    { fromMs: 1, toMs: 1e15 },
  ])
    await expect(write({ clears })).rejects.toThrow('clears');
});

test('only the processing service writes results', async () => {
  const node = processed();
  const request = { ownerId: node.ownerId, sourceId: node.sourceId, series: [columnOf(node, [[1, 1]])] };
  for (const who of [SERVICE, caller(node.ownerId)] as Caller[])
    await expect(historic.writeComputed(request, who)).rejects.toMatchObject({ kind: 'permission_denied' });
  const stranger = { ...request, ownerId: newObjectId() };
  await expect(historic.writeComputed(stranger, PROCESSING)).rejects.toMatchObject({ kind: 'not_found' });
});

test('results go to process parameters and outputs of the source that is named, and nowhere else', async () => {
  const node = processed();
  const { ownerId, workspaceId } = node;
  const elsewhere = processed({}, node.class, historic.source({ ownerId, workspaceId }));
  const source = historic.source({ ownerId, workspaceId });
  const plain = historic.child(source);
  const processor = historic.source({ class: 'source.data.Processor', ownerId });
  const loose = historic.child(processor, { class: 'point.TextPoint', series: READ_ONLY });
  const write = (target: NodeConfig, sourceId = target.sourceId, change: Partial<ComputedSeries> = {}) =>
    historic.writeComputed({ ownerId, sourceId, series: [columnOf(target, [[1, 1]], change)] });
  const refused = { kind: 'invalid_argument', reason: 'NODE_KIND' };
  await expect(write(elsewhere, node.sourceId)).rejects.toMatchObject(refused);
  await expect(write(plain)).rejects.toMatchObject(refused);
  await expect(write(loose)).rejects.toMatchObject(refused);
  await expect(write(source)).rejects.toMatchObject(refused);
  const wrong: [Partial<ComputedSeries>, string][] = [
    [{ timestamps: floats(2, 1), numbers: floats(1, 2) }, 'timestamps'],
    [{ timestamps: floats(1e15) }, 'timestamps'],
    [{ numbers: floats(1, 2) }, 'numbers'],
    [{ texts: ['a'] }, 'numbers'],
    [{ qualities: bytesOf(Int32Array.of(65_536)) }, 'qualities'],
  ];
  for (const [change, what] of wrong) await expect(write(node, node.sourceId, change)).rejects.toThrow(what);
  await write(node);
  expect(await recordsOf(node)).toEqual([[1, 1, undefined]]);
});

test('more results than fit into one request are refused', async () => {
  const node = processed();
  const { ownerId, sourceId } = node;
  const many = Array.from({ length: 50_001 }, (_, n): Row => [n, n]);
  await expect(compute(node, many)).rejects.toMatchObject({ kind: 'too_large' });
  const series = Array.from({ length: 101 }, () => columnOf(node, []));
  await expect(historic.writeComputed({ ownerId, sourceId, series })).rejects.toMatchObject({ kind: 'too_large' });
});

test('a program reads records and aggregates of the account that the service names', async () => {
  const node = historic.parameter({ multiplier: 10 });
  await historic.write(
    node,
    jts([
      [1_000, { v: 1 }],
      [2_000, { v: 2 }],
      [3_600_000, { v: 3 }],
    ]),
  );
  await historic.idle();
  const [records] = await historic.readSeries(node, { ownerId: node.ownerId, transformed: true }, PROCESSING);
  expect([...floatsOf(records?.numbers ?? Buffer.alloc(0))]).toEqual([10, 20, 30]);
  const asked = { ownerId: node.ownerId, nodeId: node.nodeId, aggregate: 'TOTAL', baseTime: 'D', interval: '1H' };
  const [chunk] = await historic.aggregateAt({ ...asked, times: floats(1_000, 2_000, 3_600_000) });
  expect([...floatsOf(chunk?.numbers ?? Buffer.alloc(0))]).toEqual([10, 30, 30]);
  expect(chunk?.newestMs).toBe(3_600_000);
  const foreign = { ...asked, ownerId: newObjectId(), times: floats(1_000) };
  await expect(historic.aggregateAt(foreign)).rejects.toMatchObject({ kind: 'not_found' });
  await expect(historic.readSeries(node, { ownerId: '' }, PROCESSING)).rejects.toMatchObject({
    reason: 'OWNER_NEEDED',
  });
  await expect(historic.aggregateAt(asked, caller(node.ownerId))).rejects.toMatchObject({ kind: 'permission_denied' });
});

test('long texts come in as many messages as they need', async () => {
  const node = historic.parameter({ valueType: TYPES.TEXT });
  const long = 'ö'.repeat(9_000);
  const rows = Array.from({ length: 700 }, (_, n) => [n, { v: `${n} ${long}` }] as const);
  for (let from = 0; from < rows.length; from += 100) await historic.write(node, jts(rows.slice(from, from + 100)));
  await historic.idle();
  const chunks = await historic.readSeries(node);
  const texts = chunks.flatMap((chunk) => chunk.texts.map((text) => text.split(' ')[0]));
  expect(texts).toEqual(rows.map((_, n) => String(n)));
});
