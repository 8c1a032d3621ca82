// Sessions of sources have schedules, retries, leases and controls (docs/reference/sources.md#status).

import { randomUUID } from 'node:crypto';
import { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { AttemptEnded, AttemptKind } from '@catchment/contracts/alarms';
import { ControlEnded, SourceChanged } from '@catchment/contracts/devices';
import { EventRecorded } from '@catchment/contracts/events';
import { transportSettings } from '@catchment/contracts/transports';
import { unavailable } from '@catchment/errors';
import { newObjectId } from '@catchment/ids';
import type { Database } from '@catchment/pg';
import { createLogger } from '@catchment/telemetry';
import { until } from '@catchment/testkit';
import { acquireNow } from '../src/acquisition/usecases/acquire-now.ts';
import { remoteUse } from '../src/acquisition/usecases/device-sessions.ts';
import type { Drivers } from '../src/acquisition/usecases/drivers.ts';
import { followAcquisition } from '../src/acquisition/usecases/follow-acquisition.ts';
import {
  type CollectFiles,
  CommunicationFailure,
  type FileTransport,
  type LoggerDriver,
  type PipeTransport,
} from '../src/acquisition/usecases/session-ports.ts';
import { SessionWorker } from '../src/acquisition/usecases/session-worker.ts';
import { takeControl } from '../src/acquisition/usecases/take-control.ts';
import { deliverFile } from '../src/files/usecases/deliver-file.ts';
import { FileWorker } from '../src/files/usecases/file-worker.ts';
import type { ControlSet } from '../src/schedules/domain/control.ts';
import { PushedRecords } from '../src/schedules/usecases/pushed-records.ts';
import type { WrittenSource } from '../src/sources/usecases/ports.ts';
import type { Store } from '../src/store.ts';
import { type DevicesDatabase, devicesDatabase } from './devices-database.ts';
import { caller, sourceNode, workspaceNode } from './fakes.ts';

const log = createLogger('test', { level: 'silent' });
let scratch: DevicesDatabase;
let database: Database;
let store: Store;
beforeAll(async () => {
  scratch = await devicesDatabase();
  ({ database, store } = scratch);
});
afterAll(() => scratch.drop());

const HOUR = 3_600_000;
const START = Date.parse('2024-07-01T10:20:00Z');
let nowMs = START;
const now = () => nowMs;

/** The other side does this; by default it has nothing. */
type Side = {
  connect?: (sourceId: string, signal: AbortSignal) => Promise<void>;
  collect?: (
    sourceId: string,
    deliver: (text: string) => Promise<unknown>,
    session: Pick<Parameters<CollectFiles>[1], 'signal' | 'progress'>,
  ) => Promise<void>;
  run?: LoggerDriver['run'];
};
let side: Side = {};
const files: FileTransport<'FtpDownload'> = {
  name: 'FtpDownload',
  target: ({ host, port }) => `${host}:${port}`,
  connect: async (_settings, { sourceId }, signal) => {
    await side.connect?.(sourceId, signal);
    return { files: async function* () {}, read: async function* () {}, close: async () => {} };
  },
};
const pipes: PipeTransport<'TcpClient'> = {
  name: 'TcpClient',
  target: ({ host, port }) => `${host}:${port}`,
  connect: async (_settings, { sourceId }, signal) => {
    await side.connect?.(sourceId, signal);
    return new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  },
};
const logger: LoggerDriver = {
  sourceClass: 'source.data.CampbellPakBus',
  run: async (pipe, session) => side.run?.(pipe, session),
};
const drivers: Drivers = {
  files: [files],
  pipes: [pipes],
  loggers: [logger],
  collect: async (_connection, { source, files: settings, deliver, signal, progress }) =>
    side.collect?.(
      source.sourceId,
      async (text) => deliver({ source: settings, fileName: 'a.csv', bytes: bytesOf(text) }),
      { signal, progress },
    ),
};
async function* bytesOf(text: string) {
  yield Buffer.from(text);
}

const written: { source: WrittenSource; document: object }[] = [];
const write = async (source: WrittenSource, document: unknown) => {
  written.push({ source, document: document as object });
};
let areNodesAway = false;
const known = new Map<string, ReturnType<typeof sourceNode>>();
const attributes = { retryAttempts: 3, retryDelaySeconds: 900 };
const nodes = {
  acquisition: async ({ sourceId }: { sourceId: string }) => {
    if (areNodesAway) throw unavailable('STOPPING');
    const source = known.get(sourceId);
    if (!source) return undefined;
    const name = source.source?.transportClass === 'TcpClient' ? 'TcpClient' : 'FtpDownload';
    const settings = transportSettings(name, { host: 'data.example', port: 21 });
    const { nodeId, ownerId, workspaceId } = source;
    return {
      source,
      attributes,
      transport: { sourceId, revision: source.revision, settings },
      files: { _id: nodeId, ownerId, workspaceId, sourceClass: source.class },
    };
  },
  resolve: async (nodeRef: string) => {
    const node = known.get(nodeRef);
    if (!node) throw new Error('unknown');
    return node;
  },
};

const workers: { stop(): Promise<void> }[] = [];
beforeEach(() => {
  nowMs = START;
  side = {};
  areNodesAway = false;
  written.length = 0;
});
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop();
  for (const table of ['acquisitions', 'acquirers', 'controls', 'files', 'outbox', 'device_sources', 'devices'])
    await database.query(`DELETE FROM ${table}`);
});
async function replica(
  over: { instanceId?: string; store?: Store; sessions?: number; sessionsPerAccount?: number } = {},
) {
  const worker = new SessionWorker({
    store,
    nodes,
    drivers,
    write,
    log,
    now,
    wakeFiles: () => {},
    sessions: 8,
    sessionsPerAccount: 8,
    instanceId: randomUUID(),
    ...over,
  });
  await worker.start();
  workers.push(worker);
  return worker;
}

