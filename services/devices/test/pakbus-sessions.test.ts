import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { duplexPair } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { Egress, readRanges } from '@catchment/egress';
import { readToa5, repeated, SimulatedLogger, type SimulatedLoggerOptions } from '@catchment/pakbus/simulator';
import { seededRandom } from '@catchment/testkit';
import { CommunicationFailure } from '../src/acquisition/index.ts';
import { tcpClient } from '../src/loggers/clients/tcp-client.ts';
import { pakBusDriver, parametersOf, pipeTo, rewritten, TestSource } from './logger-session.ts';

const DATA = new URL('../../../cli/data/promice/', import.meta.url);
const text = gunzipSync(readFileSync(new URL('CR1000_TableMem_10min_2016.dat.gz', DATA))).toString();
/** A real logger wrote this header and these first records. */
const station = readToa5(text.split('\n').slice(0, 504).join('\n'));
const AT = Date.UTC(2024, 5, 1, 12, 0, 5);
const HOUR = 3_600_000;

const constant = (values: number[]) => ({
  firstNumber: 0,
  countAt: () => values.length,
  record: (n: number) => ({ timeMs: AT - HOUR + n * 60_000, values: [values[n]!] }),
});
const tableNamed = (name: string, values: number[], field = 'Level') => ({
  name,
  fields: [{ name: field, type: 'IEEE4B' as const, units: 'm' }],
  intervalSeconds: 60,
  sizeRecords: 1_000,
  content: constant(values),
});
const loggerOf = (options: Partial<SimulatedLoggerOptions>) =>
  new SimulatedLogger({ address: 1, tables: [tableNamed('Main', [1, 2, 3])], now: () => AT, ...options });
const runWith = (logger: SimulatedLogger, source: TestSource, more: Parameters<TestSource['session']>[1] = {}) =>
  pakBusDriver().run(
    pipeTo(logger),
    source.session(() => AT, more),
  );
const valuesOf = (source: TestSource, series: string) => [...(source.stored.get(series)?.values() ?? [])];

