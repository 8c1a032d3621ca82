// Pages of dashboards, charts and parameters show this, to these people (docs/reference/public-pages.md).
import type { ApiCaller } from '@catchment/access';
import { AlarmChanged } from '@catchment/contracts/alarms';
import type { HistoricRecord } from '@catchment/contracts/historic';
import type { DashboardView, TileContent } from '@catchment/dashboard-view';
import { decodeAlarms } from '../src/values/bus/decode-alarms.ts';
import { applyAlarms, applyBatches } from '../src/values/index.ts';
import { decoded, number, T, text, written } from './applied.ts';
import { type Fixture, type Json, openFixture } from './fixture.ts';
import { ownerClient } from './owner-client.ts';
import { callerOf, securityClient } from './security-client.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==',
  'base64',
);
const missing = { kind: 'not_found' };
const DAY_MS = 86_400_000;

let f: Fixture;
let logSequence = 0;
beforeAll(async () => {
  f = await openFixture();
});
afterAll(() => f.close());

type Api = Awaited<ReturnType<Fixture['account']>>;
type Options = { token: string };
const gateway = () => f.optionsOf({ kind: 'service', service: 'gateway' });

/** Records as they come from historic. */
const apply = (api: Api, nodeId: string, ...newest: HistoricRecord[]) =>
  applyBatches(
    { database: f.database, readEdges: async () => new Map(), acquisitionEventMs: 60_000 },
    0,
    decoded({ partition: 0, logSequence: ++logSequence, ...written(nodeId, api.ownerId, ...newest) } as object),
    new AbortController().signal,
  );

/** Makes an alarm as it comes from the alarms service. */
const alarm = (api: Api, nodeId: string, alarmState: string) =>
  applyAlarms(
    { database: f.database },
    decodeAlarms({
      subject: 'alarms.alarm.changed.v1',
      data: AlarmChanged.encode(
        AlarmChanged.fromPartial({ nodeId, ownerId: api.ownerId, alarmType: 'stateAlarm', alarmState, revision: 1 }),
      ).finish(),
    }),
  );

const tile = (type: string, links: readonly { _id: string }[], config: object = {}, more: object = {}) => ({
  type,
  x: 0,
  y: 0,
  w: 3,
  h: 2,
  config,
  links: links.map(({ _id }) => ({ nodeId: _id })),
  ...more,
});

async function site() {
  const api = await f.account();
  const places = await f.source(api);
  const level = await api.create('point.NumberPoint', 'Level', places.source._id, {
    units: 'm',
    format: '0.00',
    states: [{ name: 'NORMAL' }, { name: 'HIGH', threshold: 5, isAlarm: true }],
  });
  const dashboard = (tiles: object[], more: object = {}) =>
    api.create('Dashboard', `Page ${++logSequence}`, places.workspace._id, { tiles, ...more });
  return { api, level, dashboard, ...places };
}

type Asked = { kind?: string; arguments?: Record<string, string> };
const pageOf = async (nodeRef: string, options: Options, { kind = 'dash', arguments: given = {} }: Asked = {}) => {
  const page = { kind, nodeRef, arguments: given, accountSlug: '' };
  const { view, counts } = await f.pages.getPage({ page, basePath: '/p' }, options);
  return { view: JSON.parse(Buffer.from(view).toString()) as DashboardView, counts };
};
const contents = async (node: Json, options: Options): Promise<TileContent[]> =>
  (await pageOf(node._id, options)).view.tiles.map(({ content }) => content);
const tileOf = (node: Json, tileId: string, options: Options, asked: Asked & { start?: string; end?: string } = {}) => {
  const { kind = 'dash', arguments: given = {}, start = '', end = '' } = asked;
  return f.pages.getTile(
    { page: { kind, nodeRef: node._id, arguments: given, accountSlug: '' }, tileId, start, end },
    options,
  );
};
/** Returns the caller that the gateway makes for a public page. */
const publicly = (api: Api, workspace: Json) =>
  f.optionsOf({
    kind: 'api',
    ownerId: api.ownerId,
    userId: '0'.repeat(24),
    username: 'Public',
    permission: 'READ_ONLY',
    accessLevel: 'LIMITED_WORKSPACES',
    workspaceIds: [workspace._id],
  } satisfies ApiCaller);

