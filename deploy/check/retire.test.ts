import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';

const SCRIPT = path.join(import.meta.dirname, '../chart/catchment/files/retire.mjs');
const TOKEN = 'token-of-the-pod';

type Answer = { readonly status: number; readonly body?: object };

/** A Deployment of one pod that is there from its n-th look on. */
const deployment = (isReady: boolean): object => {
  const count = isReady ? 1 : 0;
  const status = { observedGeneration: 2, replicas: 1, updatedReplicas: 1, readyReplicas: count };
  return { metadata: { generation: 2 }, spec: { replicas: 1 }, status };
};

/** As much of the API of Kubernetes as the hook asks, with what was asked. */
async function kubernetes(answer: (request: string, time: number) => Answer) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const name = `${request.method} ${request.url?.split('/').at(-1)}`;
    asked.push(name);
    const isKnown = request.headers.authorization === `Bearer ${TOKEN}`;
    const { status, body = {} } = isKnown ? answer(name, asked.filter((one) => one === name).length) : { status: 401 };
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    asked,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'retire-'));
  await writeFile(path.join(folder, 'token'), `${TOKEN}\n`);
});
afterAll(() => rm(folder, { recursive: true }));

async function retire(url: string): Promise<{ status: number | null; said: string }> {
  const env = {
    ...{ API_URL: url, TOKEN_FILE: path.join(folder, 'token'), PAUSE_MS: '5', NAMESPACE: 'water' },
    ...{ NEW_DEPLOYMENTS: 'core front', OLD_DEPLOYMENTS: 'nodes gateway' },
  };
  const child = spawn(process.execPath, [SCRIPT], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [said, error] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { status: await exited, said: said + error };
}

test('the old Deployments go when all pods of the new ones are ready, however often it has to look', async () => {
  await using api = await kubernetes((request, time) => {
    if (request === 'GET core') return { status: 200, body: deployment(time > 2) };
    if (request === 'GET front') return time === 1 ? { status: 503 } : { status: 200, body: deployment(true) };
    // One is gone already.
    return { status: request === 'DELETE nodes' ? 200 : 404 };
  });
  expect(await retire(api.url)).toMatchObject({ status: 0 });
  const looks = ['GET core', 'GET core', 'GET core', 'GET front', 'GET front'];
  expect(api.asked).toEqual([...looks, 'DELETE nodes', 'DELETE gateway']);
});

test.each([
  ['whose spec the cluster has not looked at', { metadata: { generation: 3 } }],
  [
    'that has pods of the version before',
    { status: { observedGeneration: 2, replicas: 2, updatedReplicas: 1, readyReplicas: 2 } },
  ],
])('a new Deployment %s is not ready', async (_what, state) => {
  await using api = await kubernetes((request, time) => {
    return { status: 200, body: { ...deployment(true), ...(request === 'GET core' && time === 1 && state) } };
  });
  await retire(api.url);
  expect(api.asked.filter((request) => request === 'GET core')).toHaveLength(2);
});

test('without the right it fails and says what it was refused', async () => {
  await using api = await kubernetes(() => ({ status: 403 }));
  const { status, said } = await retire(api.url);
  expect(status).toBe(1);
  expect(said).toContain('GET core: 403');
  expect(api.asked).toEqual(['GET core']);
});