describe('a session', () => {
  test('brings every value of a file of a real logger, and at the next time what is new', async () => {
    const { table } = station;
    const rows = table.content.countAt(Number.MAX_SAFE_INTEGER);
    let nowMs = table.content.record(400).timeMs;
    const logger = loggerOf({ tables: [table], now: () => nowMs });
    const source = new TestSource();
    const run = () =>
      pakBusDriver().run(
        pipeTo(logger),
        source.session(() => nowMs),
      );
    await run();
    expect(source.steps).toEqual(['DOWNLOADING', 'PROCESSING']);
    expect(source.writes).toEqual([{ rows: 401, origin: table.name }]);
    nowMs = table.content.record(rows - 1).timeMs;
    await run();
    expect(source.writes[1]).toEqual({ rows: rows - 401, origin: table.name });
    await run();
    expect(source.steps.slice(-1)).toEqual(['DOWNLOADING']);
    expect(source.writes.length).toBe(2);

    // Read by itself: the lines of the file.
    const [, names, , , ...lines] = text
      .split('\n')
      .slice(0, 504)
      .map((line) => line.trim().replaceAll('"', '').split(','));
    let compared = 0;
    for (const line of lines) {
      const ts = new Date(`${line[0]!.replace(' ', 'T')}Z`).toISOString();
      for (const [n, name] of names!.entries()) {
        if (n < 2) continue;
        const value = source.stored.get(`${table.name}.${name}`)?.get(ts);
        if (/^-?(?:NAN|INF)?$/i.test(line[n]!)) expect(value).toBeUndefined();
        else expect(String(value)).toBe(typeof value === 'number' ? String(Number(line[n])) : line[n]);
        compared++;
      }
    }
    expect(compared).toBe(500 * (names!.length - 2));
  });

  test('reports model, firmware and program', async () => {
    const source = new TestSource();
    await runWith(loggerOf({ osVersion: 'CR3000.Std.28', program: 'CPU:TESTPROG.CR3' }), source);
    expect(source.facts).toEqual({ model: 'CR3000', firmwareVersion: 'Std.28', programName: 'CPU:TESTPROG.CR3' });
  });

  test('names its parameters by table and field, with their units', async () => {
    const source = new TestSource();
    let columns: unknown;
    const session = source.session(() => AT);
    const write = async (document: object) => {
      columns = document;
    };
    const progress = { ...session.progress, write };
    await pakBusDriver().run(pipeTo(loggerOf({})), { ...session, progress });
    expect(columns).toMatchObject({
      header: { columns: { 0: { series: 'Main.Level', name: 'Main - Level', dataType: 'NUMBER', units: 'm' } } },
    });
  });

  test('through a router: the packets go to it, the commands to the logger', async () => {
    const source = new TestSource();
    source.attributes = { pakBusAddress: 7, pakBusGatewayAddress: 3 };
    await runWith(loggerOf({ address: 7, routerAddress: 3 }), source);
    expect(valuesOf(source, 'Main.Level')).toEqual([1, 2, 3]);
  });

  test.each([
    ['Europe/Berlin', true, '2024-06-01T09:00:05.000Z'],
    ['Europe/Berlin', false, '2024-06-01T10:00:05.000Z'],
    ['Etc/UTC', false, '2024-06-01T11:00:05.000Z'],
  ])('reads times in the zone of the source: %s, summer time %p', async (timezone, timezoneAdjustForDst, first) => {
    const source = new TestSource();
    source.attributes = { timezone, timezoneAdjustForDst };
    await runWith(loggerOf({}), source);
    expect([...source.stored.get('Main.Level')!.keys()][0]).toBe(first);
  });

  test('in the hour that summer time repeats, later sessions go on in its second half', async () => {
    // Berlin has 02:00 to 03:00 twice on 2024-10-27.
    const localMs = [1, 2, 2, 3].map((hour) => Date.UTC(2024, 9, 27, hour));
    const source = new TestSource();
    source.attributes = { timezone: 'Europe/Berlin', timezoneAdjustForDst: true };
    let count = 1;
    const content = {
      firstNumber: 0,
      countAt: () => count,
      record: (n: number) => ({ timeMs: localMs[n]!, values: [n] }),
    };
    const logger = loggerOf({ tables: [{ ...tableNamed('Main', []), intervalSeconds: 0, content }] });
    for (; count <= 4; count++) await runWith(logger, source);
    expect([...source.stored.get('Main.Level')!]).toEqual([
      ['2024-10-26T23:00:00.000Z', 0],
      ['2024-10-27T00:00:00.000Z', 1],
      ['2024-10-27T01:00:00.000Z', 2],
      ['2024-10-27T02:00:00.000Z', 3],
    ]);
  });

  test('writes large tables in parts, and remembers each', async () => {
    const table = tableNamed(
      'Main',
      Array.from({ length: 5_000 }, (_, n) => n),
    );
    const source = new TestSource();
    await runWith(loggerOf({ tables: [{ ...table, sizeRecords: 10_000 }] }), source);
    const rows = source.writes.map((write) => write.rows);
    expect(rows.reduce((sum, row) => sum + row)).toBe(5_000);
    expect(Math.max(...rows)).toBeLessThanOrEqual(2_000);
  });

  test('brings records that fit into no packet', async () => {
    const fields = [
      { name: 'Text', type: 'ASCII' as const, characters: 900 },
      { name: 'Number', type: 'IEEE4B' as const },
    ];
    const content = {
      firstNumber: 0,
      countAt: () => 3,
      record: (n: number) => ({ timeMs: AT - HOUR + n * 60_000, values: ['x'.repeat(880 + n), n] }),
    };
    const source = new TestSource();
    await runWith(loggerOf({ tables: [{ ...tableNamed('Main', []), fields, content }] }), source);
    expect(valuesOf(source, 'Main.Text')).toEqual([880, 881, 882].map((length) => 'x'.repeat(length)));
    expect(valuesOf(source, 'Main.Number')).toEqual([0, 1, 2]);
  });

  test('more columns than a write may have come in several documents, and count once', async () => {
    const fields = Array.from({ length: 150 }, (_, n) => ({ name: `F${n}`, type: 'Int4' as const }));
    const content = {
      firstNumber: 0,
      countAt: () => 1,
      record: () => ({ timeMs: AT, values: fields.map((_, n) => n) }),
    };
    const source = new TestSource();
    await runWith(loggerOf({ tables: [{ ...tableNamed('Main', []), fields, content }] }), source);
    expect(source.stored.size).toBe(150);
    expect(source.writes.map(({ rows }) => rows)).toEqual([1, 0]);
  });
});

