// These tests keep records in a backup and restore them: what comes back is what was there (docs/adr/0026-backup.md).

import { setTimeout as pause } from 'node:timers/promises';
import type { CopyFrame } from '@catchment/contracts/copies';
import { ValueType } from '@catchment/contracts/nodes';
import { unavailable } from '@catchment/errors';
import { newObjectId } from '@catchment/ids';
import { encodeEntries, FLAG } from '@catchment/ingest-log';
import { createLogger } from '@catchment/telemetry';
import { testInflux } from '@catchment/testkit';
import { column } from '@catchment/testkit/columns';
import { type CopiedSeries, columnsOf } from '../src/copies/domain/record-chunk.ts';
import { chunksOf, hasRecords, type Retry } from '../src/copies/store/influx-chunks.ts';
import { decodeFrames, encodeFrames } from '../src/copies/transport/copy-frames.ts';
import { again, readRecords, writeRecords } from '../src/copies/usecases/copy-records.ts';
import { InfluxConnection } from '../src/influx/store/influx-connection.ts';

import { InfluxRecords } from '../src/records/store/influx-records.ts';

const { signal } = new AbortController();
const log = createLogger('test', { level: 'silent' });
const T0 = Date.UTC(2024, 0, 1);

let stores: { influx: Awaited<ReturnType<typeof testInflux>>; connection: InfluxConnection }[];
beforeAll(async () => {
  stores = await Promise.all(
    [1, 2].map(async () => {
      const influx = await testInflux();
      const { url, database } = influx;
      return { influx, connection: new InfluxConnection({ url, database, log }) };
    }),
  );
});
afterAll(async () => {
  for (const { influx, connection } of stores ?? []) {
    connection.close();
    await influx.drop();
  }
});
const [from, to] = [() => stores[0]?.connection as InfluxConnection, () => stores[1]?.connection as InfluxConnection];

async function* seriesOf(list: readonly CopiedSeries[]) {
  yield* list;
}
const framesFrom = (influx: InfluxConnection, list: readonly CopiedSeries[]) =>
  readRecords({ series: seriesOf(list), chunksOf: (series) => chunksOf(influx, series, { signal }) });

/** Returns every record of a series as the store has it, with the time of its writing. */
async function recordsOf(influx: InfluxConnection, series: CopiedSeries): Promise<unknown[]> {
  const records: unknown[] = [];
  for await (const chunk of chunksOf(influx, series, { signal }))
    for (const { timestamps, modifiedMs, numbers, texts, qualities, annotations, flags } of columnsOf(chunk))
      timestamps.forEach((timeMs, n) => {
        const parts = flags.length === 1 ? flags[0] : flags[n];
        records.push([timeMs, modifiedMs, parts, numbers[n], texts[n], qualities[n] ?? 0, annotations.get(n)]);
      });
  return records;
}
const applied: { partition: number; sequences: number[] }[] = [];
const write = (influx: InfluxConnection, frames: AsyncIterable<CopyFrame>) =>
  writeRecords(
    {
      records: new InfluxRecords(influx),
      applier: {
        apply: async (partition, messages) =>
          void applied.push({ partition, sequences: messages.map(({ sequence }) => sequence) }),
      },
      isForLater: () => false,
      pause,
      signal,
    },
    frames,
  );

test('records of runs, single records, and all that they have, come back with their times of writing', async () => {
  const series = (valueType: ValueType): CopiedSeries => ({ nodeId: newObjectId(), ownerId: newObjectId(), valueType });
  const [numbers, texts, empty] = [
    series(ValueType.VALUE_TYPE_NUMBER),
    series(ValueType.VALUE_TYPE_TEXT),
    series(ValueType.VALUE_TYPE_NUMBER),
  ];
  const times = (count: number, first: number) => Array.from({ length: count }, (_, n) => T0 + (first + n) * 1_000);
  const of = ({ nodeId, valueType }: CopiedSeries, at: readonly number[], modifiedMs: number, more: object = {}) =>
    column([...at], {
      nodeId,
      valueType,
      modifiedMs,
      flags: Uint8Array.of(FLAG.value),
      numbers: Float64Array.from(at, (_, n) => n - 3),
      ...more,
    });
  const store = new InfluxRecords(from());
  expect(await hasRecords(from(), signal)).toBe(false);
  // Two runs make more than a chunk; single records then come in their midst, with and without a value.
  await store.writeColumns([of(numbers, times(50_000, 0), 1_000)], signal);
  await store.writeColumns([of(numbers, times(30_000, 50_000), 2_000)], signal);
  await store.writeColumns(
    [
      of(numbers, times(1, 7), 3_000, {
        flags: Uint8Array.of(FLAG.value | FLAG.quality),
        qualities: Uint16Array.of(9),
      }),
    ],
    signal,
  );
  await store.writeColumns(
    [
      of(numbers, times(1, 8), 3_000, {
        flags: Uint8Array.of(FLAG.annotation),
        annotations: new Map([[0, 'no "value"']]),
      }),
    ],
    signal,
  );
  await store.writeColumns(
    [of(texts, times(3, 0), 4_000, { numbers: new Float64Array(0), texts: ['a', 'b\nc', ''] })],
    signal,
  );
  expect(await hasRecords(from(), signal)).toBe(true);

  const counted = await write(to(), decodeFrames(encodeFrames(framesFrom(from(), [numbers, texts, empty]))));
  expect(counted).toEqual({ series: 2, records: 80_003, messages: 0 });
  for (const series of [numbers, texts, empty])
    expect(await recordsOf(to(), series)).toEqual(await recordsOf(from(), series));
  expect((await recordsOf(to(), numbers)).slice(6, 10)).toEqual([
    [T0 + 6_000, 1_000, 1, 3, undefined, 0, undefined],
    [T0 + 7_000, 3_000, 3, -3, undefined, 9, undefined],
    [T0 + 8_000, 3_000, 4, Number.NaN, undefined, 0, 'no "value"'],
    [T0 + 9_000, 1_000, 1, 6, undefined, 0, undefined],
  ]);
});

