// Imports survive processes, can be cancelled, and are their user's own (docs/reference/writing.md#imports).
import type { ApiCaller } from '@catchment/access';
import { EventRecorded } from '@catchment/contracts/events';
import { newObjectId } from '@catchment/ids';
import type { Database } from '@catchment/pg';
import { createLogger } from '@catchment/telemetry';
import { until, untilAborted } from '@catchment/testkit';
import { FileWorker } from '../src/files/usecases/file-worker.ts';
import { SEGMENT_BYTES, writeFileSegment } from '../src/files/usecases/hand-over-file.ts';
import { beginImport, cancelImport, finishImport, getImport, listImports } from '../src/files/usecases/import-file.ts';
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

const workers: FileWorker[] = [];
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop();
  await database.query('DELETE FROM files');
});

/** Stands for the historic service, which may be away. */
class Historic {
  readonly writes: FileWrite[] = [];
  readonly records: number[] = [];
  gate: Promise<void> | undefined;
  async writeFile(write: FileWrite, signal: AbortSignal): Promise<number> {
    if (this.gate && this.writes.length > 0) await Promise.race([this.gate, untilAborted(signal)]);
    this.writes.push(write);
    const { data } = JSON.parse(Buffer.from(write.body).toString()) as { data: { f: { 0: { v: number } } }[] };
    this.records.push(...data.map(({ f }) => f[0].v));
    return data.length;
  }
  async reportFault() {
    throw new Error('an import raises no alarm');
  }
}
function startWorker(historic: Historic): FileWorker {
  const worker = new FileWorker({ store, historic, log, now: Date.now });
  workers.push(worker);
  worker.wake();
  return worker;
}

function person(apiCaller = caller(), sourceClass = 'point.NumberPoint', over: Partial<FileSource> = {}) {
  const source: FileSource = { _id: newObjectId(), ownerId: apiCaller.ownerId, workspaceId: newObjectId(), ...over };
  const parsers: unknown[] = [];
  const deps = {
    store,
    now: Date.now,
    nodes: {
      fileSource: async (_ref: string, _call: object, parser?: unknown) => {
        parsers.push(parser);
        return { class: sourceClass, source: { ...source, ...(parser !== undefined && { parser: parser as object }) } };
      },
      closed: async () => [],
      parametersOf: async () => [],
    },
  };
  const callOf = (who: ApiCaller) => ({
    caller: who,
    token: 't',
    deadlineMs: Date.now() + 60_000,
    signal: new AbortController().signal,
  });
  const call = callOf(apiCaller);
  const begin = () => beginImport(deps, { nodeRef: source._id }, call);
  const send = async (text: string, settings: Record<string, string> = {}, fileName = 'a.csv') => {
    const { fileId } = await begin();
    const bytes = Buffer.from(text);
    for (let index = 0; index * SEGMENT_BYTES < bytes.length; index += 1)
      await writeFileSegment(
        deps,
        { fileId, ownerId: '', index, data: bytes.subarray(index * SEGMENT_BYTES, (index + 1) * SEGMENT_BYTES) },
        call,
      );
    return finishImport(deps, { fileId, size: bytes.length, fileName, settings }, call);
  };
  const stateOf = async (importId: string) => (await getImport(deps, importId, call)).state;
  return { apiCaller, source, deps, call, callOf, begin, send, stateOf, parsers };
}

const csv = (count: number) =>
  `t,Level\n${Array.from({ length: count }, (_, n) => `${new Date(1.7e12 + n * 1000).toISOString()},${n}\n`).join('')}`;
const eventsOf = async ({ _id }: FileSource) =>
  (await database.query<{ data: Buffer }>('SELECT data FROM outbox ORDER BY id')).rows
    .map(({ data }) => EventRecorded.decode(data))
    .filter(({ nodeId }) => nodeId === _id)
    .map(({ level, eventType, username, message }) => `${level} ${eventType} ${username}: ${message}`);

test('an import reports how far it is, and its end is an event in the name of its user', async () => {
  const { apiCaller, source, deps, call, send, stateOf, parsers } = person();
  const begun = await send(csv(5_000), { parser: '{"labelsRow":1}', notifyOn: 'none' });
  expect(begun).toMatchObject({ state: 'WAITING', recordsTotal: null, recordsDone: 0, fileName: 'a.csv' });
  expect(parsers.at(-1)).toEqual({ labelsRow: 1 });
  const historic = new Historic();
  let open = () => {};
  historic.gate = new Promise((resolve) => {
    open = resolve;
  });
  startWorker(historic);
  await until(async () => (await getImport(deps, begun.importId, call)).recordsDone === 2_000);
  expect(await getImport(deps, begun.importId, call)).toMatchObject({ state: 'RUNNING', recordsTotal: 5_000 });
  open();
  await until(async () => (await stateOf(begun.importId)) === 'DONE');
  expect(await getImport(deps, begun.importId, call)).toMatchObject({
    recordsDone: 5_000,
    source: { _id: source._id },
  });
  expect(historic.writes[0]?.imported).toEqual({ notifyOn: 'NONE' });
  expect(await eventsOf(source)).toEqual([
    `DEBUG ACQUISITION ${apiCaller.username}: Acquired 'a.csv' [${csv(5_000).length} bytes]`,
    `INFO CONFIGURATION ${apiCaller.username}: Imported 5000 records from a.csv`,
  ]);
  await database.query('DELETE FROM files');
  expect(await getImport(deps, begun.importId, call)).toMatchObject({ state: 'DONE', recordsDone: 5_000 });
});

