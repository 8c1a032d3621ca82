// Exports are made whatever becomes of the processes, and are their user's own (docs/reference/writing.md#exports).
import type { ApiCaller } from '@catchment/access';
import { unavailable } from '@catchment/errors';
import { newObjectId } from '@catchment/ids';
import { createLogger } from '@catchment/telemetry';
import { until, untilAborted } from '@catchment/testkit';
import { fromBufferPromise } from 'yauzl';
import { pgExports } from '../src/exports/store/pg-exports.ts';
import { ExportWorker } from '../src/exports/usecases/export-worker.ts';
import { createExport, deleteExport, getExport, listExports, readExportFile } from '../src/exports/usecases/exports.ts';
import { caller, type Historic, jts, startHistoric } from './fixture.ts';

const log = createLogger('test', { level: 'silent' });
const T0 = Date.UTC(2024, 0, 1);
const MIN = 60_000;

let historic: Historic;
beforeAll(async () => {
  historic = await startHistoric();
});
afterAll(() => historic?.close());

const workers: ExportWorker[] = [];
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop();
});
function startWorker(pageFields = 7): ExportWorker {
  const { read, sign } = historic;
  const worker = new ExportWorker({ exports: pgExports(historic.database), read, sign, log, pageFields });
  workers.push(worker);
  return worker;
}

const callOf = async (who: ApiCaller) => ({
  caller: who,
  token: await historic.sign(who),
  signal: new AbortController().signal,
});
const depsOf = (read = historic.read) => ({ exports: pgExports(historic.database), read, wake: () => {} });
const ask = async (who: ApiCaller, body: object) =>
  createExport(depsOf(), { body: Buffer.from(JSON.stringify(body)), arrivalMs: 0 }, await callOf(who));
const ended = async (who: ApiCaller, exportId: string) => {
  const found = () => callOf(who).then((call) => getExport(depsOf(), exportId, call));
  await until(async () => ['DONE', 'FAILED'].includes((await found()).state));
  return found();
};

async function filesOf(who: ApiCaller, exportId: string): Promise<Record<string, string>> {
  const segments: Uint8Array[] = [];
  for await (const segment of readExportFile(depsOf(), exportId, await callOf(who))) segments.push(segment);
  const zip = await fromBufferPromise(Buffer.concat(segments), { lazyEntries: true });
  const files: Record<string, string> = {};
  for await (const entry of zip.eachEntry()) {
    let text = '';
    for await (const piece of await zip.openReadStreamPromise(entry)) text += piece;
    files[entry.fileName] = text;
  }
  return files;
}

/** The source has a level of 30 records and rain of 10. */
async function station() {
  const source = historic.source();
  const level = historic.child(source, { name: 'Level: water/1', series: { units: 'm' } });
  const rain = historic.child(source, { name: 'Rain', series: { units: 'mm' } });
  await historic.write(level, jts(Array.from({ length: 30 }, (_, n) => [T0 + n * MIN, { v: n + 0.5 }])));
  await historic.write(rain, jts(Array.from({ length: 10 }, (_, n) => [T0 + n * 3 * MIN, { v: n, q: 100, a: 'x' }])));
  await historic.idle();
  return { source, level, rain, who: caller(source.ownerId) };
}
const DAY = { startTime: '2024-01-01T00:00:00Z', endTime: '2024-01-02T00:00:00Z' };

test('a file is what a read would answer, however many pages it takes', async () => {
  const { source, level, rain, who } = await station();
  startWorker();
  const given = { timezone: 'Australia/Perth', quality: 'SEPARATE_VALUE', annotation: 'DELIMITED_WITH_VALUE' };
  const { exportId } = await ask(who, { nodes: [source.nodeId], ...given });
  expect(await ended(who, exportId)).toMatchObject({ state: 'DONE', seriesDone: 2, records: 40, failure: null });
  const files = await filesOf(who, exportId);
  const read = (nodeId: string) =>
    historic.readMany({ ...DAY, ...given, format: 'CSV', params: nodeId }, who, T0 + 48 * 60 * MIN);
  expect(files).toEqual({
    [`Level_ water_1_${level.nodeId}.csv`]: await read(level.nodeId),
    [`Rain_${rain.nodeId}.csv`]: await read(rain.nodeId),
  });
});

