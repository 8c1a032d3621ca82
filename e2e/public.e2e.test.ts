// Browsers and programs get public pages by their links alone, live, and nothing but what they show (docs/reference/public-pages.md).
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openEventStream, until } from '@catchment/testkit';
import { type Api, MODEL, unique } from './src/api.ts';
import { type Installation, startInstallation } from './src/installation.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==',
  'base64',
);
const HOSTILE = '</script><img src=x onerror=alert(1)>';
const START_MS = Date.UTC(2024, 0, 1);
const MINUTES = 5_000;
const SPIKE = 3_333;

type Node = { _id: string; [attribute: string]: unknown };
type Tile = { id: string; alarm: string | null; content: Record<string, never> & { type: string } };

let installation: Installation;
let api: Api;
let webRoot: string;
let site: { workspaceId: string; locationId: string; sourceId: string };
let level: Node;
let flow: Node;
let dash: Node;

beforeAll(async () => {
  webRoot = await mkdtemp(path.join(tmpdir(), 'catchment-web-'));
  await mkdir(path.join(webRoot, '.vite'));
  const manifest = { 'src/main.tsx': { file: 'assets/main.js', isEntry: true } };
  await writeFile(path.join(webRoot, '.vite/manifest.json'), JSON.stringify(manifest));
  installation = await startInstallation({ args: ['--no-demo'], env: { WEB_ROOT: webRoot } });
  api = installation.api;
  site = await api.createSite();
  const point = (name: string, more: object = {}) =>
    api.create({ _class: `${MODEL}.point.NumberPoint`, name, parentId: site.sourceId, ...more });
  level = await point('Level', {
    units: 'm',
    format: '0.00',
    isPublic: true,
    statesType: 'RANGE',
    states: [{ name: 'NORMAL' }, { name: 'HIGH', threshold: 500, isAlarm: true }],
  });
  flow = await point('Flow');
  const data = Array.from({ length: MINUTES }, (_, i) => ({
    ts: new Date(START_MS + i * 60_000).toISOString(),
    f: { 0: { v: i === SPIKE ? 100 : i % 7 } },
  }));
  const written = await api.put(`/nodes/${level._id}/historic`, {
    docType: 'jts',
    version: '1.0',
    header: { columns: { 0: { id: level._id } } },
    data,
  });
  expect(written.status).toBe(202);
  await until(async () => (await api.get(`/nodes/${level._id}?attr=currentValue`)).json.currentValue !== undefined);
  const chart = await api.create({
    _class: `${MODEL}.chart.HistoricChart`,
    name: 'Lines',
    parentId: site.workspaceId,
    isPublic: true,
    startRange: '2024-01-01T00:00:00Z',
    endRange: '2024-01-04T00:00:00Z',
    yAxes: [{ name: 'Level' }],
    links: [{ nodeId: level._id }, { nodeId: flow._id }],
  });
  const picture = await api.upload(site.locationId, PNG, 'site.png');
  const tile = (type: string, y: number, links: readonly string[], config: object = {}, more: object = {}) => ({
    type,
    x: 0,
    y,
    w: 6,
    h: 2,
    config,
    links: links.map((nodeId) => ({ nodeId })),
    ...more,
  });
  dash = await api.create({
    _class: `${MODEL}.Dashboard`,
    name: 'River',
    parentId: site.workspaceId,
    isPublic: true,
    tiles: [
      tile('VALUE', 0, [level._id], {}, { label: HOSTILE, showAlarms: true }),
      tile('VALUE_LIST', 2, [level._id, flow._id]),
      tile('STANDARD_CHART', 4, [level._id, flow._id], { period: 'LAST-30D' }),
      tile('HISTORIC_TABLE', 6, [level._id], { period: 'LAST-30D' }),
      tile('CUSTOM_CHART', 8, [chart._id]),
      // The event of a state has the time of its record.
      tile('ALARM_SUMMARY', 10, [site.workspaceId], { period: 'NOW-20Y' }),
      tile('LOCATION_MAP', 12, [site.locationId]),
      tile('ATTACHMENT_IMAGE', 14, [picture._id]),
      tile('SOLID_GAUGE', 16, [level._id], { minimum: 0, maximum: 10 }),
      tile('STATIC_TEXT', 18, [], { content: `${HOSTILE} of {{ WORKSPACE._class }}` }),
    ],
  });
});
afterAll(async () => {
  await installation?.stop();
  await rm(webRoot, { recursive: true, force: true });
});

const link = (kind: string, node: Node, rest = ''): string =>
  `${installation.url}/public/${kind}/${node.publicId}${rest}`;
