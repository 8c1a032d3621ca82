// GET /alarms (docs/reference/alarms.md#lists-of-alarms).
import { scopeOf } from '@catchment/access';
import { listAlarms } from '../src/views/index.ts';
import { type Fixture, type Json, openFixture } from './fixture.ts';
import { securityClient } from './security-client.ts';

let f: Fixture;
let mine: Awaited<ReturnType<Fixture['account']>>;
let site: { workspace: Json; location: Json; source: Json };
let other: typeof site;
beforeAll(async () => {
  f = await openFixture();
  mine = await f.account();
  site = await f.source(mine);
  const workspace = await mine.create('Workspace', 'Other');
  const location = await mine.create('location.Location', 'Place', workspace._id);
  other = { workspace, location, source: await mine.create('source.data.Jts', 'Logger', location._id) };
  await raise(site.source._id, { dataAlarm: ['ACTIVE', 30], overloadAlarm: ['CLEARED', null] });
  await raise(site.location._id, { stateAlarm: ['ACKNOWLEDGED', 20], qualityAlarm: ['ACTIVE', 20] });
  await raise(other.source._id, { dataAlarm: ['ACTIVE', 10] });
  const stranger = await f.account();
  await raise((await f.source(stranger)).source._id, { dataAlarm: ['ACTIVE', 40] });
});
afterAll(() => f.close());

const T = Date.UTC(2024, 4, 15);
/** @param alarms state and activeTime by type */
async function raise(nodeId: string, alarms: Record<string, readonly [string, number | null]>) {
  const none = {
    message: 'm',
    categoryId: null,
    acknowledgeTime: null,
    acknowledgeUsername: null,
    acknowledgeComment: null,
  };
  const stored = Object.entries(alarms).map(([type, [alarmState, s]]) => [
    type,
    { ...none, revision: 1, alarmState, activeTime: s === null ? null : T + s * 1_000 },
  ]);
  await f.database.query(
    'INSERT INTO node_alarms (node_id, alarms) VALUES ($1, $2) ON CONFLICT (node_id) DO UPDATE SET alarms = excluded.alarms',
    [nodeId, JSON.stringify(Object.fromEntries(stored))],
  );
}
type Caller = Parameters<typeof scopeOf>[0];
const list = async (given: Record<string, string> = {}, by: Caller = mine.caller) => {
  const { alarms, next } = await listAlarms(f.database, scopeOf(by), given);
  const names = new Map(
    [site, other].flatMap((tree, n) => [
      [tree.source._id, `source ${n}`],
      [tree.location._id, `place ${n}`],
    ]),
  );
  return { names: alarms.map(({ nodeId, alarmType }) => `${names.get(nodeId as string)} ${alarmType}`), alarms, next };
};
const ALL = ['source 0 dataAlarm', 'place 0 qualityAlarm', 'place 0 stateAlarm', 'source 1 dataAlarm'];

test.each<[string, () => Record<string, string>, readonly number[]]>([
  ['all', () => ({}), [0, 1, 2, 3]],
  ['of a state', () => ({ state: 'acknowledged' }), [2]],
  ['of types', () => ({ type: 'dataAlarm,stateAlarm' }), [0, 2, 3]],
  ['of a Workspace', () => ({ workspaceId: other.workspace._id }), [3]],
  ['of a node and all below it', () => ({ nodeId: site.location._id }), [0, 1, 2]],
  ['of a node alone', () => ({ nodeId: site.source._id }), [0]],
  ['of a node that has none', () => ({ nodeId: other.location._id, type: 'stateAlarm' }), []],
])('lists the alarms that are raised, newest first: %s', async (_what, given, expected) => {
  expect((await list(given())).names.sort()).toEqual(expected.map((n) => ALL[n]).sort());
});

test('an entry has the path and the status of its alarm, and the Location that the node is or lies in', async () => {
  const { alarms, names } = await list();
  expect([names[0], names[3]]).toEqual([ALL[0], ALL[3]]);
  expect(alarms[0]).toEqual({
    nodeId: site.source._id,
    path: expect.stringMatching(/^[^/]+\/Site\/Station\/Logger$/),
    locationId: site.location._id,
    alarmType: 'dataAlarm',
    alarmState: 'ACTIVE',
    message: 'm',
    activeTime: '2024-05-15T00:00:30.000Z',
  });
  const places = [site.location._id, site.location._id, site.location._id, other.location._id];
  expect(alarms.map(({ locationId }) => locationId)).toEqual(places);
});

test.each([1, 2, 3, 4])('pages of %d have every alarm once', async (limit) => {
  const seen: string[] = [];
  let after = '';
  for (let page = 0; page < 5; page += 1) {
    const { names, next } = await list({ limit: String(limit), after });
    seen.push(...names);
    if (next === null) break;
    expect(names).toHaveLength(limit);
    after = next;
  }
  expect(seen).toEqual((await list()).names);
});

test('a caller sees what lies in its workspaces, and no branch that is closed', async () => {
  const key = { ...mine.caller, accessLevel: 'LIMITED_WORKSPACES', workspaceIds: [other.workspace._id] } as Caller;
  expect((await list({}, key)).names).toEqual([ALL[3]]);
  await expect(list({ nodeId: site.source._id }, key)).rejects.toMatchObject({ kind: 'permission_denied' });
  const security = await securityClient(f, mine.caller);
  const email = 'ann.alarms@example.org';
  await security.grant(site.workspace._id, { users: [{ user: email, role: 'View' }] });
  await security.grant(site.location._id, { users: [{ user: email, role: 'No Access' }] });
  const { rows } = await f.database.query<{ user_id: string }>('SELECT user_id FROM users WHERE address = $1', [email]);
  const rights = {
    grants: [{ permissions: ['VIEW'], workspaceIds: [site.workspace._id, other.workspace._id] }],
    closedAsOfMs: f.clock.nowMs,
  };
  const user = { ...mine.caller, userId: rows[0]?.user_id, accessLevel: 'WORKSPACES', rights } as Caller;
  expect((await list({}, user)).names).toEqual([ALL[3]]);
  const nobody = { ...mine.caller, accessLevel: 'WORKSPACES', rights: { grants: [] } } as Caller;
  expect((await list({}, nobody)).names).toEqual([]);
});

test.each([
  [{ state: 'CLEARED' }, 'state: must be one or more of'],
  [{ type: 'fireAlarm' }, 'type: must be one or more of'],
  [{ limit: '0' }, 'limit: must be a whole number from 1 to 1000'],
  [{ limit: '1001' }, 'limit: must be a whole number from 1 to 1000'],
  [{ after: 'x' }, 'after: must be the next of an answer'],
  [{ after: Buffer.from('1 2 3').toString('base64url') }, 'after: must be the next of an answer'],
  [{ nodeId: 'f'.repeat(24) }, 'Requested resource not found'],
])('refuses %j', async (given, message) => {
  await expect(list(given as Record<string, string>)).rejects.toThrow(message);
});

test('a Workspace is meant by workspaceId', async () => {
  await expect(list({ workspaceId: site.source._id })).rejects.toThrow('workspaceId: must be of a Workspace');
});
