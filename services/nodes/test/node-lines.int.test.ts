// GET /nodes/search and GET /nodes/children (docs/reference/node-tree.md#search).

import { classNames } from '../src/domain/body/class-names.ts';
import { listChildren, searchNodes } from '../src/views/index.ts';
import { type Fixture, type Json, openFixture } from './fixture.ts';
import { securityClient } from './security-client.ts';

type Account = Awaited<ReturnType<Fixture['account']>>;
type Caller = Account['caller'];
type Given = Readonly<Record<string, string>>;

let f: Fixture;
let mine: Account;
const nodes: Record<string, Json> = {};
beforeAll(async () => {
  f = await openFixture();
  mine = await f.account();
  const make = async (cls: string, name: string, parent = '', more: object = {}) => {
    nodes[name] = await mine.create(cls, name, nodes[parent]?._id, more);
  };
  await make('Workspace', 'Maryland rivers');
  await make('Group', 'Baltimore', 'Maryland rivers');
  const metadata = [{ name: 'Operator', value: 'Höger & Søn' }];
  await make('location.Location', 'Dead Run', 'Baltimore', { customId: 'site-1589330', metadata });
  await make('source.data.Jts', 'River gauge', 'Dead Run');
  await make('point.NumberPoint', 'Gage height', 'River gauge', { units: 'ft', format: '0.00' });
  await make('point.NumberPoint', 'Gage height 2', 'River gauge');
  await make('location.Location', 'Gage', 'Baltimore');
  await make('point.TextPoint', 'Old gage 100%', 'River gauge');
  await make('Workspace', 'Böblingen');
  await make('location.Location', 'Pegel Würm', 'Böblingen', { customId: 'gage' });
  await f.source(await f.account());
});
afterAll(() => f.close());

const deps = () => ({ database: f.database, names: classNames('io.svc') });
const found = async (q: string, given: Given = {}, by: Caller = mine.caller) => {
  const { nodes: hits, next } = await searchNodes(deps(), by, { q, ...given });
  return { names: hits.map(({ name }) => name), hits, next };
};
const children = async (parent: string, given: Given = {}, by: Caller = mine.caller) => {
  const parentId = nodes[parent]?._id ?? '';
  const { nodes: lines, next } = await listChildren(deps(), by, { parentId, ...given });
  return { names: lines.map(({ name }) => name), lines, next };
};
const limitedTo = (...names: string[]): Caller => ({
  ...mine.caller,
  accessLevel: 'LIMITED_WORKSPACES',
  workspaceIds: names.map((name) => nodes[name]?._id ?? ''),
});

