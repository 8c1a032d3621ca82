// These tests ask the library's server over the network, and devices that answer what they should not. `npm run test:modbus -w
// services/devices` does it against another server (test/modbus-server.py).
import { connect, createServer, type Server, type Socket } from 'node:net';
import { HANGS_AFTER_MS } from '@catchment/testkit';
import modbus from 'jsmodbus';
import { CommunicationFailure, type PendingControl, type SessionProgress } from '../../acquisition/index.ts';
import type { Register } from '../domain/register.ts';
import { modbusDriver } from './modbus-driver.ts';

const NOW = Date.UTC(2024, 0, 1);
/** An answer of a device that never answers is waited for so long. */
const SHORT_ANSWER_MS = 200;
const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

async function listen(onSocket?: (socket: Socket) => void): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    onSocket?.(socket);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as { port: number }).port };
}

/** Opens a device with 300 registers of each kind, big endian. */
async function device() {
  const holding = Buffer.alloc(600);
  const input = Buffer.alloc(600);
  const { server, port } = await listen();
  const coils = Buffer.alloc(40);
  new modbus.server.TCP(server, { holding, input, coils, discrete: Buffer.alloc(40, 0b1010) });
  return { port, holding, input, coils };
}

const register = (more: Partial<Register>): Register => ({
  series: `s${more.address}`,
  table: 'HOLDING',
  address: 0,
  type: 'UINT16',
  wordOrder: 'BIG',
  ...more,
});

async function session(
  port: number,
  registers: readonly Register[],
  {
    controls = [],
    collects = true,
    signal = new AbortController().signal,
    answerMs = HANGS_AFTER_MS,
  }: { controls?: PendingControl[]; collects?: boolean; signal?: AbortSignal; answerMs?: number } = {},
) {
  const steps: string[] = [];
  const events: string[] = [];
  const values: Record<string, number> = {};
  const types: Record<string, string> = {};
  const controlled: [series: string, refusal: string | undefined][] = [];
  const progress: SessionProgress = {
    step: async (step) => void steps.push(step),
    facts: async () => {},
    controlled: async ({ series }, refusal) => void controlled.push([series, refusal]),
    write: async (document) => {
      const { header, data } = document as {
        header: { columns: Record<string, { series: string; dataType: string }> };
        data: [{ ts: string; f: Record<string, { v: number }> }];
      };
      expect(data[0].ts).toBe('2024-01-01T00:00:00.000Z');
      for (const { series, dataType } of Object.values(header.columns)) types[series] = dataType;
      for (const [n, { v }] of Object.entries(data[0].f)) values[header.columns[n]?.series ?? ''] = v;
    },
    event: async (level, message) => void events.push(`${level} ${message}`),
    memory: undefined,
    remember: async () => {},
  };
  const pipe = connect(port, '127.0.0.1');
  pipe.on('error', () => {});
  await new Promise((resolve) => pipe.once('connect', resolve));
  const source = { attributes: { unitId: 1, registers } } as never;
  try {
    await modbusDriver(answerMs).run(pipe, { source, controls, collects, progress, now: () => NOW, signal });
  } finally {
    pipe.destroy();
  }
  return { steps, events, values, types, controlled };
}
const control = (
  series: string,
  value: number | string,
  family: PendingControl['family'] = 'NUMBER',
): PendingControl => ({
  nodeId: 'n',
  revision: 1,
  name: series,
  series,
  value,
  family,
});

test('reads registers and bits of all tables', async () => {
  const { port, holding, input, coils } = await device();
  holding.writeUInt16BE(7, 0);
  holding.writeFloatBE(12.5, 2);
  input.writeInt16BE(-3, 20);
  coils[0] = 0b100;
  const { values, types, steps, events } = await session(port, [
    register({ address: 0, series: 'a' }),
    register({ address: 0, series: 'b', type: 'BOOLEAN', units: 'm' }),
    register({ address: 1, series: 'f', type: 'FLOAT32' }),
    register({ address: 10, series: 'i', table: 'INPUT', type: 'INT16' }),
    register({ address: 2, series: 'c', table: 'COIL', type: 'BOOLEAN' }),
    register({ address: 1, series: 'd', table: 'DISCRETE', type: 'BOOLEAN' }),
  ]);
  expect(values).toEqual({ a: 7, b: 1, f: 12.5, i: -3, c: 1, d: 1 });
  expect(types).toEqual({
    a: 'NUMBER',
    f: 'NUMBER',
    i: 'NUMBER',
    b: 'BOOLEAN',
    c: 'BOOLEAN',
    d: 'BOOLEAN',
  });
  expect(steps).toEqual(['DOWNLOADING', 'PROCESSING']);
  expect(events).toEqual([]);
});

/** Opens a device with the registers below `end`, each of which has its address; the library's server refuses none. */
const short = async (end: number) =>
  (
    await listen((socket) =>
      socket.on('data', (request: Buffer) => {
        const [start, count] = [request.readUInt16BE(8), request.readUInt16BE(10)];
        if (start + count > end) return socket.write(Buffer.concat([header(request, 3), Buffer.from([0x83, 2])]));
        const words = Array.from({ length: count }, (_, n) => [(start + n) >> 8, (start + n) & 255]).flat();
        return socket.write(
          Buffer.concat([header(request, 3 + words.length), Buffer.from([3, words.length, ...words])]),
        );
      }),
    )
  ).port;