const statusOf = async (url: string, accept = '*/*') => (await fetch(url, { headers: { accept } })).status;
const viewOf = async (node: Node = dash) =>
  (await (await fetch(link('dash', node, '/view'))).json()) as { tiles: Tile[] };
const tileOf = async (type: string): Promise<Tile> =>
  (await viewOf()).tiles.find(({ content }) => content.type === type) as Tile;
/** Looks below the tile of a type. */
const ofTile = async (type: string, what: string) =>
  fetch(link('dash', dash, `/tiles/${(await tileOf(type)).id}/${what}`));

test('the page is there without a key, and begins nothing that a text has', async () => {
  const answer = await fetch(link('dash', dash));
  const html = await answer.text();
  expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null]);
  expect(html).not.toContain('<img');
  expect(html.match(/<script/g)).toHaveLength(2);
  expect(await tileOf('STATIC_TEXT')).toMatchObject({ content: { text: `${HOSTILE} of ${MODEL}.Workspace` } });
});

test('values are formatted, with state and change', async () => {
  expect(await tileOf('VALUE')).toMatchObject({
    alarm: null,
    content: { parameter: { name: 'Level', value: '1.00', units: 'm', number: 1, state: { name: 'NORMAL' } } },
  });
});

test('a chart of few columns has every spike, and zooms to the records themselves', async () => {
  type Chart = { start: number; end: number; series: { times: number[]; values: (number | null)[] }[] };
  const whole = (await (await ofTile('STANDARD_CHART', 'series?width=50')).json()) as Chart;
  expect(whole.series[0]?.times.length).toBeLessThan(50 * 4 + 3);
  const at = whole.series[0]?.values.indexOf(100) ?? -1;
  expect(whole.series[0]?.times[at]).toBe(START_MS + SPIKE * 60_000);
  const [start, end] = [SPIKE - 2, SPIKE + 2].map((i) => new Date(START_MS + i * 60_000).toISOString());
  const zoomed = (await (await ofTile('STANDARD_CHART', `series?width=500&start=${start}&end=${end}`)).json()) as Chart;
  expect(zoomed).toMatchObject({ start: Date.parse(String(start)), end: Date.parse(String(end)) });
  // The nearest ones beyond are there too, so that the line reaches the edge.
  expect(zoomed.series[0]?.values).toEqual([-3, -2, -1, 0, 1, 2, 3].map((d) => (d === 0 ? 100 : (SPIKE + d) % 7)));
});

test('a table has its newest rows first, as the parameter shows them', async () => {
  const table = (await (await ofTile('HISTORIC_TABLE', 'records')).json()) as {
    rows: { time: string; cells: string[] }[];
  };
  expect(table).toMatchObject({ columns: [{ name: 'Level', units: 'm' }], hasMore: true });
  expect(table.rows).toHaveLength(100);
  const last = MINUTES - 1;
  expect(table.rows[0]).toEqual({
    time: new Date(START_MS + last * 60_000).toISOString(),
    cells: [`${last % 7}.00`],
  });
});

