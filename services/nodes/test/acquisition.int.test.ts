import { until } from '@catchment/testkit';
import { type Fixture, openFixture } from './fixture.ts';

const named = (name: string) => `io.svc.models.node.transport.${name}`;
const missing = { kind: 'not_found' };
const denied = { kind: 'permission_denied' };

let f: Fixture;
beforeAll(async () => {
  f = await openFixture();
});
afterAll(() => f.close());

const asDevices = async () => ({ token: await f.signer.sign({ kind: 'service', service: 'devices' }) });
const pushSource = async (transport: string, key: string) =>
  f.nodes.findPushSource({ transport, key }, await asDevices());
const acquisition = async (ownerId: string, sourceId: string) =>
  f.nodes.getAcquisition({ ownerId, sourceId }, await asDevices());

test('a push key is that of its source, by its transport alone', async () => {
  const api = await f.account();
  const mqtt = { _class: named('Mqtt'), authentication: 'CONNECT', password: 'p' };
  const { source } = await f.source(api, { transport: mqtt });
  const { key } = source.transport as { key: string };
  expect(await pushSource('Mqtt', key)).toMatchObject({
    source: { nodeId: source._id, ownerId: api.ownerId, source: { isEnabled: true, transportClass: 'Mqtt' } },
    transport: { sourceId: source._id, settings: { of: { $case: 'mqtt', value: { key, password: 'p' } } } },
  });
  for (const [transport, wrong] of [
    ['HttpUpload', key],
    ['Mqtt', `${key}x`],
    ['Mqtt', ''],
    ['Mqtt', 'a\0b'],
    ['FtpDownload', key],
    ['toString', key],
  ] as const)
    await expect(pushSource(transport, wrong)).rejects.toMatchObject(missing);
});

test('a station is found by its ids, and is that of one source in the installation', async () => {
  const [api, other] = [await f.account(), await f.account()];
  const { source, location } = await f.source(api);
  const server = { _class: named('TcpServer'), siteId: 'weir 7' };
  const meshlium = { _class: named('Meshlium'), meshliumId: 'gate 1', authKey: 'k', waspmoteId: 'mote 2' };
  const weir = await api.create('source.data.WaterLog', 'Weir', location._id, { transport: server });
  const mote = await api.create('source.data.Waspmote', 'Mote', location._id, { transport: meshlium });
  expect((await pushSource('TcpServer', 'weir 7')).source?.nodeId).toBe(weir._id);
  expect((await pushSource('Meshlium', 'gate 1 mote 2')).source?.nodeId).toBe(mote._id);
  const taken = {
    kind: 'invalid_argument',
    message: expect.stringMatching(/^transport.siteId: cannot be used; choose another/),
  };
  const { location: theirs } = await f.source(other);
  await expect(other.create('source.data.WaterLog', 'Thief', theirs._id, { transport: server })).rejects.toMatchObject(
    taken,
  );
  await expect(
    api.create('source.data.SensorLog', 'Second', location._id, { transport: server }),
  ).rejects.toMatchObject(taken);
  await api.remove(weir._id);
  await expect(pushSource('TcpServer', 'weir 7')).rejects.toMatchObject(missing);
  await other.create('source.data.WaterLog', 'Heir', theirs._id, { transport: server });
  expect(source.transport).toEqual({ _class: named('None') });
});

const siteOf = (node: Record<string, unknown>) => (node.transport as { siteId?: string }).siteId;

test('a station that nobody chooses is drawn, stays while it is left out, and is drawn anew by null', async () => {
  const api = await f.account();
  const { location } = await f.source(api);
  const transport = { _class: named('TcpServer') };
  const weir = await api.create('source.data.WaterLog', 'Weir', location._id, { transport });
  expect(siteOf(weir)).toMatch(/^[a-z]+-[a-z]+-[a-z]+$/);
  expect(siteOf(await api.update(weir._id, { transport }))).toBe(siteOf(weir));
  const anew = siteOf(await api.update(weir._id, { transport: { ...transport, siteId: null } }));
  expect(anew).toMatch(/^[a-z]+-[a-z]+-[a-z]+$/);
  expect(anew).not.toBe(siteOf(weir));
  expect((await pushSource('TcpServer', anew!)).source?.nodeId).toBe(weir._id);
});