type Changes = {
  transport?: string;
  class?: string;
  ownerId?: string;
  isEnabled?: boolean;
  scheduleType?: string;
  deviceKey?: string;
};
/** Stores a source that fetches files every hour. */
async function source({ transport = 'FtpDownload', deviceKey = '', ...over }: Changes = {}) {
  const made = sourceNode(workspaceNode(over.ownerId ?? newObjectId()), '', {
    class: transport === 'TcpClient' ? 'source.data.CampbellPakBus' : 'source.data.TextParser',
    ...over,
  });
  if (!made.source) throw new Error('no source');
  const node = { ...made, source: { ...made.source, transportClass: transport, deviceKey } };
  await follow(node);
  return node;
}
async function follow(node: ReturnType<typeof sourceNode>) {
  known.set(node.nodeId, node);
  await followAcquisition(
    {
      store,
      now,
      abandon: (id) => {
        for (const worker of workers) if (worker instanceof SessionWorker) worker.abandon(id);
      },
    },
    node,
  );
}

const messages = async <T>(subject: string, message: { decode(data: Uint8Array): T }): Promise<T[]> =>
  (
    await database.query<{ data: Buffer }>('SELECT data FROM outbox WHERE subject = $1 ORDER BY id', [subject])
  ).rows.map(({ data }) => message.decode(data));
const shown = async (sourceId: string) =>
  (await messages('devices.source.changed.v1', SourceChanged)).filter((message) => message.sourceId === sourceId);
const statuses = async (sourceId: string) => (await shown(sourceId)).map(({ status }) => status);
const eventsOf = async (nodeId: string) =>
  (await messages('events.event.recorded.v1', EventRecorded))
    .filter((event) => event.nodeId === nodeId)
    .map(({ level, message }) => `${level} ${message}`);
const attemptsOf = async (nodeId: string) =>
  (await messages('alarms.attempt.ended.v1', AttemptEnded))
    .filter((attempt) => attempt.nodeId === nodeId)
    .map(({ kind, failure }) => [kind, failure]);
const stored = async (sourceId: string) =>
  (
    await database.query<{ status: string; next_ms: number | null; lease_id: string | null; retries: number }>(
      'SELECT status, next_ms, lease_id, retries FROM acquisitions WHERE source_id = $1',
      [sourceId],
    )
  ).rows[0];
const becomes = (sourceId: string, status: string) =>
  until(async () => (await stored(sourceId))?.status === status, { what: `${sourceId} is ${status}` });
const pass = (ms: number) => {
  nowMs += ms;
  for (const worker of workers) if (worker instanceof SessionWorker) worker.wake();
};