test('a chunk ends by its bytes too, at the same record each time: a series that grows keeps its chunks', async () => {
  const [nodeId, ownerId, valueType] = [newObjectId(), newObjectId(), ValueType.VALUE_TYPE_TEXT];
  const store = new InfluxRecords(from());
  const add = (first: number, count: number) => {
    const more = { texts: Array.from({ length: count }, (_, n) => `${first + n}`.padEnd(10_000, '.')) };
    const at = Array.from({ length: count }, (_, n) => T0 + (first + n) * 1_000);
    const flags = Uint8Array.of(FLAG.value);
    return store.writeColumns(
      [column(at, { nodeId, valueType, modifiedMs: 1_000, flags, numbers: new Float64Array(0), ...more })],
      signal,
    );
  };
  const chunks = () =>
    Array.fromAsync(
      chunksOf(from(), { nodeId, ownerId, valueType }, { signal, limits: { records: 50, bytes: 100_000 } }),
    );
  await add(0, 25);
  const before = await chunks();
  expect(before.map(({ texts }) => texts.length)).toEqual([10, 10, 5]);
  await add(25, 5);
  const after = await chunks();
  expect(after.map(({ texts }) => texts.length)).toEqual([10, 10, 10]);
  expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
  const found = after.flatMap(({ texts }) => texts.map((text) => text.replaceAll('.', '')));
  expect(found).toEqual(Array.from({ length: 30 }, (_, n) => `${n}`));
});

test('a store that fails in the midst of a chunk is asked again, and nothing comes twice', async () => {
  const series = { nodeId: newObjectId(), ownerId: newObjectId(), valueType: ValueType.VALUE_TYPE_NUMBER };
  const at = Array.from({ length: 25_000 }, (_, n) => T0 + n * 1_000);
  const [flags, numbers] = [Uint8Array.of(FLAG.value), Float64Array.from(at, (_, n) => n)];
  const { nodeId, valueType } = series;
  await new InfluxRecords(from()).writeColumns(
    [column(at, { nodeId, valueType, modifiedMs: 1_000, flags, numbers })],
    signal,
  );
  const expected = await recordsOf(from(), series);
  let [asked, failures] = [0, 0];
  const failing = Object.assign(Object.create(from()), {
    query: async function* (...call: Parameters<InfluxConnection['query']>) {
      asked += 1;
      const isFailing = asked % 3 === 0;
      for await (const piece of from().query(...call)) {
        yield piece;
        if (!isFailing) continue;
        failures += 1;
        throw unavailable('INFLUX_UNAVAILABLE');
      }
    },
  });
  const isForLater = () => true;
  const retry: Retry = (work) => again({ isForLater, pause: async () => {}, signal }, work);
  const chunks = await Array.fromAsync(
    chunksOf(failing, series, { signal, retry, limits: { records: 10_000, bytes: 1e9 } }),
  );
  expect(failures).toBeGreaterThan(1);
  expect(chunks.map(({ timestamps }) => timestamps.byteLength / 8)).toEqual([10_000, 10_000, 5_000]);
  const whole = chunks.flatMap((chunk) => columnsOf(chunk).flatMap(({ timestamps }) => [...timestamps]));
  expect(whole).toEqual(expected.map((record) => (record as number[])[0]));
  await expect(
    again({ isForLater, pause: async () => {}, signal }, () => Promise.reject(unavailable('INFLUX_UNAVAILABLE'))),
  ).rejects.toMatchObject({ reason: 'INFLUX_UNAVAILABLE' });
});

test('messages of the log come after all records, each partition in its order', async () => {
  const [data = new Uint8Array(0)] = encodeEntries([], 1_000, () => '').concat(new Uint8Array(0));
  async function* frames(): AsyncGenerator<CopyFrame> {
    for (const [partition, sequence] of [
      [0, 5],
      [1, 6],
      [0, 9],
    ] as const)
      yield { frame: { $case: 'message', value: { partition, sequence, data: Buffer.from(data) } } };
    yield { frame: { $case: 'end', value: { series: 0, records: 0, messages: 3 } } };
  }
  applied.length = 0;
  expect(await write(to(), frames())).toEqual({ series: 0, records: 0, messages: 3 });
  expect(applied).toEqual([
    { partition: 0, sequences: [5, 9] },
    { partition: 1, sequences: [6] },
  ]);
});

test('a copy that ends before its last frame is refused', async () => {
  async function* cut(): AsyncGenerator<CopyFrame> {
    yield { frame: { $case: 'message', value: { partition: 0, sequence: 1, data: Buffer.alloc(0) } } };
  }
  await expect(write(to(), cut())).rejects.toMatchObject({ reason: 'COPY_CUT' });
  const bytes = await Array.fromAsync(encodeFrames(cut()));
  const half = (async function* () {
    yield Buffer.concat(bytes).subarray(0, 7);
  })();
  await expect(Array.fromAsync(decodeFrames(half))).rejects.toThrow('end within a frame');
});
