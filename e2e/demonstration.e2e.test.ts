import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { readPdf, removeDataFolder, temporaryDataFolder, until } from '@catchment/testkit';
import { type Installation, runCatchment, startInstallation } from './src/installation.ts';

const run = promisify(execFile);
let dataDir: string;
let installation: Installation;

beforeAll(async () => {
  dataDir = await temporaryDataFolder();
  installation = await startInstallation({ args: [], dataDir, keepData: true });
});
afterAll(async () => {
  await installation?.stop();
  await removeDataFolder(dataDir);
});

test('the three printed commands work as printed', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-commands-'));
  const commands = installation
    .output()
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('curl '));
  expect(commands).toHaveLength(3);
  const outputs = [];
  for (const command of commands) outputs.push((await run('bash', ['-c', command], { cwd: folder })).stdout);
  expect(JSON.parse(outputs[0] ?? '').length).toBeGreaterThanOrEqual(10);
  expect(JSON.parse(outputs[1] ?? '').data).toHaveLength(5);
  const picture = await readFile(path.join(folder, 'chart.png'));
  expect(picture.subarray(1, 4).toString()).toBe('PNG');
  await rm(folder, { recursive: true });
});

test('the real data is there, with an alarm that occurred in it', async () => {
  const { api } = installation;
  const august = 'startTime=2016-08-01T00:00:00Z&endTime=2016-09-01T00:00:00Z';
  const read = await until(async () => {
    const { json } = await api.get(`/nodes/@kpc-air-temperature/historic?${august}`);
    return json.header.recordCount === 4464 && json;
  });
  expect(read.data[0]).toEqual({ ts: '2016-08-01T00:00:00.000Z', f: { 0: { v: 4.2 } } });
  const messages = await until(async () => {
    const events = (await api.get('/nodes/@kpc-air-temperature/events?limit=10000')).json;
    const raised = events.filter((event: { alarmState: string }) => event.alarmState === 'ACTIVE');
    return raised.length > 0 && raised.map((event: { message: string }) => event.message);
  });
  expect(messages[0]).toMatch(/^State changed from \w+ to STRONG MELT$/);
});

test('dashboards are public where the start says, live values first, none of years ago; a report shows the flood', async () => {
  const { api, url } = installation;
  const pages = installation.output().match(/http\S+\/public\/dash\/[a-z0-9]{15}/g) ?? [];
  expect(pages).toHaveLength(2);
  const views = await Promise.all(pages.map(async (page) => (await fetch(`${page}/view`)).json()));
  const [tank, weather] = views as { name: string; tiles: { content: { type: string; imageUrl?: string } }[] }[];
  expect([tank?.name, weather?.name]).toEqual(['Tank farm, live', 'Ice-sheet weather']);
  for (const [, time = ''] of JSON.stringify(views).matchAll(/"time":"([^"]+)"/g))
    expect(Date.now() - Date.parse(time)).toBeLessThan(3_600_000);
  // The tank has six hours to show at once.
  const first = await api.get('/nodes/@tank-level/historic?startTime=NOW-5H&limit=1');
  expect(first.json.data).toHaveLength(1);
  expect(Date.now() - Date.parse(first.json.data[0].ts)).toBeGreaterThan(4 * 3_600_000);
  const rose = weather?.tiles.find(({ content }) => content.type === 'CUSTOM_CHART')?.content.imageUrl;
  const drawn = await fetch(`${url}${rose}?width=500&height=400`);
  expect([drawn.status, await drawn.text()]).toEqual([200, expect.stringContaining('NNW')]);
  const { bytes } = await api.get('/nodes/@dead-run-report/report');
  const { pages: sheets } = await readPdf(bytes);
  expect(sheets).toHaveLength(1);
  for (const words of ['Floods of June 2018', 'Stage (ft)', 'Jun']) expect(sheets[0]).toContain(words);
  expect(sheets[0]).not.toContain('No data');
});

test('the dew point is computed from temperature and humidity', async () => {
  const { api } = installation;
  const hour = 'startTime=2016-08-01T00:00:00Z&endTime=2016-09-01T00:00:00Z&limit=5000&renderFormat=';
  const [dew, air, humidity] = await until(async () => {
    const reads = ['kpc-dew-point', 'kpc-air-temperature', 'kpc-humidity'].map(
      async (customId) => (await api.get(`/nodes/@${customId}/historic?${hour}`)).json.data as Row[],
    );
    const [computed, ...inputs] = await Promise.all(reads);
    return computed?.length === 4464 && [computed, ...inputs];
  });
  type Row = { ts: string; f: { 0: { v: number } } };
  for (const [i, { ts, f }] of (dew ?? []).entries()) {
    const [t, rh] = [air?.[i]?.f[0].v ?? 0, humidity?.[i]?.f[0].v ?? 0];
    const gamma = Math.log(rh / 100) + (17.62 * t) / (243.12 + t);
    expect([ts, f[0].v]).toEqual([air?.[i]?.ts, expect.closeTo((243.12 * gamma) / (17.62 - gamma), 9)]);
  }
});

test('the quality code of the gauge counts as good, so its records are in aggregates', async () => {
  const { api } = installation;
  const week = 'startTime=2018-06-04&endTime=2018-06-11&aggregate=MAX&baseTime=D&interval=1D';
  const { data } = (await api.get(`/nodes/@dead-run-stage/historic?${week}`)).json;
  expect(data).toHaveLength(7);
  for (const { f } of data) expect(f[0]).toEqual({ v: expect.any(Number) });
});

test('the simulated modem is connected and its readings arrive', async () => {
  const { api } = installation;
  await until(async () =>
    (await api.get('/devices')).json.some((device: { isConnected: boolean }) => device.isConnected),
  );
  const source = (await api.get('/nodes/@tank-modem')).json._id;
  await until(async () =>
    (await api.get('/nodes')).json.some(
      (node: { parentId?: string; currentTime?: string }) => node.parentId === source && node.currentTime,
    ),
  );
});

test('a later start keeps the data and the key', async () => {
  const { key } = installation.api;
  await installation.stop();
  installation = await startInstallation({ args: [], dataDir, keepData: true });
  expect(installation.api.key).toBe(key);
  expect((await installation.api.get('/nodes/@dead-run-stage/historic?limit=1')).json.header.recordCount).toBe(1);
});

test.each([
  [['--help'], ['start', 'account', 'simulate']],
  [
    ['start', '--help'],
    ['--fresh', '--no-demo', '--port', '--host'],
  ],
  [
    ['account', 'create', '--help'],
    ['--name', '--email'],
  ],
  ...['modem', 'fleet', 'logger', 'mqtt'].map((what): [string[], string[]] => [
    ['simulate', what, '--help'],
    ['--file', '--drops', '--duplicates', '--clock-jumps'],
  ]),
])('catchment %s says what there is', async (args, words) => {
  const { code, output } = await runCatchment(args);
  expect(code).toBe(0);
  for (const word of words) expect(output).toContain(word);
});

test('a second start with the same data is refused and says where the first one is', async () => {
  const { code, output } = await runCatchment(['start', '--data-dir', dataDir]);
  expect([code, output]).toEqual([1, expect.stringContaining(`runs already at ${installation.url}`)]);
});