describe('a search', () => {
  test.each<[string, string, readonly string[]]>([
    [
      'first what is called so, or has the customId; then names that begin so; then words that do; then parts of words',
      'gage',
      ['Gage', 'Pegel Würm', 'Gage height', 'Gage height 2', 'Old gage 100%'],
    ],
    ['every word must be found', 'gage height', ['Gage height', 'Gage height 2']],
    ['in any order', 'height gage', ['Gage height', 'Gage height 2']],
    ['in names above', 'dead gage', ['Gage height', 'Gage height 2', 'Old gage 100%']],
    [
      'in names above alone, after what is called so',
      'dead run',
      ['Dead Run', 'Gage height', 'Gage height 2', 'Old gage 100%', 'River gauge'],
    ],
    ['as a path is written', 'Dead Run/River gauge/Gage height 2', ['Gage height 2']],
    ['within a word', 'iver gau', ['River gauge', 'Gage height', 'Gage height 2', 'Old gage 100%']],
    ['letter case and accents aside', 'BOBLINGEN wurm', ['Pegel Würm']],
    ['accents of the search aside', 'Gâge Héight 2', ['Gage height 2']],
    ['by customId', '@site-1589330', ['Dead Run']],
    ['by metadata', 'hoger operator', ['Dead Run']],
    ['signs of patterns are meant as they are', '100%', ['Old gage 100%']],
    ['and find nothing else', 'd_ad', []],
    ['nothing', 'weir', []],
  ])('%s: %s', async (_what, q, expected) => {
    expect((await found(q)).names).toEqual(expected);
  });

  test.each<[Given, readonly string[]]>([
    [{ class: 'location' }, ['Gage', 'Pegel Würm']],
    [{ class: '.point.' }, ['Gage height', 'Gage height 2', 'Old gage 100%']],
    [{ class: 'io.svc.models.node.point.TextPoint' }, ['Old gage 100%']],
  ])('is narrowed by %j', async (given, expected) => {
    expect((await found('gage', given)).names).toEqual(expected);
  });

  test('is narrowed to a Workspace', async () => {
    expect((await found('gage', { workspaceId: nodes.Böblingen?._id ?? '' })).names).toEqual(['Pegel Würm']);
  });

  test.each([1, 2, 3, 5])('pages of %d have every node once, in the same order', async (limit) => {
    const seen: unknown[] = [];
    let after = '';
    for (let page = 0; page < 6; page += 1) {
      const { names, next } = await found('gage', { limit: String(limit), after });
      seen.push(...names);
      if (next === null) break;
      after = next;
    }
    expect(seen).toEqual((await found('gage')).names);
  });

  test('a hit shows where the node is and how it is', async () => {
    const { hits } = await found('gage height');
    expect(hits[0]).toMatchObject({
      _id: nodes['Gage height']?._id,
      _class: 'io.svc.models.node.point.NumberPoint',
      path: expect.stringMatching(/^[^/]+\/Maryland rivers\/Baltimore\/Dead Run\/River gauge\/Gage height$/),
      parentId: nodes['River gauge']?._id,
      units: 'ft',
      format: '0.00',
      displayType: 'VALUE',
      alarm: null,
      isActive: true,
      permissions: expect.arrayContaining(['VIEW', 'CONFIGURE', 'SECURITY']),
    });
  });

  test('finds what a caller may see alone', async () => {
    expect((await found('gage', {}, limitedTo('Böblingen'))).names).toEqual(['Pegel Würm']);
    expect((await found('gage', {}, (await f.account()).caller)).names).toEqual([]);
  });

  test.each<[Given, string]>([
    [{ q: '' }, 'q: must have 1 to 10 words'],
    [{ q: ' / ' }, 'q: must have 1 to 10 words'],
    [{ q: 'a b c d e f g h i j k' }, 'q: must have 1 to 10 words'],
    [{ q: 'a'.repeat(201) }, 'q: must be at most 200 characters'],
    [{ limit: '51' }, 'limit: must be a whole number from 1 to 50'],
    [{ class: 'Castle' }, 'class: must be a part of the name of a class of nodes'],
    [{ class: 'a'.repeat(101) }, 'class: must be at most 100 characters'],
    [{ after: 'x' }, 'after: must be the next of an answer'],
    [{ after: Buffer.from('[1,2,3]').toString('base64url') }, 'after: must be the next of an answer'],
    [{ after: Buffer.from('[1,"\\u0000","a"]').toString('base64url') }, 'after: must be the next of an answer'],
    [{ workspaceId: 'f'.repeat(24) }, 'Requested resource not found'],
  ])('refuses %j', async (given, message) => {
    await expect(found('gage', given)).rejects.toThrow(message);
  });
});