describe('a public link', () => {
  const find = async (kind: string, publicId: string) => f.pages.findPublic({ kind, publicId }, await gateway());
  const publish = async ({ api, dashboard }: Awaited<ReturnType<typeof site>>) => {
    const page = await dashboard([], { isPublic: true });
    return { api, page, publicId: String(page.publicId) };
  };

  test('opens the node that has its id, under the name of its kind alone', async () => {
    const { page, publicId } = await publish(await site());
    expect(await find('dash', publicId)).toMatchObject({ nodeId: page._id, name: page.name });
    for (const kind of ['chart', 'historic', 'attachment', 'report', 'dashboard', '', 'toString'])
      await expect(find(kind, publicId)).rejects.toMatchObject(missing);
  });

  test.each([
    ['nothing', ''],
    ['too short', 'a'],
    ['unknown', 'aaaaaaaaaaaaaaa'],
    ['in capitals', 'A'.repeat(15)],
    ['a piece of SQL', "a' OR 'a'='a"],
    ['very long', 'x'.repeat(5_000)],
  ])('whose id is %s opens nothing', async (_what, publicId) => {
    await expect(find('dash', publicId)).rejects.toMatchObject(missing);
  });

  test('that has been replaced opens nothing', async () => {
    const { api, page, publicId } = await publish(await site());
    const { publicId: next } = await api.update(page._id, { publicId: null });
    await expect(find('dash', publicId)).rejects.toMatchObject(missing);
    expect(await find('dash', String(next))).toMatchObject({ nodeId: page._id });
  });

  test.each([
    [
      'whose node is not public any more',
      'NOT_PUBLIC',
      (api: Api, page: Json) => api.update(page._id, { isPublic: false }),
    ],
    [
      'of a disabled account',
      'ACCOUNT_DISABLED',
      ({ ownerId }: Api) => f.owners.updateAccount({ account: ownerId, status: 'DISABLED' }, f.service),
    ],
    [
      'of a STARTER account',
      'NO_PUBLIC_ACCESS',
      ({ ownerId }: Api) =>
        f.database.query("UPDATE owners SET account_type = 'STARTER' WHERE owner_id = $1", [ownerId]),
    ],
  ])('%s is refused with its reason', async (_what, reason, change: (api: Api, page: Json) => Promise<unknown>) => {
    const { api, page, publicId } = await publish(await site());
    await change(api, page);
    await expect(find('dash', publicId)).rejects.toMatchObject({ kind: 'permission_denied', reason });
  });

  test('is looked up for the gateway alone', async () => {
    const { api, publicId } = await publish(await site());
    for (const options of [api.options, f.service])
      await expect(f.pages.findPublic({ kind: 'dash', publicId }, options)).rejects.toMatchObject({
        kind: 'permission_denied',
      });
  });
});

test('a page has its tiles in row order, with the name of the account and the zone of its owner', async () => {
  const { api, dashboard } = await site();
  const at = (x: number, y: number, label: string) => tile('STATIC_TEXT', [], { content: label }, { x, y, label });
  const page = await dashboard([at(0, 2, 'c'), at(6, 0, 'b'), at(0, 0, 'a')], { description: 'What it is' });
  const { view } = await pageOf(page._id, api.options);
  expect(view.tiles.map(({ label }) => label)).toEqual(['a', 'b', 'c']);
  const { account, timezone, adjustForDst, description } = view;
  expect({ account: account.name, timezone, adjustForDst, description }).toEqual({
    account: expect.stringMatching(/^Account \d+$/),
    timezone: 'Etc/UTC',
    adjustForDst: true,
    description: 'What it is',
  });
  const asked = { arguments: { timezone: 'Australia/Sydney', timezoneAdjustForDst: 'false' } };
  expect((await pageOf(page._id, api.options, asked)).view).toMatchObject({
    timezone: 'Australia/Sydney',
    adjustForDst: false,
    ownTimezone: 'Etc/UTC',
  });
});

test.each([
  ['timezone', { timezone: 'Moon' }],
  ['timezoneAdjustForDst', { timezoneAdjustForDst: 'perhaps' }],
  ['startTime', { startTime: 'yesterday' }],
  ['endTime', { endTime: '2024-13-01' }],
])('a wrong %s is refused by name', async (name, given) => {
  const { api, dashboard } = await site();
  const refused = { kind: 'invalid_argument', message: expect.stringContaining(name) };
  await expect(pageOf((await dashboard([]))._id, api.options, { arguments: given })).rejects.toMatchObject(refused);
});