describe('retries', () => {
  test('a source is tried once and three times more, then fails with an alarm, until a session gets through', async () => {
    const { nodeId } = await source();
    const tries: number[] = [];
    side.connect = async () => {
      tries.push(nowMs);
      throw new CommunicationFailure('connect ECONNREFUSED');
    };
    await replica();
    expect((await stored(nodeId))?.next_ms).toBe(Date.parse('2024-07-01T11:00:00Z'));
    pass(40 * 60_000);
    for (let nth = 1; nth <= 3; nth += 1) {
      await until(async () => (await stored(nodeId))?.retries === nth, { what: `retry ${nth} is planned` });
      pass(900_000);
    }
    await becomes(nodeId, 'FAILED');
    const due = Date.parse('2024-07-01T11:00:00Z');
    expect(tries).toEqual([due, due + 900_000, due + 1_800_000, due + 2_700_000]);
    const failure = 'Connection failed: connect ECONNREFUSED';
    expect(await eventsOf(nodeId)).toEqual([
      'DEBUG Connecting to data.example:21',
      `DEBUG ${failure} [retry 1 of 3 in 15 min]`,
      'DEBUG Connecting to data.example:21',
      `DEBUG ${failure} [retry 2 of 3 in 15 min]`,
      'DEBUG Connecting to data.example:21',
      `DEBUG ${failure} [retry 3 of 3 in 15 min]`,
      'DEBUG Connecting to data.example:21',
      `DEBUG ${failure}`,
    ]);
    const round = ['CONNECTING', 'RETRYING'];
    expect(await statuses(nodeId)).toEqual([...round, ...round, ...round, 'CONNECTING', 'FAILED']);
    expect(await attemptsOf(nodeId)).toEqual([[AttemptKind.ATTEMPT_KIND_SESSION, 'connect ECONNREFUSED']]);
    expect((await shown(nodeId)).at(-1)).toMatchObject({ sessionAttempts: 4, sessionSuccesses: 0 });

    // The run of 12:00 is the next attempt.
    side.connect = async () => {};
    pass(15 * 60_000);
    await becomes(nodeId, 'REST');
    expect(await attemptsOf(nodeId)).toEqual([
      [AttemptKind.ATTEMPT_KIND_SESSION, 'connect ECONNREFUSED'],
      [AttemptKind.ATTEMPT_KIND_SESSION, ''],
    ]);
    const last = (await shown(nodeId)).at(-1);
    expect(last).toMatchObject({ sessionAttempts: 5, sessionSuccesses: 1, lastRecordCount: 0, status: 'REST' });
    expect((await stored(nodeId))?.next_ms).toBe(due + 2 * HOUR);
  });

  test('what has no protocol fails at once', async () => {
    const { nodeId } = await source({ transport: 'TcpClient', class: 'source.data.OttNetDl' });
    await replica();
    pass(HOUR);
    await becomes(nodeId, 'FAILED');
    expect(await attemptsOf(nodeId)).toEqual([[AttemptKind.ATTEMPT_KIND_SESSION, 'Protocol not available']]);
  });

  test('what a collection reports has the time at which it happened', async () => {
    const { nodeId } = await source();
    side.collect = async (_sourceId, _deliver, { progress }) => progress.event('DEBUG', 'read', START - 5);
    await replica();
    pass(HOUR);
    const read = await until(async () => {
      const recorded = await messages('events.event.recorded.v1', EventRecorded);
      return recorded.find((event) => event.nodeId === nodeId && event.message === 'read');
    });
    expect(read.timeMs).toBe(START - 5);
  });

  test('a fault of ours is reported as an error, and tried again', async () => {
    const { nodeId } = await source();
    side.collect = async () => {
      throw new TypeError('undefined is not a function');
    };
    await replica();
    pass(HOUR);
    await becomes(nodeId, 'RETRYING');
    expect((await eventsOf(nodeId)).at(-1)).toBe(
      'ERROR Connection failed: internal error; the operator finds it in the log [retry 1 of 3 in 15 min]',
    );
  });

  test('a source whose change has not come yet is acquired as it is now', async () => {
    const node = await source();
    if (!node.source) throw new Error('no source');
    known.set(node.nodeId, {
      ...node,
      revision: 2,
      class: 'source.data.CampbellPakBus',
      source: { ...node.source, transportClass: 'TcpClient' },
    });
    let isSpokenWith = false;
    side.run = async () => {
      isSpokenWith = true;
    };
    await replica();
    pass(HOUR);
    await until(() => isSpokenWith, { what: 'the logger is spoken with' });
    await becomes(node.nodeId, 'REST');
    expect(await attemptsOf(node.nodeId)).toEqual([]);
    expect((await shown(node.nodeId)).at(-1)).toMatchObject({ sessionAttempts: 1, sessionSuccesses: 1 });
  });

  test('while the nodes service is away a source waits, and no attempt is counted', async () => {
    const { nodeId } = await source();
    areNodesAway = true;
    await replica();
    pass(HOUR);
    await until(async () => (await statuses(nodeId)).length > 0, { what: 'it is shown' });
    expect(await stored(nodeId)).toMatchObject({ status: 'QUEUED', lease_id: null });
    areNodesAway = false;
    pass(10_000);
    await becomes(nodeId, 'REST');
    expect((await shown(nodeId)).at(-1)).toMatchObject({ sessionAttempts: 1, sessionSuccesses: 1 });
  });
});