test('clones and instances of a station have one of their own, and templates have none', async () => {
  const api = await f.account();
  const { location } = await f.source(api);
  const transport = { _class: named('TcpServer') };
  const weir = await api.create('source.data.WaterLog', 'Weir', location._id, { transport });
  const [copy] = await api.clone(weir._id, { parentId: location._id, name: 'Second' });
  const clone = copy!;
  expect(siteOf(clone)).toMatch(/^[a-z]+-[a-z]+-[a-z]+$/);
  expect(siteOf(clone)).not.toBe(siteOf(weir));
  expect(clone.isEnabled).toBe(true);
  expect((await pushSource('TcpServer', siteOf(clone)!)).source?.nodeId).toBe(clone._id);
  const templates = await api.create('Templates', 'Templates');
  const [template] = await api.clone(location._id, { parentId: templates._id, name: 'Gauge' });
  const { list } = await api.list({ filter: `parentId($eq:${template!._id})` });
  expect(list.filter((row) => row.name === 'Weir').map(siteOf)).toEqual([undefined]);
  const sites: unknown[] = [];
  for (const name of ['First', 'Second']) {
    const made = await api.clone(template!._id, { parentId: location.parentId, name });
    const { isEnabled, ...source } = made.find((row) => row.name === 'Weir')!;
    expect(isEnabled).toBe(true);
    sites.push(siteOf(source));
  }
  expect(new Set([siteOf(weir), siteOf(clone), ...sites]).size).toBe(4);
});

test('a station is held only while its source is active: others are not asked', async () => {
  const [api, other] = [await f.account(), await f.account()];
  const [{ location: ours }, { location: theirs }] = [await f.source(api), await f.source(other)];
  const transport = { _class: named('TcpServer'), siteId: `weir ${ours._id}` };
  const weir = await api.create('source.data.WaterLog', 'Weir', ours._id, { transport });
  await api.update(weir._id, { isEnabled: false });
  const taker = await other.create('source.data.WaterLog', 'Weir', theirs._id, { transport });
  expect((await pushSource('TcpServer', transport.siteId)).source?.nodeId).toBe(taker._id);
  const left = await api.update(weir._id, { isEnabled: true });
  expect(left.transport).toEqual({ _class: named('TcpServer') });
  await f.database.query(`UPDATE owners SET status = 'DISABLED' WHERE owner_id = $1`, [other.ownerId]);
  expect(siteOf(await api.update(weir._id, { transport }))).toBe(transport.siteId);
  expect((await pushSource('TcpServer', transport.siteId)).source?.nodeId).toBe(weir._id);
});

test('20 chosen stations of an account are refused a day, also of requests at once; then none may be chosen, and drawn ones may', async () => {
  const [api, other] = [await f.account(), await f.account()];
  const [{ location: ours }, { location: theirs }] = [await f.source(api), await f.source(other)];
  const transport = { _class: named('TcpServer'), siteId: `weir ${ours._id}` };
  await api.create('source.data.WaterLog', 'Weir', ours._id, { transport });
  const tries = Array.from({ length: 25 }, (_, n) =>
    other.create('source.data.WaterLog', `Try ${n}`, theirs._id, { transport }).then(String, (error) => error.kind),
  );
  const kinds = await Promise.all(tries);
  expect(kinds.filter((kind) => kind === 'invalid_argument')).toHaveLength(20);
  expect(kinds.filter((kind) => kind === 'resource_exhausted')).toHaveLength(5);
  const free = { ...transport, siteId: `free ${ours._id}` };
  await expect(other.create('source.data.WaterLog', 'Free', theirs._id, { transport: free })).rejects.toMatchObject({
    kind: 'resource_exhausted',
    message: expect.stringContaining('leave it out and one is drawn'),
  });
  const { siteId: _chosen, ...drawn } = transport;
  await other.create('source.data.WaterLog', 'Drawn', theirs._id, { transport: drawn });
  await f.database.query(`UPDATE station_refusals SET day = day - 1 WHERE owner_id = $1`, [other.ownerId]);
  await other.create('source.data.WaterLog', 'Next day', theirs._id, { transport: free });
});