describe('what is collected', () => {
  test('an initial time leaves out what is older, at the first session', async () => {
    const source = new TestSource();
    source.attributes = { initialCollection: new Date(AT - HOUR + 60_000).toISOString() };
    await runWith(loggerOf({}), source);
    expect(valuesOf(source, 'Main.Level')).toEqual([2, 3]);
  });

  test('a new acquireTime collects from there again, once', async () => {
    const source = new TestSource();
    await runWith(loggerOf({}), source);
    source.attributes = { acquireTime: new Date(AT - HOUR + 120_000).toISOString() };
    await runWith(loggerOf({}), source);
    await runWith(loggerOf({}), source);
    expect(source.writes.map(({ rows }) => rows)).toEqual([3, 1]);
  });

  test('a table that began anew is collected whole, even when it is longer than before', async () => {
    const source = new TestSource();
    await runWith(loggerOf({ tables: [tableNamed('Main', [1, 2, 3])] }), source);
    const content = {
      ...constant([7, 8, 9, 10]),
      record: (n: number) => ({ timeMs: AT + n * 60_000, values: [7 + n] }),
    };
    await runWith(loggerOf({ tables: [{ ...tableNamed('Main', []), content }] }), source);
    expect(valuesOf(source, 'Main.Level')).toEqual([1, 2, 3, 7, 8, 9, 10]);
  });

  test('another program: its tables are collected from their first record', async () => {
    const source = new TestSource();
    const logger = loggerOf({});
    await runWith(logger, source);
    logger.load([tableNamed('Main', [4, 5], 'Stage')]);
    await runWith(logger, source);
    expect(valuesOf(source, 'Main.Stage')).toEqual([4, 5]);
  });

  test('a program that changes within the session ends it with its reason', async () => {
    const source = new TestSource();
    const logger = loggerOf({ tables: ['A', 'B', 'C'].map((name) => tableNamed(name, [1])) });
    source.onWrite = () => logger.load([tableNamed('A', [1], 'Other')]);
    await expect(runWith(logger, source)).rejects.toThrow('the program of the logger changes');
  });

  test('records that the logger has overwritten are gone, and the rest comes', async () => {
    const source = new TestSource();
    await runWith(loggerOf({ tables: [tableNamed('Main', [1, 2])] }), source);
    const values = Array.from({ length: 50 }, (_, n) => n + 1);
    await runWith(loggerOf({ tables: [{ ...tableNamed('Main', values), sizeRecords: 10 }] }), source);
    expect(valuesOf(source, 'Main.Level')).toEqual([1, 2, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50]);
  });

  test('only configured series where parameters are not made by themselves; of the logger’s own tables always', async () => {
    const tables = () => [
      tableNamed('Main', [1]),
      tableNamed('Other', [2]),
      { name: 'Public', values: { Setpoint: 5, Mode: 1 } },
    ];
    const parameters = parametersOf(['Other.Level', 'Public.Setpoint'].map((series) => ({ series, isActive: true })));
    const some = new TestSource();
    some.attributes = { autoParameters: false };
    await pakBusDriver({ parameters }).run(
      pipeTo(loggerOf({ tables: tables() })),
      some.session(() => AT),
    );
    expect([...some.stored.keys()]).toEqual(['Other.Level', 'Public.Setpoint']);
    const all = new TestSource();
    await pakBusDriver({ parameters }).run(
      pipeTo(loggerOf({ tables: tables() })),
      all.session(() => AT),
    );
    expect([...all.stored.keys()]).toEqual(['Main.Level', 'Other.Level', 'Public.Setpoint']);
  });
});

test('parameters of fields that have vanished become inactive, those of fields that are back active', async () => {
  const known = [
    { series: 'Main.Level', isActive: false },
    { series: 'Main.Gone', isActive: true },
    { series: 'Main.LongGone', isActive: false },
    { series: 'Status - Signal', isActive: true },
  ];
  const parameters = parametersOf(known);
  const source = new TestSource();
  await pakBusDriver({ parameters }).run(
    pipeTo(loggerOf({})),
    source.session(() => AT),
  );
  expect(parameters.changes).toEqual([{ active: ['Main.Level'], inactive: ['Main.Gone'] }]);
  expect(valuesOf(source, 'Main.Level')).toEqual([1, 2, 3]);
  source.attributes = { autoParameters: false };
  await pakBusDriver({ parameters }).run(
    pipeTo(loggerOf({})),
    source.session(() => AT),
  );
  expect(parameters.changes.length).toBe(1);
});

describe('the clock', () => {
  test.each([
    [4_000, true, undefined],
    [90_000, true, 'INFO Clock of the logger set: it was 90 s fast'],
    [-7_300, true, 'INFO Clock of the logger set: it was 7 s slow'],
    [90_000, false, undefined],
  ])('%d ms wrong, clockSync %p: %p', async (wrongMs, clockSync, event) => {
    const source = new TestSource();
    source.attributes = { clockSync, timezone: 'Australia/Perth' };
    const logger = loggerOf({ clockOffsetMs: 8 * HOUR + wrongMs });
    await runWith(logger, source);
    expect(source.events).toEqual(event ? [event] : []);
    expect(logger.clockMs - AT - 8 * HOUR).toBe(event ? 0 : wrongMs);
  });
});

