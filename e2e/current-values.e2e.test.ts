// Current, previous and oldest values, their qualities and states, and updatedTime after every kind of write and delete
// (docs/reference/parameters.md#attributes, docs/reference/writing.md), through the gateway. The shown values are
// compared with the records read back.
import { until } from '@catchment/testkit';
import { type Api, MODEL } from './src/api.ts';
import { type Installation, startInstallation } from './src/installation.ts';

let installation: Installation;
let api: Api;

beforeAll(async () => {
  installation = await startInstallation();
  api = installation.api;
});
afterAll(() => installation?.stop());

const minute = (n: number) => new Date(Date.UTC(2024, 0, 1, 0, n)).toISOString();

type Field = { v?: unknown; q?: number | null; a?: string | null } | null;
type Site = { readonly client: Api; readonly sourceId: string; readonly nodeId: string; readonly marker: string };

async function site(cls = 'point.NumberPoint', more: object = {}, client = api): Promise<Site> {
  const { sourceId, locationId } = await client.createSite();
  const create = async (name: string, attributes: object) =>
    (await client.create({ _class: `${MODEL}.${cls}`, name, parentId: sourceId, ...attributes }))._id;
  const nodeId = cls === 'location.Location' ? locationId : await create('P', more);
  const marker = (await client.create({ _class: `${MODEL}.point.NumberPoint`, name: 'Marker', parentId: sourceId }))
    ._id;
  return { client, sourceId, nodeId, marker };
}

const accepted = async (answer: Promise<{ status: number; text: string }>) => {
  const { status, text } = await answer;
  expect([status, text]).toEqual([202, expect.any(String)]);
};
const write = (records: Readonly<Record<number, Field>>, mode?: string) => (at: Site) =>
  accepted(
    at.client.put(`/nodes/${at.nodeId}/historic${mode ? `?writeMode=${mode}` : ''}`, {
      docType: 'jts',
      data: Object.entries(records).map(([n, field]) => ({ ts: minute(Number(n)), f: { 0: field } })),
    }),
  );
const now = (body: object) => (at: Site) => accepted(at.client.put(`/nodes/${at.nodeId}/historic/now`, body));
const removeAll = (at: Site) => accepted(at.client.delete(`/nodes/${at.nodeId}/historic`));

const inTurn =
  (...changes: readonly ((at: Site) => Promise<void>)[]) =>
  async (at: Site) => {
    for (const change of changes) await change(at);
  };

type NodeDocument = {
  readonly updatedTime: string;
  readonly states?: readonly { readonly _id: string; readonly threshold?: number }[];
  readonly [attribute: string]: unknown;
};

const nodeOf = async ({ client, nodeId }: Site): Promise<NodeDocument> => (await client.get(`/nodes/${nodeId}`)).json;

/** Records of a Location take another path than those of its sources: the wait ends with the expected value. */
async function settled(at: Site, expected?: () => Promise<void>): Promise<void> {
  const value = Math.random();
  await accepted(at.client.put(`/nodes/${at.marker}/historic/now`, { value }));
  await until(async () => (await at.client.get(`/nodes/${at.marker}`)).json.currentValue === value);
  if (expected) await holds(expected);
}

/** Waits until nothing in there throws. */
const holds = (expected: () => Promise<unknown>) =>
  until(async () => {
    await expected();
    return true;
  });

/** Returns a value as a node shows it: bare. */
const bare = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? Object.values(value)[0] : value;

type Shown = readonly (readonly [time: string, value: unknown, quality: number | undefined])[];

/** Reads all records with a value, oldest first, as a read has them. */
async function recordsOf({ client, nodeId }: Site): Promise<Shown> {
  const { data } = (await client.get(`/nodes/${nodeId}/historic?limit=1000&renderType=VALUE`)).json;
  return data
    .map(({ ts, f }: { ts: string; f: Record<string, { v?: unknown; q?: number }> }) => [ts, bare(f[0]?.v), f[0]?.q])
    .filter(([, value]: readonly unknown[]) => value !== undefined);
}

