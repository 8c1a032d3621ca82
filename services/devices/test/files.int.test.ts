// Files that wait for their turn are durable and in order, also when processes die
// (docs/reference/acquisition.md#files-of-a-source, docs/reference/sources.md#status).
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { ApiCaller } from '@catchment/access';
import { EventRecorded } from '@catchment/contracts/events';
import { DomainError, unavailable } from '@catchment/errors';
import { newObjectId } from '@catchment/ids';
import type { Database } from '@catchment/pg';
import { createLogger } from '@catchment/telemetry';
import { until, untilAborted } from '@catchment/testkit';
import {
  claimFile,
  deleteFilesOf,
  readOutcome,
  releaseFile,
  renewLease,
  sweepFiles,
} from '../src/files/store/pg-files.ts';
import { FileWorker } from '../src/files/usecases/file-worker.ts';
import { abandonFile, beginFile, finishFile, writeFileSegment } from '../src/files/usecases/hand-over-file.ts';
import type { FileSource } from '../src/sources/domain/source-file.ts';
import type { FileWrite } from '../src/sources/usecases/ports.ts';
import type { Store } from '../src/store.ts';
import { type DevicesDatabase, devicesDatabase } from './devices-database.ts';
import { caller } from './fakes.ts';

const log = createLogger('test', { level: 'silent' });
let scratch: DevicesDatabase;
let database: Database;
let store: Store;
beforeAll(async () => {
  scratch = await devicesDatabase();
  ({ database, store } = scratch);
});
afterAll(() => scratch.drop());

const SEGMENT = 256 * 1024;
const lines = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => `${new Date(1.7e12 + (from + n) * 1000).toISOString()},${from + n}\n`).join(
    '',
  );
const csv = (count: number) => `t,Level\n${lines(count)}`;

function sourceOf(apiCaller: ApiCaller, over: Partial<FileSource> = {}): FileSource {
  return { _id: newObjectId(), ownerId: apiCaller.ownerId, workspaceId: newObjectId(), ...over };
}

/** A caller that uploads files. */
function person(apiCaller = caller(), over: Partial<FileSource> = {}) {
  const source = sourceOf(apiCaller, over);
  const closed: string[] = [];
  const parameters: string[] = [];
  const deps = {
    store,
    now: Date.now,
    nodes: {
      fileSource: async () => ({ class: 'source.data.TextParser', source }),
      closed: async () => closed,
      parametersOf: async () => parameters,
    },
  };
  const call = { caller: apiCaller, token: 't', deadlineMs: Date.now() + 60_000, signal: new AbortController().signal };
  const begin = async (fileName = 'a.csv') => (await beginFile(deps, { nodeRef: source._id, fileName }, call)).fileId;
  const write = async (fileId: string, bytes: Buffer) => {
    for (let index = 0; index * SEGMENT < bytes.length; index += 1)
      await writeFileSegment(
        deps,
        { fileId, index, data: bytes.subarray(index * SEGMENT, (index + 1) * SEGMENT) },
        call,
      );
  };
  const finish = (fileId: string, size: number) => finishFile(deps, { fileId, size }, call);
  const hand = async (text: string | Buffer, fileName?: string) => {
    const bytes = Buffer.from(text);
    const fileId = await begin(fileName);
    await write(fileId, bytes);
    await finish(fileId, bytes.length);
    return fileId;
  };
  return { source, closed, parameters, deps, call, begin, write, finish, hand };
}

/** Stands for the historic service, which may be away. */
class Historic {
  readonly writes: FileWrite[] = [];
  readonly faults: string[] = [];
  failure: Error | undefined;
  gate: Promise<void> | undefined;
  #rows = 0;
  async writeFile(write: FileWrite, signal: AbortSignal) {
    // Its end may have come before it is called.
    signal.throwIfAborted();
    await Promise.race([this.gate, this.gate && untilAborted(signal)]);
    if (this.failure) throw this.failure;
    this.writes.push(write);
    const rows = (JSON.parse(Buffer.from(write.body).toString()) as { data: unknown[] }).data.length;
    this.#rows += rows;
    return rows;
  }
  rows = () => this.#rows;
  async reportFault({ fault }: { fault: string }) {
    this.faults.push(fault);
  }
}