describe('a parameter', () => {
  test('is shown with value, units, state, change and time', async () => {
    const { api, level, dashboard } = await site();
    await apply(api, level._id, number(T + 1_000, 6), number(T, 4));
    const [value] = await contents(await dashboard([tile('VALUE', [level])]), api.options);
    expect(value).toEqual({
      type: 'VALUE',
      parameter: {
        name: 'Level',
        value: '6.00',
        units: 'm',
        number: 6,
        state: { name: 'HIGH', isAlarm: true },
        changePercent: 50,
        change: null,
        time: '2024-01-01T00:00:01.000Z',
      },
    });
  });

  test('without a value is shown as such', async () => {
    const { api, level, dashboard } = await site();
    const [value] = await contents(await dashboard([tile('VALUE', [level])]), api.options);
    expect(value).toMatchObject({
      parameter: { value: '', number: null, state: null, changePercent: null, time: null },
    });
  });

  test.each([
    ['from nothing', 0, 5, null],
    ['downwards', 4, 3, -25],
    ['of a negative value upwards', -4, -3, 25],
    ['of a large value by little', 1_000_000, 1_000_001, 0],
  ])('changes %s', async (_what, before, now, percent) => {
    const { api, level, dashboard } = await site();
    await apply(api, level._id, number(T + 1, now), number(T, before));
    const [value] = await contents(await dashboard([tile('VALUE', [level])]), api.options);
    expect(value).toMatchObject({ parameter: { changePercent: percent } });
  });

  test.each([
    ['°C', 0.1, 0.4, 0.3],
    ['°F', 50, 41, -9],
    ['°', 359, 2, -357],
    ['pH', 7, 7, 0],
  ])('changes in %s, where percent mean nothing, by a difference', async (units, before, now, change) => {
    const { api, level, dashboard } = await site();
    await api.update(level._id, { units });
    await apply(api, level._id, number(T + 1, now), number(T, before));
    const [value] = await contents(await dashboard([tile('VALUE', [level])]), api.options);
    expect(value).toMatchObject({ parameter: { changePercent: null, change } });
  });

  test('that shows states is shown by the name of its state, texts and times as people read them', async () => {
    const { api, source, dashboard } = await site();
    const pump = await api.create('point.NumberPoint', 'Pump', source._id, {
      displayType: 'STATE',
      statesType: 'DISCRETE',
      states: [{ name: 'RUNNING', threshold: 1 }],
      units: 'x',
    });
    const note = await api.create('point.TextPoint', 'Note', source._id);
    const due = await api.create('point.TimePoint', 'Due', source._id, { format: 'YYYY-MM-DD HH:mm' });
    await apply(api, pump._id, number(T, 1));
    await apply(api, note._id, text(T, '<b>wet</b>'));
    await apply(api, due._id, { timestampMs: T, value: { $case: 'timeMs', value: T }, quality: undefined });
    const page = await dashboard([tile('VALUE_LIST', [pump, note, due])]);
    const asked = { arguments: { timezone: 'Asia/Tokyo' } };
    const { tiles } = (await pageOf(page._id, api.options, asked)).view;
    const parameters = tiles[0]?.content.type === 'VALUE_LIST' ? tiles[0].content.parameters : [];
    expect(parameters.map((parameter) => [parameter?.value, parameter?.units])).toEqual([
      ['RUNNING', ''],
      ['<b>wet</b>', ''],
      ['2024-01-01 09:00', ''],
    ]);
  });

  test('is controlled by those alone who may', async () => {
    const { api, source, workspace, dashboard } = await site();
    const valve = await api.create('point.NumberControlPoint', 'Valve', source._id);
    const page = await dashboard([tile('VALUE', [valve])]);
    const reading = await f.as({ ...api.caller, permission: 'READ_ONLY' });
    const shown = await Promise.all(
      [api.options, reading.options, await publicly(api, workspace)].map((by) => contents(page, by)),
    );
    expect(shown.map(([tile]) => (tile?.type === 'VALUE' ? tile.control : 'other'))).toEqual([
      { nodeId: valve._id },
      undefined,
      undefined,
    ]);
  });
});

test.each([
  ['ACTIVE', ['ACTIVE', 'ACKNOWLEDGED'], true, 'ACTIVE'],
  ['ACKNOWLEDGED', ['CLEARED', 'ACKNOWLEDGED'], true, 'ACKNOWLEDGED'],
  ['no alarm, when all are over', ['CLEARED', 'CLEARED'], true, null],
  ['no alarm, when it shall not show any', ['ACTIVE', 'ACTIVE'], false, null],
] as const)('a tile is painted by %s', async (_what, [first, second], showAlarms, painted) => {
  const { api, source, level, dashboard } = await site();
  const flow = await api.create('point.NumberPoint', 'Flow', source._id);
  await alarm(api, level._id, first);
  await alarm(api, flow._id, second);
  const page = await dashboard([tile('VALUE_LIST', [level, flow], {}, { showAlarms })]);
  expect((await pageOf(page._id, api.options)).view.tiles[0]?.alarm).toBe(painted);
});

