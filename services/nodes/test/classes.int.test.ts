import { until } from '@catchment/testkit';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { classNames } from '../src/domain/body/class-names.ts';
import { ALL_CLASSES } from '../src/domain/classes/class-table.ts';
import { schemaName } from '../src/schemas/domain/node-schemas.ts';
import { apiSchemas } from '../src/schemas/index.ts';
import { everyClass } from './every-class.ts';
import { type Fixture, openFixture } from './fixture.ts';

let f: Fixture;
beforeAll(async () => {
  f = await openFixture();
});
afterAll(() => f.close());

const TRANSPORT = 'io.svc.models.node.transport.';
const refused = (attribute: string) => ({
  kind: 'invalid_argument',
  message: expect.stringMatching(new RegExp(`^${RegExp.escape(attribute)}: `)),
});

test('a node of every class is made, and what GET answers can be PUT without any change', async () => {
  const api = await f.account();
  const nodes = await everyClass(api);
  expect(nodes.size).toBe(ALL_CLASSES.length);
  const { revision } = await api.list();
  for (const node of nodes.values()) {
    // The one state of a Location is refused as any other would be (docs/reference/states.md#updates-of-states).
    const { states, statesType, ...body } = node;
    const isLocation = String(node._class).endsWith('.Location');
    expect(await api.update(node._id, isLocation ? body : node)).toEqual(node);
  }
  expect((await api.list()).revision).toBe(revision);
});

test('a node of every class is the same text whole and by the names of all its attributes, with defaults and without', async () => {
  const api = await f.account();
  const own = { chart: { lineWidth: 5 }, alarms: { qualityAlarm: { config: { isEnabled: false } } } };
  for (const node of (await everyClass(api)).values()) {
    const nodes = [await api.get(node._id)];
    if (String(node._class).includes('.point.')) {
      await api.update(node._id, own);
      nodes.push(await api.get(node._id));
      expect(nodes[1]).toMatchObject(own);
      expect(nodes[1]).not.toEqual(nodes[0]);
    }
    const whole = nodes.at(-1) ?? {};
    const attr = Object.keys(whole).join(',');
    expect(JSON.stringify(await api.get(node._id, attr))).toBe(JSON.stringify(whole));
  }
});

test('what GET answers is as the schema of its class says', async () => {
  const { nodes, nodeParts } = apiSchemas(classNames('io.svc'));
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  for (const [name, schema] of Object.entries(nodeParts)) ajv.addSchema(closed(schema), name);
  const api = await f.account();
  for (const node of (await everyClass(api)).values()) {
    const cls = ALL_CLASSES.find(({ name }) => node._class === `io.svc.models.node.${name}`)!;
    const matches = ajv.compile(closed(nodes[schemaName(cls)]));
    expect([node._class, matches(node), matches.errors]).toEqual([node._class, true, null]);
  }
});

/** Returns the same schema, without other properties than those that it lists. */
const closed = (schema: unknown) =>
  JSON.parse(JSON.stringify(schema), (_name, value) =>
    value?.type === 'object' ? { additionalProperties: false, ...value } : value,
  );

test('how files of a source are read is stated in fields', async () => {
  const api = await f.account();
  const { _id } = (await everyClass(api)).get('TextParser')!;
  const parser = {
    delimiter: ';',
    columns: [{ index: 0, type: 'RECORD_TIME', joins: [{ field: 'TIME', column: 1 }] }],
  };
  await api.update(_id, { parser, files: [{ match: '*.log' }], writeMode: 'MERGE_PRESERVE_EXISTING' });
  const own = { nodeRef: _id, parserJson: Buffer.alloc(0) };
  const other = (given: object) => ({ ...own, parserJson: Buffer.from(JSON.stringify(given)) });
  expect(await f.nodes.getFileSource(own, api.options)).toMatchObject({
    sourceId: _id,
    class: 'source.data.TextParser',
    timezone: 'Etc/UTC',
    writeMode: 'MERGE_PRESERVE_EXISTING',
    parser: { ...parser, labelsRow: undefined },
    files: [{ match: '*.log', isRegex: false, parser: undefined }],
  });
  expect((await f.nodes.getFileSource(other({ match: 'strict' }), api.options)).parser).toMatchObject({
    match: 'STRICT',
    columns: [],
  });
  await expect(f.nodes.getFileSource(other({ delimiter: '1234567' }), api.options)).rejects.toThrow(
    'parser.delimiter: must be',
  );
});