test('pictures come as pictures', async () => {
  const chart = await ofTile('CUSTOM_CHART', 'image?width=400&height=300');
  expect([chart.status, chart.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  const picture = await fetch(`${installation.url}${(await tileOf('ATTACHMENT_IMAGE')).content.imageUrl}`);
  expect([picture.headers.get('content-type'), Buffer.from(await picture.arrayBuffer())]).toEqual(['image/png', PNG]);
});

test('a page names no node, path or workspace beside what its tiles show', async () => {
  const { tiles } = await viewOf();
  const [chart, html, table] = await Promise.all([
    ofTile('CUSTOM_CHART', 'image').then((answer) => answer.text()),
    fetch(link('dash', dash)).then((answer) => answer.text()),
    ofTile('HISTORIC_TABLE', 'records').then((answer) => answer.text()),
  ]);
  const tileIds = new Set(tiles.map(({ id }) => id));
  const { json: owner } = await api.get('/owners/account');
  const { json: workspace } = await api.get(`/nodes/${site.workspaceId}?attr=name`);
  for (const text of [JSON.stringify(tiles), chart, html, table]) {
    expect([...text.matchAll(/[0-9a-f]{24}/g)].map(([id]) => id).filter((id) => !tileIds.has(id))).toEqual([]);
    expect(text).not.toContain(`${owner.slug}/`);
  }
  // Its name is what the summary of alarms is titled by.
  expect(chart).not.toContain(workspace.name);
});

// The benchmark bench/src/pages/measure-public.ts measures how soon.
test('a new reading and its alarm come to a page that is open', async () => {
  const stream = await openEventStream(link('dash', dash, '/stream'));
  const [first] = await stream.get(1);
  expect(first).toMatchObject({ event: 'view', data: { name: 'River' } });
  const write = async (n: number, v: number) => {
    const data = [{ ts: new Date(START_MS + (MINUTES + n) * 60_000).toISOString(), f: { 0: { v } } }];
    expect((await api.put(`/nodes/${level._id}/historic`, { docType: 'jts', version: '1.0', data })).status).toBe(202);
  };
  const hasTile = (is: (tile: Tile) => boolean) =>
    until(() => stream.messages.some(({ event, data }) => event === 'tile' && is(data)));
  for (const [n, value] of [7.25, 8.5, 9.75].entries()) {
    await write(n, value);
    await hasTile(({ content: { parameter } }) => Object(parameter).value === value.toFixed(2));
  }
  await write(9, 600);
  await hasTile(({ alarm }) => alarm === 'ACTIVE');
  await until(async () => {
    const summary = await tileOf('ALARM_SUMMARY');
    return JSON.stringify(summary.content.counts) === '[{"eventType":"STATE","count":1}]';
  });
  stream.leave();
});

test('a tile cannot be made to show nodes of other workspaces and accounts', async () => {
  const elsewhere = await api.create({ _class: `${MODEL}.Workspace`, name: unique('Elsewhere') });
  const place = await api.create({ _class: `${MODEL}.location.Location`, name: 'There', parentId: elsewhere._id });
  const source = await api.create({ _class: `${MODEL}.source.data.Jts`, name: 'Other', parentId: place._id });
  const secret = await api.create({ _class: `${MODEL}.point.NumberPoint`, name: 'Secret', parentId: source._id });
  const { tiles } = (await api.get(`/nodes/${dash._id}?attr=tiles`)).json;
  const refused = await api.put(`/nodes/${dash._id}`, {
    tiles: [{ ...tiles[0], links: [{ nodeId: secret._id }] }],
  });
  expect(refused.status).toBe(400);
  const stranger = await installation.otherAccount();
  const theirs = await stranger.createSite();
  expect(
    (await api.put(`/nodes/${dash._id}`, { tiles: [{ ...tiles[5], links: [{ nodeId: theirs.sourceId }] }] })).status,
  ).toBe(400);
});

test('a chart and the records of a parameter have links of their own, in every form', async () => {
  const [chart] = (await api.get(`/nodes?filter=${encodeURIComponent('name($eq:Lines)')}`)).json as Node[];
  for (const [url, type] of [
    [link('chart', chart!), 'text/html'],
    [link('chart', chart!, '?format=PNG&width=200&height=150'), 'image/png'],
    [link('chart', chart!, '?format=JPG&width=200&height=150'), 'image/jpeg'],
    [link('chart', chart!, '?format=SVG&width=200&height=150'), 'image/svg+xml'],
    [link('chart', chart!, '?format=PDF&width=200&height=150'), 'application/pdf'],
    [link('historic', level), 'text/html'],
    [link('historic', level, '?format=CSV&limit=2'), 'text/csv'],
    [link('historic', level, '?format=JSON&limit=2'), 'application/json'],
  ] as const) {
    const answer = await fetch(url);
    expect([url, answer.status, answer.headers.get('content-type')?.split(';')[0]]).toEqual([url, 200, type]);
  }
  const csv = await (
    await fetch(link('historic', level, '?format=CSV&limit=1&header=FALSE&endTime=2024-01-01'))
  ).text();
  expect(csv).toBe('2024-01-01T00:00:00.000Z,0.00\n');
  const above = [
    site.workspaceId,
    site.locationId,
    site.sourceId,
    (await api.get(`/nodes/${site.workspaceId}`)).json.name,
  ];
  for (const format of ['ARROW', 'PARQUET', 'RDB', 'WATERML2', 'COVJSON']) {
    const answer = await fetch(link('historic', level, `?format=${format}&limit=2`));
    const text = await answer.text();
    expect([format, answer.status, above.filter((name) => text.includes(name))]).toEqual([format, 200, []]);
  }
  for (const [rest, name] of [
    ['?format=GIF', 'format'],
    ['?format=PNG&width=5', 'width'],
    ['/view?timezone=Moon', 'timezone'],
    ['?format=PNG&height=9999', 'height'],
  ] as const) {
    const answer = await fetch(link('chart', chart!, rest));
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(name)]);
  }
});

test('a file has a link of its own, and is sent in parts', async () => {
  const { _id } = await api.upload(site.locationId, Buffer.from('0123456789'), 'a.txt');
  const file = (await api.put(`/nodes/${_id}`, { isPublic: true })).json as Node;
  const part = await fetch(link('attachment', file), { headers: { range: 'bytes=2-3' } });
  expect([part.status, await part.text()]).toEqual([206, '23']);
  await api.delete(`/nodes/${_id}`);
  await until(async () => (await statusOf(link('attachment', file))) === 404);
});