test('a Meshlium is distinguished by its authKey: no account learns what another one has', async () => {
  const [api, other] = [await f.account(), await f.account()];
  const [{ location: ours }, { location: theirs }] = [await f.source(api), await f.source(other)];
  const meshlium = { _class: named('Meshlium'), meshliumId: `gate ${ours._id}`, authKey: 'k', waspmoteId: 'mote' };
  const mote = await api.create('source.data.Waspmote', 'Mote', ours._id, { transport: meshlium });
  const same = await other.create('source.data.Waspmote', 'Mote', theirs._id, {
    transport: { ...meshlium, authKey: 'other' },
  });
  const station = `${meshlium.meshliumId} mote`;
  expect((await pushSource('Meshlium', `${station} k`)).source?.nodeId).toBe(mote._id);
  expect((await pushSource('Meshlium', `${station} other`)).source?.nodeId).toBe(same._id);
  await expect(pushSource('Meshlium', station)).rejects.toMatchObject(missing);
  await expect(pushSource('Meshlium', `${station} wrong`)).rejects.toMatchObject(missing);
});

test('keys in templates and of disabled accounts name nobody', async () => {
  const api = await f.account();
  const templates = await api.create('Templates', 'Templates');
  const template = await api.create('location.Location', 'Station', templates._id);
  const transport = { _class: named('HttpUpload') };
  const inTemplate = await api.create('source.data.Jts', 'Logger', template._id, { transport });
  const { source } = await f.source(api, { transport });
  const keyOf = (node: Record<string, unknown>) => (node.transport as { key: string }).key;
  await expect(pushSource('HttpUpload', keyOf(inTemplate))).rejects.toMatchObject(missing);
  await expect(acquisition(api.ownerId, inTemplate._id)).rejects.toMatchObject(missing);
  expect((await pushSource('HttpUpload', keyOf(source))).source?.nodeId).toBe(source._id);
  await f.database.query(`UPDATE owners SET status = 'DISABLED' WHERE owner_id = $1`, [api.ownerId]);
  await expect(pushSource('HttpUpload', keyOf(source))).rejects.toMatchObject(missing);
});

test('what decides an acquisition comes with defaults, secrets, and where files begin', async () => {
  const api = await f.account();
  const { location } = await f.source(api);
  const logger = await api.create('source.data.CampbellPakBus', 'CR1000', location._id, {
    transport: { _class: named('TcpClient'), host: 'logger.example.org', port: 6785 },
    securityCode: '12345',
    scheduleType: 'SERVER',
    intervalSeconds: 600,
    intervalOffsetSeconds: 30,
  });
  const found = await acquisition(api.ownerId, logger._id);
  expect(found).toMatchObject({
    source: { source: { scheduleType: 'SERVER', intervalSeconds: 600, intervalOffsetSeconds: 30, retryAttempts: 3 } },
    transport: { settings: { of: { $case: 'tcpClient', value: { host: 'logger.example.org', port: 6785 } } } },
    files: undefined,
  });
  expect(found.source?.source?.retryDelaySeconds).toBe(60);
  expect(JSON.parse(found.attributes)).toMatchObject({
    securityCode: '12345',
    pakBusAddress: 1,
    pakBusGatewayAddress: null,
    autoParameters: true,
    clockSync: false,
    initialCollection: 'ALL',
  });
  const files = await api.create('source.data.TextParser', 'Files', location._id, {
    transport: { _class: named('SftpDownload'), host: 'h', user: 'u', privateKey: 'line 1\nline 2' },
    readMode: 'ALL',
    deleteAfterAcquire: true,
    files: [
      { match: '*.dat', acquireTime: '2024-05-01T00:00:00.000Z' },
      { match: 'b', parser: { delimiter: ';' } },
    ],
  });
  expect(files.transport).toMatchObject({ port: 22, privateKey: '********' });
  expect(await acquisition(api.ownerId, files._id)).toMatchObject({
    transport: { settings: { of: { $case: 'sftpDownload', value: { user: 'u', privateKey: 'line 1\nline 2' } } } },
    files: {
      readMode: 'ALL',
      deleteAfterAcquire: true,
      files: [
        {
          match: '*.dat',
          acquireTimeMs: Date.UTC(2024, 4, 1),
          sampleId: '',
          entryId: expect.stringMatching(/^.{24}$/),
        },
        { match: 'b', acquireTimeMs: undefined, parser: { delimiter: ';' } },
      ],
    },
  });
});