test('an entry that the device has not is reported, and the others of its block are read', async () => {
  const registers = [register({ address: 299 }), register({ address: 300 }), register({ address: 298 })];
  const { values, events } = await session(await short(300), registers);
  expect(values).toEqual({ s298: 298, s299: 299 });
  expect(events).toEqual(['WARNING Registers not read: s300 (HOLDING 300): illegal data address']);
});

test('a device that has none of the entries fails the session', async () => {
  const registers = Array.from({ length: 7 }, (_, n) => register({ address: 900 + n }));
  await expect(session(await short(300), registers)).rejects.toThrow(
    /^s900 \(HOLDING 900\): illegal data address, .* and 2 more$/,
  );
});

test('control values are written; what cannot be is refused with a reason', async () => {
  const { port, holding, coils } = await device();
  const registers = [
    register({ address: 0, series: 'word' }),
    register({ address: 2, series: 'float', type: 'FLOAT32', wordOrder: 'LITTLE' }),
    register({ address: 3, series: 'coil', table: 'COIL', type: 'BOOLEAN' }),
    register({ address: 0, series: 'input', table: 'INPUT' }),
  ];
  const controls = [
    control('word', 513),
    control('float', 12.5),
    control('coil', 1),
    control('word', 1.5),
    control('coil', 2),
    control('input', 1),
    control('unknown', 1),
    control('word', 'x', 'TEXT'),
  ];
  const { controlled, steps } = await session(port, registers, { controls, collects: false });
  expect(controlled).toEqual([
    ['word', undefined],
    ['float', undefined],
    ['coil', undefined],
    ['word', 'must be a whole number from 0 to 65535'],
    ['coil', 'must be 0 or 1'],
    ['input', 'INPUT registers can only be read'],
    ['unknown', 'no entry of registers has the series unknown'],
    ['word', 'registers have numbers only'],
  ]);
  expect(steps).toEqual(['CONTROLLING']);
  expect(holding.readUInt16BE(0)).toBe(513);
  expect(holding.subarray(4, 8).toString('hex')).toBe('00004148');
  expect(coils[0]).toBe(0b1000);
});

const header = (id: Buffer, length: number): Buffer =>
  Buffer.from([...id.subarray(0, 4), length >> 8, length & 255, 1]);
test.each<[what: string, answer: (request: Buffer, socket: Socket) => void, reason: RegExp]>([
  ['says nothing', () => {}, /^no answer from the device$/],
  ['hangs up', (_request, socket) => socket.destroy(), /^connection closed by the device|ECONNRESET/],
  ['ends the connection', (_request, socket) => socket.end(), /^connection closed by the device$/],
  [
    'answers with too few registers',
    (request, socket) => socket.write(Buffer.concat([header(request, 5), Buffer.from([3, 2, 0, 1])])),
    /^the device answers with too few registers$/,
  ],
  [
    'answers for another request',
    (request, socket) =>
      socket.write(
        Buffer.concat([Buffer.from([9, 9, 0, 0, 0, 5, 1]), Buffer.from([3, 2, 0, 1]), request.subarray(0, 0)]),
      ),
    /^wrong answer from the device/,
  ],
  [
    'answers with another function',
    (request, socket) => socket.write(Buffer.concat([header(request, 5), Buffer.from([4, 2, 0, 1])])),
    /^wrong answer from the device/,
  ],
  [
    'is busy',
    (request, socket) => socket.write(Buffer.concat([header(request, 3), Buffer.from([0x83, 6])])),
    /^device busy$/,
  ],
  [
    'is behind a gateway that does not reach it',
    (request, socket) => socket.write(Buffer.concat([header(request, 3), Buffer.from([0x83, 11])])),
    /^gateway target device failed to respond$/,
  ],
  [
    'sends without end',
    (_request, socket) => socket.write(Buffer.alloc(5_000, 0xff)),
    /^the device does not speak Modbus TCP$/,
  ],
  [
    'speaks another protocol',
    (_request, socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'),
    /^(no answer|wrong answer)/,
  ],
])('a device that %s fails the session with a reason', async (_what, answer, reason) => {
  const { port } = await listen((socket) => socket.on('data', (request: Buffer) => answer(request, socket)));
  const registers = [register({ address: 0 }), register({ address: 1 })];
  const isSilent = reason.test('no answer from the device');
  const error = await session(port, registers, isSilent ? { answerMs: SHORT_ANSWER_MS } : {}).then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(CommunicationFailure);
  expect((error as Error).message).toMatch(reason);
});

test('a session ends as soon as it is given up', async () => {
  const given = new AbortController();
  const { port } = await listen((socket) => socket.on('data', () => given.abort()));
  await expect(session(port, [register({ address: 0 })], { signal: given.signal })).rejects.toBeInstanceOf(
    CommunicationFailure,
  );
});

test('whatever a device sends, the session ends', async () => {
  let seed = 11;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed;
  };
  const { port } = await listen((socket) =>
    socket.on('data', (request: Buffer) => {
      const body = Buffer.from(Array.from({ length: random() % 40 }, () => random() % 256));
      socket.write(
        random() % 2 === 0 ? body : Buffer.concat([header(request, body.length + 1), Buffer.from([3]), body]),
      );
      socket.end();
    }),
  );
  for (let n = 0; n < 60; n += 1)
    await session(port, [register({ address: 0 })]).catch((error: unknown) => {
      expect(error).toBeInstanceOf(CommunicationFailure);
    });
});