/** The node agrees with its records. */
async function expectEdges(at: Site): Promise<Shown> {
  const [node, records] = [await nodeOf(at), await recordsOf(at)];
  const edges = { current: records.at(-1), previous: records.at(-2), oldest: records[0] };
  const states = node.states ?? [];
  for (const [edge, record] of Object.entries(edges)) {
    const shown = [node[`${edge}Time`], node[`${edge}Value`], node[`${edge}Quality`]];
    expect([edge, ...shown]).toEqual([edge, ...(record ?? [undefined, undefined, undefined])]);
    // A point has NORMAL alone, or the states of a truth value.
    const state = states.find((state) => state.threshold === undefined || state.threshold === record?.[1]);
    const isMatched = typeof record?.[1] === 'number';
    expect([edge, node[`${edge}StateId`]]).toEqual([edge, isMatched ? state?._id : undefined]);
  }
  if (typeof node.currentValue === 'number') expect(node.rawValue).toBe(node.currentValue);
  return records;
}

const BASE = { 1: { v: 1, q: 10 }, 3: { v: 3, a: 'three' }, 5: { v: 5 } };
const GAP = { v: null, q: 158 };
const ANY = { v: 0 };

type Case = readonly [what: string, change: (at: Site) => Promise<void>, left: string, isTouched?: false];

const CASES: readonly Case[] = [
  ['a newer record', write({ 7: { v: 7 } }), '1:1 3:3 5:5 7:7'],
  ['an older record', write({ 0: { v: 0 } }), '0:0 1:1 3:3 5:5'],
  ['a record in between', write({ 4: { v: 4 } }), '1:1 3:3 4:4 5:5'],
  ['several at once', write({ 0: { v: 0 }, 8: { v: 8 }, 9: { v: 9 } }), '0:0 1:1 3:3 5:5 8:8 9:9'],
  ['the current one overwritten', write({ 5: { v: 50, q: 192 } }), '1:1 3:3 5:50'],
  ['the previous one overwritten', write({ 3: { v: 30 } }), '1:1 3:30 5:5'],
  ['the oldest one overwritten', write({ 1: { v: 10 } }), '1:10 3:3 5:5'],
  ['the current one made a gap', write({ 5: GAP }), '1:1 3:3'],
  ['the current one made an annotation', write({ 5: { a: 'gone' } }), '1:1 3:3'],
  ['the oldest one made a gap', write({ 1: { q: 158 } }), '3:3 5:5'],
  ['all made gaps', write({ 1: GAP, 3: GAP, 5: GAP }), ''],
  ['a newer gap', write({ 7: GAP }), '1:1 3:3 5:5'],
  ['a newer annotation', write({ 7: { a: 'visit' } }), '1:1 3:3 5:5'],
  ['a quality for the current one', write({ 5: { q: 7 } }, 'MERGE_UPDATE_EXISTING'), '1:1 3:3 5:5'],
  ['a value for the current one', write({ 5: { v: 55 } }, 'MERGE_UPDATE_EXISTING'), '1:1 3:3 5:55'],
  ['the current value cleared', write({ 5: { v: null, a: 'x' } }, 'MERGE_UPDATE_EXISTING'), '1:1 3:3'],
  ['the oldest quality cleared', write({ 1: { q: null } }, 'MERGE_UPDATE_EXISTING'), '1:1 3:3 5:5'],
  ['a delete marker of an update', write({ 1: null }, 'MERGE_UPDATE_EXISTING'), '3:3 5:5'],
  ['what is there, preserved', write({ 5: { v: 50 }, 7: { v: 7 } }, 'MERGE_PRESERVE_EXISTING'), '1:1 3:3 5:5 7:7'],
  ['a marker that preserving ignores', write({ 5: null, 6: { v: 6 } }, 'MERGE_PRESERVE_EXISTING'), '1:1 3:3 5:5 6:6'],
  ['new ones, none existing', write({ 7: { v: 7 } }, 'MERGE_FAIL_ON_EXISTING'), '1:1 3:3 5:5 7:7'],
  ['one existing: fails', write({ 5: { v: 50 }, 7: { v: 7 } }, 'MERGE_FAIL_ON_EXISTING'), '1:1 3:3 5:5', false],
  ['a range replaced', write({ 2: { v: 2 }, 6: { v: 6 } }, 'INSERT_DELETE_EXISTING'), '1:1 2:2 6:6'],
  ['all replaced', write({ 0: { v: 0 }, 6: { v: 6 } }, 'INSERT_DELETE_EXISTING'), '0:0 6:6'],
  ['an empty range filled', write({ 6: { v: 6 }, 7: { v: 7 } }, 'INSERT_FAIL_ON_EXISTING'), '1:1 3:3 5:5 6:6 7:7'],
  ['a filled range: fails', write({ 4: { v: 4 }, 7: { v: 7 } }, 'INSERT_FAIL_ON_EXISTING'), '1:1 3:3 5:5', false],
  ['a range with the current one deleted', write({ 4: ANY, 9: ANY }, 'DELETE_RANGE'), '1:1 3:3'],
  ['a range with the previous one deleted', write({ 2: ANY, 4: ANY }, 'DELETE_RANGE'), '1:1 5:5'],
  ['a range with the oldest one deleted', write({ 0: ANY, 2: ANY }, 'DELETE_RANGE'), '3:3 5:5'],
  ['a range with all deleted', write({ 0: ANY, 9: ANY }, 'DELETE_RANGE'), ''],
  ['the current one deleted', write({ 5: ANY }, 'DELETE'), '1:1 3:3'],
  ['the previous one deleted', write({ 3: ANY }, 'DELETE'), '1:1 5:5'],
  ['the oldest two deleted', write({ 1: ANY, 3: ANY }, 'DELETE'), '5:5'],
  ['a delete marker on the current one', write({ 5: null }), '1:1 3:3'],
  ['a delete marker on the previous one', write({ 3: null }), '1:1 5:5'],
  ['delete markers on all', write({ 1: null, 3: null, 5: null }), ''],
  ['a delete marker and a newer record', write({ 5: null, 7: { v: 7 } }), '1:1 3:3 7:7'],
  ['a write that is discarded', write({ 7: { v: 7 } }, 'DISCARD'), '1:1 3:3 5:5', false],
  ['a single record at a new time', now({ value: 7, quality: 1, timestamp: minute(7) }), '1:1 3:3 5:5 7:7'],
  ['a single record at an old time', now({ value: 30, timestamp: minute(3) }), '1:1 3:30 5:5'],
  ['a single gap over the current one', now({ value: null, quality: 158, timestamp: minute(5) }), '1:1 3:3'],
  ['a single annotation', now({ annotation: 'visit' }), '1:1 3:3 5:5'],
  ['all deleted', removeAll, ''],
  ['all deleted, then one written', inTurn(removeAll, write({ 2: { v: 2 } })), '2:2'],
  ['one written, then all deleted', inTurn(write({ 9: { v: 9 } }), removeAll), ''],
  ['no records', write({}), '1:1 3:3 5:5', false],
];