const workers: FileWorker[] = [];
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop();
  await database.query('DELETE FROM files');
});
function worker(historic: Historic, now = Date.now): FileWorker {
  const fileWorker = new FileWorker({ store, historic, log, now });
  workers.push(fileWorker);
  return fileWorker;
}
const never = new AbortController().signal;
const held = async (fileId: string) =>
  (
    await database.query<{ segments: number; records: number }>(
      `SELECT (SELECT count(*) FROM file_segments s WHERE s.file_id = f.file_id) AS segments, records_done AS records
       FROM files f WHERE file_id = $1`,
      [fileId],
    )
  ).rows[0];
const eventsOf = async ({ _id }: FileSource) =>
  (await database.query<{ data: Buffer }>('SELECT data FROM outbox ORDER BY id')).rows
    .map(({ data }) => EventRecorded.decode(data))
    .filter(({ nodeId }) => nodeId === _id)
    .map(({ level, username, message }) => `${level} ${username}: ${message}`);

test('a file of many segments is read, reported and then kept no longer', async () => {
  const { source, hand, call } = person();
  const historic = new Historic();
  const text = csv(12_000);
  const fileId = await hand(`${text}never,1\n`);
  expect(await held(fileId)).toEqual({ segments: Math.ceil((text.length + 8) / SEGMENT), records: 0 });
  const fileWorker = worker(historic);
  fileWorker.wake();
  expect(await fileWorker.outcome(fileId, 20_000, never)).toMatchObject({ files: 1, lines: 12_001, records: 12_000 });
  expect(historic.writes.map(({ continues }) => continues)).toEqual([false, true, true, true, true, true]);
  expect(historic.rows()).toBe(12_000);
  expect(await held(fileId)).toEqual({ segments: 0, records: 12_000 });
  expect(await eventsOf(source)).toEqual([
    `DEBUG ${(call.caller as ApiCaller).username}: Acquired 'a.csv' [${text.length + 8} bytes]`,
    expect.stringMatching(/^WARNING System: Parsed 99% of a\.csv \[1 lines failed, first at line 12002: 'never'/),
  ]);
});

test('a file that cannot be read is refused to whoever waits for it, and raises the alarm', async () => {
  const historic = new Historic();
  const fileId = await person().hand('no table', 'x.csv');
  const fileWorker = worker(historic);
  fileWorker.wake();
  await expect(fileWorker.outcome(fileId, 20_000, never)).rejects.toMatchObject({ kind: 'invalid_argument' });
  expect([historic.writes.length, historic.faults.length]).toEqual([0, 1]);
});

test('each file that is refused ends with an event, whatever the alarm says already; a small packed one with a line of 64 MiB is read up to there', async () => {
  const { hand, source } = person();
  const fileWorker = worker(new Historic());
  const files = [
    ['x.csv', 'no table'],
    ['y.csv', 'no table either'],
  ] as const;
  for (const [name, content] of files) {
    const fileId = await hand(content, name);
    fileWorker.wake();
    await expect(fileWorker.outcome(fileId, 20_000, never)).rejects.toMatchObject({ kind: 'invalid_argument' });
  }
  const packed = await hand(gzipSync(`${csv(500)}later,1\n${'1'.repeat(64 * 1024 * 1024)}`), 'z.csv.gz');
  fileWorker.wake();
  expect(await fileWorker.outcome(packed, 20_000, never)).toMatchObject({ records: 500 });
  expect((await eventsOf(source)).filter((text) => text.startsWith('WARNING'))).toEqual([
    'WARNING System: x.csv could not be processed: file: has no column with a timestamp in a form that is known; name its columns',
    'WARNING System: y.csv could not be processed: file: has no column with a timestamp in a form that is known; name its columns',
    'WARNING System: z.csv.gz could be read up to one place only, and what comes before it is stored: line 503: longer than 1048576 characters',
    "WARNING System: Parsed 99% of z.csv.gz [1 lines failed, first at line 502: 'later' is no time such as 2026-05-31 23:59:59]",
  ]);
});

test('what became of the last file of a source is known, until the source is gone', async () => {
  const { hand, source } = person();
  const lastFile = async () => (await store.contactOf(source.ownerId, source._id)).lastFile;
  const fileWorker = worker(new Historic());
  const settled = async (text: string, name: string) => {
    const fileId = await hand(text, name);
    expect(await store.contactOf(source.ownerId, source._id)).toMatchObject({ waitingFiles: 1 });
    fileWorker.wake();
    await fileWorker.outcome(fileId, 20_000, never).catch(() => undefined);
  };
  await settled('no table', 'x.csv');
  expect(await lastFile()).toMatchObject({
    fileName: 'x.csv',
    sizeBytes: 8,
    outcome: { refusal: { kind: 'invalid_argument' } },
  });
  await settled(`${csv(3)}later,1\n`, 'y.csv');
  expect(await lastFile()).toMatchObject({ fileName: 'y.csv', outcome: { report: { lines: 4, parsed: 3 } } });
  // A file that no entry takes says nothing of those that are read.
  const ignored = { refusal: { kind: 'invalid_argument', reason: 'FILE_IGNORED', message: '' } } as const;
  const of = { sourceId: source._id, ownerId: source.ownerId, fileName: 'notes.txt', sizeBytes: 1, timeMs: Date.now() };
  await store.saveLastFile({ ...of, outcome: ignored });
  expect(await lastFile()).toMatchObject({ fileName: 'y.csv' });
  expect((await store.contactOf(newObjectId(), source._id)).lastFile).toBeUndefined();
  await store.deleteFilesOf([source._id]);
  expect(await lastFile()).toBeUndefined();
});

test('who waits hears nothing of a file that takes longer; it is read all the same', async () => {
  const historic = new Historic();
  const gate = Promise.withResolvers<void>();
  historic.gate = gate.promise;
  const fileId = await person().hand(csv(3));
  const fileWorker = worker(historic);
  fileWorker.wake();
  expect(await fileWorker.outcome(fileId, 50, never)).toBeUndefined();
  gate.resolve();
  expect(await fileWorker.outcome(fileId, 20_000, never)).toMatchObject({ records: 3 });
});

test('a process that stops gives its file back at once, and another goes on where it was', async () => {
  const historic = new Historic();
  const fileId = await person().hand(csv(12_000));
  const first = worker(historic);
  const write = historic.writeFile.bind(historic);
  historic.writeFile = async (file, signal) => {
    if (historic.writes.length === 1) historic.gate = new Promise(() => undefined);
    return write(file, signal);
  };
  first.wake();
  const waiting = first.outcome(fileId, 60_000, never);
  await until(async () => (await held(fileId))?.records === 2_000);
  await first.stop();
  // It is kept, and will be read.
  expect(await waiting).toBeUndefined();
  historic.writeFile = write;
  historic.gate = undefined;
  const second = worker(historic);
  second.wake();
  expect(await second.outcome(fileId, 20_000, never)).toMatchObject({ records: 12_000 });
  expect(historic.writes.map(({ continues }) => continues)).toEqual([false, true, true, true, true, true]);
  expect(historic.rows()).toBe(12_000);
});

test('the file of a process that died is read by another when its lease has ended; the dead one notes nothing more', async () => {
  const historic = new Historic();
  const fileId = await person().hand(csv(3));
  expect((await claimFile(database, 'dead'))?.fileId).toBe(fileId);
  const fileWorker = worker(historic);
  fileWorker.wake();
  expect(await fileWorker.outcome(fileId, 100, never)).toBeUndefined();
  expect(historic.writes).toEqual([]);
  await database.query(`UPDATE files SET lease_until = now() - interval '1 second' WHERE file_id = $1`, [fileId]);
  fileWorker.wake();
  expect(await fileWorker.outcome(fileId, 20_000, never)).toMatchObject({ records: 3 });
  await expect(renewLease(database, fileId, 'dead', 3)).rejects.toMatchObject({ kind: 'cancelled' });
});

test('files of a source are read in the order in which they were complete, those of others go ahead', async () => {
  const historic = new Historic();
  const sender = person();
  const later = await sender.begin('later.csv');
  await sender.write(later, Buffer.from(csv(1)));
  const ids = [await sender.hand(csv(1), '0.csv'), await sender.hand(csv(1), '1.csv')];
  await sender.finish(later, csv(1).length);
  const first = await claimFile(database, 'a');
  expect(first?.fileId).toBe(ids[0]);
  expect(await claimFile(database, 'b')).toBeUndefined();
  const other = await person().hand(csv(1));
  expect((await claimFile(database, 'b'))?.fileId).toBe(other);
  await releaseFile(database, { fileId: ids[0] ?? '', leaseId: 'a', counts: true, waitSeconds: 60 });
  // It is tried again in a minute: those after it wait.
  expect(await claimFile(database, 'c')).toBeUndefined();
  await database.query(`UPDATE files SET next_try = '-infinity'`);
  const fileWorker = worker(historic);
  fileWorker.wake();
  expect(await fileWorker.outcome(later, 20_000, never)).toMatchObject({ records: 1 });
  expect(historic.writes.map(({ origin }) => origin)).toEqual(['0.csv', '1.csv', 'later.csv']);
});

test('an account has two files in work at most, wherever', async () => {
  const apiCaller = caller();
  for (let n = 0; n < 3; n += 1) await person(apiCaller).hand(csv(1));
  const other = await person().hand(csv(1));
  const claimed = [await claimFile(database, 'a'), await claimFile(database, 'b'), await claimFile(database, 'c')];
  expect(claimed.map((file) => file?.source.ownerId === apiCaller.ownerId)).toEqual([true, true, false]);
  expect(claimed[2]?.fileId).toBe(other);
  expect(await claimFile(database, 'd')).toBeUndefined();
});

test('what is away is waited for without an end of tries; after a day it is given up', async () => {
  const historic = new Historic();
  historic.failure = unavailable('PEER_UNAVAILABLE');
  const { hand, source } = person();
  const fileId = await hand(csv(3));
  const fileWorker = worker(historic);
  for (let n = 0; n < 7; n += 1) {
    await database.query(`UPDATE files SET next_try = '-infinity', lease_until = '-infinity'`);
    fileWorker.wake();
    await until(
      async () =>
        (await database.query(`SELECT FROM files WHERE next_try > now() AND tries = 0 AND lease_until < now()`))
          .rowCount === 1,
    );
  }
  await database.query(`UPDATE files SET next_try = '-infinity', created_time = now() - interval '25 hours'`);
  fileWorker.wake();
  await expect(fileWorker.outcome(fileId, 20_000, never)).rejects.toMatchObject({ reason: 'FILE_GIVEN_UP' });
  expect((await eventsOf(source)).at(-1)).toBe('ERROR System: a.csv could not be processed');
});

test('what fails for no reason of its own is given up after some tries', async () => {
  const historic = new Historic();
  historic.failure = new Error('a bug');
  const fileId = await person().hand(csv(3));
  const fileWorker = worker(historic);
  for (let n = 1; n <= 5; n += 1) {
    fileWorker.wake();
    await until(
      async () => (await database.query('SELECT FROM files WHERE tries = $1 AND next_try > now()', [n])).rowCount === 1,
    );
    await database.query(`UPDATE files SET next_try = '-infinity'`);
  }
  fileWorker.wake();
  await expect(fileWorker.outcome(fileId, 20_000, never)).rejects.toMatchObject({ kind: 'internal' });
});

test('the files of a deleted source are gone, also the one in work', async () => {
  const historic = new Historic();
  historic.gate = new Promise(() => undefined);
  const { source, hand } = person();
  const ids = [await hand(csv(3)), await hand(csv(3))];
  const fileWorker = worker(historic);
  fileWorker.wake();
  await until(async () => (await database.query('SELECT FROM files WHERE lease_id IS NOT NULL')).rowCount === 1);
  await database.transaction((tx) => deleteFilesOf(tx, [source._id]));
  // The file in work has ended then.
  await fileWorker.stop();
  expect(await Promise.all(ids.map((id) => readOutcome(database, id)))).toEqual([undefined, undefined]);
  expect((await database.query('SELECT FROM file_segments')).rowCount).toBe(0);
});

test('what comes no more, and what was reported, is swept; what waits is not', async () => {
  const sender = person();
  const [coming, waiting] = [await sender.begin(), await sender.hand(csv(3))];
  await sender.write(coming, randomBytes(10));
  await database.query(`UPDATE files SET due_time = due_time - interval '14 minutes'`);
  // Something came: it has its whole time again.
  await sender.write(coming, randomBytes(10));
  await database.query(`UPDATE files SET due_time = due_time - interval '2 minutes'`);
  await sweepFiles(database);
  expect(await held(coming)).toEqual({ segments: 1, records: 0 });
  await database.query(`UPDATE files SET due_time = due_time - interval '14 minutes'`);
  await sweepFiles(database);
  expect([await held(coming), (await held(waiting))?.segments]).toEqual([undefined, 1]);
  await expect(sender.write(coming, randomBytes(10))).rejects.toMatchObject({ kind: 'not_found' });
});

test('a finish may be repeated; a file that lacks bytes is none, and one that is complete takes no more', async () => {
  const sender = person();
  const fileId = await sender.begin();
  await sender.write(fileId, Buffer.from(csv(3)));
  await expect(sender.finish(fileId, csv(3).length + 1)).rejects.toMatchObject({ reason: 'BAD_SIZE' });
  await sender.finish(fileId, csv(3).length);
  await sender.finish(fileId, csv(3).length);
  await expect(sender.write(fileId, randomBytes(3))).rejects.toMatchObject({ kind: 'not_found' });
  await abandonFile(sender.deps, { fileId: fileId }, sender.call);
  expect((await held(fileId))?.segments).toBe(1);
  const gap = await sender.begin();
  const data = Buffer.from('t,a\n');
  await writeFileSegment(sender.deps, { fileId: gap, index: 1, data }, sender.call);
  await expect(sender.finish(gap, 4)).rejects.toMatchObject({ reason: 'BAD_SIZE' });
  await abandonFile(sender.deps, { fileId: gap }, sender.call);
  expect(await held(gap)).toBeUndefined();
});

test('the files of an account are its own', async () => {
  const sender = person();
  const stranger = person();
  const fileId = await sender.begin();
  await expect(stranger.write(fileId, randomBytes(3))).rejects.toMatchObject({ kind: 'not_found' });
  await sender.write(fileId, Buffer.from(csv(3)));
  await expect(stranger.finish(fileId, csv(3).length)).rejects.toMatchObject({ kind: 'not_found' });
  await abandonFile(stranger.deps, { fileId: fileId }, stranger.call);
  expect((await held(fileId))?.segments).toBe(1);
});

test('an account has so many files coming and waiting', async () => {
  const sender = person();
  for (let n = 0; n < 20; n += 1) await sender.begin();
  await expect(sender.begin()).rejects.toMatchObject({ kind: 'resource_exhausted' });
  await expect(person().begin()).resolves.toBeTruthy();
});

test.each([
  ['too long', { index: 0, data: Buffer.alloc(SEGMENT + 1) }, 'invalid_argument'],
  ['empty', { index: 0, data: Buffer.alloc(0) }, 'invalid_argument'],
  ['beyond 100 MB', { index: 400, data: Buffer.alloc(1) }, 'too_large'],
])('a segment that is %s is refused', async (_what, segment, kind) => {
  const { begin, deps, call } = person();
  const fileId = await begin();
  await expect(writeFileSegment(deps, { fileId, ...segment }, call)).rejects.toMatchObject({ kind });
});

const workspaceUser = (source: FileSource, permissions: string[]): ApiCaller => ({
  ...caller({ ownerId: source.ownerId }),
  rights: { grants: [{ permissions, workspaceIds: [source.workspaceId] }], closedAsOfMs: 1 },
});

test('a file needs what its records need: no key for reading, EDIT_DATA, no parameter that is closed', async () => {
  const sender = person();
  const as = (who: ApiCaller) =>
    beginFile(sender.deps, { nodeRef: sender.source._id, fileName: 'a.csv' }, { ...sender.call, caller: who });
  const denied = { kind: 'permission_denied' };
  await expect(as({ ...caller(), permission: 'READ_ONLY' })).rejects.toMatchObject(denied);
  await expect(as(workspaceUser(sender.source, ['VIEW', 'EDIT_QUALITY']))).rejects.toMatchObject(denied);
  const editor = workspaceUser(sender.source, ['VIEW', 'EDIT_DATA']);
  sender.closed.push(newObjectId());
  sender.parameters.push(newObjectId());
  await expect(as(editor)).resolves.toBeTruthy();
  sender.closed.push(...sender.parameters);
  await expect(as(editor)).rejects.toMatchObject(denied);
});

test.each([
  ['a key for reading', (who: ApiCaller) => ({ ...who, permission: 'READ_ONLY' as const }), 'permission_denied'],
  [
    'a key of other workspaces',
    (who: ApiCaller) => ({ ...who, accessLevel: 'LIMITED_WORKSPACES' as const, workspaceIds: [newObjectId()] }),
    'permission_denied',
  ],
  [
    'a user who may not write',
    (_who: ApiCaller, source: FileSource) => workspaceUser(source, ['VIEW', 'EDIT_QUALITY']),
    'permission_denied',
  ],
  [
    'a user who does not see the workspace',
    (_who: ApiCaller, source: FileSource) =>
      workspaceUser({ ...source, workspaceId: newObjectId() }, ['VIEW', 'EDIT_DATA']),
    'not_found',
  ],
])('%s takes no part in a file that somebody else began', async (_what, as, kind) => {
  const sender = person();
  const text = Buffer.from(csv(1));
  const fileId = await sender.begin();
  await sender.write(fileId, text);
  const call = { ...sender.call, caller: as(sender.call.caller, sender.source) };
  const steps = [
    () => writeFileSegment(sender.deps, { fileId, index: 0, data: Buffer.from('other') }, call),
    () => finishFile(sender.deps, { fileId, size: text.length }, call),
    () => abandonFile(sender.deps, { fileId: fileId }, call),
  ];
  for (const step of steps) await expect(step()).rejects.toMatchObject({ kind });
  await expect(sender.finish(fileId, text.length)).resolves.toBeUndefined();
});

test('what was closed to its sender while it came is not read', async () => {
  const sender = person();
  const editor = { ...sender.call, caller: workspaceUser(sender.source, ['VIEW', 'EDIT_DATA']) };
  const text = Buffer.from(csv(1));
  const { fileId } = await beginFile(sender.deps, { nodeRef: sender.source._id, fileName: 'a.csv' }, editor);
  await writeFileSegment(sender.deps, { fileId, index: 0, data: text }, editor);
  sender.closed.push(newObjectId());
  sender.parameters.push(...sender.closed);
  await expect(finishFile(sender.deps, { fileId, size: text.length }, editor)).rejects.toMatchObject({
    kind: 'permission_denied',
  });
});

test('a file that no entry of its source matches is ignored before it comes; archives are looked into', async () => {
  const sender = person(caller(), { files: [{ match: 'hourly' }] });
  await expect(sender.begin('daily.csv')).rejects.toMatchObject({ reason: 'FILE_IGNORED' });
  expect(await eventsOf(sender.source)).toEqual(["DEBUG System: Ignored 'daily.csv'"]);
  await expect(sender.begin('daily.zip')).resolves.toBeTruthy();
  await expect(sender.begin('hourly.csv.gz')).resolves.toBeTruthy();
});

test('who leaves is waited for no longer', async () => {
  const left = new AbortController();
  const fileId = await person().hand(csv(1));
  const waiting = worker(new Historic()).outcome(fileId, 20_000, left.signal);
  left.abort(new DomainError('cancelled', 'CALLER_LEFT', 'left'));
  await expect(waiting).rejects.toMatchObject({ kind: 'cancelled' });
});
