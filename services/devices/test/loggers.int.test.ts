// The running service has sessions with simulated PakBus loggers, which listen or call in.
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { AttemptEnded } from '@catchment/contracts/alarms';
import { SourceChanged } from '@catchment/contracts/devices';
import { SimulatedLogger, type SimulatedLoggerOptions } from '@catchment/pakbus/simulator';
import { until } from '@catchment/testkit';
import { caller, newKey, sourceNode, TestModem, workspaceNode } from './fakes.ts';
import { bus, changed, events, historic, list, main, nodes, tokenOf, useDevices } from './running-service.ts';

useDevices();

const shown: SourceChanged[] = [];
const attempts: AttemptEnded[] = [];
const servers: Server[] = [];
const sockets: Socket[] = [];
beforeAll(() => {
  bus.readDomain('nodes-devices', async (messages) => {
    for (const { subject, data } of messages) {
      if (subject === 'devices.source.changed.v1') shown.push(SourceChanged.decode(data));
    }
  });
  bus.readDomain('alarms-attempts', async (messages) => {
    for (const { data } of messages) attempts.push(AttemptEnded.decode(data));
  });
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
});

const START = Date.UTC(2024, 5, 1);
const level = (count: () => number) => ({
  name: 'Main',
  fields: [{ name: 'Level', type: 'FP2' as const, units: 'm' }],
  intervalSeconds: 60,
  sizeRecords: 1_000,
  content: {
    firstNumber: 0,
    countAt: count,
    record: (n: number) => ({ timeMs: START + n * 60_000, values: [n / 10] }),
  },
});
const loggerOf = (count: () => number, more: Partial<SimulatedLoggerOptions> = {}) =>
  new SimulatedLogger({ address: 1, tables: [level(count)], now: Date.now, ...more });
function attach(logger: SimulatedLogger, socket: Socket): void {
  const answer = logger.line();
  sockets.push(socket);
  socket.on('error', () => {});
  socket.on('data', (bytes: Buffer) => {
    for (const frame of answer(bytes)) socket.write(frame);
  });
}
async function listening(logger: SimulatedLogger): Promise<number> {
  const server = createServer((socket) => attach(logger, socket));
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as { port: number }).port;
}

/** Simulates a Scout with a logger behind its pipe. @param cutAfter frames of the logger, after which the line is dead */
function scout(key: string, logger: SimulatedLogger, cutAfter = Number.POSITIVE_INFINITY): TestModem {
  const modem = new TestModem(main.scout).ident(key);
  sockets.push(modem.socket);
  let answer = logger.line();
  let frames = 0;
  modem.socket.on('data', () => {
    for (const message of modem.received.splice(0)) {
      if (message.state === 'open') answer = logger.line();
      if (typeof message.data !== 'string') continue;
      for (const bytes of answer(Buffer.from(message.data, 'base64'))) {
        frames += 1;
        if (frames > cutAfter) modem.end();
        else modem.send({ type: 'pipe', data: Buffer.from(bytes).toString('base64') });
      }
    }
  });
  return modem;
}

async function made(transportClass: 'TcpClient' | 'TcpCallback' | 'Scout', port: number, attributes: object = {}) {
  const who = caller();
  const workspace = workspaceNode(who.ownerId);
  const key = transportClass === 'TcpClient' ? '' : newKey();
  const node = sourceNode(workspace, key, { class: 'source.data.CampbellPakBus', scheduleType: 'NONE' });
  if (!node.source) throw new Error('no source');
  const source = { ...node, source: { ...node.source, transportClass } };
  nodes.loggers.set(source.nodeId, { port, attributes });
  nodes.nodes.push(workspace, source);
  await changed(source);
  return { who, key, source };
}
const callOf = async (who: ReturnType<typeof caller>, nodeRef: string) =>
  main.client.acquire({ nodeRef }, { token: await tokenOf(who) });
const statuses = (sourceId: string) =>
  shown.filter((update) => update.sourceId === sourceId).map(({ status }) => status);
const records = (sourceId: string) =>
  [...historic.records].filter(([key]) => key.startsWith(sourceId)).map(([key, value]) => [key.slice(25), value]);
const expected = (count: number) =>
  Array.from({ length: count }, (_, n) => [`Main.Level/${new Date(START + n * 60_000).toISOString()}`, n / 10]);