describe('files', () => {
  const historic = { writeFile: async () => 0, reportFault: async () => {} };
  const csv = 't,Level\n2024-07-01T10:00:00Z,1\n2024-07-01T10:01:00Z,2\n';

  test('a source is PROCESSING until its files are read, and counts their records', async () => {
    const { nodeId } = await source();
    side.collect = async (_sourceId, deliver) => {
      await deliver(csv);
      await deliver(csv);
    };
    await replica();
    pass(HOUR);
    await becomes(nodeId, 'PROCESSING');
    expect(await stored(nodeId)).toMatchObject({ lease_id: null, next_ms: null });
    const reader = new FileWorker({ store, historic, log, now: Date.now });
    workers.push(reader);
    reader.start();
    await becomes(nodeId, 'REST');
    expect(await statuses(nodeId)).toEqual(['CONNECTING', 'DOWNLOADING', 'PROCESSING', 'REST']);
    expect((await shown(nodeId)).at(-1)).toMatchObject({ lastRecordCount: 4, sessionSuccesses: 1 });
  });

  test('a push is PROCESSING from its acceptance until it is read, also after a failure, whose alarm it clears', async () => {
    const { nodeId, ownerId, workspaceId } = await source({ transport: 'FtpUpload' });
    await database.query(`UPDATE acquisitions SET status = 'FAILED', is_alarmed = true WHERE source_id = $1`, [nodeId]);
    const pushed = { _id: nodeId, ownerId, workspaceId };
    const deps = { store, wake: () => {}, now };
    await deliverFile(deps, { source: pushed, fileName: 'a.csv', bytes: bytesOf(csv) });
    await deliverFile(deps, { source: pushed, fileName: 'b.csv', bytes: bytesOf(csv) });
    expect(await statuses(nodeId)).toEqual(['PROCESSING']);
    const reader = new FileWorker({ store, historic, log, now: Date.now });
    workers.push(reader);
    reader.start();
    await becomes(nodeId, 'REST');
    expect(await statuses(nodeId)).toEqual(['PROCESSING', 'REST']);
    expect((await shown(nodeId)).at(-1)).toMatchObject({ lastRecordCount: 4, sessionAttempts: 0 });
    expect(await attemptsOf(nodeId)).toEqual([[AttemptKind.ATTEMPT_KIND_SESSION, '']]);
  });

  test('records that a device pushes end its failure; others are not looked at twice', async () => {
    const [failed, rest] = [await source({ transport: 'Mqtt' }), await source({ transport: 'Mqtt' })];
    await database.query(`UPDATE acquisitions SET status = 'FAILED', is_alarmed = true WHERE source_id = $1`, [
      failed.nodeId,
    ]);
    const asked: (readonly string[])[] = [];
    const failedAcquisitions: Store['failedAcquisitions'] = async (ids) => {
      asked.push(ids);
      return store.failedAcquisitions(ids);
    };
    const pushed = new PushedRecords({ store: { ...store, failedAcquisitions }, now });
    for (const { nodeId } of [failed, rest, failed, rest]) pushed.note(nodeId);
    await pushed.look();
    await pushed.look();
    expect(asked).toEqual([[failed.nodeId, rest.nodeId]]);
    expect(await statuses(failed.nodeId)).toEqual(['REST']);
    expect(await statuses(rest.nodeId)).toEqual([]);
    expect(await attemptsOf(failed.nodeId)).toEqual([[AttemptKind.ATTEMPT_KIND_SESSION, '']]);
  });

  test('a file that is given up leaves its source FAILED', async () => {
    const { nodeId, ownerId, workspaceId } = await source({ transport: 'FtpUpload' });
    const deps = { store, wake: () => {}, now };
    await deliverFile(deps, { source: { _id: nodeId, ownerId, workspaceId }, fileName: 'a.csv', bytes: bytesOf(csv) });
    await database.query('UPDATE files SET tries = 9');
    const reader = new FileWorker({ store, historic, log, now: Date.now });
    workers.push(reader);
    reader.start();
    await becomes(nodeId, 'FAILED');
    expect(await eventsOf(nodeId)).toContain('ERROR a.csv could not be processed');
  });
});