describe('what is searched in follows every change', () => {
  /** Compares rows as triggers have kept them with rows made anew. */
  async function expectKept() {
    const rows = async () => (await f.database.query('SELECT * FROM node_texts ORDER BY node_id')).rows;
    const kept = await rows();
    await f.database.query('DELETE FROM node_texts');
    await f.database.query('SELECT write_texts_of_branches(ARRAY(SELECT node_id FROM nodes WHERE parent_id IS NULL))');
    expect(kept).toEqual(await rows());
    const { rows: counts } = await f.database.query('SELECT count(*)::int AS n FROM nodes');
    expect(kept).toHaveLength((counts[0] as { n: number }).n);
  }

  test('made, renamed, moved to another Workspace, cloned, deleted', async () => {
    const { workspace, location, source } = await f.source(mine);
    const point = await mine.create('point.NumberPoint', 'Turbidity', source._id);
    expect((await found('station turbidity')).hits[0]).toMatchObject({ _id: point._id });
    await mine.update(location._id, { name: 'Weir', metadata: [{ name: 'Serial', value: 'ZX-81' }] });
    expect((await found('station turbidity')).names).toEqual([]);
    expect((await found('weir turbidity')).names).toEqual(['Turbidity']);
    expect((await found('zx-81')).names).toEqual(['Weir']);
    await mine.update(point._id, { customId: 'turb' });
    expect((await found('turb')).names).toEqual(['Turbidity']);
    await mine.move(location._id, { parentId: nodes.Böblingen?._id });
    expect((await found('boblingen turbidity', {}, limitedTo('Böblingen'))).names).toEqual(['Turbidity']);
    await mine.clone(location._id, { parentId: workspace._id, name: 'Copy' });
    expect((await found('copy turbidity')).names).toEqual(['Turbidity']);
    await expectKept();
    await mine.remove(location._id);
    await mine.remove(workspace._id);
    expect((await found('turbidity')).names).toEqual([]);
    await expectKept();
  });
});