describe('a series with values at the minutes 1, 3 and 5', () => {
  let beganMs: number;
  let before: readonly { updatedTime: string }[];
  let sites: readonly Site[];

  // All at once, for changes of one series do not wait for changes of others.
  beforeAll(async () => {
    const { sourceId, marker, client } = await site();
    const parameters = CASES.map(([what]) =>
      client.create({ _class: `${MODEL}.point.NumberPoint`, name: what, parentId: sourceId }),
    );
    sites = (await Promise.all(parameters)).map(({ _id }) => ({ client, sourceId, marker, nodeId: _id }));
    const header = { columns: Object.fromEntries(sites.map(({ nodeId }, n) => [n, { id: nodeId }])) };
    const data = Object.entries(BASE).map(([n, field]) => ({
      ts: minute(Number(n)),
      f: Object.fromEntries(sites.map((_, column) => [column, field])),
    }));
    await accepted(client.put(`/nodes/${sourceId}/historic`, { docType: 'jts', header, data }));
    const [last] = sites.slice(-1);
    await settled(last!);
    before = await Promise.all(sites.map(nodeOf));
    beganMs = Date.now();
    await Promise.all(CASES.map(([, change], n) => change(sites[n]!)));
    await settled(last!);
  });

  test.each(CASES.map(([what, , left, isTouched = true], n) => [what, left, n, isTouched] as const))(
    '%s: left are %s',
    async (_what, left, n, isTouched) => {
      const at = sites[n]!;
      const minuteOf = (time: string) => (Date.parse(time) - Date.parse(minute(0))) / 60_000;
      await holds(async () => {
        const records = await expectEdges(at);
        expect(records.map(([time, value]) => `${minuteOf(time)}:${value}`).join(' ')).toBe(left);
      });
      const { updatedTime } = await nodeOf(at);
      if (!isTouched) expect(updatedTime).toBe(before[n]?.updatedTime);
      // The clocks of all processes are one here.
      else expect(Date.parse(updatedTime)).toBeGreaterThanOrEqual(beganMs);
      expect(Date.parse(updatedTime)).toBeLessThanOrEqual(Date.now());
    },
  );
});