describe('replicas', () => {
  test('two replicas never acquire the same source at once, and each run happens once', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 30; n += 1) ids.push((await source()).nodeId);
    const running = new Set<string>();
    const runs: string[] = [];
    side.connect = async (sourceId) => {
      if (running.has(sourceId)) throw new Error('twice at once');
      running.add(sourceId);
      runs.push(sourceId);
      await sleep(20);
      running.delete(sourceId);
    };
    await Promise.all([replica(), replica()]);
    pass(40 * 60_000);
    await until(() => runs.length >= 30, { what: 'all have run' });
    await until(async () => {
      const { rows } = await database.query<{ n: number }>(
        `SELECT count(*) AS n FROM acquisitions WHERE status = 'REST'`,
      );
      return rows[0]?.n === 30;
    });
    expect([...runs].sort()).toEqual([...ids].sort());
    for (const id of ids) expect(await statuses(id)).toEqual(['CONNECTING', 'DOWNLOADING', 'REST']);
  });

  test('the session of a replica that dies is begun anew by another one, and the dead one can change nothing', async () => {
    const { nodeId } = await source();
    let isDead = false;
    const mortal: Store = {
      ...store,
      renewAcquirer: async (instanceId) => {
        if (isDead) throw new Error('dead');
        await store.renewAcquirer(instanceId);
      },
      heldLeases: async (leases) => (isDead ? new Set(leases) : store.heldLeases(leases)),
      isAcquisitionDue: async (ms) => (isDead ? false : store.isAcquisitionDue(ms)),
      transaction: (work) =>
        isDead ? work({ ...store, abandonedAcquisitions: async () => [] } as never) : store.transaction(work),
    };
    const first = Promise.withResolvers<void>();
    const connected: string[] = [];
    let delivered: Promise<unknown> | undefined;
    side.collect = async (_sourceId, deliver) => {
      connected.push('session');
      if (connected.length > 1) return;
      await first.promise;
      isDead = false;
      delivered = deliver('t,Level\n2024-07-01T10:00:00Z,1\n');
      await delivered;
    };
    await replica({ store: mortal, instanceId: 'dying' });
    pass(HOUR);
    await until(() => connected.length === 1, { what: 'the first replica is in its session' });
    isDead = true;
    await replica();
    expect(await stored(nodeId)).toMatchObject({ status: 'DOWNLOADING' });
    // 22 s pass without a sign of life.
    await database.query(`UPDATE acquirers SET until_time = now() - interval '1 second' WHERE instance_id = $1`, [
      'dying',
    ]);
    await until(() => connected.length === 2, { what: 'the other replica has taken over' });
    await becomes(nodeId, 'REST');
    first.resolve();
    await until(() => delivered !== undefined, { what: 'the dead one goes on' });
    await expect(delivered).rejects.toMatchObject({ reason: 'SESSION_TAKEN' });
    expect(await statuses(nodeId)).toEqual([
      'CONNECTING',
      'DOWNLOADING',
      'QUEUED',
      'CONNECTING',
      'DOWNLOADING',
      'REST',
    ]);
    const { rows } = await database.query('SELECT FROM files');
    expect(rows).toHaveLength(0);
  });

  test('after a restart a session begins anew and a retry is dropped; FAILED and DISABLED stay', async () => {
    const ids: Record<string, string> = {};
    for (const status of ['CONNECTING', 'RETRYING', 'FAILED', 'DISABLED']) {
      const { nodeId } = await source({ isEnabled: status !== 'DISABLED' });
      ids[status] = nodeId;
      const lease = status === 'CONNECTING' ? 'l' : null;
      const instance = lease || status === 'RETRYING' ? 'gone' : null;
      await database.query(
        `UPDATE acquisitions SET status = $2, lease_id = $3, instance_id = $4, collects = true, retries = 1 WHERE source_id = $1`,
        [nodeId, status, lease, instance],
      );
    }
    await replica();
    await until(async () => (await shown(ids.CONNECTING ?? '')).length >= 3, { what: 'the session begins anew' });
    await becomes(ids.CONNECTING ?? '', 'REST');
    expect(await stored(ids.RETRYING ?? '')).toMatchObject({ status: 'REST', retries: 0 });
    expect(await stored(ids.FAILED ?? '')).toMatchObject({ status: 'FAILED' });
    expect(await stored(ids.DISABLED ?? '')).toMatchObject({ status: 'DISABLED' });
  });

  test('a source that is disabled ends its session without an error', async () => {
    const node = await source();
    const { nodeId } = node;
    const [begun, aborted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    side.connect = (_sourceId, signal) =>
      new Promise((_, reject) => {
        begun.resolve();
        signal.addEventListener('abort', () => {
          aborted.resolve();
          reject(signal.reason);
        });
      });
    const worker = await replica();
    pass(HOUR);
    // The source is shown as connecting a moment before it connects.
    await begun.promise;
    if (!node.source) throw new Error('no source');
    await follow({ ...node, revision: 2, source: { ...node.source, isEnabled: false } });
    await aborted.promise;
    // Its sessions have ended then.
    await worker.stop();
    expect(await stored(nodeId)).toMatchObject({ status: 'DISABLED', lease_id: null, next_ms: null });
    expect(await statuses(nodeId)).toEqual(['CONNECTING', 'REST']);
    expect(await eventsOf(nodeId)).toEqual(['DEBUG Connecting to data.example:21']);
    expect(await attemptsOf(nodeId)).toEqual([]);
  });

  test('sources that share a device are acquired one at a time, oldest first', async () => {
    const ownerId = newObjectId();
    const order: string[] = [];
    const running: string[] = [];
    side.run = async (_pipe, { source: { sourceId } }) => {
      running.push(sourceId);
      expect(running).toHaveLength(1);
      order.push(sourceId);
      await sleep(20);
      running.pop();
    };
    const made: string[] = [];
    for (let n = 0; n < 4; n += 1)
      made.push((await source({ transport: 'TcpClient', ownerId, deviceKey: '490154203237518' })).nodeId);
    await Promise.all([replica(), replica()]);
    pass(HOUR);
    await until(() => order.length === 4, { what: 'all have run' });
    expect(order).toEqual([...made].sort());
  });

  test('an account has a bounded number of sessions; others do not wait for it, and what waits is shown as QUEUED', async () => {
    const ownerId = newObjectId();
    const many: string[] = [];
    for (let n = 0; n < 5; n += 1) many.push((await source({ ownerId })).nodeId);
    const gate = Promise.withResolvers<void>();
    const running = new Set<string>();
    side.connect = async (sourceId) => {
      running.add(sourceId);
      await gate.promise;
    };
    await replica({ sessions: 3, sessionsPerAccount: 2 });
    pass(HOUR);
    await until(() => running.size === 2, { what: 'two of the account' });
    const other = await source();
    await database.query('UPDATE acquisitions SET next_ms = $2 WHERE source_id = $1', [other.nodeId, nowMs]);
    pass(5_000);
    await until(() => running.has(other.nodeId), { what: 'the other account' });
    const waiting = many.find((id) => !running.has(id)) ?? '';
    await becomes(waiting, 'QUEUED');
    expect(await statuses(waiting)).toEqual(['QUEUED']);
    gate.resolve();
    await until(() => many.every((id) => running.has(id)), { what: 'all have their turn' });
  });
});

