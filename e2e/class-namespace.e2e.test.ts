import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { until } from '@catchment/testkit';
import { type Installation, startInstallation } from './src/installation.ts';

// Clients see all classes under another prefix than the default one (CLASS_NAMESPACE).

const run = promisify(execFile);
const NAMESPACE = 'org.example.sensors_2';
const NODE = `${NAMESPACE}.models.node.`;
const DEFAULT = 'io.svc';

let installation: Installation;
beforeAll(async () => {
  installation = await startInstallation({ args: [], env: { CLASS_NAMESPACE: NAMESPACE } });
});
afterAll(() => installation?.stop());

/** Finds every text of an attribute within a document. */
function valuesOf(document: unknown, attribute: string): string[] {
  if (typeof document !== 'object' || document === null) return [];
  return Object.entries(document).flatMap(([name, value]) =>
    name === attribute && typeof value === 'string' ? [value] : valuesOf(value, attribute),
  );
}

test('the demonstration is there, and the three printed commands work as printed', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-commands-'));
  const lines = installation.output().split('\n');
  const commands = lines.map((line) => line.trim()).filter((line) => line.startsWith('curl '));
  expect(commands).toHaveLength(3);
  const outputs: string[] = [];
  for (const command of commands) outputs.push((await run('bash', ['-c', command], { cwd: folder })).stdout);
  expect(JSON.parse(outputs[0] ?? '').length).toBeGreaterThanOrEqual(10);
  expect(JSON.parse(outputs[1] ?? '').data).toHaveLength(5);
  expect((await readFile(path.join(folder, 'chart.png'))).subarray(1, 4).toString()).toBe('PNG');
  await rm(folder, { recursive: true });
  expect(installation.output()).not.toContain(DEFAULT);
});

test.each([
  ['/nodes', 20],
  ['/nodes?type=TREE', 20],
  ['/nodes/@kpc-air-temperature', 5],
  ['/devices', 1],
  ['/events?limit=1000', 10],
  ['/owners/account', 1],
  ['/users/me', 1],
])('GET %s has no other prefix', async (pathAndQuery, atLeast) => {
  // Events are written down a moment after what they say.
  const { text, classes } = await until(
    async () => {
      const { text, json } = await installation.api.get(pathAndQuery);
      const classes = [...valuesOf(json, '_class'), ...valuesOf(json, 'nodeType')];
      return classes.length >= atLeast && { text, classes };
    },
    { what: `${atLeast} classes` },
  );
  expect(classes.filter((name) => !name.startsWith(`${NAMESPACE}.`))).toEqual([]);
  expect(text).not.toContain(DEFAULT);
});

test('classes are found by filters, and those of another prefix are none', async () => {
  const { api } = installation;
  const names = async (filter: string) => (await api.get(`/nodes?attr=name&filter=${filter}`)).json.length;
  expect(await names(`_class($match:${NODE}source.data)`)).toBeGreaterThanOrEqual(3);
  expect(await names(`_class($eq:${NODE}point.NumberPoint)`)).toBeGreaterThanOrEqual(9);
  expect(await names(`_class($match:${DEFAULT})`)).toBe(0);
  expect((await api.get(`/devices?filter=_class($eq:${NAMESPACE}.models.device.ScoutDevice)`)).json).toHaveLength(1);
});

test('nodes are made and changed with the prefix; a refusal names it', async () => {
  const { api } = installation;
  const made = await api.send('POST', '/nodes', { _class: `${NODE}Workspace`, name: 'Prefixed' });
  expect([made.status, made.json]).toMatchObject([201, { _class: `${NODE}Workspace` }]);
  const refused = await api.send('POST', '/nodes', { _class: `${DEFAULT}.models.node.Workspace`, name: 'B' });
  expect([refused.status, refused.json.error.message]).toEqual([400, expect.stringContaining(`${NODE}Workspace`)]);
  expect(refused.text).not.toContain(DEFAULT);
  const chart = { _class: `${NODE}point.chart.ColumnChart` };
  const changed = await api.send('PUT', '/nodes/@kpc-pressure', { chart });
  expect([changed.status, changed.json]).toMatchObject([200, { chart }]);
});

test('the API description has the prefix, and its examples work', async () => {
  const { api, url } = installation;
  const { text, json } = await api.get('/openapi.json');
  expect(text).not.toContain(DEFAULT);
  const { example } = json.paths['/api/v1/nodes'].post.requestBody.content['application/json'];
  expect((await api.send('POST', '/nodes', example)).status).toBe(201);
  for (const page of ['/', '/docs/', '/auth/login'])
    expect(await (await fetch(`${url}${page}`)).text()).not.toContain(DEFAULT);
});

test('what is written is read back', async () => {
  const { api } = installation;
  await api.send('PUT', '/nodes/@dead-run-stage/historic/now', { value: 9.5, timestamp: '2030-01-01T00:00:00Z' });
  const node = await until(async () => {
    const { json } = await api.get('/nodes/@dead-run-stage');
    return json.currentValue === 9.5 && json;
  });
  expect(node.states[0]._class).toBe(`${NODE}point.PointState`);
});