test('parameters become active and inactive by their series, for the devices service and the account alone', async () => {
  const [api, other] = [await f.account(), await f.account()];
  const { location } = await f.source(api);
  const logger = await api.create('source.data.CampbellPakBus', 'Tables', location._id, {});
  const { parameters } = await api.ensure(logger._id, [
    { series: 'Main.A' },
    { series: 'Main.B' },
    { name: 'By hand' },
  ]);
  const isActive = async () => Promise.all(parameters.map(async ({ nodeId }) => (await api.get(nodeId)).isActive));
  const activate = async (activeSeries: string[], inactiveSeries: string[], ownerId = api.ownerId) =>
    f.nodes.activateParameters({ ownerId, sourceId: logger._id, activeSeries, inactiveSeries }, await asDevices());
  await activate([], ['Main.B', 'Main.Unknown']);
  expect(await isActive()).toEqual([true, false, true]);
  await activate(['Main.B'], ['Main.A']);
  expect(await isActive()).toEqual([false, true, true]);
  await expect(activate(['Main.A'], [], other.ownerId)).rejects.toMatchObject(missing);
  const asked = { ownerId: api.ownerId, sourceId: logger._id, activeSeries: [], inactiveSeries: ['Main.B'] };
  for (const options of [api.options, f.service])
    await expect(f.nodes.activateParameters(asked, options)).rejects.toMatchObject(denied);
  expect(await isActive()).toEqual([false, true, true]);
});

test('the devices service alone may ask, and of an account its own sources only', async () => {
  const [api, other] = [await f.account(), await f.account()];
  const { source, location } = await f.source(api);
  await expect(acquisition(other.ownerId, source._id)).rejects.toMatchObject(missing);
  await expect(acquisition(api.ownerId, location._id)).rejects.toMatchObject(missing);
  const asked = { ownerId: api.ownerId, sourceId: source._id };
  for (const options of [api.options, f.service]) {
    await expect(f.nodes.getAcquisition(asked, options)).rejects.toMatchObject(denied);
    await expect(f.nodes.findPushSource({ transport: 'Mqtt', key: 'a-b-c' }, options)).rejects.toMatchObject(denied);
  }
});

test('the list for devices has what brings data by itself: a transport or a schedule, and no processor', async () => {
  const api = await f.account();
  const { location } = await f.source(api);
  const create = (cls: string, name: string, more: object) => api.create(`source.${cls}`, name, location._id, more);
  await create('data.TextParser', 'Pushed', { transport: { _class: named('FtpUpload'), password: 'p' } });
  await create('data.Jts', 'Scheduled', { scheduleType: 'SERVER' });
  await create('data.Processor', 'Processor', { scheduleType: 'SERVER' });
  await create('attachment.AttachmentSource', 'Camera', { transport: { _class: named('Email') } });
  await create('data.Jts', 'Api', { transport: { _class: named('None') } });
  const found = [];
  for await (const node of f.nodes.listDeviceSources({}, await asDevices()))
    if (node.ownerId === api.ownerId) found.push(node.name);
  expect(found.toSorted()).toEqual(['Camera', 'Pushed', 'Scheduled']);
});