describe('values of every type', () => {
  test.each<[string, string, object, readonly unknown[], object?]>([
    ['numbers', 'point.NumberPoint', {}, [1.5, -0.25, 1e300]],
    ['truth values', 'point.NumberPoint', { dataType: 'BOOLEAN' }, [true, false, true]],
    ['texts', 'point.TextPoint', {}, ['dry', '', 'Regen ☔']],
    ['times', 'point.TimePoint', {}, [minute(20), minute(10), minute(30)].map(($time) => ({ $time }))],
    [
      'places',
      'location.Location',
      {},
      [
        [1.5, 2],
        [-90, 180],
        [0, 0],
      ].map(($coords) => ({ $coords })),
    ],
    ['control values', 'point.NumberControlPoint', {}, [1, 2, 3]],
  ])('%s: written, the current one deleted, one given alone, all deleted', async (_what, cls, column, values) => {
    const at = 'dataType' in column ? await truthValues() : await site(cls);
    const shownValues = async () => (await expectEdges(at)).map(([, value]) => value);
    const shown = values.map((value) => (typeof value === 'boolean' ? Number(value) : bare(value)));
    const expectShown = (expected: readonly unknown[]) =>
      settled(at, async () => expect(await shownValues()).toEqual(expected));
    await write(Object.fromEntries(values.map((v, n) => [n, { v }])))(at);
    await expectShown(shown);
    await write({ 2: null })(at);
    await expectShown(shown.slice(0, 2));
    await now({ value: values[0] })(at);
    await expectShown([...shown.slice(0, 2), shown[0]]);
    await removeAll(at);
    await expectShown([]);
  });

  /** Makes a series that a data source makes of truth values. */
  async function truthValues(): Promise<Site> {
    const made = await site();
    const header = { columns: { 0: { series: 'Door', dataType: 'BOOLEAN' } } };
    await accepted(made.client.put(`/nodes/${made.sourceId}/historic`, { docType: 'jts', header, data: [] }));
    const filter = encodeURIComponent(`parentId($eq:${made.sourceId}),name($eq:Door)`);
    const [door] = (await made.client.get(`/nodes?filter=${filter}`)).json;
    return { ...made, nodeId: door._id };
  }
});

test('documents for a data source and for several nodes', async () => {
  const at = await site();
  const header = { columns: { 0: { id: at.nodeId } } };
  const data = (n: number, v: number) => [{ ts: minute(n), f: { 0: { v } } }];
  await accepted(api.put(`/nodes/${at.sourceId}/historic`, { docType: 'jts', header, data: data(2, 2) }));
  await accepted(api.put('/historic', { docType: 'jts', header, data: data(1, 1) }));
  await accepted(
    api.put(`/historic?params=${at.nodeId}(columnIndex:0)&writeMode=DELETE`, { docType: 'jts', data: data(2, 0) }),
  );
  await accepted(api.put(`/historic?params=${at.nodeId}(columnIndex:0)`, { docType: 'jts', data: data(4, 4) }));
  await settled(at, async () =>
    expect(await expectEdges(at)).toEqual([
      [minute(1), 1, undefined],
      [minute(4), 4, undefined],
    ]),
  );
});

test('a record of the future is the current one at once', async () => {
  const at = await site();
  const timestamp = new Date(Date.now() + 86_400_000).toISOString();
  await now({ value: 2, timestamp })(at);
  await now({ value: 1 })(at);
  const shown = { currentValue: 2, currentTime: timestamp, previousValue: 1, oldestValue: 1 };
  await settled(at, async () => expect(await nodeOf(at)).toMatchObject(shown));
});