describe('controls', () => {
  const control = (series: string, value: number | string, family: 'NUMBER' | 'TEXT' | 'TIME' = 'NUMBER') => ({
    nodeId: series,
    revision: 1,
    series,
    name: series,
    family,
    value,
  });

  test('are set in the public tables, or refused with a reason, before records are read', async () => {
    const values = { Setpoint: 5, Mode: 1 };
    const source = new TestSource();
    const controls = [
      control('Public.Setpoint', 12.5),
      control('Public.Mode', 'fast', 'TEXT'),
      control('Public.Pump', 1),
      control('Main.Level', 1),
    ];
    const logger = loggerOf({ tables: [tableNamed('Main', [1]), { name: 'Public', values }] });
    await runWith(logger, source, { controls });
    expect(values).toEqual({ Setpoint: 12.5, Mode: 1 });
    expect(source.controlled).toEqual([
      ['Public.Setpoint', undefined],
      ['Public.Mode', 'texts cannot be sent to a PakBus logger'],
      ['Public.Pump', 'logger has no field Public.Pump'],
      ['Main.Level', 'Main.Level is read-only'],
    ]);
    expect(source.steps).toEqual(['CONTROLLING', 'DOWNLOADING', 'PROCESSING']);
  });

  test('alone: nothing is collected', async () => {
    const source = new TestSource();
    await runWith(loggerOf({}), source, { controls: [control('Public.X', 1)], collects: false });
    expect(source.steps).toEqual(['CONTROLLING']);
  });
});

describe('refused', () => {
  test.each([
    ['the security code', {}, { securityCode: 4321 }, 'logger refused its program: the security code is wrong'],
    ['encryption', { encryptionKey: 'key' }, {}, 'Protocol not available: encryption of PakBus (remove encryptionKey)'],
    [
      'passwords of TCP',
      { tcpPassword: 'word' },
      {},
      'Protocol not available: passwords of PakBus/TCP (remove tcpPassword)',
    ],
    ['a code that none can be', { securityCode: '99999' }, {}, 'securityCode is above 65535'],
    [
      'an unproven model',
      {},
      { osVersion: 'CR6.Std.12' },
      'Protocol not available: PakBus has not been proven with a CR6',
    ],
  ])('%s', async (_what, attributes, options, message) => {
    const source = new TestSource();
    source.attributes = attributes;
    await expect(runWith(loggerOf(options), source)).rejects.toThrow(new CommunicationFailure(message));
    expect(source.writes).toEqual([]);
  });

  test('with the right security code there is a session', async () => {
    const source = new TestSource();
    source.attributes = { securityCode: '4321' };
    await runWith(loggerOf({ securityCode: 4321 }), source);
    expect(source.stored.size).toBe(1);
  });

  test('a logger that is silent', async () => {
    const run = pakBusDriver({ responseMs: 5 }).run(
      pipeTo(loggerOf({ address: 9 })),
      new TestSource().session(() => AT),
    );
    await expect(run).rejects.toThrow(new CommunicationFailure('logger does not answer'));
  });

  test('a session that is aborted ends with the reason of its signal', async () => {
    const stop = new AbortController();
    const session = new TestSource().session(() => AT, { signal: stop.signal });
    const run = pakBusDriver().run(pipeTo(loggerOf({ address: 9 })), session);
    stop.abort(new Error('disabled'));
    await expect(run).rejects.toThrow('disabled');
  });

  test('a connection that the logger closes', async () => {
    const [ours, its] = duplexPair();
    its.on('data', () => its.destroy());
    const run = pakBusDriver().run(
      ours,
      new TestSource().session(() => AT),
    );
    await expect(run).rejects.toThrow(new CommunicationFailure('connection was closed by the logger'));
  });
});

