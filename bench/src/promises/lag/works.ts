import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'undici';
import { type Api, apiOf } from '../../api.ts';
import { FIRST_MS, STEP_MS, value } from '../../floors/influx-floor.ts';
import type { Installation } from '../../installation.ts';
import { clientOf } from '../../loads/flood.ts';
import { nodeIdOf, type SeededAccount, seedFlood, seedList } from '../../loads/node-data.ts';
import { loadSeries, YEAR_RECORDS } from '../../loads/read-data.ts';
import { makeSource, sendFile, untilStored, writeToa5 } from '../../writes/measure-files.ts';

/** The processes compute much for such a long piece of work. */
export type Work = { readonly name: string; readonly run: () => Promise<unknown> };

const MODEL = 'io.svc.models.node';
const FILE_BYTES = 100_000_000;
const BODY_BYTES = 5 * 1024 * 1024 - 10_000;
const ROWS = 50_000;
const LIMIT_MS = 600_000;
const LOOK_EVERY_MS = 250;
const YEAR = { firstMs: FIRST_MS, records: YEAR_RECORDS, stepMs: STEP_MS };
const CLONED = 1;
const LOGINS = 16;

/** @param scale share of the file's size */
export async function preparedWorks(installation: Installation, scale: number): Promise<Work[]> {
  const api = apiOf(installation);
  const yearId = await loadSeries(installation, { name: 'Year', ...YEAR });
  const many = await seedList(installation);
  const { quiet: tree } = await seedFlood(installation);
  const pool = clientOf(installation, 4);
  const withKey = request(pool, installation.key);
  return [
    file(installation, api, FILE_BYTES * scale),
    ...(await documents(api, withKey)),
    ...lists(request(pool, many.key), request(pool, tree.key)),
    ...reads(withKey, yearId),
    exported(api, yearId),
    await report(api, withKey, yearId),
    judgedAnew(api, yearId),
    signIns(installation),
    ...changes(request(pool, many.key), many),
  ];
}

type Ask = (method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: string) => Promise<void>;