describe('remote clients', () => {
  test('a source in remote use has no session, nor have others of its device; it is at rest again afterwards', async () => {
    const ownerId = newObjectId();
    const deviceKey = '490154203237518';
    const used = await source({ transport: 'TcpClient', ownerId, deviceKey });
    const other = await source({ transport: 'TcpClient', ownerId, deviceKey });
    const deps = { store, instanceId: 'here', wake: () => pass(0), now };
    await store.renewAcquirer('here');
    await remoteUse(deps, { sourceId: used.nodeId }, true);
    await replica();
    pass(HOUR);
    await becomes(other.nodeId, 'QUEUED');
    expect(await statuses(used.nodeId)).toEqual(['REMOTE']);
    await remoteUse(deps, { sourceId: used.nodeId }, false);
    await becomes(other.nodeId, 'REST');
    expect(await statuses(used.nodeId)).toEqual(['REMOTE', 'REST']);
  });
});

describe('acquire now', () => {
  const person = caller();
  const call = { caller: person, token: 't', deadlineMs: Date.now() + 60_000, signal: new AbortController().signal };
  const acquire = (nodeId: string) =>
    acquireNow({ store, nodes: nodes as never, wake: () => pass(0), now }, nodeId, call);

  test('a source at rest is acquired at once, one that is busy is joined', async () => {
    const { nodeId } = await source({ scheduleType: 'NONE' });
    const gate = Promise.withResolvers<void>();
    let sessions = 0;
    side.connect = async () => {
      sessions += 1;
      await gate.promise;
    };
    await acquire(nodeId);
    expect(await stored(nodeId)).toMatchObject({ status: 'QUEUED' });
    await replica();
    await becomes(nodeId, 'CONNECTING');
    await acquire(nodeId);
    gate.resolve();
    await becomes(nodeId, 'REST');
    expect(sessions).toBe(1);
    const recorded = await messages('events.event.recorded.v1', EventRecorded);
    const requested = recorded.filter(({ message }) => message === 'Acquire requested');
    expect(requested).toHaveLength(2);
    expect(requested[0]).toMatchObject({ level: 'INFO', eventType: 'ACQUISITION', username: person.username, nodeId });
  });

  test('a source that waits for its retry is acquired at once, counting anew', async () => {
    const { nodeId } = await source();
    side.connect = async () => {
      throw new CommunicationFailure('refused');
    };
    await replica();
    pass(HOUR);
    await becomes(nodeId, 'RETRYING');
    pass(900_000);
    await until(async () => (await stored(nodeId))?.retries === 2, { what: 'the second retry is planned' });
    await acquire(nodeId);
    await until(async () => (await shown(nodeId)).at(-1)?.sessionAttempts === 3, { what: 'the third attempt' });
    await becomes(nodeId, 'RETRYING');
    expect(await stored(nodeId)).toMatchObject({ retries: 1 });
  });

  test('a source that was made a moment ago is acquired, whose message has not come yet', async () => {
    const { nodeId } = await source();
    await database.query('DELETE FROM acquisitions');
    await acquire(nodeId);
    expect(await stored(nodeId)).toMatchObject({ status: 'QUEUED' });
  });

  test.each([
    ['data comes by itself', { transport: 'Mqtt' }, 'NOT_ACQUIRABLE'],
    ['it has no transport', { transport: 'None' }, 'NOT_ACQUIRABLE'],
    ['it is disabled', { isEnabled: false }, 'SOURCE_DISABLED'],
    [
      'its device is not connected',
      { transport: 'TcpCallback', deviceKey: '490154203237518', class: 'source.data.CampbellPakBus' },
      'DEVICE_NOT_CONNECTED',
    ],
  ] as const)('a source is not acquired when %s', async (_what, over, reason) => {
    const { nodeId } = await source(over);
    await expect(acquire(nodeId)).rejects.toMatchObject({ kind: 'failed_precondition', reason });
  });

  test('a source that a remote client uses is not acquired', async () => {
    const { nodeId } = await source();
    await database.query(`UPDATE acquisitions SET status = 'REMOTE'`);
    await expect(acquire(nodeId)).rejects.toMatchObject({ reason: 'SOURCE_REMOTE' });
  });
});