describe('children', () => {
  const T = Date.UTC(2024, 4, 15);
  beforeAll(async () => {
    const none = { message: 'm', categoryId: null, acknowledgeTime: null, acknowledgeUsername: null };
    const status = (alarmState: string) => ({
      revision: 1,
      alarmState,
      activeTime: T,
      acknowledgeComment: null,
      ...none,
    });
    for (const [name, alarms] of [
      ['Gage height', { stateAlarm: status('ACTIVE'), qualityAlarm: status('ACKNOWLEDGED') }],
      ['Gage height 2', { stateAlarm: status('CLEARED') }],
      ['River gauge', { dataAlarm: status('ACKNOWLEDGED') }],
      ['Pegel Würm', { stateAlarm: status('ACTIVE') }],
    ] as const)
      await f.database.query(
        'INSERT INTO node_alarms (node_id, alarms) VALUES ($1, $2) ON CONFLICT (node_id) DO UPDATE SET alarms = excluded.alarms',
        [nodes[name]?._id, JSON.stringify(alarms)],
      );
  });

  test.each([
    ['', ['Böblingen', 'Maryland rivers']],
    ['Baltimore', ['Dead Run', 'Gage']],
    ['River gauge', ['Gage height', 'Gage height 2', 'Old gage 100%']],
    ['Gage', []],
  ])('of %j lie directly under it, in the order of trees', async (parent, expected) => {
    const { names, next } = await children(parent);
    // The order is by code point, as for type=TREE.
    expect([names.toSorted(), next]).toEqual([expected.toSorted(), null]);
    const { list } = await mine.list({ type: 'TREE' });
    const below = (tree: readonly (Json & { children: Json[] })[]): (Json & { children: Json[] })[] =>
      tree.flatMap((node) => [node, ...below(node.children as (Json & { children: Json[] })[])]);
    const inTree = parent === '' ? list : below(list).find(({ name }) => name === parent)?.children;
    expect(names).toEqual(inTree?.map(({ name }) => name));
  });

  test.each([1, 2, 3])('pages of %d have each once', async (limit) => {
    const seen: unknown[] = [];
    let after = '';
    for (let page = 0; page < 4; page += 1) {
      const { names, next } = await children('River gauge', { limit: String(limit), after });
      seen.push(...names);
      if (next === null) break;
      after = next;
    }
    expect(seen).toEqual((await children('River gauge')).names);
  });

  test('count what lies under them, and the alarms at any depth below', async () => {
    const [dead, gage] = (await children('Baltimore')).lines;
    expect(dead).toMatchObject({ childCount: 1, alarm: null, alarmsBelow: { active: 1, acknowledged: 2 } });
    expect(gage).toMatchObject({ childCount: 0, alarm: null, alarmsBelow: { active: 0, acknowledged: 0 } });
    expect((await children('Dead Run')).lines).toMatchObject([
      { status: 'IDLE', childCount: 3, alarm: 'ACKNOWLEDGED', alarmsBelow: { active: 1, acknowledged: 1 } },
    ]);
    expect((await children('River gauge')).lines).toMatchObject([
      { alarm: 'ACTIVE', alarmsBelow: { active: 0, acknowledged: 0 }, units: 'ft' },
      { alarm: null },
      { alarm: null },
    ]);
    const roots = (await children('')).lines;
    expect(roots.find(({ name }) => name === 'Böblingen')).toMatchObject({
      alarmsBelow: { active: 1, acknowledged: 0 },
    });
  });

  test('a caller sees its Workspaces, and neither closed branches nor what is counted in them', async () => {
    expect((await children('', {}, limitedTo('Böblingen'))).names).toEqual(['Böblingen']);
    await expect(children('Baltimore', {}, limitedTo('Böblingen'))).rejects.toMatchObject({
      kind: 'permission_denied',
    });
    await expect(children('Baltimore', {}, (await f.account()).caller)).rejects.toMatchObject({ kind: 'not_found' });
    const security = await securityClient(f, mine.caller);
    const email = 'ann.lines@example.org';
    const [workspaceId, closedId] = [nodes['Maryland rivers']?._id ?? '', nodes['River gauge']?._id ?? ''];
    await security.grant(workspaceId, { users: [{ user: email, role: 'View' }] });
    await security.grant(closedId, { users: [{ user: email, role: 'No Access' }] });
    const { rows } = await f.database.query<{ user_id: string }>('SELECT user_id FROM users WHERE address = $1', [
      email,
    ]);
    const ann: Caller = {
      ...mine.caller,
      userId: rows[0]?.user_id ?? '',
      accessLevel: 'WORKSPACES',
      rights: { grants: [{ permissions: ['VIEW'], workspaceIds: [workspaceId] }], closedAsOfMs: f.clock.nowMs },
    };
    expect((await children('', {}, ann)).lines).toMatchObject([
      { name: 'Maryland rivers', permissions: ['VIEW'], childCount: 1, alarmsBelow: { active: 0, acknowledged: 0 } },
    ]);
    expect((await children('Baltimore', {}, ann)).lines).toMatchObject([
      { name: 'Dead Run', childCount: 0, alarmsBelow: { active: 0, acknowledged: 0 } },
      { name: 'Gage' },
    ]);
    await expect(children('River gauge', {}, ann)).rejects.toMatchObject({ kind: 'not_found' });
    expect((await found('gage', {}, ann)).names).toEqual(['Gage']);
    await security.revoke(closedId, { users: [{ user: email }] });
  });

  test('a key that only reads may do what reads', async () => {
    const { lines } = await children('', {}, { ...mine.caller, permission: 'READ_ONLY' });
    expect(lines[0]?.permissions).toEqual(['VIEW', 'ATTACHMENT_READ', 'EXPORT_DATA']);
  });

  test.each<[Given, string]>([
    [{ limit: '0' }, 'limit: must be a whole number from 1 to 1000'],
    [{ limit: '1001' }, 'limit: must be a whole number from 1 to 1000'],
    [{ after: '[]' }, 'after: must be the next of an answer'],
    [{ parentId: 'f'.repeat(24) }, 'Requested resource not found'],
    [{ parentId: 'gauge' }, 'parentId: must be a node id'],
  ])('refuses %j', async (given, message) => {
    await expect(children('', given)).rejects.toThrow(message);
  });
});