test('what a data source discards shows nowhere: outside of its window, and beyond the rows of a day', async () => {
  const other = await installation.account({ name: `few-rows-${process.pid}` });
  await installation.accountCommand(['update', other.id, '--rows-per-day', '3']);
  const limited = await site('point.NumberPoint', {}, other.api);
  const column = (at: Site, rows: readonly (readonly [string, number])[]) =>
    accepted(
      at.client.put(`/nodes/${at.sourceId}/historic`, {
        docType: 'jts',
        header: { columns: { 0: { id: at.nodeId } } },
        data: rows.map(([ts, v]) => ({ ts, f: { 0: { v } } })),
      }),
    );
  await column(
    limited,
    [5, 4, 3, 2, 1].map((n) => [minute(n), n]),
  );
  await holds(async () => expect((await expectEdges(limited)).map(([, value]) => value)).toEqual([1, 2, 3]));

  const windowed = await site();
  await api.put(`/nodes/${windowed.sourceId}`, { alarms: { dataAlarm: { config: { excludeAfterSeconds: 120 } } } });
  const [recent, ahead] = [Date.now() - 60_000, Date.now() + 86_400_000].map((ms) => new Date(ms).toISOString());
  // Writes learn of another window a moment later than its answer.
  await holds(async () => {
    await removeAll(windowed);
    await column(windowed, [
      [ahead ?? '', 9],
      [recent ?? '', 1],
    ]);
    await settled(windowed);
    expect(await expectEdges(windowed)).toEqual([[recent, 1, undefined]]);
  });
});

test('ratings: input written, changed, deleted; another rating; all deleted', async () => {
  const at = await site();
  const rating = (b: number) => ({
    inputNodeId: at.nodeId,
    ratings: [{ startTime: minute(0), equationType: 'POLYNOMIAL', coefficients: { a: 0, b } }],
  });
  const attributes = {
    _class: `${MODEL}.point.NumberRatingPoint`,
    name: 'Flow',
    parentId: at.sourceId,
    rating: rating(10),
  };
  const flow: Site = { ...at, nodeId: (await api.create(attributes))._id };
  const follows = (values: readonly number[]) =>
    holds(async () => expect((await expectEdges(flow)).map(([, value]) => value)).toEqual(values));
  await write(BASE)(at);
  await follows([10, 30, 50]);
  await write({ 5: { v: 6 } })(at);
  await follows([10, 30, 60]);
  await write({ 5: null })(at);
  await follows([10, 30]);
  expect((await api.put(`/nodes/${flow.nodeId}`, { rating: rating(100) })).status).toBe(200);
  await follows([100, 300]);
  await write({ 0: ANY, 2: ANY }, 'DELETE_RANGE')(at);
  await follows([300]);
  await removeAll(flow);
  await follows([]);
  await write({ 7: { v: 7 } })(at);
  await follows([700]);
  await removeAll(at);
  await follows([]);
});

// The bench measures how soon that is (bench/src/promises/measure-promises.ts).
test('a list and a tree show the same values as the node itself, after a change too', async () => {
  const at = await site();
  const values = ({ currentValue, currentTime, previousValue, oldestValue }: NodeDocument) => ({
    currentValue,
    currentTime,
    previousValue,
    oldestValue,
  });
  const everywhere = async (): Promise<NodeDocument[]> => {
    const filter = encodeURIComponent(`_id($eq:${at.nodeId})`);
    const [[listed], tree] = [
      (await api.get(`/nodes?filter=${filter}`)).json,
      (await api.get('/nodes?type=TREE')).json,
    ];
    const found = inTree(tree, at.nodeId);
    return [await nodeOf(at), listed, ...(found ? [found] : [])];
  };
  for (const [change, currentValue] of [
    [write(BASE), 5],
    [write({ 5: null }), 3],
  ] as const) {
    await change(at);
    await holds(async () => {
      const shown = (await everywhere()).map(values);
      expect(shown).toEqual(Array(3).fill(expect.objectContaining({ currentValue, oldestValue: 1 })));
      expect(shown.slice(1)).toEqual([shown[0], shown[0]]);
    });
  }
});

function inTree(nodes: readonly NodeDocument[], id: string): NodeDocument | undefined {
  for (const node of nodes) {
    const found = node._id === id ? node : inTree((node.children ?? []) as NodeDocument[], id);
    if (found) return found;
  }
  return undefined;
}