test('a report has a link of its own: a PDF of now with its name', async () => {
  const report = await api.create({
    _class: `${MODEL}.Report`,
    name: 'Monthly',
    parentId: site.locationId,
    isPublic: true,
    links: [{ nodeId: level._id }],
  });
  const answer = await fetch(link('report', report, '?timezone=Asia/Tokyo'));
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  expect(answer.headers.get('content-disposition')).toContain('Monthly.pdf');
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
  const refused = await fetch(link('report', report, '?timezone=Moon'));
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('timezone')]);
  await api.put(`/nodes/${report._id}`, { isPublic: false });
  await until(async () => (await statusOf(link('report', report))) === 403);
});

test('a page that ceases to be public is closed at once, also for those who look at it', async () => {
  const page = await api.create({
    _class: `${MODEL}.Dashboard`,
    name: 'Short',
    parentId: site.workspaceId,
    isPublic: true,
  });
  const stream = await openEventStream(link('dash', page, '/stream'));
  await stream.get(1);
  await api.put(`/nodes/${page._id}`, { isPublic: false });
  await stream.ended();
  expect(stream.messages.at(-1)).toMatchObject({ event: 'end', data: { reason: 'NOT_PUBLIC' } });
  const closed = await fetch(link('dash', page), { headers: { accept: 'text/html' } });
  expect([closed.status, await closed.text()]).toEqual([403, expect.stringContaining('This page is not public')]);
  await api.put(`/nodes/${page._id}`, { isPublic: true });
  await until(async () => (await statusOf(link('dash', page))) === 200);
  const { publicId } = (await api.put(`/nodes/${page._id}`, { publicId: null })).json as Node;
  await until(async () => (await statusOf(link('dash', page))) === 404);
  expect(await statusOf(link('dash', { ...page, publicId }))).toBe(200);
  // The name of another kind does not find it.
  expect(await statusOf(link('historic', { ...page, publicId }))).toBe(404);
});

test.each([
  ['of a STARTER account', 'STARTER', async () => {}, 'NO_PUBLIC_ACCESS'],
  [
    'of a disabled account',
    'STANDARD',
    (id: string) => installation.accountCommand(['disable', id]),
    'ACCOUNT_DISABLED',
  ],
] as [string, string, (id: string) => Promise<unknown>, string][])(
  'pages %s are closed',
  async (_what, type, change, reason) => {
    const account = await installation.account({ name: unique('Closed'), type });
    const workspace = await account.api.create({ _class: `${MODEL}.Workspace`, name: 'W' });
    const page = await account.api.create({
      _class: `${MODEL}.Dashboard`,
      name: 'P',
      parentId: workspace._id,
      isPublic: true,
    });
    await change(account.id);
    await until(async () => (await statusOf(link('dash', page))) === 403);
    expect(await (await fetch(link('dash', page))).json()).toMatchObject({ error: { code: 403, reason } });
  },
);

test('people who are signed in see their own dashboards, public or not, and nobody else’s', async () => {
  const email = `dash-${process.pid}@example.org`;
  await api.put('/owners/account', { administrators: [{ user: email }] });
  const form = (values: Record<string, string>) => ({
    method: 'POST',
    redirect: 'manual' as const,
    body: new URLSearchParams(values),
  });
  const activated = await fetch(
    await installation.personLink(email),
    form({ password: 'correct horse battery', repeat: 'correct horse battery', timezone: 'Australia/Perth' }),
  );
  expect(activated.status).toBe(303);
  const cookie = activated.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const page = await api.create({ _class: `${MODEL}.Dashboard`, name: 'Own', parentId: site.workspaceId });
  const own = (id: string, rest = '') =>
    fetch(`${installation.url}/dash/${id}${rest}`, { headers: { cookie, accept: 'text/html' }, redirect: 'manual' });
  expect((await own(page._id)).status).toBe(200);
  expect(await (await own(page._id, '/view')).json()).toMatchObject({ name: 'Own', timezone: 'Australia/Perth' });
  const stranger = await installation.otherAccount();
  const theirs = await stranger.createSite();
  const foreign = await stranger.create({ _class: `${MODEL}.Dashboard`, name: 'F', parentId: theirs.workspaceId });
  expect((await own(foreign._id)).status).toBe(404);
  const unsigned = await fetch(`${installation.url}/dash/${page._id}`, { redirect: 'manual' });
  expect([unsigned.status, unsigned.headers.get('location')]).toEqual([303, `/auth/login?next=%2Fdash%2F${page._id}`]);
});
