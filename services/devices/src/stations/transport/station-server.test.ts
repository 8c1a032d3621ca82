import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { NodeConfig } from '@catchment/contracts/nodes';
import { transportSettings } from '@catchment/contracts/transports';
import { DomainError } from '@catchment/errors';
import { createLogger } from '@catchment/telemetry';
import { until } from '@catchment/testkit';
import type { SourceEvent } from '../../sources/domain/source-event.ts';
import { Stations } from '../usecases/take-message.ts';
import { WASPMOTE, WATERLOG } from './protocols.ts';
import { type StationProtocol, StationServer } from './station-server.ts';

const NOW = Date.UTC(2024, 4, 15, 12);
const node = (nodeId: string, cls: string, isEnabled = true) =>
  ({ nodeId, ownerId: 'o', workspaceId: 'w', class: cls, source: { isEnabled, timezone: 'Etc/UTC' } }) as NodeConfig;

const open: (StationServer | Socket)[] = [];
afterEach(async () => {
  for (const opened of open.splice(0))
    if (opened instanceof StationServer) await opened.close();
    else opened.destroy();
});

/** Opens a listener with a log, records and events that are looked at. */
async function listener(
  protocol: StationProtocol = WASPMOTE,
  { messageLimitMs = 5_000, maxConnections = 10, perAddress = 10 } = {},
) {
  const sources = new Map<string, NodeConfig>([
    ['mote', node('mote', 'source.data.Waspmote')],
    ['off', node('off', 'source.data.Waspmote', false)],
    ['other', node('other', 'source.data.Jts')],
    ['SITE', node('SITE', 'source.data.WaterLog')],
  ]);
  const state = { failure: undefined as DomainError | undefined, gate: Promise.resolve(), tries: 0 };
  const rows: string[] = [];
  const events: string[] = [];
  const lines: string[] = [];
  const log = createLogger('test', { level: 'silent' });
  log.warn = ((facts: { reason?: string }, message: string) =>
    void lines.push(facts.reason ?? message)) as typeof log.warn;
  const stations = new Stations({
    pushSources: {
      find: async (_transport, key) => {
        const source = sources.get(key);
        return source && { source, settings: transportSettings('TcpServer', { siteId: key }) };
      },
    },
    historic: {
      writeFile: async ({ source, body }) => {
        state.tries += 1;
        await state.gate;
        if (state.failure) throw state.failure;
        const { data } = JSON.parse(Buffer.from(body).toString()) as { data: { f: Record<string, { v: unknown }> }[] };
        for (const { f } of data)
          rows.push(
            `${source._id} ${Object.values(f)
              .map(({ v }) => v)
              .join(' ')}`,
          );
        return data.length;
      },
    },
    store: {
      transaction: async (work) =>
        work({
          recordEvents: async (reported: readonly SourceEvent[]) =>
            void events.push(...reported.map(({ message }) => message)),
        } as never),
    },
    log,
    now: () => NOW,
  });
  const limits = { maxConnections, maxConnectionsPerAddress: perAddress, maxPendingBytes: 1_024 * 1_024 };
  const server = new StationServer(protocol, { stations, limits, log, messageLimitMs });
  open.push(server);
  const port = await server.open({ host: '127.0.0.1', port: 0 });
  const station = async (bytes?: Buffer | string) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    open.push(socket);
    await once(socket, 'connect');
    if (bytes !== undefined) socket.write(bytes);
    return socket;
  };
  return { server, station, rows, events, lines, state };
}
const frame = (id: string, ...fields: string[]) =>
  Buffer.concat([
    Buffer.from('<=>'),
    Buffer.from([134, fields.length]),
    Buffer.from(`#1#${id}#1#${fields.map((field) => `${field}#`).join('')}`),
  ]);
/** A connection that is ended while bytes are under way may end by a reset. */
const closed = (socket: Socket) =>
  new Promise<void>((resolve) => {
    if (socket.closed) resolve();
    else socket.resume().once('close', () => resolve());
  });

test('frames become records, several of one connection too', async () => {
  const { station, rows } = await listener();
  const socket = await station(Buffer.concat([frame('mote', 'TC:1'), frame('mote', 'TC:2')]));
  await until(async () => rows.length === 2);
  socket.write(frame('mote', 'TC:3'));
  await until(async () => rows.length === 3);
  expect(rows).toEqual(['mote 1', 'mote 2', 'mote 3']);
  expect(socket.closed).toBe(false);
});

test('lines of WaterLOG, also the last one of a connection', async () => {
  const { station, rows } = await listener(WATERLOG(() => NOW));
  const socket = await station('SITE\r\n01/19/2010,09:30:00,Stage,1.25\r\n');
  await until(async () => rows.length === 1);
  socket.end('01/19/2010,09:45:00,Stage,1.5');
  await closed(socket);
  expect(rows).toEqual(['SITE 1.25', 'SITE 1.5']);
});

test.each<[what: string, bytes: Buffer | string, reason: string, event: string | undefined]>([
  ['nobody has', frame('nobody', 'TC:1'), "no source has the siteId 'nobody' or '1'", undefined],
  ['of a disabled source', frame('off', 'TC:1'), 'the source is disabled', undefined],
  [
    'of a source of another class',
    frame('other', 'TC:1'),
    'the station speaks as source.data.Waspmote does, the source is a source.data.Jts',
    'Refused data from station: the station speaks as source.data.Waspmote does, the source is a source.data.Jts',
  ],
  ['that speaks another protocol', 'x'.repeat(100), 'these are no frames of Waspmote: they begin with <=>', undefined],
])('a station %s is refused with a reason', async (_what, bytes, reason, event) => {
  const { station, lines, rows, events } = await listener();
  await closed(await station(bytes));
  await until(async () => lines.length > 0);
  expect([lines, rows, events]).toEqual([[reason], [], event ? [event] : []]);
});

test('a frame that cannot be read, of a station that is known, is reported on its source', async () => {
  const { station, events, rows } = await listener();
  await closed(await station(Buffer.concat([frame('mote', 'TC:1'), frame('mote', 'TC')])));
  await until(async () => events.length > 0);
  expect(events).toEqual(['Refused data from station: a field of the frame is damaged: TC']);
  expect(rows).toEqual(['mote 1']);
});

test('a first line of values with U+0000, of a site that is known, is reported on its source in a text that can be kept', async () => {
  const { station, events, rows } = await listener(WATERLOG(() => NOW));
  await closed(await station('SITE\r\n05/15/\u00002024,12:00:00,HG,1\r\n'));
  await until(async () => events.length > 0);
  expect(events).toEqual([
    'Refused data from station: a line begins neither with : nor with a date and a time: 05/15/\ufffd2024,12:00:00,HG,1',
  ]);
  expect(rows).toEqual([]);
});

test('what historic refuses for good ends the connection with its reason', async () => {
  const { station, state, events } = await listener();
  state.failure = new DomainError('invalid_argument', 'INVALID_COLUMN', 'TC: is a text');
  await closed(await station(frame('mote', 'TC:1')));
  await until(async () => events.length > 0);
  expect(events).toEqual(['Refused data from station: TC: is a text']);
});

test('what is away is waited for', async () => {
  const { station, state, rows } = await listener();
  state.failure = new DomainError('unavailable', 'HISTORIC_AWAY', 'away');
  await station(frame('mote', 'TC:1'));
  await until(async () => state.tries > 0);
  state.failure = undefined;
  await until(async () => rows.length === 1);
});

test('a station that sends its frame a byte at a time is ended, others are served', async () => {
  // The other one speaks at once, also on a machine that stands still for a moment.
  const { station, lines, rows } = await listener(WASPMOTE, { messageLimitMs: 3_000 });
  const other = await station(frame('mote', 'TC:1'));
  await until(() => rows.length === 1);
  const slow = await station('<=>');
  const dribble = setInterval(() => slow.write('x'), 400);
  await closed(slow);
  clearInterval(dribble);
  await until(async () => lines.length > 0);
  expect(lines).toEqual(['the message was not complete in time']);
  expect(rows).toEqual(['mote 1']);
  expect(other.closed).toBe(false);
});

test('whatever others send, a station is served', async () => {
  const { station, rows } = await listener(WASPMOTE, { maxConnections: 100, perAddress: 100 });
  let seed = 5;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const starts = ['', '<=>', '<=>\u0006\u00ff', 'GET / HTTP/1.1\r\n', '\u0016\u0003\u0001'];
  for (let n = 0; n < 40; n += 1) {
    const noise = Buffer.from(Array.from({ length: random(3_000) }, () => random(256)));
    const socket = await station(Buffer.concat([Buffer.from(starts[n % starts.length] ?? '', 'latin1'), noise]));
    const what = random(4);
    if (what < 2) socket.end();
    else if (what === 2) socket.destroy();
  }
  await station(frame('mote', 'TC:9'));
  await until(async () => rows.includes('mote 9'));
  expect(rows).toEqual(['mote 9']);
});

test('a station that says nothing is ended', async () => {
  const { station } = await listener(WASPMOTE, { messageLimitMs: 50 });
  await closed(await station());
});

test('there are so many connections of an address, and not more', async () => {
  const { station, lines, rows } = await listener(WASPMOTE, { perAddress: 2 });
  await station(frame('mote', 'TC:1'));
  const second = await station();
  await closed(await station(frame('mote', 'TC:2')));
  expect(lines).toEqual(['Waspmote connection refused: too many']);
  second.destroy();
  await until(async () => {
    await station(frame('mote', 'TC:3'));
    return rows.includes('mote 3');
  });
  expect(rows).not.toContain('mote 2');
});

test('closing waits for the message in work', async () => {
  const { server, station, state, rows } = await listener();
  const { promise, resolve } = Promise.withResolvers<void>();
  state.gate = promise;
  await station(frame('mote', 'TC:1'));
  await until(async () => state.tries > 0);
  const ended = server.close();
  resolve();
  await ended;
  expect(rows).toEqual(['mote 1']);
});
