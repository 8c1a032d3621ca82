import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import {
  Deframer,
  decodePacket,
  EXPECT,
  encodePacket,
  frame,
  HELLO,
  LINK_STATE,
  responseType,
} from '@catchment/pakbus';
import { until } from '@catchment/testkit';
import { type SimulateLoggersOptions, simulateLoggers } from './simulate-loggers.ts';

const ID = '123456789012';
const TOA5 = `"TOA5","Station","CR1000","1","CR1000.Std.24","CPU:A.CR1","1","Main"
"TIMESTAMP","RECORD","Level"
"TS","RN","m"
"","","Smp"
"2024-01-01 00:00:00",0,1.5
"2024-01-01 00:01:00",1,1.75
`;
let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-loggers-'));
  file = path.join(folder, 'main.dat');
  await writeFile(file, TOA5);
});
afterAll(() => rm(folder, { recursive: true }));

const options = (more: Partial<SimulateLoggersOptions>): SimulateLoggersOptions => ({
  files: [file],
  intervalSeconds: 60,
  historyRecords: 10,
  address: 1,
  securityCode: 0,
  zone: 'Etc/UTC',
  driftSeconds: 0,
  variables: {},
  faults: {},
  seed: 1,
  host: '127.0.0.1',
  port: 0,
  count: 1,
  signal: AbortSignal.abort(),
  log: () => undefined,
  ...more,
});

/** Says hello to a logger. @returns the type of the packet that comes back */
async function greet(socket: Socket): Promise<number | undefined> {
  const ends = { to: { neighbour: 1, node: 1 }, from: { neighbour: 4_094, node: 4_094 }, hops: 0, protocol: 0 };
  const body = HELLO.encodeCommand({ isRouter: false, hopMetric: 2, verifySeconds: 1_800 });
  const message = { type: HELLO.type, transaction: 7, body };
  socket.write(frame(encodePacket({ ...ends, linkState: LINK_STATE.ring, expect: EXPECT.more, message })));
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  const [packet] = new Deframer().push(bytes);
  return decodePacket(packet!).message?.type;
}

test('loggers listen, each on a port of its own', async () => {
  const stop = new AbortController();
  const ports: number[] = [];
  const listening = Promise.withResolvers<void>();
  const log = (line: string) => {
    ports.push(Number(line.split(':').at(-1)));
    if (ports.length === 3) listening.resolve();
  };
  const running = simulateLoggers(options({ count: 3, signal: stop.signal, log }));
  await listening.promise;
  expect(new Set(ports).size).toBe(3);
  for (const port of ports) {
    const socket = connect({ port, host: '127.0.0.1' });
    expect(await greet(socket)).toBe(responseType(HELLO.type));
    socket.destroy();
  }
  stop.abort();
  await running;
});

test('a logger that calls in says its id first, then is a pipe', async () => {
  const stop = new AbortController();
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  const running = simulateLoggers(options({ callIds: [ID], port, signal: stop.signal }));
  const [socket] = (await once(server, 'connection')) as [Socket];
  const [first] = (await once(socket, 'data')) as [Buffer];
  expect(first.toString()).toBe(`${ID}\r\n`);
  expect(await greet(socket)).toBe(responseType(HELLO.type));
  stop.abort();
  await running;
  server.close();
});

test('the clock of a logger jumps when somebody connects', async () => {
  const stop = new AbortController();
  const lines: string[] = [];
  const running = simulateLoggers(
    options({ faults: { clockJump: 100 }, signal: stop.signal, log: (line) => lines.push(line) }),
  );
  const address = await until(() => lines[0]);
  const socket = connect({ port: Number(address.split(':').at(-1)), host: '127.0.0.1' });
  expect(await greet(socket)).toBe(responseType(HELLO.type));
  expect(lines[1]).toMatch(/^the clock jumps by -?\d+ s$/);
  socket.destroy();
  stop.abort();
  await running;
});

test('a file that is none of a logger is named', async () => {
  const running = simulateLoggers(options({ files: [import.meta.filename] }));
  await expect(running).rejects.toThrow(/simulate-loggers\.test\.ts: is no TOA5 file with records/);
});