describe('links', () => {
  test('that are broken, or lead out of the workspace, show nothing and keep their tile', async () => {
    const { api, level, source, workspace, dashboard } = await site();
    const [gone, moved] = await Promise.all(
      ['Gone', 'Moved'].map((name) => api.create('point.NumberPoint', name, source._id)),
    );
    const elsewhere = await api.create('Workspace', 'Elsewhere');
    const folder = await api.create('Group', 'Folder', workspace._id);
    const chart = await api.create('chart.HistoricChart', 'Lines', folder._id);
    const page = await dashboard([
      tile('VALUE_LIST', [gone!, level]),
      tile('CUSTOM_CHART', [chart]),
      tile('STANDARD_CHART', [gone!, moved!]),
    ]);
    await api.remove(gone!._id);
    await api.move(folder._id, { parentId: elsewhere._id });
    const [list, custom, standard] = await contents(page, api.options);
    expect(list).toMatchObject({ parameters: [null, { name: 'Level' }] });
    expect(custom).toMatchObject({ name: '', imageUrl: null });
    expect(standard).toMatchObject({ series: [null, { name: 'Moved' }] });
    const tiles = (await api.get(page._id)).tiles as Json[];
    const read = await tileOf(page, tiles[2]!._id, api.options);
    expect(read.nodes.map(({ nodeId }) => nodeId)).toEqual(['', moved!._id]);
  });

  test('to a branch that is closed to the person show nothing', async () => {
    const { api, level, source, workspace, dashboard } = await site();
    const page = await dashboard([tile('VALUE', [level]), tile('ALARM_SUMMARY', [workspace])]);
    const owner = await ownerClient(f, api.caller);
    const security = await securityClient(f, api.caller);
    await security.grant(workspace._id, { users: [{ user: 'eve@example.org', role: 'View' }] });
    await security.grant(source._id, { users: [{ user: 'eve@example.org', role: 'No Access' }] });
    const { key } = await owner
      .of('apikeys')
      .create({ label: 'Eve', permission: 'READ_ONLY', user: 'eve@example.org' });
    const eve = await f.optionsOf(await callerOf(f, String(key)));
    const { view, counts } = await pageOf(page._id, eve);
    expect(view.tiles[0]?.content).toEqual({ type: 'VALUE', parameter: null });
    expect(counts[0]).toMatchObject({ workspaceId: '' });
    expect(counts[0]?.nodeIds).not.toContain(level._id);
    expect(counts[0]?.nodeIds).toContain(page._id);
  });
});

test('charts are drawn by the settings of their parameters', async () => {
  const { api, source, level, dashboard } = await site();
  const rain = await api.create('point.NumberPoint', 'Rain', source._id, {
    format: '0.0',
    chart: { _class: 'io.svc.models.node.point.chart.ColumnChart', primaryColor: '#123456' },
  });
  const share = await api.create('point.NumberPoint', 'Share', source._id, { format: '0%' });
  const trace = await api.create('point.NumberPoint', 'Trace', source._id, { format: '0.0E0' });
  const [chart] = await contents(
    await dashboard([tile('STANDARD_CHART', [level, rain, share, trace], { zoom: false })]),
    api.options,
  );
  expect(chart).toMatchObject({
    zoom: false,
    period: 'NOW-7D',
    series: [
      { name: 'Level', color: '#2f7ed8', type: 'LINE', fill: false, decimals: 2, units: 'm' },
      { name: 'Rain', color: '#123456', type: 'COLUMN', fill: true, decimals: 1 },
      { name: 'Share', decimals: 2 },
      { name: 'Trace', decimals: null },
    ],
  });
});

test('the revision of a chart is another after a record, of a custom chart too', async () => {
  const { api, level, workspace, dashboard } = await site();
  const custom = await api.create('chart.HistoricChart', 'Lines', workspace._id, {
    yAxes: [{ name: 'y' }],
    links: [{ nodeId: level._id, yAxisIndex: 0 }],
  });
  const page = await dashboard([tile('STANDARD_CHART', [level]), tile('CUSTOM_CHART', [custom])]);
  const revisions = async () =>
    (await contents(page, api.options)).map((content) => ('revision' in content ? content.revision : ''));
  const before = await revisions();
  expect(await revisions()).toEqual(before);
  await apply(api, level._id, number(T, 1));
  const after = await revisions();
  expect(after.map((revision, i) => revision === before[i])).toEqual([false, false]);
});

