import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate, type IPublishPacket, parser } from 'mqtt-packet';
import { readingsOf, recordsOfFile, sharedRecordsOfFile } from '../station/records.ts';
import { type SimulateMqttOptions, simulateMqtt } from './simulate-mqtt.ts';

const FIRST_MS = Date.UTC(2026, 0, 1);
type Document = { data: { ts: string; f: Record<string, { v: unknown }> }[] };

let server: Server;
let got: IPublishPacket[] = [];
/** Returns the answer's reason code. */
let answer: (packet: IPublishPacket) => number;
const sockets = new Set<Socket>();
/** This many connections end without an answer to their CONNECT. */
let cutConnections: number;

beforeEach(async () => {
  got = [];
  answer = () => 0;
  cutConnections = 0;
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    const reader = parser();
    reader.on('packet', (packet) => {
      const send = (out: Parameters<typeof generate>[0]) => socket.write(generate(out, { protocolVersion: 5 }));
      if (packet.cmd === 'connect' && cutConnections > 0) {
        cutConnections -= 1;
        socket.end();
      } else if (packet.cmd === 'connect') send({ cmd: 'connack', reasonCode: 0, sessionPresent: false });
      if (packet.cmd !== 'publish') return;
      got.push(packet);
      const { messageId = 0, qos } = packet;
      if (qos === 1) send({ cmd: 'puback', messageId, reasonCode: answer(packet) });
    });
    socket.on('data', (chunk: Buffer) => reader.parse(chunk));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

function simulate(over: Partial<SimulateMqttOptions> = {}) {
  let nowMs = FIRST_MS;
  return simulateMqtt({
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    protocolVersion: 5,
    qos: 1,
    key: 'soap-laugh-corn',
    clientId: 'one',
    topic: 'data',
    intervalMs: 0,
    inFlight: 5,
    seed: 1,
    messages: 40,
    next: readingsOf(1, () => (nowMs += 1_000)),
    faults: {},
    signal: new AbortController().signal,
    log: () => {},
    ...over,
  } as SimulateMqttOptions);
}
const documents = () => got.map(({ payload }) => JSON.parse(payload.toString()) as Document);
const times = () => documents().flatMap(({ data }) => data.map(({ ts }) => ts));

test('every message is sent and answered once', async () => {
  expect(await simulate()).toEqual({ sent: 40, acknowledged: 40, repeated: 0, refused: 0 });
  expect(new Set(times()).size).toBe(40);
});

test('messages after which the connection was cut are sent again, others twice; none is missing', async () => {
  const counts = await simulate({ faults: { drop: 10, duplicate: 20 } });
  expect(counts).toMatchObject({ sent: 40, acknowledged: 40, refused: 0 });
  expect(counts.repeated).toBeGreaterThan(0);
  expect(new Set(times()).size).toBe(40);
});

test('a connection that ends before it is answered is tried again, and holds up no message', async () => {
  cutConnections = 2;
  expect(await simulate()).toMatchObject({ sent: 40, acknowledged: 40, refused: 0 });
});

test('a message that the server refuses is not sent again', async () => {
  answer = () => 0x99;
  expect(await simulate({ messages: 3 })).toEqual({ sent: 3, acknowledged: 0, repeated: 0, refused: 3 });
});

test('a clock that jumps is wrong by up to a day', async () => {
  await simulate({ faults: { clockJump: 50 } });
  const errors = times().map((ts, n) => Math.abs(Date.parse(ts) - FIRST_MS - n * 1_000));
  const wrong = errors.filter((ms) => ms > 60_000);
  expect(wrong.length).toBeGreaterThan(5);
  expect(wrong.length).toBeLessThan(35);
  expect(Math.max(...errors)).toBeLessThan(25 * 3_600_000);
});

test('records of a file are sent until it ends', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'simulate-'));
  const file = join(folder, 'level.csv');
  await writeFile(
    file,
    ['time,level', ...Array.from({ length: 25 }, (_, n) => `2026-01-01 00:${10 + n}:00,${n}`)].join('\n'),
  );
  expect(await simulate({ next: await recordsOfFile(file, 10) })).toMatchObject({ sent: 3, acknowledged: 3 });
  expect(times()).toHaveLength(25);
  expect(documents()[2]?.data.at(-1)?.f).toEqual({ 0: { v: 24 } });
  const shared = await sharedRecordsOfFile(file, 10);
  for (const next of [shared(), shared()])
    expect(
      [await next(0), await next(60_000), await next(0), await next(0)].map((message) => message?.data[0]?.ts),
    ).toEqual(['2026-01-01T00:10:00.000Z', '2026-01-01T00:21:00.000Z', '2026-01-01T00:30:00.000Z', undefined]);
  await rm(folder, { recursive: true });
});