test('what GET answers can be POSTed; an attribute that no node has is refused by name, by PUT ignored', async () => {
  const api = await f.account();
  const nodes = await everyClass(api);
  for (const node of nodes.values()) {
    const cls = String(node._class).replace('io.svc.models.node.', '');
    if (['Attachment', 'Templates'].includes(cls)) continue;
    // The one state of a Location is refused as any other would be, and customIds are unique.
    const { states, statesType, customId, ...shown } = node;
    const named = { name: `${node.name} again`, children: [] };
    const body = { ...(cls.endsWith('Location') ? shown : { ...shown, states, statesType }), ...named };
    const parentId = node.parentId as string | undefined;
    const { name } = named;
    expect(await api.create(cls, name, parentId, body)).toMatchObject({ _class: node._class, name });
    await expect(api.create(cls, `${name}, wrong`, parentId, { metdata: [] })).rejects.toMatchObject({
      kind: 'invalid_argument',
      message: 'metdata: is not an attribute of any node; the nearest one is metadata',
    });
    expect(await api.update(node._id, { metdata: [] })).toEqual(node);
  }
});

test('defaults are shown', async () => {
  const api = await f.account();
  const nodes = await everyClass(api);
  expect(nodes.get('CampbellPakBus')).toMatchObject({ pakBusAddress: 1, retryDelaySeconds: 60, autoParameters: true });
  expect(nodes.get('AttachmentSource')).toMatchObject({ maxAttachments: 10, fileTypes: [], currentStatus: 'IDLE' });
  expect(nodes.get('Jts')).toMatchObject({ files: [], readMode: 'NEW', retryDelaySeconds: 900 });
  expect(nodes.get('HistoricChart')).toMatchObject({
    startRange: 'NOW-7D',
    endRange: 'NOW',
    yAxes: [{ position: 'LEFT', range: 'LINEAR_AUTOMATIC' }],
    links: [],
    isPublic: false,
  });
  expect(nodes.get('WindRoseChart')).toMatchObject({
    speedRanges: [0.5, 2, 4, 6, 8, 10],
    aggregation: { mode: 'AUTOMATIC', period: 'AUTOMATIC', type: 'INTERPOLATED' },
  });
  expect(nodes.get('Report')).toMatchObject({ timezone: 'Etc/UTC', timezoneAdjustForDst: true, links: [] });
  expect(nodes.get('NumberControlPoint')).toMatchObject({ controlValueRestriction: 'NONE' });
  const alarms = (name: string) => Object.keys(nodes.get(name)!.alarms as object);
  expect(alarms('NumberControlPoint')).toContain('controlAlarm');
  for (const name of ['Processor', 'TextProcessPoint', 'NumberRatingPoint'])
    expect(alarms(name)).toContain('processAlarm');
});

test('computed parameters are not writable, for others to know; controls and plain ones are', async () => {
  const api = await f.account();
  const nodes = await everyClass(api);
  const names = ['NumberPoint', 'NumberControlPoint', 'TextProcessPoint', 'NumberRatingPoint'];
  const { nodes: configs } = await f.nodes.resolveNodes(
    { nodeRefs: names.map((name) => nodes.get(name)!._id), ownerId: '' },
    api.options,
  );
  expect(configs.map(({ series }) => series?.writable)).toEqual([true, true, false, false]);
});

test.each(['Processor', 'AttachmentSource', 'Dashboard'])('a %s takes no columns of data', async (name) => {
  const api = await f.account();
  const nodes = await everyClass(api);
  await expect(api.ensure(nodes.get(name)!._id, [{ name: 'a' }])).rejects.toMatchObject({
    kind: 'failed_precondition',
  });
});

