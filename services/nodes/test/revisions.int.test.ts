// Changes that are meant for a revision (docs/reference/requests-and-errors.md#changes-by-revision).
import { type Fixture, type Json, openFixture } from './fixture.ts';

type Account = Awaited<ReturnType<Fixture['account']>>;
let f: Fixture;
let mine: Account;
beforeAll(async () => {
  f = await openFixture();
  mine = await f.account();
});
afterAll(() => f.close());

const body = (value: unknown) => Buffer.from(JSON.stringify(value));
const parse = ({ json }: { json: Uint8Array }) => JSON.parse(Buffer.from(json).toString()) as Json;
const revisionOf = async (nodeRef: string) => (await mine.get(nodeRef)).revision as number;
type Match = { revisions: number[] };

/** Every change of a node stands with what it has changed afterwards. */
const CHANGES: readonly (readonly [string, (node: string, ifMatch: Match, by?: Account) => Promise<unknown>])[] = [
  [
    'an update',
    (nodeRef, ifMatch, by = mine) =>
      f.nodes.updateNode({ nodeRef, attr: '', ifMatch, body: body({ name: 'New' }) }, by.options),
  ],
  [
    'an update whose body is wrong',
    (nodeRef, ifMatch, by = mine) =>
      f.nodes.updateNode({ nodeRef, attr: '', ifMatch, body: body({ name: 5 }) }, by.options),
  ],
  [
    'a move whose body is wrong',
    (nodeRef, ifMatch, by = mine) => f.nodes.moveNode({ nodeRef, attr: '', ifMatch, body: body({}) }, by.options),
  ],
  [
    'a rating that cannot be read',
    (nodeRef, ifMatch, by = mine) =>
      f.nodes.putRatingFile({ nodeRef, attr: '', ifMatch, csv: body('x'), inputNodeId: '' }, by.options),
  ],
  ['an unlinking', (nodeRef, ifMatch, by = mine) => f.nodes.unlinkNode({ nodeRef, attr: '', ifMatch }, by.options)],
  ['a deletion', (nodeRef, ifMatch, by = mine) => f.nodes.deleteNode({ nodeRef, ifMatch }, by.options)],
];

describe.each(CHANGES)('%s', (_what, change) => {
  test('for another revision changes nothing and says the present one', async () => {
    const { _id } = await mine.create('Workspace', `Site ${Math.random()}`);
    const before = await mine.get(_id);
    for (const revisions of [[0], [], [0, 1_000_000_000]])
      await expect(change(_id, { revisions })).rejects.toMatchObject({
        kind: 'changed',
        reason: 'REVISION_CHANGED',
        revision: before.revision,
        message: expect.stringContaining(`its revision is ${before.revision} now`),
      });
    expect(await mine.get(_id)).toEqual(before);
  });

  test('hears nothing of the revision without the right to change the node, or to see it', async () => {
    const { _id } = await mine.create('Workspace', `Site ${Math.random()}`);
    const rights = { grants: [{ permissions: ['VIEW'], workspaceIds: [_id] }] };
    const viewer = { ...(await f.as({ ...mine.caller, accessLevel: 'WORKSPACES', rights })) } as Account;
    // A body may be refused before the right is looked at, but never by the revision.
    await expect(change(_id, { revisions: [0] }, viewer)).rejects.toMatchObject({
      kind: expect.stringMatching(/^(permission_denied|invalid_argument)$/),
      message: expect.not.stringContaining('revision'),
    });
    await expect(change(_id, { revisions: [0] }, await f.account())).rejects.toMatchObject({ kind: 'not_found' });
  });
});

test('a change that is meant for the present revision, or for one of several, is made, and there is a new one', async () => {
  const { _id, revision } = await mine.create('Workspace', 'Present');
  const request = { nodeRef: _id, attr: '', ifMatch: { revisions: [0, revision as number] } };
  const changed = parse(await f.nodes.updateNode({ ...request, body: body({ name: 'Presented' }) }, mine.options));
  expect([changed.name, (changed.revision as number) > (revision as number)]).toEqual(['Presented', true]);
  await expect(f.nodes.updateNode({ ...request, body: body({ name: 'Again' }) }, mine.options)).rejects.toMatchObject({
    kind: 'changed',
    revision: changed.revision,
  });
  await f.nodes.deleteNode({ nodeRef: _id, ifMatch: { revisions: [changed.revision as number] } }, mine.options);
});

test('of two who change what both have read, one wins', async () => {
  const { _id, revision } = await mine.create('Workspace', 'Contended');
  const request = { nodeRef: _id, attr: '', ifMatch: { revisions: [revision as number] } };
  const tries = ['One', 'Two', 'Three'].map((name) =>
    f.nodes.updateNode({ ...request, body: body({ name }) }, mine.options),
  );
  const ended = await Promise.allSettled(tries);
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a revision rises with every change of the configuration, and with nothing else', async () => {
  const { workspace, location, source } = await f.source(mine);
  const point = await mine.create('point.NumberPoint', 'Level', source._id);
  let last = point.revision as number;
  const rises = async (isRising: boolean, change: () => Promise<unknown>) => {
    await change();
    const now = await revisionOf(point._id);
    expect(Math.sign(now - last)).toBe(isRising ? 1 : 0);
    last = now;
  };
  await rises(true, () => mine.update(point._id, { units: 'm' }));
  await rises(false, () => mine.update(point._id, { units: 'm' }));
  await rises(true, () => mine.update(point._id, { alarms: { qualityAlarm: { config: { isEnabled: true } } } }));
  await rises(true, () => mine.update(point._id, { states: [{ name: 'NORMAL' }, { name: 'HIGH', threshold: 5 }] }));
  await rises(false, () =>
    f.database.query(`UPDATE node_values SET current_ms = 1, current_value = '5', is_stale = true WHERE node_id = $1`, [
      point._id,
    ]),
  );
  await rises(true, () => mine.update(location._id, { name: 'Weir' }));
  const other = await mine.create('Workspace', 'Elsewhere');
  await rises(true, () => mine.move(location._id, { parentId: other._id }));
  const moved = await mine.get(location._id);
  await mine.move(location._id, { parentId: workspace._id });
  expect((await mine.get(location._id)).revision).toBeGreaterThan(moved.revision as number);
});
