import { freePort } from '@catchment/testkit';
import { serve, WELCOME } from '../modem/modem-server.ts';
import { fleetKeysOf } from './fleet-keys.ts';
import {
  type JournalLine,
  progressLine,
  type SimulateFleetOptions,
  simulateFleet,
  unanswered,
} from './simulate-fleet.ts';

const MODEMS = Array.from({ length: 30 }, (_, n) => ({ key: String(100_000_000_000 + n) }));

/** Starts a server that acknowledges what `takes` says, and how many messages of each seq it has seen. */
async function fleetServer(takes: (seq: number) => boolean = () => true) {
  const opened = await serve((message, reply) => {
    if (message.type === 'ident') reply(WELCOME);
    if (message.type === 'data' && takes(Number(message.seq))) reply({ type: 'ack', seq: message.seq });
  });
  const idents = () => opened.got.filter(({ type }) => type === 'ident').map(({ deviceKey }) => deviceKey);
  return { ...opened, address: { host: '127.0.0.1', port: opened.port }, idents };
}

/** Nobody listens here, and nobody is given the port. */
const nobody = async () => ({ host: '127.0.0.1', port: await freePort() });

async function simulate(more: Partial<SimulateFleetOptions> & Pick<SimulateFleetOptions, 'servers'>) {
  const journal: JournalLine[] = [];
  let nowMs = Date.UTC(2026, 0, 1);
  const counts = await simulateFleet({
    modems: MODEMS,
    rampSeconds: 0,
    seed: 1,
    intervalSeconds: 1,
    messages: 5,
    now: () => (nowMs += 1_000),
    signal: new AbortController().signal,
    journal: (line) => journal.push(line),
    progress: () => {},
    ...more,
  });
  return { counts, journal };
}

test('every modem of a fleet reports, over all addresses, and the journal says what was sent and acknowledged', async () => {
  const servers = [await fleetServer(), await fleetServer()];
  const { counts, journal } = await simulate({ servers: servers.map(({ address }) => address) });
  for (const { server } of servers) server.close();
  expect(counts).toMatchObject({ sent: 150, acknowledged: 150, waiting: 0, connected: 0 });
  expect(unanswered(counts)).toBe(0);
  expect(servers.map(({ idents }) => idents().length)).toEqual([15, 15]);
  const sent = journal.flatMap((line) => ('sent' in line ? [line] : []));
  expect(new Set(sent.map(({ key, seq }) => `${key} ${seq}`)).size).toBe(150);
  expect(sent[0]?.sent[0]?.[1]).toEqual({
    'Tank Level': expect.any(Number),
    'Battery Voltage': expect.any(Number),
    Temperature: expect.any(Number),
  });
  expect(journal.filter((line) => 'end' in line && line.end === 'acknowledged')).toHaveLength(150);
});

test('what was sent and not acknowledged is counted when a fleet is stopped', async () => {
  const stop = new AbortController();
  const { address, server } = await fleetServer((seq) => seq < 3);
  const running = simulate({
    servers: [address],
    signal: stop.signal,
    progressEveryMs: 5,
    progress: (counts) => {
      if (counts.acknowledged === 60 && counts.sent === 90) stop.abort();
    },
  });
  const { counts } = await running;
  server.close();
  expect(unanswered(counts)).toBe(30);
  expect(progressLine(counts, 30)).toContain('0 of 30 connected, 90 sent, 60 acknowledged, ');
});

test('a modem goes on at the next address when its own does not answer', async () => {
  const { address, server } = await fleetServer();
  const { counts } = await simulate({ servers: [await nobody(), address], modems: MODEMS.slice(0, 4) });
  server.close();
  expect(counts).toMatchObject({ sent: 20, acknowledged: 20 });
});

test('a full queue loses the oldest reports, and says so', async () => {
  const stop = new AbortController();
  const { counts } = await simulate({
    servers: [await nobody()],
    modems: MODEMS.slice(0, 1),
    queueLimit: 2,
    signal: stop.signal,
    progressEveryMs: 5,
    progress: (now) => {
      if (now.lost === 3) stop.abort();
    },
  });
  expect(counts).toMatchObject({ sent: 0, waiting: 2, lost: 3 });
  expect(progressLine(counts, 1)).toContain('3 lost from full queues');
});

test('keys are read from JSON lines and from CSV', () => {
  const expected = [{ key: '123456789012', secret: 'one,"two' }, { key: '490154203237518' }];
  expect(fleetKeysOf('key,secret\n123456789012,"one,""two"\n\n490154203237518,\n', 'k')).toEqual(expected);
  expect(
    fleetKeysOf('{"key":"123456789012","secret":"one,\\"two"}\r\n{"key":"490154203237518","secret":null}\r\n', 'k'),
  ).toEqual(expected);
});

test.each([
  '12345,secret-secret',
  '{"key": 123456789012}',
  '{"key":"123456789012","secret":5}',
  '123456789012,a,b',
  'key',
])('a line that is none is named, and its secret is not: %s', (line) => {
  const read = () => fleetKeysOf(`123456789013\n${line}`, 'keys.csv');
  expect(read).toThrow(/keys\.csv, line 2: /);
  expect(read).not.toThrow(/secret-secret/);
});

test('a modem that is named twice is refused', () => {
  expect(() => fleetKeysOf('123456789013,a\n123456789013,b\n123456789013,a', 'k')).toThrow('k, line 3');
});