test('JTS, and several series in one file', async () => {
  const { level, rain, who } = await station();
  startWorker();
  const { exportId } = await ask(who, {
    nodes: [level.nodeId, rain.nodeId],
    format: 'JTS',
    layout: 'INTERLEAVED',
    ...DAY,
  });
  await ended(who, exportId);
  const document = JSON.parse((await filesOf(who, exportId))['records.json'] ?? '');
  const params = `${level.nodeId},${rain.nodeId}`;
  const expected = JSON.parse(await historic.readMany({ ...DAY, params }, who, T0 + 48 * 60 * MIN));
  expect(document.data).toEqual(expected.data);
  const { recordCount: _, ...header } = expected.header;
  expect(document.header).toEqual(header);
});

test('cells that need a qualifier have it on every page; without one the export fails and names the argument', async () => {
  const { level, who } = await station();
  startWorker();
  const given = { nodes: [level.nodeId], timeFormat: 'D.M., HH:mm', renderFormat: '#,##0.0' };
  const { exportId } = await ask(who, given);
  await ended(who, exportId);
  const [text = ''] = Object.values(await filesOf(who, exportId));
  expect(text.split('\n').slice(3, -1)).toEqual(
    Array.from({ length: 30 }, (_, n) => `"1.1., 00:${String(n).padStart(2, '0')}",${n}.5`),
  );
  const bare = await ask(who, { ...given, textQualifier: '' });
  expect(await ended(who, bare.exportId)).toMatchObject({
    state: 'FAILED',
    failure: 'textQualifier: must not be empty where a cell holds the delimiter or a line break',
  });
});

test('a series without records is a file with its header', async () => {
  const { level, who } = await station();
  startWorker();
  const { exportId } = await ask(who, { nodes: [level.nodeId], format: 'JTS', startTime: '2030-01-01T00:00:00Z' });
  await ended(who, exportId);
  const [text] = Object.values(await filesOf(who, exportId));
  expect(JSON.parse(text ?? '').data).toEqual([]);
});

test('what a process leaves undone is made by another one, from its beginning', async () => {
  const { level, who } = await station();
  const exports = pgExports(historic.database);
  const { exportId } = await ask(who, { nodes: [level.nodeId] });
  expect(await exports.claim('dead')).toMatchObject({ exportId });
  await exports.saveSegment(exportId, 'dead', { segment: 0, bytes: Buffer.from('half') });
  expect(await exports.claim('other')).toBeUndefined();
  await historic.database.query(`UPDATE exports SET lease_until = now() WHERE export_id = $1`, [exportId]);
  startWorker();
  expect(await ended(who, exportId)).toMatchObject({ state: 'DONE', records: 30 });
  expect(Object.keys(await filesOf(who, exportId))).toHaveLength(1);
  await expect(exports.saveSegment(exportId, 'dead', { segment: 9, bytes: Buffer.from('x') })).rejects.toThrow(
    'taken by',
  );
});

test.each<[string, (signal: AbortSignal) => Promise<never>]>([
  ['is broken off by the end of its process', (signal) => untilAborted(signal)],
  ['finds its store away', () => Promise.reject(unavailable('INFLUX_UNAVAILABLE'))],
])('one that %s is given back, and made later', async (_what, enter) => {
  const { level, who } = await station();
  const { exportId } = await ask(who, { nodes: [level.nodeId] });
  const begun = Promise.withResolvers<void>();
  const queue = {
    enter: ({ signal }: { signal: AbortSignal }) => {
      begun.resolve();
      return enter(signal);
    },
  };
  const read = Object.assign(Object.create(historic.read), { queueOf: async () => queue }) as typeof historic.read;
  const worker = new ExportWorker({ exports: pgExports(historic.database), read, sign: historic.sign, log });
  await begun.promise;
  await worker.stop();
  startWorker();
  expect(await ended(who, exportId)).toMatchObject({ state: 'DONE', records: 30 });
});

test('an export is its user’s own, also of keys that may less', async () => {
  const { level, who } = await station();
  startWorker();
  const { exportId } = await ask(who, { nodes: [level.nodeId] });
  await ended(who, exportId);
  const others: ApiCaller[] = [
    caller(newObjectId(), { userId: who.userId }),
    caller(who.ownerId),
    { ...who, accessLevel: 'LIMITED_WORKSPACES', workspaceIds: [newObjectId()] },
    { ...who, rights: { grants: [{ permissions: ['VIEW'], workspaceIds: [level.workspaceId] }] } },
  ];
  for (const other of others) {
    const call = await callOf(other);
    await expect(getExport(depsOf(), exportId, call)).rejects.toMatchObject({ kind: 'not_found' });
    await expect(deleteExport(depsOf(), exportId, call)).rejects.toMatchObject({ kind: 'not_found' });
    await expect(readExportFile(depsOf(), exportId, call).next()).rejects.toMatchObject({ kind: 'not_found' });
    expect(await listExports(depsOf(), call)).toEqual([]);
  }
  expect(await listExports(depsOf(), await callOf(who))).toHaveLength(1);
  await deleteExport(depsOf(), exportId, await callOf(who));
  await expect(getExport(depsOf(), exportId, await callOf(who))).rejects.toMatchObject({ kind: 'not_found' });
});