test.each([
  ['NumberPoint', 'HistoricChart'],
  ['AttachmentSource', 'NumberPoint'],
  ['Workspace', 'CampbellPakBus'],
])('a %s holds no %s', async (parent, child) => {
  const api = await f.account();
  const nodes = await everyClass(api);
  const { name } = ALL_CLASSES.find((cls) => cls.name.endsWith(child))!;
  await expect(api.create(name, 'New', nodes.get(parent)!._id)).rejects.toMatchObject(refused('parentId'));
});

test('secrets are written and never read: not by GET, list, filter or sort; given back as shown they stay', async () => {
  const api = await f.account();
  const nodes = await everyClass(api);
  const logger = nodes.get('CampbellPakBus')!._id;
  const shown = await api.update(logger, { securityCode: '1234', tcpPassword: 'hunter2-hunter2' });
  expect(shown).toMatchObject({ securityCode: '********', tcpPassword: '********' });
  expect(shown).not.toHaveProperty('encryptionKey');
  const jts = nodes.get('Jts')!._id;
  const headers = [{ name: 'Authorization', value: 'Bearer hunter2-hunter2' }];
  const source = await api.update(jts, { transport: { _class: `${TRANSPORT}HttpDownload`, headers } });
  expect(source.transport).toEqual({
    _class: `${TRANSPORT}HttpDownload`,
    headers: [{ name: 'Authorization', value: '********' }],
  });
  for (const node of [await api.get(logger), await api.get(jts)]) await api.update(node._id, node);
  const stored = await f.database.query<{ config: object }>('SELECT config FROM nodes WHERE node_id = ANY($1)', [
    [logger, jts],
  ]);
  expect(JSON.stringify(stored.rows).split('hunter2-hunter2')).toHaveLength(3);
  expect(JSON.stringify((await api.list()).list)).not.toContain('hunter2');
  for (const query of [{ filter: 'securityCode($eq:1234)' }, { sort: 'tcpPassword' }])
    await expect(api.list(query)).rejects.toMatchObject({ kind: 'invalid_argument' });
  expect((await api.list({ filter: 'transport.headers.value($match:hunter2)' })).list).toEqual([]);
  const messages = () => f.published.messagesOf(logger);
  await until(() => messages().length === 2);
  expect(messages()[1]).toBe('Updated securityCode, tcpPassword');
});

test('a push key is made here: not taken from a body, replaced by null, kept over a change of the transport', async () => {
  const api = await f.account();
  const { source } = await f.source(api);
  const set = async (transport: object) => (await api.update(source._id, { transport })).transport as { key: string };
  const first = await set({ _class: `${TRANSPORT}HttpUpload`, key: 'my-own-key' });
  expect(first.key).toMatch(/^[a-z]+-[a-z]+-[a-z]+$/);
  expect(first.key).not.toBe('my-own-key');
  expect((await set({ _class: `${TRANSPORT}Mqtt` })).key).toBe(first.key);
  expect((await set({ _class: `${TRANSPORT}Mqtt`, key: null as never })).key).not.toBe(first.key);
});

test('pages refer to nodes by id or custom id, name them, and keep what is broken by now', async () => {
  const api = await f.account();
  const nodes = await everyClass(api);
  const point = nodes.get('NumberPoint')!;
  await api.update(point._id, { customId: 'air', name: 'Air 2 m' });
  const chart = { _class: 'io.svc.models.node.point.chart.ColumnChart', lineWidth: 3 };
  const historic = nodes.get('HistoricChart')!._id;
  expect((await api.update(historic, { links: [{ nodeId: '@air', chart }] })).links).toEqual([
    { nodeId: point._id, name: 'Air 2 m', yAxisIndex: 0, chart },
  ]);
  const report = nodes.get('Report')!._id;
  const links = [{ nodeId: point._id }, { nodeId: point._id }];
  expect((await api.update(report, { links })).links).toEqual([
    { nodeId: point._id, name: 'Air_2_m' },
    { nodeId: point._id, name: 'Air_2_m2' },
  ]);
  await api.remove(point._id);
  const broken = await api.get(historic);
  expect(await api.update(historic, broken)).toEqual(broken);
  const added = [...(broken.links as object[]), { nodeId: nodes.get('TextPoint')!._id }];
  expect((await api.update(historic, { links: added })).links).toHaveLength(2);
  const other = [{ nodeId: 'f'.repeat(24) }];
  await expect(api.update(historic, { links: other })).rejects.toMatchObject(refused('links[0].nodeId'));
});