describe('control values', () => {
  const setting = (node: ReturnType<typeof sourceNode>, over: Partial<ControlSet> = {}): ControlSet => ({
    ownerId: node.ownerId,
    workspaceId: node.workspaceId,
    sourceId: node.nodeId,
    nodeId: newObjectId(),
    revision: 1,
    series: 'Public.gate',
    name: 'Gate',
    family: 'NUMBER',
    value: 2,
    timeMs: START,
    ...over,
  });
  const take = (control: ControlSet) => takeControl({ store, nodes, write, wake: () => pass(0), now }, control);
  const ended = () => messages('devices.control.ended.v1', ControlEnded);

  test('a value is sent at once, alone, and becomes a record', async () => {
    const node = await source({ transport: 'TcpClient' });
    const control = setting(node);
    const seen: unknown[] = [];
    side.run = async (_pipe, { controls, collects, progress }) => {
      seen.push([controls, collects]);
      await progress.step('CONTROLLING');
      for (const control of controls) await progress.controlled(control);
    };
    await replica();
    await take(control);
    await until(async () => (await ended()).length === 1, { what: 'it is done' });
    await becomes(node.nodeId, 'REST');
    const { nodeId, revision, series, name, family, value } = control;
    expect(seen).toEqual([[[{ nodeId, revision, series, name, family, value }], false]]);
    expect(await statuses(node.nodeId)).toEqual(['QUEUED', 'CONNECTING', 'CONTROLLING', 'REST']);
    expect(await ended()).toMatchObject([{ nodeId, revision, failure: '' }]);
    expect(written).toMatchObject([
      {
        source: { sourceId: node.nodeId },
        document: { header: { columns: { 0: { id: nodeId } } }, data: [{ f: { 0: { v: 2 } } }] },
      },
    ]);
    expect(await eventsOf(nodeId)).toEqual([`INFO Control 'Gate' completed`]);
    expect(await attemptsOf(nodeId)).toEqual([[AttemptKind.ATTEMPT_KIND_CONTROL, '']]);
    // The same message again sends nothing.
    await take(control);
    expect(await stored(node.nodeId)).toMatchObject({ status: 'REST' });
  });

  test('a value that the logger refuses is dropped, with an alarm', async () => {
    const node = await source({ transport: 'TcpClient' });
    const control = setting(node);
    side.run = async (_pipe, { controls, progress }) => {
      await progress.step('CONTROLLING');
      for (const control of controls) await progress.controlled(control, 'no such field');
    };
    await replica();
    await take(control);
    await until(async () => (await ended()).length === 1, { what: 'it is over' });
    expect(await ended()).toMatchObject([{ failure: 'no such field' }]);
    expect(await attemptsOf(control.nodeId)).toEqual([[AttemptKind.ATTEMPT_KIND_CONTROL, 'no such field']]);
    expect(written).toEqual([]);
    expect(await store.pendingControls(node.nodeId)).toEqual([]);
  });

  test('a value stays pending while the logger cannot be reached, and is sent with the next session', async () => {
    const node = await source({ transport: 'TcpClient' });
    const control = setting(node);
    side.connect = async () => {
      throw new CommunicationFailure('refused');
    };
    side.run = async (_pipe, { controls, progress }) => {
      await progress.step('CONTROLLING');
      for (const control of controls) await progress.controlled(control);
    };
    await replica();
    await take(control);
    await becomes(node.nodeId, 'RETRYING');
    expect(await store.pendingControls(node.nodeId)).toHaveLength(1);
    // A newer value takes its place.
    await take({ ...control, revision: 2, value: 3 });
    side.connect = async () => {};
    pass(900_000);
    await until(async () => (await ended()).length === 1, { what: 'it is done' });
    expect(await ended()).toMatchObject([{ revision: 2, failure: '' }]);
  });

  test('a value that comes during a session is sent right after it; one that is taken back is not', async () => {
    const node = await source({ transport: 'TcpClient' });
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const sent: unknown[] = [];
    side.run = async (_pipe, { controls, progress }) => {
      begun.resolve();
      await gate.promise;
      if (controls.length > 0) await progress.step('CONTROLLING');
      for (const control of controls) {
        sent.push(control.value);
        await progress.controlled(control);
      }
    };
    await replica();
    pass(HOUR);
    // It looks for values once it is connecting.
    await begun.promise;
    await take(setting(node, { value: 7 }));
    const dropped = setting(node, { value: 8 });
    await take(dropped);
    await take({ ...dropped, revision: 2, value: null });
    expect(await attemptsOf(dropped.nodeId)).toEqual([[AttemptKind.ATTEMPT_KIND_CONTROL, '']]);
    gate.resolve();
    await until(async () => (await ended()).length === 1, { what: 'it is done' });
    await becomes(node.nodeId, 'REST');
    expect(sent).toEqual([7]);
  });

  test('without a logger a value is done at once', async () => {
    const node = await source({ transport: 'None', scheduleType: 'NONE', class: 'source.data.Jts' });
    const control = setting(node, { family: 'TIME', value: START });
    await take(control);
    expect(await ended()).toMatchObject([{ nodeId: control.nodeId, revision: 1, failure: '' }]);
    expect(written).toMatchObject([
      {
        document: {
          data: [{ ts: new Date(START).toISOString(), f: { 0: { v: { $time: '2024-07-01T10:20:00.000Z' } } } }],
        },
      },
    ]);
  });
});