describe('a map', () => {
  test('has position, marker, the layers that are files of the workspace, and the picture of the Location', async () => {
    const { api, location, workspace, dashboard } = await site();
    const layer = await api.upload(
      workspace._id,
      Buffer.from('{"type":"FeatureCollection","features":[]}'),
      'a.geojson',
    );
    const picture = await api.upload(location._id, PNG, 'site.png');
    await api.update(workspace._id, {
      mapLayers: [
        { label: 'Catchment area', type: 'LOCAL', attachmentId: layer._id },
        { label: 'Far', type: 'REMOTE', url: 'https://example.org/a.kml' },
      ],
    });
    await api.update(location._id, { marker: { color: '#ff0000', icon: 'gauge' }, imageAttachmentId: picture._id });
    const coordinates = { $case: 'coordinates', value: { latitude: -33.5, longitude: 151 } } as const;
    await apply(api, location._id, { timestampMs: T, value: coordinates, quality: undefined });
    const page = await dashboard([tile('LOCATION_MAP', [location], { zoom: 9 })]);
    const { tiles } = (await pageOf(page._id, api.options)).view;
    const id = tiles[0]?.id;
    expect(tiles[0]?.content).toEqual({
      type: 'LOCATION_MAP',
      name: 'Station',
      position: { latitude: -33.5, longitude: 151 },
      zoom: 9,
      mapStyle: null,
      marker: { color: '#ff0000', icon: 'gauge' },
      layers: [{ label: 'Catchment area', url: expect.stringMatching(`^/p/tiles/${id}/layers/0\\?v=[\\w-]+$`) }],
      imageUrl: expect.stringMatching(`^/p/tiles/${id}/image\\?v=[\\w-]+$`),
    });
    expect(await tileOf(page, String(id), api.options)).toMatchObject({ imageId: picture._id, layerIds: [layer._id] });
  });

  test('of a Location that has never been anywhere has no position', async () => {
    const { api, location, dashboard } = await site();
    const [map] = await contents(await dashboard([tile('LOCATION_MAP', [location])]), api.options);
    expect(map).toMatchObject({ position: null, layers: [], imageUrl: null, marker: { color: null, icon: null } });
  });
});

describe('a picture', () => {
  test('is the attachment, or the newest of its source; people without ATTACHMENT_READ have none', async () => {
    const { api, workspace, location, dashboard } = await site();
    const source = await api.create('source.attachment.AttachmentSource', 'Camera', location._id);
    const [young, old] = await Promise.all([
      api.upload(workspace._id, PNG, 'one.png'),
      api.upload(source._id, PNG, 'old.png'),
    ]);
    const fresh = await api.upload(source._id, PNG, 'new.png');
    const page = await dashboard([tile('ATTACHMENT_IMAGE', [young]), tile('ATTACHMENT_IMAGE', [source])]);
    const [first, second] = (await api.get(page._id)).tiles as Json[];
    expect((await tileOf(page, first!._id, api.options)).imageId).toBe(young._id);
    expect([old._id, fresh._id]).toContain((await tileOf(page, second!._id, api.options)).imageId);
    await (await securityClient(f, api.caller)).grant(workspace._id, {
      users: [{ user: 'v@example.org', role: 'View' }],
    });
    const { key } = await (await ownerClient(f, api.caller))
      .of('apikeys')
      .create({ label: 'V', permission: 'READ_ONLY', user: 'v@example.org' });
    const viewer = await f.optionsOf(await callerOf(f, String(key)));
    expect((await contents(page, viewer)).map((content) => 'imageUrl' in content && content.imageUrl)).toEqual([
      null,
      null,
    ]);
  });

  test('is none of a file that browsers cannot show', async () => {
    const { api, workspace, dashboard } = await site();
    const file = await api.upload(workspace._id, Buffer.from('%PDF-1.4'), 'a.pdf');
    const [content] = await contents(await dashboard([tile('ATTACHMENT_IMAGE', [file])]), api.options);
    expect(content).toMatchObject({ name: 'a.pdf', imageUrl: null, time: null });
  });
});