test('parameters that are closed to the user are no part of a source', async () => {
  const { source, level, rain } = await station();
  historic.nodes.closed.add(rain.nodeId);
  const grants = [{ permissions: ['VIEW', 'EXPORT_DATA'], workspaceIds: [source.workspaceId] }];
  const who = caller(source.ownerId, { rights: { grants, closedAsOfMs: 1 } });
  const { plan } = await ask(who, { nodes: [source.nodeId] });
  expect(plan.nodeIds).toEqual([level.nodeId]);
});

test('a Group or Workspace stands for all parameters below it, those of closed nodes left out; too many are refused', async () => {
  const { source, level, rain, who } = await station();
  const of = { ownerId: source.ownerId, workspaceId: source.workspaceId };
  const workspace = historic.source({ ...of, class: 'Workspace', name: 'Site', nodeId: source.workspaceId });
  const group = historic.source({ ...of, class: 'Group', name: 'Weirs', parentId: workspace.nodeId });
  const other = historic.source({ ...of, parentId: group.nodeId });
  const flow = historic.child(other, { name: 'Flow', series: { units: 'm3/s' } });
  await historic.write(flow, jts([[T0, { v: 1 }]]));
  await historic.idle();
  startWorker();
  const { exportId } = await ask(who, { nodes: [group.nodeId, level.nodeId, rain.nodeId] });
  expect(await ended(who, exportId)).toMatchObject({ state: 'DONE', records: 41 });
  const names = Object.keys(await filesOf(who, exportId));
  expect(names.sort()).toEqual([
    expect.stringContaining('Flow'),
    expect.stringContaining('Level'),
    expect.stringContaining('Rain'),
  ]);
  for (let n = 0; n < 501; n += 1) historic.child(other, { name: `P${n}` });
  await expect(ask(who, { nodes: [group.nodeId] })).rejects.toMatchObject({ kind: 'invalid_argument' });
});

test('files go after 12 hours, and no account keeps more than ten', async () => {
  const { level, who } = await station();
  startWorker();
  const { exportId } = await ask(who, { nodes: [level.nodeId] });
  await ended(who, exportId);
  for (let n = 1; n < 10; n += 1) await ask(who, { nodes: [level.nodeId] });
  await expect(ask(who, { nodes: [level.nodeId] })).rejects.toMatchObject({ reason: 'TOO_MANY_EXPORTS' });
  await historic.database.query(`UPDATE exports SET ended_time = now() - interval '13 hours' WHERE export_id = $1`, [
    exportId,
  ]);
  await expect(getExport(depsOf(), exportId, await callOf(who))).rejects.toMatchObject({ kind: 'not_found' });
  await pgExports(historic.database).sweep();
  const { rows } = await historic.database.query('SELECT 1 FROM export_segments WHERE export_id = $1', [exportId]);
  expect(rows).toEqual([]);
  await ask(who, { nodes: [level.nodeId] });
});

test('refuses what is no export', async () => {
  const { level, who } = await station();
  const refusal = (body: object) => ask(who, body).then(String, (error: Error) => error.message);
  expect(await refusal({})).toBe('nodes: must name 1 to 500 parameters, Locations or data sources');
  expect(await refusal({ nodes: [level.nodeId], layout: 'ONE' })).toBe(
    'layout: must be one of FILE_PER_PARAMETER, INTERLEAVED',
  );
  expect(await refusal({ nodes: [level.nodeId], delimiter: '' })).toContain('delimiter');
  expect(await refusal({ nodes: [level.nodeId], delimiter: '"' })).toBe('delimiter: must not hold the textQualifier');
  expect(await refusal({ nodes: [level.nodeId], aggregate: 'MAX' })).toBe('aggregate: is no attribute of an export');
  const reader = caller(level.ownerId, {
    rights: { grants: [{ permissions: ['VIEW'], workspaceIds: [level.workspaceId] }] },
  });
  await expect(ask(reader, { nodes: [level.nodeId] })).rejects.toMatchObject({ kind: 'permission_denied' });
});