test('another process goes on where one has stopped', async () => {
  const { deps, call, send, stateOf } = person();
  const { importId } = await send(csv(6_000));
  const first = new Historic();
  first.gate = new Promise(() => {});
  const worker = startWorker(first);
  await until(async () => (await getImport(deps, importId, call)).recordsDone === 2_000);
  await worker.stop();
  const second = new Historic();
  startWorker(second);
  await until(async () => (await stateOf(importId)) === 'DONE');
  expect([...first.records, ...second.records]).toEqual(Array.from({ length: 6_000 }, (_, n) => n));
});

test('one that is cancelled writes no more, and frees its place', async () => {
  const { source, deps, call, send, begin } = person();
  const { importId } = await send(csv(6_000));
  const historic = new Historic();
  historic.gate = new Promise(() => {});
  startWorker(historic);
  await until(async () => (await getImport(deps, importId, call)).recordsDone === 2_000);
  expect(await cancelImport(deps, importId, call)).toMatchObject({ state: 'CANCELLED', recordsDone: 2_000 });
  expect(await cancelImport(deps, importId, call)).toMatchObject({ state: 'CANCELLED' });
  expect((await eventsOf(source)).at(-1)).toContain('INFO CONFIGURATION');
  expect((await eventsOf(source)).filter((text) => text.includes('cancelled'))).toHaveLength(1);
  const { rows } = await database.query('SELECT 1 FROM file_segments WHERE file_id = $1', [importId]);
  expect(rows).toEqual([]);
  for (let n = 0; n < 5; n += 1) await begin();
  await expect(begin()).rejects.toMatchObject({ kind: 'resource_exhausted' });
});

test('an import is its user’s own, also of keys that may less; it ends with its node', async () => {
  const { apiCaller, source, deps, callOf, send, stateOf } = person();
  const { importId } = await send(csv(1));
  const others: ApiCaller[] = [
    caller({ ownerId: newObjectId(), userId: apiCaller.userId }),
    { ...apiCaller, userId: newObjectId() },
    { ...apiCaller, accessLevel: 'LIMITED_WORKSPACES', workspaceIds: [newObjectId()] },
  ];
  for (const other of others) {
    await expect(getImport(deps, importId, callOf(other))).rejects.toMatchObject({ kind: 'not_found' });
    expect(await listImports(deps, callOf(other))).toEqual([]);
    await expect(cancelImport(deps, importId, callOf(other))).rejects.toMatchObject({ kind: 'not_found' });
  }
  expect(await listImports(deps, callOf(apiCaller))).toMatchObject([{ importId }]);
  await deps.store.deleteFilesOf([source._id]);
  expect(await stateOf(importId)).toBe('CANCELLED');
});

test.each([
  [{ writeMode: 'SOMEHOW' }, 'writeMode: must be one of'],
  [{ notifyOn: 'LATEST_ONLY' }, 'notifyOn: must be one of ALL_NEWER, NONE'],
  [{ timezone: 'Mars/Base' }, 'timezone: must be an IANA time zone name'],
  [{ timezoneAdjustForDst: 'maybe' }, 'timezoneAdjustForDst: must be one of TRUE, FALSE'],
  [{ parser: '{' }, 'parser: must be JSON'],
  [{ columnIndex: '-1' }, 'columnIndex: must be a whole number'],
  [{ colour: 'red' }, 'colour: must be one of'],
])('refuses %j', async (settings, message) => {
  const { send } = person();
  await expect(send('t,a\n', settings as Record<string, string>)).rejects.toThrow(message);
});

test.each([
  'Workspace',
  'point.NumberRatingPoint',
  'point.TextProcessPoint',
  'source.data.Processor',
  'source.attachment.AttachmentSource',
  'chart.HistoricChart',
])('nothing is imported to a node of class %s', async (name) => {
  const { begin } = person(caller(), name);
  await expect(begin()).rejects.toThrow('id: must be a Location, a parameter or a data source');
});

test('people need EDIT_DATA, and keys MODIFY', async () => {
  const reading = person(caller({ permission: 'READ_ONLY' }));
  await expect(reading.begin()).rejects.toMatchObject({ kind: 'permission_denied' });
  const workspaceId = newObjectId();
  const rights = { grants: [{ permissions: ['VIEW', 'EDIT_QUALITY'], workspaceIds: [workspaceId] }] };
  const person2 = person(caller({ rights }), 'point.NumberPoint', { workspaceId });
  await expect(person2.begin()).rejects.toMatchObject({ kind: 'permission_denied' });
});