test('uplinks of LoRaWAN come to Jts sources; a Modbus device has registers that fit', async () => {
  const api = await f.account();
  const { location, source } = await f.source(api, {
    transport: { _class: named('LorawanUpload'), network: 'TTS', decoder: 'function decodeUplink() {}' },
  });
  const { key } = source.transport as { key: string };
  expect((await pushSource('LorawanUpload', key)).transport?.settings?.of).toMatchObject({
    $case: 'lorawanUpload',
    value: { network: 'TTS', authentication: 'NONE', decoder: 'function decodeUplink() {}', deviceEui: undefined },
  });
  const modbus = await api.create('source.data.Modbus', 'PLC', location._id, {
    transport: { _class: named('TcpClient'), host: 'plc', port: 502 },
    registers: [
      { series: 'level', address: 0, type: 'FLOAT32', units: 'm' },
      { series: 'count', address: 9 },
      { series: 'pump', address: 3, table: 'COIL' },
    ],
  });
  expect(modbus).toMatchObject({
    unitId: 1,
    registers: [
      { series: 'level', table: 'HOLDING', type: 'FLOAT32', wordOrder: 'BIG', units: 'm' },
      { series: 'count', type: 'UINT16' },
      { series: 'pump', table: 'COIL', type: 'BOOLEAN' },
    ],
  });
  const wrong = (register: object, at: string) =>
    expect(api.update(modbus._id, { registers: [{ series: 'a', address: 0, ...register }] })).rejects.toMatchObject({
      message: expect.stringContaining(at),
    });
  await wrong({ table: 'COIL', type: 'UINT16' }, 'registers[0].type');
  await wrong({ address: 65_535, type: 'UINT32' }, 'registers[0].address');
  await wrong({ address: 65_536 }, 'registers[0].address');
});

describe('Locations that follow a source', () => {
  const followersOf = async (ownerId: string, sourceId: string) =>
    (await acquisition(ownerId, sourceId)).source?.source?.followers;
  const reported = (sourceId: string) =>
    f.published.changed.filter(({ node }) => node.nodeId === sourceId).map(({ node }) => node.source?.followers);

  test('are reported with the source, at once when they change', async () => {
    const api = await f.account();
    const { source, location, workspace } = await f.source(api);
    const pair = { latitude: 'lat', longitude: 'lon' };
    const series = { coordinateSourceId: source._id, coordinateSeries: pair };
    const follower = { locationId: location._id, ...pair };
    await api.update(location._id, series);
    await until(() => reported(source._id).length === 2);
    expect(reported(source._id).at(-1)).toEqual([follower]);
    const other = await api.create('location.Location', 'Other', workspace._id, { coordinateSourceId: source._id });
    const plain = { locationId: other._id, latitude: '', longitude: '' };
    await until(() => reported(source._id).length === 3);
    expect(new Set(reported(source._id).at(-1))).toEqual(new Set([follower, plain]));
    await api.update(location._id, { coordinateSourceId: null });
    await until(() => reported(source._id).length === 4);
    expect(reported(source._id).at(-1)).toEqual([plain]);
    expect(await followersOf(api.ownerId, source._id)).toEqual([plain]);
    await api.update(other._id, { name: 'Renamed' });
    await api.remove(other._id);
    expect(await followersOf(api.ownerId, source._id)).toEqual([]);
  });

  test('of a clone follow the clone of the source', async () => {
    const api = await f.account();
    const { source, location, workspace } = await f.source(api);
    await api.update(location._id, { coordinateSourceId: source._id });
    const copies = await api.clone(location._id, { parentId: workspace._id, name: 'Copy' });
    const of = (cls: string) => copies.find((node) => String(node._class).endsWith(cls))!._id;
    const expected = [{ locationId: of('Location'), latitude: '', longitude: '' }];
    expect(await followersOf(api.ownerId, of('Jts'))).toEqual(expected);
    await until(() => reported(of('Jts')).length > 0);
    expect(reported(of('Jts'))[0]).toEqual(expected);
    expect(await followersOf(api.ownerId, source._id)).toEqual([{ ...expected[0], locationId: location._id }]);
  });

  test('of an instance are reported when the template begins to follow its source', async () => {
    const api = await f.account();
    const workspace = await api.create('Workspace', 'Site');
    const templates = await api.create('Templates', 'Templates');
    const template = await api.create('location.Location', 'Station', templates._id);
    const source = await api.create('source.data.Jts', 'Logger', template._id);
    const copies = await api.clone(template._id, { parentId: workspace._id, name: 'Instance' });
    const of = (cls: string) => copies.find((node) => String(node._class).endsWith(cls))!._id;
    await api.update(template._id, { coordinateSourceId: source._id });
    const follower = { locationId: of('Location'), latitude: '', longitude: '' };
    await until(() => reported(of('Jts')).some((followers) => followers?.length === 1));
    expect(reported(of('Jts')).at(-1)).toEqual([follower]);
  });
});