describe('bad lines', () => {
  test('with faults in one of twenty packets all records come, none twice, none wrong', async () => {
    let nowMs = AT;
    const table = repeated(station.table, { rows: 500, sinceMs: AT - 1_000 * 60_000, intervalSeconds: 60 });
    const logger = loggerOf({ tables: [table], now: () => nowMs });
    const source = new TestSource();
    const driver = pakBusDriver({ responseMs: 15 });
    const faults = { drop: 3, duplicate: 1, corrupt: 1 };
    for (let seed = 1; seed <= 3; seed++) {
      await driver.run(
        pipeTo(logger, { faults, seed }),
        source.session(() => nowMs),
      );
      nowMs += 100 * 60_000;
    }
    const [name] = table.fields.filter(({ type }) => type === 'IEEE4B' || type === 'FP2');
    const place = table.fields.indexOf(name!);
    const sent = Array.from({ length: 1_200 }, (_, n) => table.content.record(n));
    const expected = sent.flatMap(({ timeMs, values }) =>
      values[place] === undefined ? [] : [[new Date(timeMs).toISOString(), values[place]]],
    );
    expect([...source.stored.get(`${table.name}.${name!.name}`)!]).toEqual(expected);
    expect(source.writes.reduce((sum, { rows }) => sum + rows, 0)).toBe(1_200);
  });

  test('a line that breaks again and again: each session goes on where the one before ended', async () => {
    const table = repeated(station.table, { rows: 500, sinceMs: AT - 1_000 * 60_000, intervalSeconds: 60 });
    const logger = loggerOf({ tables: [table] });
    const source = new TestSource();
    let sessions = 0;
    for (let isDone = false; !isDone; sessions++) {
      let frames = 0;
      const pipe = pipeTo(logger, {
        faults: {},
        seed: 1,
        onFrame: () => {
          if (++frames === 60) pipe.destroy();
        },
      });
      isDone = await pakBusDriver()
        .run(
          pipe,
          source.session(() => AT),
        )
        .then(
          () => true,
          (error) => {
            expect(error).toBeInstanceOf(CommunicationFailure);
            return false;
          },
        );
    }
    expect(sessions).toBeGreaterThan(3);
    expect(source.writes.reduce((sum, { rows }) => sum + rows, 0)).toBe(1_000);
  });

  test('whatever comes instead of a logger ends in a failure of communication', async () => {
    const random = seededRandom(3);
    const bytes = (length: number) => Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
    const driver = pakBusDriver({ responseMs: 5 });
    for (let n = 0; n < 50; n++) {
      const [ours, its] = duplexPair();
      its.on('data', () => its.writable && its.write(n % 2 === 0 ? bytes(2_000) : bytes(10).fill(0xbd)));
      await expect(
        driver.run(
          ours,
          new TestSource().session(() => AT),
        ),
      ).rejects.toThrow(CommunicationFailure);
    }
  });

  test('packets with right signatures and wrong contents end in a failure of communication, or bring values', async () => {
    const random = seededRandom(4);
    for (let n = 0; n < 150; n++) {
      const logger = loggerOf({ tables: [tableNamed('Main', [1, 2, 3])] });
      const [ours, its] = duplexPair();
      const answer = logger.line();
      its.on('data', (bytes: Buffer) => {
        for (const frame of answer(bytes)) if (its.writable) its.write(rewritten(frame, random));
      });
      const run = pakBusDriver({ responseMs: 5 }).run(
        ours,
        new TestSource().session(() => AT),
      );
      await run.catch((error) => expect(error).toBeInstanceOf(CommunicationFailure));
    }
  });

  test('a flood is cut off', async () => {
    const [ours, its] = duplexPair();
    const flood = Buffer.alloc(64 * 1024, 0x55);
    const send = () => its.writable && its.write(flood, () => setImmediate(send));
    its.on('error', () => undefined).once('data', send);
    const run = pakBusDriver({ responseMs: 60_000 }).run(
      ours,
      new TestSource().session(() => AT),
    );
    await expect(run).rejects.toThrow(new CommunicationFailure('connection brings what is no PakBus'));
    ours.destroy();
    its.destroy();
  });
});

describe('TcpClient', () => {
  test('is a pipe to a logger that listens, through the guard of outgoing connections', async () => {
    const logger = loggerOf({});
    const server = createServer((socket) => {
      const answer = logger.line();
      socket.on('data', (bytes: Buffer) => answer(bytes).forEach((frame) => void socket.write(frame)));
      socket.on('error', () => undefined);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const source = new TestSource();
    const session = source.session(() => AT);
    const transport = tcpClient(new Egress({ allowed: readRanges(['127.0.0.0/8'])! }));
    expect(transport.target({ host: 'logger.example', port }, session.source)).toBe(`logger.example:${port}`);
    const pipe = await transport.connect({ host: '127.0.0.1', port }, session.source, session.signal);
    await pakBusDriver().run(pipe, session);
    expect(valuesOf(source, 'Main.Level')).toEqual([1, 2, 3]);
    pipe.destroy();
    await new Promise((resolve) => server.close(resolve));
    const refused = (allowed: string[]) =>
      tcpClient(new Egress({ allowed: readRanges(allowed)! })).connect(
        { host: '127.0.0.1', port },
        session.source,
        session.signal,
      );
    await expect(refused(['127.0.0.0/8'])).rejects.toThrow('connection refused');
    await expect(refused([])).rejects.toThrow('address is private or reserved');
  });
});
