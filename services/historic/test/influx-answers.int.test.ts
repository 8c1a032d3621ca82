// Answers of InfluxDB come as MessagePack: what is read is what was written, bit for bit.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newObjectId } from '@catchment/ids';
import { type Column, FLAG } from '@catchment/ingest-log';
import { createLogger } from '@catchment/telemetry';
import { testInflux } from '@catchment/testkit';
import { column } from '@catchment/testkit/columns';
import { randomFrom } from '@catchment/testkit/write-model';
import { InfluxConnection } from '../src/influx/store/influx-connection.ts';
import { rowsOf } from '../src/influx/store/influx-rows.ts';
import { InfluxOutlines } from '../src/outlines/store/influx-outlines.ts';

import { InfluxRecords } from '../src/records/store/influx-records.ts';

import { MAX_RECORD_MS, MIN_RECORD_MS } from '../src/series/domain/store-range.ts';
import { TYPES } from './series.ts';

const { signal } = new AbortController();
const log = createLogger('test', { level: 'silent' });
const STEP_MS = 60_000;

let influx: Awaited<ReturnType<typeof testInflux>>;
let connection: InfluxConnection;
beforeAll(async () => {
  influx = await testInflux();
  connection = new InfluxConnection({ url: influx.url, database: influx.database, log });
});
afterAll(async () => {
  connection?.close();
  await influx?.drop();
});

async function scanned(
  nodeId: string,
  valueType: Column['valueType'],
  order: 'ascending' | 'descending' = 'ascending',
) {
  const found: unknown[][] = [];
  const plan = { fromMs: MIN_RECORD_MS, toMs: MAX_RECORD_MS, order, limit: undefined };
  await new InfluxRecords(connection).scan({ nodeId, valueType }, plan, signal, (record) => {
    const { timeMs, number, text, longitude, quality, annotation } = record;
    found.push([timeMs, number ?? text, longitude, quality, annotation]);
    return true;
  });
  return found;
}

/** Makes finite numbers, as likely a tiny as a huge one. */
function anyNumbers(length: number): Float64Array {
  const random = randomFrom(7);
  const words = Uint32Array.from({ length: 2 * length }, () => Math.floor(random() * 2 ** 32));
  const numbers = new Float64Array(words.buffer).map((number) => (Number.isFinite(number) ? number : -0.1));
  numbers.set([Number.MAX_VALUE, -Number.MAX_VALUE, Number.MIN_VALUE, 2 ** 53, 2 ** 64, 0, 1 / 3]);
  return numbers;
}

test('numbers alone, over several chunks, with more than a number among them, and as outlines', async () => {
  const nodeId = newObjectId();
  const numbers = anyNumbers(12_000);
  const times = Array.from(numbers, (_, n) => -4_000 * STEP_MS + n * STEP_MS);
  const write = (change: Column) => new InfluxRecords(connection).writeColumns([change as never], signal);
  await write(column(times, { nodeId, numbers, flags: Uint8Array.of(FLAG.value) }));
  const expected: unknown[][] = times.map((timeMs, n) => [timeMs, numbers[n], undefined, undefined, undefined]);
  expect(await scanned(nodeId, TYPES.NUMBER)).toEqual(expected);
  expect(await scanned(nodeId, TYPES.NUMBER, 'descending')).toEqual(expected.toReversed());
  const outline: unknown[][] = [];
  const range = { fromMs: times[0] ?? 0, toMs: times.at(-1) ?? 0 };
  await new InfluxOutlines(connection).numbers(nodeId, range, signal, (timeMs, number) =>
    outline.push([timeMs, number]),
  );
  expect(outline).toEqual(expected.map((row) => row.slice(0, 2)));

  const text = 'sensor cleaned: «°C» 🌊 "\\';
  await write(
    column([times[7_000] ?? 0], {
      nodeId,
      numbers: Float64Array.of(-1.5),
      qualities: Uint16Array.of(149),
      annotations: new Map([[0, text]]),
      flags: Uint8Array.of(FLAG.value | FLAG.quality | FLAG.annotation),
    }),
  );
  expected[7_000] = [times[7_000], -1.5, undefined, 149, text];
  expect(await scanned(nodeId, TYPES.NUMBER)).toEqual(expected);
});

test.each<[string, Partial<Column>, unknown[]]>([
  ['TEXT', { texts: ['', 'ü"\\\n,= ', '🌊'.repeat(5_000)] }, ['', 'ü"\\\n,= ', '🌊'.repeat(5_000)]],
  ['TIME', { numbers: Float64Array.of(-8.64e15, 0, 8.64e15) }, [-8.64e15, 0, 8.64e15]],
  ['COORDINATES', { numbers: Float64Array.of(-90, 180, 1 / 3, -0.1, 1e-9, 0) }, [-90, 1 / 3, 1e-9]],
])('records of type %s', async (type, content, expected) => {
  const nodeId = newObjectId();
  const valueType = TYPES[type as keyof typeof TYPES];
  const flags = Uint8Array.of(FLAG.value);
  await new InfluxRecords(connection).writeColumns(
    [column([1, 2, 3], { nodeId, valueType, flags, ...content }) as never],
    signal,
  );
  expect((await scanned(nodeId, valueType)).map(([, value]) => value)).toEqual(expected);
});

test('what InfluxDB says of a statement that it cannot read is the cause of the error', async () => {
  await expect(Array.fromAsync(rowsOf(connection.query('SELECT', {}, signal)))).rejects.toMatchObject({
    reason: 'INFLUX_REFUSED',
    cause: expect.objectContaining({ message: expect.stringMatching(/^status 400: error parsing query: found EOF/) }),
  });
});

test('a store that answers in another format is refused, whatever it says', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"results":[{"statement_id":0}]}\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const other = new InfluxConnection({ url, database: 'other', log });
  try {
    await expect(other.execute('SHOW DATABASES', signal)).rejects.toMatchObject({
      reason: 'INFLUX_REFUSED',
      cause: expect.objectContaining({
        message: 'it answers application/json when asked for application/x-msgpack: InfluxDB 1.6 or later is needed',
      }),
    });
  } finally {
    other.close();
    server.close();
  }
});