describe('loggers', () => {
  test('records, facts and memory of a session are stored step by step', async () => {
    const { nodeId } = await source({ transport: 'TcpClient' });
    const memories: unknown[] = [];
    side.run = async (_pipe, { progress }) => {
      memories.push(progress.memory);
      await progress.step('DOWNLOADING');
      await progress.facts({ model: 'CR1000' });
      await progress.write({ docType: 'jts' }, 12, 'logger');
      await progress.remember({ next: 12 });
      memories.push(progress.memory);
    };
    await replica();
    pass(HOUR);
    await until(async () => (await shown(nodeId)).at(-1)?.sessionSuccesses === 1, { what: 'the session is complete' });
    pass(HOUR);
    await until(async () => (await shown(nodeId)).at(-1)?.sessionSuccesses === 2, { what: 'so is the next one' });
    expect(memories).toEqual([undefined, { next: 12 }, { next: 12 }, { next: 12 }]);
    expect((await shown(nodeId)).at(-1)).toMatchObject({ model: 'CR1000', lastRecordCount: 12, status: 'REST' });
  });

  test('a driver that does what no session does is a fault of ours', async () => {
    const { nodeId } = await source({ transport: 'TcpClient' });
    side.run = async (_pipe, { progress }) => progress.step('PROCESSING');
    await replica();
    pass(HOUR);
    await becomes(nodeId, 'RETRYING');
    expect((await eventsOf(nodeId)).at(-1)).toContain('ERROR Connection failed: internal error');
  });
});

describe('what is known of sources', () => {
  test('a newer revision counts, an older one does not, and a deleted source does not come back', async () => {
    const node = await source();
    if (!node.source) throw new Error('no source');
    await follow({ ...node, revision: 3, name: 'Newer' });
    await follow({ ...node, revision: 2, name: 'Older' });
    const name = async () => (await database.query<{ name: string }>('SELECT name FROM acquisitions')).rows[0]?.name;
    expect(await name()).toBe('Newer');
    await store.transaction((tx) => tx.deleteAcquisitions(node.ownerId, [node.nodeId]));
    await follow({ ...node, revision: 4, name: 'Revived' });
    expect(await store.transaction((tx) => tx.lockAcquisition(node.nodeId))).toBe('deleted');
  });

  test('the nodes that have changed are found among thousands in one look', async () => {
    const [first, second] = [await source(), await source()];
    const asked = [
      { nodeId: first.nodeId, revision: 1, deviceKey: '' },
      { nodeId: second.nodeId, revision: 2, deviceKey: '' },
      { nodeId: newObjectId(), revision: 1, deviceKey: '' },
      // Its device is not known.
      { nodeId: first.nodeId, revision: 1, deviceKey: '490154203237518' },
    ];
    const unknown = await store.unknownRevisions(asked.slice(0, 3));
    expect(unknown).toEqual(new Set(asked.slice(1, 3).map(({ nodeId }) => nodeId)));
    expect(await store.unknownRevisions(asked.slice(3))).toEqual(new Set([first.nodeId]));
  });

  test('a source that the nodes service no longer lists has no more runs', async () => {
    const [stays, goes] = [await source(), await source()];
    await store.retireAcquisitions(new Date(Date.now() + 60_000), [stays.nodeId]);
    expect((await stored(stays.nodeId))?.next_ms).not.toBeNull();
    expect((await stored(goes.nodeId))?.next_ms).toBeNull();
  });
});