describe('a text', () => {
  const textOf = async (content: string) => {
    const { api, workspace, location } = await site();
    await api.update(workspace._id, { metadata: [{ name: 'river', value: 'Dead Run' }] });
    const page = await api.create('Dashboard', 'Page', location._id, { tiles: [tile('STATIC_TEXT', [], { content })] });
    const [shown] = await contents(page, api.options);
    return shown?.type === 'STATIC_TEXT' ? shown.text : undefined;
  };

  test.each([
    ['without expressions as it is', '<b>a</b> & b', '<b>a</b> & b'],
    [
      'with the nodes above',
      '{{ THIS.name }} {{ LOCATION.name }} {{ WORKSPACE.metadata.river }}',
      'Page Station Dead Run',
    ],
    ['without a source', '[{{ SOURCE.name }}]', '[]'],
    ['with what cannot be evaluated', 'a {{ 1 | nonsense }}', ''],
    ['that never ends', '{% for a in (1..100000000) %}{% for b in (1..100000000) %}x{% endfor %}{% endfor %}', ''],
  ])('%s', async (_what, source, expected) => {
    expect(await textOf(source)).toBe(expected);
  });
});

describe('counts of alarm events', () => {
  test('are asked for of a whole workspace, or of a node and all below it, in their period', async () => {
    const { api, workspace, location, source, level, dashboard } = await site();
    const page = await dashboard([
      tile('ALARM_SUMMARY', [workspace]),
      tile('ALARM_SUMMARY', [location], { period: 'NOW-1D' }),
    ]);
    const { counts } = await pageOf(page._id, api.options);
    expect(counts[0]).toMatchObject({ workspaceId: workspace._id, nodeIds: [], endMs: f.clock.nowMs });
    expect(new Set(counts[1]?.nodeIds)).toEqual(new Set([location._id, source._id, level._id]));
    expect(counts[1]).toMatchObject({ startMs: f.clock.nowMs - DAY_MS });
  });
});

describe('the range of a tile', () => {
  const rangeOf = async (config: object, asked: { start?: string; end?: string } = {}) => {
    const { api, level, dashboard } = await site();
    await apply(api, level._id, number(T + 10 * DAY_MS, 2), number(T, 1));
    const page = await dashboard([tile('STANDARD_CHART', [level], config)]);
    const [chart] = (await api.get(page._id)).tiles as Json[];
    const { startMs, endMs } = await tileOf(page, chart!._id, api.options, asked);
    return [startMs, endMs];
  };

  test.each([
    ['is its period up to now', {}, {}, () => [f.clock.nowMs - 7 * DAY_MS, f.clock.nowMs]],
    [
      'relative to LAST ends with the newest record',
      { period: 'LAST-1D' },
      {},
      () => [T + 9 * DAY_MS, T + 10 * DAY_MS],
    ],
    ['relative to FIRST ends now', { period: 'FIRST' }, {}, () => [T, f.clock.nowMs]],
    ['that begins in the future is empty', { period: 'NOW+1D' }, {}, () => [f.clock.nowMs, f.clock.nowMs]],
    [
      'is what is asked for',
      {},
      { start: '2024-01-02T00:00:00Z', end: '2024-01-03' },
      () => [T + DAY_MS, T + 2 * DAY_MS],
    ],
    [
      'is as long as the period, up to an end',
      { period: 'NOW-2D' },
      { end: '2024-01-05' },
      () => [T + 2 * DAY_MS, T + 4 * DAY_MS],
    ],
    ['goes on to now from a start', {}, { start: 'LAST' }, () => [T + 10 * DAY_MS, f.clock.nowMs]],
  ] as [string, object, { start?: string; end?: string }, () => number[]][])(
    '%s',
    async (_what, config, asked, expected) => {
      expect(await rangeOf(config, asked)).toEqual(expected());
    },
  );

  test.each([
    ['start', { start: 'soon' }],
    ['end', { end: '2024-02-30' }],
    ['start', { start: 'NOW', end: 'NOW-1D' }],
  ])('refuses a wrong %s by name', async (name, asked) => {
    await expect(rangeOf({}, asked)).rejects.toMatchObject({
      kind: 'invalid_argument',
      message: expect.stringContaining(name),
    });
  });
});

