import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { readPdf, removeDataFolder, temporaryDataFolder, until } from '@catchment/testkit';
import { type DataSource, type Frame, framesOf, rowCount } from './src/grafana/infinity.ts';
import { chosenOf, dashboardOf, dataSourceWith } from './src/grafana/kit.ts';
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

// Each request of the kit is sent as Infinity sends it, with a key that only reads (deploy/grafana, docs/grafana.md).
describe('the Grafana kit', () => {
  const FLOODS = { from: '2018-06-01T00:00:00.000Z', to: '2018-06-14T12:30:15.250Z' };
  const today = () => ({
    from: new Date(Date.now() - 86_400_000).toISOString(),
    to: new Date(Date.now() + 60_000).toISOString(),
  });
  const RIVER = { workspace: 'Maryland rivers', site: 'Dead Run at Franklintown' };
  let source: DataSource;

  beforeAll(async () => {
    const { api, url } = installation;
    const about = { label: 'Grafana', permission: 'READ_ONLY', accessLevel: 'WORKSPACES' };
    const { key } = (await api.post('/owners/account/apikeys', about)).json;
    source = await dataSourceWith({ CATCHMENT_URL: url, CATCHMENT_KEY: key });
    // The records of June 2018 lack these: a note, an alarm that lasts, one that is acknowledged, a warning, a battery
    // of the gauge.
    const parentId = (await api.get('/nodes/@dead-run-gauge')).json._id;
    const states = [{ name: 'LOW', threshold: 11, isAlarm: true }, { name: 'NORMAL' }];
    const alarms = { qualityAlarm: { config: { isEnabled: true } } };
    const battery = { _class: 'io.svc.models.node.point.NumberPoint', name: 'Battery', parentId, units: 'V', states };
    const { _id } = await api.create(battery);
    expect((await api.put(`/nodes/${_id}`, { alarms })).status).toBe(200);
    for (const record of [
      { value: 10.5, timestamp: '2018-06-05T00:00:00Z', annotation: 'cells, to be changed' },
      { value: 10.4, quality: 158, timestamp: '2018-06-06T00:00:00Z' },
    ])
      expect((await api.put(`/nodes/${_id}/historic/now`, record)).status).toBe(202);
    const raisedOf = async () => (await api.get(`/alarms?nodeId=${_id}`)).json.alarms as { alarmType: string }[];
    await until(async () => (await raisedOf()).length === 2);
    expect((await api.post(`/nodes/${_id}/alarms/acknowledge?alarmTypes=qualityAlarm`)).status).toBe(202);
    await until(async () => (await api.get('/alarms?state=ACKNOWLEDGED')).json.alarms.length > 0);
    await until(async () =>
      (await api.get('/devices')).json.some((device: { isConnected: boolean }) => device.isConnected),
    );
    await until(async () =>
      (await api.get(`/nodes/${_id}/events`)).json.some((event: { level: string }) => event.level === 'WARNING'),
    );
  });

  /** These may be empty: nothing is wrong with the demonstration. */
  const MAY_BE_EMPTY = ['Late', 'Not reached', 'With wrong data', 'With too much data'];

  test.each([
    ['site', RIVER, () => FLOODS],
    ['alarms', { workspace: RIVER.workspace, parameter: 'Gage height' }, () => FLOODS],
    ['alarms', { parameter: 'Gage height' }, () => FLOODS],
    ['fleet', {}, today],
    ['fleet', { workspace: RIVER.workspace }, () => FLOODS],
  ] as const)('every variable, panel and annotation of %s with %o has an answer', async (name, wanted, rangeOf) => {
    const range = rangeOf();
    const board = await dashboardOf(name);
    const { scope, options } = await chosenOf(board, source, range, wanted);
    for (const [variable, offered] of Object.entries(options)) expect([variable, offered.length]).not.toContain(0);
    const empty: string[] = [];
    const asked = [
      ...board.annotations.list.map(({ name: title, target }) => ({ title, targets: [target] })),
      ...board.panels,
    ];
    for (const { title, targets } of asked)
      for (const target of targets) {
        const frame = await framesOf(target, source, scope, range);
        if (rowCount(frame) === 0) empty.push(title);
        else expect(Object.keys(frame).sort()).toEqual(target.columns.map(({ text }) => text).sort());
      }
    // The gauge has no device, and nothing happened to it in 2018 that people were warned of.
    const ofWorkspace = name === 'fleet' && 'workspace' in wanted ? ['Connected devices', 'Devices', 'Trouble'] : [];
    expect(empty.filter((title) => ![...MAY_BE_EMPTY, ...ofWorkspace].includes(title))).toEqual([]);
  });

  const annotationsOf = async (name: string, wanted: Record<string, string>): Promise<Record<string, Frame>> => {
    const board = await dashboardOf(name);
    const { scope } = await chosenOf(board, source, FLOODS, wanted);
    const frames = board.annotations.list.map(
      async ({ name: title, target }) => [title, await framesOf(target, source, scope, FLOODS)] as const,
    );
    return Object.fromEntries(await Promise.all(frames));
  };

  test('alarms are annotations from their beginning to their end, notes of records are points', async () => {
    const { Alarms: alarms = {}, 'Notes of records': notes = {} } = await annotationsOf('site', RIVER);
    const flood = (alarms.text ?? []).findIndex((message) => String(message).endsWith(' to FLOOD'));
    const [begin, end] = [alarms.time?.[flood], alarms.timeEnd?.[flood]] as number[];
    expect([alarms.tags?.[flood], Number(begin) < Number(end)]).toEqual(['stateAlarm', true]);
    const { data } = (
      await installation.api.get(`/nodes/@dead-run-stage/historic?startTime=${iso(begin)}&endTime=${iso(end)}`)
    ).json;
    // FLOOD is 4 ft: it began there, and at its end the water was below.
    expect([data[0].f[0].v >= 4, data.at(-1).f[0].v < 4]).toEqual([true, true]);
    expect(
      alarms.timeEnd?.[(alarms.text ?? []).findIndex((message) => String(message).endsWith(' to LOW'))],
    ).toBeNull();
    expect(notes).toEqual({
      time: [Date.parse('2018-06-05T00:00:00Z')],
      text: ['cells, to be changed'],
      tags: ['Battery'],
    });
  });
  const iso = (ms: number | undefined) => new Date(ms ?? Number.NaN).toISOString();

  test('a curve has the records of each parameter, one for each name and unit', async () => {
    const board = await dashboardOf('site');
    const { scope } = await chosenOf(board, source, FLOODS, RIVER);
    const panel = board.panels.find(({ repeat }) => repeat === 'parameter');
    const [target] = panel?.targets ?? [];
    if (!target) throw new Error('no panel is repeated');
    for (const parameter of scope.parameter ?? []) {
      const frame = await framesOf(target, source, { ...scope, parameter: [parameter] }, FLOODS);
      expect([...new Set(frame.name)]).toEqual([parameter.text]);
      expect([...new Set(frame.node)]).toEqual([parameter.value]);
    }
    expect(scope.parameter?.map(({ text }) => text)).toEqual(['Battery', 'Discharge', 'Gage height']);
  });

  test('the data source without a key, or with a wrong one, says so', async () => {
    const { target } = (await dashboardOf('site')).annotations.list[0] ?? {};
    if (!target) throw new Error('no annotation');
    const asked = async (env: Record<string, string>) =>
      framesOf(target, await dataSourceWith({ CATCHMENT_URL: installation.url, ...env }), { parameter: [] }, FLOODS);
    await expect(asked({})).rejects.toThrow('invalid or empty API key');
    await expect(asked({ CATCHMENT_KEY: 'no-key' })).rejects.toThrow('unsuccessful HTTP response: 401');
    const { url, jsonData } = source;
    const health = await fetch(jsonData.customHealthCheckUrl, {
      headers: { 'X-Api-Key': source.secureJsonData.apiKeyValue },
    });
    expect([jsonData.customHealthCheckUrl.startsWith(url), health.status]).toEqual([true, 200]);
  });
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