/** Takes the whole answer and throws it away. */
const request =
  (pool: Pool, key: string): Ask =>
  async (method, where, body) => {
    const headers = { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const answer = await pool.request({ method, path: `/api/v1${where}`, headers, body: body ?? null });
    if (answer.statusCode >= 400)
      throw new Error(
        `${method} ${where} was answered ${answer.statusCode}: ${(await answer.body.text()).slice(0, 300)}`,
      );
    await answer.body.dump({ limit: Number.MAX_SAFE_INTEGER });
  };

const file = (installation: Installation, api: Api, bytes: number): Work => ({
  name: `a TOA5 file of ${Math.round(bytes / 1e6)} MB`,
  run: async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-bench-lag-'));
    try {
      const written = await writeToa5(path.join(folder, 'table.dat.gz'), bytes, 0);
      const source = await makeSource(api);
      await sendFile(installation, source, written.name);
      await untilStored(api, source.id, written.rows);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
});

/** Makes bodies as large as they may be. */
async function documents(api: Api, ask: Ask): Promise<Work[]> {
  const create = async (body: object) => (await api<{ _id: string }>('POST', '/nodes', body))._id;
  const workspace = await create({ _class: `${MODEL}.Workspace`, name: `Documents ${Date.now()}` });
  const parentId = await create({ _class: `${MODEL}.location.Location`, name: 'Site', parentId: workspace });
  const document = async (columns: number): Promise<Work> => {
    const id = await create({ _class: `${MODEL}.source.data.Jts`, name: `Columns ${columns}`, parentId });
    return {
      name: `a document of 5 MiB or 50 000 records, ${columns} columns`,
      run: () => ask('PUT', `/nodes/${id}/historic`, documentOf(columns)),
    };
  };
  return [await document(2), await document(10), await document(100)];
}

function documentOf(columns: number): string {
  const header = Object.fromEntries(
    Array.from({ length: columns }, (_, c) => [c, { series: `c${c}`, dataType: 'NUMBER' }]),
  );
  let text = `{"docType":"jts","version":"1.0","header":${JSON.stringify({ columns: header })},"data":[`;
  for (let row = 0; ; row += 1) {
    const f = Object.fromEntries(Array.from({ length: columns }, (_, c) => [c, { v: value(row + c) }]));
    const line = JSON.stringify({ ts: new Date(FIRST_MS + row * STEP_MS).toISOString(), f });
    if (text.length + line.length > BODY_BYTES || row === ROWS) return `${text}]}`;
    text += `${row > 0 ? ',' : ''}${line}`;
  }
}

const lists = (ask: Ask, askForTree: Ask): Work[] => [
  { name: 'a list of 50 000 nodes', run: () => ask('GET', '/nodes') },
  { name: 'a tree of 4 999 nodes', run: () => askForTree('GET', '/nodes?type=TREE') },
  {
    name: 'a list of 50 000 nodes, sorted and cut to three attributes',
    run: () => ask('GET', '/nodes?attr=_id,name,currentValue&sort=-currentValue'),
  },
];

function reads(ask: Ask, id: string): Work[] {
  const range = `startTime=${iso(0)}&endTime=${iso(YEAR_RECORDS - 1)}`;
  const read = (name: string, more: string) => ({
    name: `${name} of a year of minutes`,
    run: () => ask('GET', `/nodes/${id}/historic?${range}${more}`),
  });
  const aggregate = (kind: string, interval: string) =>
    read(`${kind} by ${interval}`, `&aggregate=${kind}&baseTime=D&interval=${interval}`);
  return [
    read('JSON', ''),
    read('CSV', '&format=CSV'),
    read('M4', '&reduce=M4&width=1200'),
    aggregate('AVERAGE', '1H'),
    aggregate('MEDIAN', '1H'),
    aggregate('INTERPOLATED', '1H'),
    aggregate('CHANGE', '1D'),
    {
      name: 'a chart of a year of minutes',
      run: () => ask('GET', `/nodes/${id}/historic/chart?${range}&format=PNG&width=1200&height=800`),
    },
    {
      name: 'a chart as large as it may be',
      run: () => ask('GET', `/nodes/${id}/historic/chart?${range}&format=JPG&width=4000&height=4000&scale=4`),
    },
  ];
}

const iso = (record: number): string => new Date(FIRST_MS + record * STEP_MS).toISOString();

const exported = (api: Api, id: string): Work => ({
  name: 'an export of a year of minutes',
  run: async () => {
    const { export: made } = await api<{ export: { _id: string } }>('POST', '/exports', { nodes: [id] });
    await until(async () => (await api<{ state: string }>('GET', `/exports/${made._id}`)).state === 'DONE');
  },
});

async function report(api: Api, ask: Ask, nodeId: string): Promise<Work> {
  const { workspaceId } = await api<{ workspaceId: string }>('GET', `/nodes/${nodeId}`);
  const image = { type: 'IMAGE', x: 40, width: 500, source: '{{ Level.image }}' };
  const { _id } = await api<{ _id: string }>('POST', '/nodes', {
    _class: `${MODEL}.Report`,
    name: 'Yearly',
    parentId: workspaceId,
    links: [{ nodeId, name: 'Level' }],
    template: {
      elements: [
        { ...image, y: 60, height: 250 },
        { ...image, y: 320, height: 200 },
      ],
    },
  });
  return { name: 'a report', run: () => ask('GET', `/nodes/${_id}/report?nowTime=${iso(YEAR_RECORDS - 1)}`) };
}

const judgedAnew = (api: Api, id: string): Work => ({
  name: 'a year of minutes judged by other states',
  run: async () => {
    const states = [{ name: 'NORMAL' }, { name: 'High', threshold: 1, isAlarm: true }];
    await api('PUT', `/nodes/${id}`, { statesType: 'RANGE', hysteresis: 0, states });
    await delay(10_000);
  },
});

/** People who do not exist sign in: each attempt costs what a right one costs. */
const signIns = ({ url }: Installation): Work => ({
  name: `${LOGINS} people sign in`,
  run: () =>
    Promise.all(
      Array.from({ length: LOGINS }, async (_, n) => {
        const body = new URLSearchParams({ email: `nobody${n}@example.org`, password: 'not the right one' });
        const answer = await fetch(`${url}/auth/login`, { method: 'POST', body, redirect: 'manual' });
        await answer.arrayBuffer();
      }),
    ),
});

const changes = (ask: Ask, many: SeededAccount): Work[] => [
  {
    name: 'a copy of 1 000 nodes',
    run: () =>
      ask(
        'POST',
        `/nodes/${nodeIdOf(many, CLONED)}/clone`,
        JSON.stringify({ parentId: nodeIdOf(many, 0), name: 'Copy' }),
      ),
  },
  { name: 'the deletion of 50 000 nodes', run: () => ask('DELETE', `/nodes/${nodeIdOf(many, 0)}`) },
];

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error('it did not come in time');
    await delay(LOOK_EVERY_MS);
  }
}