test('columns of a table are aggregated as the tile says, by what their values allow', async () => {
  const { api, source, level, dashboard } = await site();
  const note = await api.create('point.TextPoint', 'Note', source._id);
  const page = await dashboard([
    tile('HISTORIC_TABLE', [level, note], { aggregate: 'AVERAGE', interval: '1H' }),
    tile('HISTORIC_TABLE', [level]),
  ]);
  const [aggregated, raw] = (await api.get(page._id)).tiles as Json[];
  const { nodes } = await tileOf(page, aggregated!._id, api.options);
  expect(nodes.map((node) => node.arguments)).toEqual([
    { aggregate: 'AVERAGE', baseTime: 'D', interval: '1H' },
    { aggregate: 'START', baseTime: 'D', interval: '1H' },
  ]);
  expect((await tileOf(page, raw!._id, api.options)).nodes[0]?.arguments).toEqual({});
});

describe('pages that nobody has designed', () => {
  test('a parameter has a chart and a table, a text a table alone', async () => {
    const { api, source, level } = await site();
    const note = await api.create('point.TextPoint', 'Note', source._id);
    const types = async (id: string) =>
      (await pageOf(id, api.options, { kind: 'historic' })).view.tiles.map(({ content }) => content.type);
    expect(await types(level._id)).toEqual(['STANDARD_CHART', 'HISTORIC_TABLE']);
    expect(await types(note._id)).toEqual(['HISTORIC_TABLE']);
    const asked = { kind: 'historic', arguments: { startTime: '2024-01-01', endTime: '2024-01-02' } };
    expect(await tileOf(level, 'records', api.options, asked)).toMatchObject({ startMs: T, endMs: T + DAY_MS });
  });

  test('any node has a page for its people: its value and alarms, its chart, or what happened below it', async () => {
    const { api, location, source, level } = await site();
    const types = async (id: string) =>
      (await pageOf(id, api.options, { kind: 'node' })).view.tiles.map(({ content }) => content.type);
    expect(await types(level._id)).toEqual(['VALUE', 'ALARMS', 'STANDARD_CHART', 'HISTORIC_TABLE']);
    expect(await types(source._id)).toEqual(['ALARMS', 'ALARM_SUMMARY']);
    expect(await types(location._id)).toEqual(['ALARMS', 'ALARM_SUMMARY', 'LOCATION_MAP']);
    await alarm(api, level._id, 'ACTIVE');
    const { view } = await pageOf(level._id, api.options, { kind: 'node' });
    expect(view.tiles[1]?.content).toMatchObject({
      type: 'ALARMS',
      nodeId: level._id,
      canAcknowledge: true,
      alarms: [{ type: 'stateAlarm', state: 'ACTIVE' }],
    });
    const { slug } = (
      await f.database.query<{ slug: string }>('SELECT slug FROM owners WHERE owner_id = $1', [api.ownerId])
    ).rows[0]!;
    const at = (accountSlug: string) =>
      f.pages.getPage(
        { page: { kind: 'node', nodeRef: level._id, arguments: {}, accountSlug }, basePath: '/p' },
        api.options,
      );
    await at(slug);
    await expect(at('another1')).rejects.toMatchObject({ kind: 'not_found' });
  });

  test('a chart has its picture; other nodes have no page, and tiles of others are not there', async () => {
    const { api, level, workspace, dashboard } = await site();
    const rose = await api.create('chart.WindRoseChart', 'Rose', workspace._id);
    const { view: picture } = await pageOf(rose._id, api.options, { kind: 'chart' });
    expect(picture.tiles).toMatchObject([{ id: 'chart', w: 12, content: { type: 'CUSTOM_CHART', name: 'Rose' } }]);
    const chart = await api.create('chart.HistoricChart', 'Lines', workspace._id, {
      startRange: '2024-05-01T00:00:00Z',
      endRange: '2024-05-03T00:00:00Z',
      links: [{ nodeId: level._id, name: 'Water', chart: { primaryColor: '#aa0000' } }],
    });
    const { view } = await pageOf(chart._id, api.options, { kind: 'chart' });
    const series = [{ name: 'Water', color: '#aa0000', units: 'm' }];
    expect(view.tiles).toMatchObject([{ id: 'chart', content: { type: 'STANDARD_CHART', zoom: true, series } }]);
    const ofChart = { kind: 'chart', arguments: {} };
    const [from, to] = [Date.parse('2024-05-01'), Date.parse('2024-05-03')];
    expect(await tileOf(chart, 'chart', api.options, ofChart)).toMatchObject({ startMs: from, endMs: to });
    const zoomed = { ...ofChart, arguments: { startTime: '2024-05-02', endTime: '2024-05-03' } };
    expect(await tileOf(chart, 'chart', api.options, zoomed)).toMatchObject({ startMs: from + DAY_MS, endMs: to });
    const page = await dashboard([]);
    for (const [kind, node] of [
      ['chart', level],
      ['historic', workspace],
      ['dash', chart],
      ['report', page],
    ] as const)
      await expect(pageOf(node._id, api.options, { kind })).rejects.toMatchObject(missing);
    await expect(tileOf(page, 'chart', api.options)).rejects.toMatchObject(missing);
  });
});