test('a logger that listens: what it has is stored, and later what is new', async () => {
  let count = 30;
  const port = await listening(loggerOf(() => count));
  const { who, source } = await made('TcpClient', port);
  const { nodeId } = source;
  nodes.series.set(nodeId, [
    { series: 'Main.Level', isActive: false },
    { series: 'Main.Old', isActive: true },
  ]);
  const acquire = async (ends: number) => {
    await main.client.acquire({ nodeRef: nodeId }, { token: await tokenOf(who) });
    await until(() => statuses(nodeId).filter((status) => status === 'REST').length === ends, { what: 'it is over' });
  };
  await acquire(1);
  expect(statuses(nodeId)).toEqual(['QUEUED', 'CONNECTING', 'CONNECTING', 'DOWNLOADING', 'PROCESSING', 'REST']);
  expect(shown.findLast((update) => update.sourceId === nodeId)).toMatchObject({
    model: 'CR1000',
    firmwareVersion: 'Std.24',
    programName: 'CPU:Station.CR1',
  });
  expect(records(nodeId)).toEqual(expected(30));
  expect(nodes.series.get(nodeId)?.map(({ isActive }) => isActive)).toEqual([true, false]);
  count = 45;
  await acquire(2);
  expect(records(nodeId)).toEqual(expected(45));
  expect(historic.writes.filter((write) => write.nodeRef === nodeId).map(({ origin }) => origin)).toEqual([
    'Main',
    'Main',
  ]);
  await acquire(3);
  const reported = () => events.filter((event) => event.nodeId === nodeId).map(({ message }) => message);
  await until(() => reported().includes('No new records'), { what: 'nothing is new' });
  expect(historic.writes.filter((write) => write.nodeRef === nodeId).length).toBe(2);
});

test('a logger that calls in is spoken with through its connection', async () => {
  const { who, key, source } = await made('TcpCallback', 0);
  await until(async () => (await list(who)).devices.length === 1, { what: 'its device is made' });
  const socket = connect({ host: '127.0.0.1', port: main.callback });
  attach(
    loggerOf(() => 5),
    socket,
  );
  socket.write(`${key}\r\n`);
  await until(async () => (await list(who)).devices[0]?.isConnected, { what: 'it is connected' });
  await until(() => !['QUEUED', 'CONNECTING'].includes(statuses(source.nodeId).at(-1) ?? ''));
  await main.client.acquire({ nodeRef: source.nodeId }, { token: await tokenOf(who) });
  await until(() => records(source.nodeId).length === 5, { what: 'its records are stored' });
  expect(records(source.nodeId)).toEqual(expected(5));
});

test('a logger behind the pipe of a Scout: 30 000 records come in parts; where the line breaks, the next session goes on', async () => {
  const ROWS = 30_000;
  const { who, key, source } = await made('Scout', 0);
  const { nodeId } = source;
  await until(async () => (await list(who)).devices.length === 1, { what: 'its device is made' });
  let count = ROWS;
  const main = { ...level(() => count), fields: [{ name: 'Level', type: 'IEEE4B' as const, units: 'm' }] };
  const record = (n: number) => ({ timeMs: START + n * 60_000, values: [n] });
  const content = { ...main.content, record };
  const logger = loggerOf(() => count, { tables: [{ ...main, sizeRecords: 100_000, content }] });
  const writes = () => historic.writes.filter((write) => write.nodeRef === nodeId);
  const rows = () =>
    writes().map(({ body }) => (JSON.parse(body.toString()) as { data: { f: { 0: { v: number } } }[] }).data);

  scout(key, logger, 300);
  await until(() => statuses(nodeId).at(-1) === 'FAILED', { what: 'the line breaks' });
  const before = rows().flat().length;
  expect(before).toBeGreaterThan(2_000);
  expect(before).toBeLessThan(ROWS);
  const again = scout(key, logger);
  const isOver = () => statuses(nodeId).at(-1) === 'REST';
  await until(isOver, { what: 'the rest is collected' });
  // The rows come in order: none is left out, none comes twice.
  expect(rows().flatMap((data) => data.map(({ f }) => f[0].v))).toEqual(Array.from({ length: ROWS }, (_, n) => n));
  expect(Math.max(...rows().map((data) => data.length))).toBeLessThanOrEqual(2_000);
  expect(new Set(writes().map(({ acquisitionId }) => acquisitionId))).toEqual(new Set([`${nodeId}.0`]));
  count += 5;
  await callOf(who, nodeId);
  await until(() => rows().flat().length === ROWS + 5, { what: 'later it brings what is new' });
  expect(writes().at(-1)?.acquisitionId).toBe(`${nodeId}.1`);
  again.end();
});

test.each([
  [
    'the wrong security code',
    { securityCode: '1' },
    { securityCode: 2 },
    'logger refused its program: the security code is wrong',
  ],
  [
    'an unproven model, which is not tried again',
    { retryAttempts: 3 },
    { osVersion: 'CR6.Std.12' },
    'Protocol not available: PakBus has not been proven with a CR6',
  ],
])('%s fails the session with its reason', async (_what, attributes, options, reason) => {
  const port = await listening(loggerOf(() => 5, options));
  const { who, source } = await made('TcpClient', port, attributes);
  const { nodeId } = source;
  await main.client.acquire({ nodeRef: nodeId }, { token: await tokenOf(who) });
  await until(() => statuses(nodeId).at(-1) === 'FAILED', { what: 'it fails' });
  await until(() => attempts.some((attempt) => attempt.nodeId === nodeId), { what: 'its alarm is reported' });
  expect(attempts.find((attempt) => attempt.nodeId === nodeId)).toMatchObject({ failure: reason });
  expect(records(nodeId)).toEqual([]);
});
