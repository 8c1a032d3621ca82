// Much work of one account at once: all of it is answered, other accounts hardly notice, and the services stay within their memory.

import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { amount } from '@catchment/testkit';
import type { Answer, Api } from './src/api.ts';
import type { Installation } from './src/installation.ts';
import { borrowInstallation } from './src/lent-installation.ts';

const MODEL = 'io.svc.models.node';
const AT_ONCE = amount(32, 256);
/** Generous: the chart gives nodes 512 MiB and render 2 GiB. */
const MOST_MIB = { nodes: 450, historic: 900, render: 1_400, gateway: 700 };

let installation: Installation;
beforeAll(async () => {
  installation = await borrowInstallation('each', { fresh: Object.keys(MOST_MIB) });
});
afterAll(() => installation?.stop());

/** Retries after a 503 as a client does: under load the time of a queue or of a call may end before its turn comes. */
async function inTheEnd(send: () => Promise<Answer>): Promise<Answer> {
  const answer = await send();
  return answer.status === 503 ? inTheEnd(send) : answer;
}

async function create(api: Api, cls: string, name: string, parentId?: string): Promise<string> {
  const body = { _class: `${MODEL}.${cls}`, name, ...(parentId && { parentId }) };
  const answer = await inTheEnd(() => api.post('/nodes', body));
  expect(answer).toMatchObject({ status: 201 });
  return answer.json._id;
}

/** Makes a document that makes its parameter, with one record. */
const document = (value: number, columns = 1) => ({
  docType: 'jts',
  version: '1.0',
  header: {
    columns: Object.fromEntries(Array.from({ length: columns }, (_, n) => [n, { name: `Level ${n}`, units: 'm' }])),
  },
  data: [
    { ts: '2024-01-01T00:00:00Z', f: Object.fromEntries(Array.from({ length: columns }, (_, n) => [n, { v: value }])) },
  ],
});

test(`${AT_ONCE} connections that make a source each, and then write to it, are all answered`, async () => {
  const { api } = installation;
  const site = await create(api, 'Workspace', 'Many');
  const location = await create(api, 'location.Location', 'Station', site);
  const sources = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, n) => create(api, 'source.data.Jts', `Logger ${n}`, location)),
  );
  const answers = await Promise.all(
    sources.map((id, n) => inTheEnd(() => api.put(`/nodes/${id}/historic`, document(n)))),
  );
  expect(answers.filter(({ status }) => status !== 202).map(({ status, text }) => [status, text])).toEqual([]);
  const { json } = await api.get(`/nodes?filter=_class($match:point)&attr=name`);
  expect(json.length).toBe(AT_ONCE);
});

test('a flood of trees, lists, charts and clones of one account leaves another’s requests alone', async () => {
  const { api: flooding } = installation;
  const other = await installation.otherAccount();
  const pids = await installation.pids();
  const site = await create(flooding, 'Workspace', 'Flood');
  const location = await create(flooding, 'location.Location', 'Station', site);
  const source = await create(flooding, 'source.data.Jts', 'Logger', location);
  expect(await flooding.put(`/nodes/${source}/historic`, document(1, 100))).toMatchObject({ status: 202 });
  const [point] = (await flooding.get(`/nodes?filter=_class($match:point),parentId($eq:${source})&limit=1`)).json;
  await create(other, 'Workspace', 'Quiet');

  const peaks: Record<string, number> = {};
  let isFlooding = true;
  const watching = (async () => {
    for (; isFlooding; await delay(100))
      for (const [name, pid] of Object.entries(pids)) {
        const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
        peaks[name] = Math.max(peaks[name] ?? 0, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
      }
  })();
  const range = 'startTime=2024-01-01T00:00:00Z&endTime=2024-01-02T00:00:00Z';
  const flood = [
    ...Array.from({ length: amount(20, 60) }, () => flooding.get('/nodes?type=TREE')),
    ...Array.from({ length: amount(20, 60) }, () => flooding.get('/nodes')),
    ...Array.from({ length: 3 }, () =>
      flooding.get(`/nodes/${point._id}/historic/chart?${range}&format=JPG&width=4000&height=4000&scale=4`),
    ),
    ...Array.from({ length: 6 }, (_, n) =>
      flooding.post(`/nodes/${location}/clone`, { parentId: site, name: `Copy ${n}` }),
    ),
  ];
  const quiet = [];
  for (let n = 0; n < 10; n += 1) quiet.push(await other.get('/nodes?type=TREE'));
  const answers = await Promise.all(flood);
  isFlooding = false;
  await watching;
  expect(new Set(quiet.map(({ status }) => status))).toEqual(new Set([200]));
  // A slow request may be refused as 503 or 413; none fails, and each has an answer.
  expect(answers.filter(({ status }) => ![200, 201, 413, 503].includes(status)).map(({ text }) => text)).toEqual([]);
  const over = Object.entries(MOST_MIB).filter(([name, most]) => (peaks[name] ?? Number.NaN) > most);
  expect(over.map(([name]) => `${name}: ${peaks[name]} MiB`)).toEqual([]);
});