test('ratings are sorted and lowered when stored; a rating may feed another but never itself', async () => {
  const api = await f.account();
  const nodes = await everyClass(api);
  const id = (name: string) => nodes.get(name)!._id;
  const ratings = [
    { startTime: '2021-01-01T00:00:00Z', equationType: 'polynomial', coefficients: { B: 2, A: 1 } },
    {
      startTime: '2020-01-01T00:00:00Z',
      table: [
        [2, 20],
        [1, 10],
      ],
    },
  ];
  const stored = await api.update(id('NumberRatingPoint'), { rating: { inputNodeId: id('NumberPoint'), ratings } });
  expect(stored.rating).toEqual({
    inputNodeId: id('NumberPoint'),
    ratings: [
      {
        startTime: '2020-01-01T00:00:00.000Z',
        table: [
          [1, 10],
          [2, 20],
        ],
      },
      { startTime: '2021-01-01T00:00:00.000Z', equationType: 'POLYNOMIAL', coefficients: { a: 1, b: 2 } },
    ],
  });
  const second = await api.create('point.NumberRatingPoint', 'Second', id('Jts'), {
    rating: { inputNodeId: id('NumberRatingPoint'), ratings: [] },
  });
  const loop = { rating: { inputNodeId: second._id, ratings: [] } };
  await expect(api.update(id('NumberRatingPoint'), loop)).rejects.toMatchObject(refused('rating.inputNodeId'));
  expect(await api.update(second._id, { rating: null })).not.toHaveProperty('rating');
});

test('a clone’s pages, ratings and programs name the copies', async () => {
  const api = await f.account();
  const nodes = await everyClass(api);
  const id = (name: string) => nodes.get(name)!._id;
  const tile = { type: 'VALUE', x: 0, y: 0, w: 3, h: 2, links: [{ nodeId: id('NumberPoint') }] };
  await api.update(id('Dashboard'), { tiles: [tile], isPublic: true });
  await api.update(id('HistoricChart'), { links: [{ nodeId: id('NumberPoint') }] });
  await api.update(id('Report'), { links: [{ nodeId: id('HistoricChart') }] });
  await api.update(id('NumberRatingPoint'), { rating: { inputNodeId: id('NumberPoint'), ratings: [] } });
  await api.update(id('Location'), { coordinateSourceId: id('Jts'), imageSourceId: id('AttachmentSource') });
  await api.update(id('NumberPoint'), { customId: 'air' });
  const code = `return NUMBER('{${id('NumberPoint')}}') + NUMBER("{@air}") + NUMBER('/Workspace/Group/Location/Jts/TextPoint') + NUMBER('../x')`;
  await api.update(id('NumberProcessPoint'), { process: { code } });
  const made = await api.clone(id('Location'), { parentId: id('Group') });
  const copy = (name: string) => made.find((node) => node.name === name)!;
  const air = copy('NumberPoint')._id;
  expect(new Set(made.map(({ _id }) => _id)).has(air)).toBe(true);
  expect(copy('Dashboard')).toMatchObject({ isPublic: false, tiles: [{ links: [{ nodeId: air }] }] });
  expect(copy('HistoricChart')).toMatchObject({ links: [{ nodeId: air }] });
  expect(copy('Report')).toMatchObject({ links: [{ nodeId: copy('HistoricChart')._id }] });
  expect(copy('NumberRatingPoint')).toMatchObject({ rating: { inputNodeId: air } });
  expect(made[0]).toMatchObject({
    name: 'Location (2)',
    coordinateSourceId: copy('Jts')._id,
    imageSourceId: copy('AttachmentSource')._id,
  });
  expect((copy('NumberProcessPoint').process as { code: string }).code).toBe(
    `return NUMBER('{${air}}') + NUMBER("{${air}}") + NUMBER('/Workspace/Group/Location (2)/Jts/TextPoint') + NUMBER('../x')`,
  );
});