test('a page of another account, or of a workspace beyond the caller, is not shown', async () => {
  const { api, dashboard, workspace } = await site();
  const page = await dashboard([]);
  const stranger = await f.account();
  await expect(pageOf(page._id, stranger.options)).rejects.toMatchObject(missing);
  const elsewhere = await api.create('Workspace', 'Elsewhere');
  await expect(pageOf(page._id, await publicly(api, elsewhere))).rejects.toMatchObject({ kind: 'permission_denied' });
  expect((await pageOf(page._id, await publicly(api, workspace))).view.name).toBe(page.name);
});

test('a public page names no node, path, mail or key beside what its tiles show', async () => {
  const { api, level, location, workspace, dashboard } = await site();
  const chart = await api.create('chart.HistoricChart', 'Lines', workspace._id, {
    yAxes: [{ name: 'y' }],
    links: [{ nodeId: level._id, yAxisIndex: 0 }],
  });
  const picture = await api.upload(location._id, PNG, 'site.png');
  await apply(api, level._id, number(T, 1));
  const page = await dashboard([
    tile('VALUE', [level], {}, { showAlarms: true }),
    tile('VALUE_LIST', [level]),
    tile('HISTORIC_TABLE', [level]),
    tile('STANDARD_CHART', [level]),
    tile('CUSTOM_CHART', [chart]),
    tile('ALARM_SUMMARY', [location]),
    tile('LOCATION_MAP', [location]),
    tile('ATTACHMENT_IMAGE', [picture]),
    tile('SOLID_GAUGE', [level]),
    tile('STATIC_TEXT', [], { content: 'Hello' }),
  ]);
  const { view } = await pageOf(page._id, await publicly(api, workspace));
  const shown = JSON.stringify(view);
  const tileIds = new Set(view.tiles.map(({ id }) => id));
  expect([...shown.matchAll(/[0-9a-f]{24}/g)].filter(([id]) => !tileIds.has(id))).toEqual([]);
  const secrets = [String((await api.get(workspace._id)).name), 'Logger', '@', String(page.publicId ?? 'none given')];
  for (const secret of secrets) expect(shown).not.toContain(secret);
});

describe('a dashboard that is not saved', () => {
  const drafted = (node: Json, attributes: object, options: Options) =>
    f.pages.getPage(
      {
        page: {
          kind: 'dash',
          nodeRef: node._id,
          arguments: {},
          accountSlug: '',
          draft: Buffer.from(JSON.stringify(attributes)),
        },
        basePath: '',
      },
      options,
    );

  test('is shown as it would be, and stays as it is', async () => {
    const { api, level, location, dashboard } = await site();
    await apply(api, level._id, number(T, 6));
    const picture = await api.upload(location._id, PNG, 'site.png');
    const page = await dashboard([]);
    const tiles = [tile('VALUE', [level], {}, { label: 'Draft' }), tile('ATTACHMENT_IMAGE', [picture], {}, { x: 3 })];
    const { view } = await drafted(page, { tiles }, api.options);
    const shown = JSON.parse(Buffer.from(view).toString()) as DashboardView;
    expect(shown.tiles).toMatchObject([
      { label: 'Draft', content: { parameter: { value: '6.00', state: { name: 'HIGH' } } } },
      { content: { imageUrl: expect.stringMatching(/\/files\/[0-9a-f]{24}\?expires=[1-9]\d*&signature=\w+&v=/) } },
    ]);
    expect((await pageOf(page._id, api.options)).view.tiles).toEqual([]);
  });

  test('is refused for what it would be refused for, to who may not configure, and of other nodes', async () => {
    const { api, level, workspace, dashboard } = await site();
    const page = await dashboard([]);
    await expect(drafted(page, { tiles: [tile('VALUE', [])] }, api.options)).rejects.toMatchObject({
      kind: 'invalid_argument',
      message: expect.stringContaining('tiles[0].links'),
    });
    await expect(drafted(page, { tiles: [] }, await publicly(api, workspace))).rejects.toMatchObject({
      kind: 'permission_denied',
    });
    await expect(drafted(page, {}, (await f.account()).options)).rejects.toMatchObject(missing);
    await expect(drafted(level, {}, api.options)).rejects.toMatchObject(missing);
  });
});
