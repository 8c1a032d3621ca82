// The things that belong to an account are changed for a revision of it
// (docs/reference/requests-and-errors.md#changes-by-revision).
import { type Fixture, openFixture } from './fixture.ts';
import { type Entry, type OwnerClient, ownerClient } from './owner-client.ts';

type Account = Awaited<ReturnType<Fixture['account']>>;
let f: Fixture;
let mine: Account;
let owner: OwnerClient;
beforeAll(async () => {
  f = await openFixture();
});
afterAll(() => f.close());
beforeEach(async () => {
  mine = await f.account();
  owner = await ownerClient(f, mine.caller);
});

const forRevisions = (revisions: unknown[], caller = mine.caller) =>
  ownerClient(f, caller, { revisions: revisions.map(Number) });
type Made = { readonly id: string; readonly read: () => Promise<Record<string, unknown>> };
type Change = (by: OwnerClient, id: string) => Promise<unknown>;

const entry = (name: 'roles' | 'categories' | 'apikeys', body: object) => async (): Promise<Made> => {
  const { _id } = await owner.of(name).create(body);
  return { id: _id, read: () => owner.of(name).get(_id) };
};
const group = async (): Promise<Made> => {
  const [made] = await owner.createGroups([{ name: 'Crew', users: [{ user: 'ann@example.org' }] }]);
  return { id: made!._id, read: async () => (await owner.get()).groups!.find(({ _id }) => _id === made!._id) as Entry };
};
const account = async (): Promise<Made> => ({ id: '', read: () => owner.get() });
const quality = async (): Promise<Made> => ({ id: '', read: () => owner.wholeQuality() });

/** Everything that has a revision: how it is made, changed, and changed wrongly. */
const THINGS: readonly (readonly [string, () => Promise<Made>, Change, Change])[] = [
  ['a role', entry('roles', { name: 'Watch' }), ...put('roles', { name: 'Night' }, { name: 5 })],
  ['a category', entry('categories', { name: 'Flood' }), ...put('categories', { name: 'High' }, { name: 5 })],
  ['an API key', entry('apikeys', { label: 'Laptop' }), ...put('apikeys', { label: 'Field' }, { label: 5 })],
  ['a group', group, (by, id) => by.updateGroup(id, { users: [] }), (by, id) => by.updateGroup(id, { name: 5 })],
  [
    'the account',
    account,
    (by) => by.put({ administrators: [{ user: 'bo@example.org' }] }),
    (by) => by.put({ groups: 5 }),
  ],
  ['quality codes', quality, (by) => by.setQuality({ excluded: ['BAD'] }), (by) => by.setQuality({ excluded: 5 })],
];
function put(name: 'roles' | 'categories' | 'apikeys', good: object, wrong: object): [Change, Change] {
  return [(by, id) => by.of(name).update(id, good), (by, id) => by.of(name).update(id, wrong)];
}

describe.each(THINGS)('%s', (_what, make, change, changeWrongly) => {
  test('for another revision is left as it is, whatever is wrong with the body, and the present one is said', async () => {
    const { id, read } = await make();
    const before = await read();
    for (const [revisions, work] of [
      [[0], change],
      [[], change],
      [[0], changeWrongly],
    ] as const)
      await expect(work(await forRevisions([...revisions]), id)).rejects.toMatchObject({
        kind: 'changed',
        reason: 'REVISION_CHANGED',
        revision: before.revision,
        message: expect.stringContaining(`its revision is ${before.revision} now`),
      });
    expect(await read()).toEqual(before);
  });

  test('for the present revision is changed, and has another one then', async () => {
    const { id, read } = await make();
    const before = await read();
    await change(await forRevisions([0, before.revision]), id);
    const after = await read();
    expect(after.revision).not.toBe(before.revision);
    await expect(change(await forRevisions([before.revision]), id)).rejects.toMatchObject({ kind: 'changed' });
    // The same change once more changes nothing: the revision stays.
    await change(await forRevisions([after.revision]), id);
    expect((await read()).revision).toBe(after.revision);
  });

  test('says its revision to nobody who may not change it, nor to another account', async () => {
    const { id } = await make();
    for (const weak of [{ permission: 'READ_ONLY' }, { accessLevel: 'WORKSPACES' }] as const)
      await expect(change(await forRevisions([0], { ...mine.caller, ...weak }), id)).rejects.toMatchObject({
        kind: 'permission_denied',
      });
    if (id === '') return;
    const stranger = await f.account();
    await expect(change(await forRevisions([0], stranger.caller), id)).rejects.toMatchObject({ kind: 'not_found' });
  });
});

test.each([
  ['a role', entry('roles', { name: 'Watch' }), (by: OwnerClient, id: string) => by.of('roles').remove(id)],
  [
    'a category',
    entry('categories', { name: 'Flood' }),
    (by: OwnerClient, id: string) => by.of('categories').remove(id),
  ],
  ['a group', group, (by: OwnerClient, id: string) => by.deleteGroup(id)],
])('%s is deleted for its present revision alone', async (_what, make, remove) => {
  const { id, read } = await make();
  const { revision } = await read();
  await expect(remove(await forRevisions([0]), id)).rejects.toMatchObject({ kind: 'changed', revision });
  await remove(await forRevisions([revision]), id);
  await expect(remove(await forRevisions([revision]), id)).rejects.toMatchObject({ kind: 'not_found' });
});

test('of two administrators who add somebody to the list that both have read, one hears of it', async () => {
  const { revision } = await owner.get();
  const by = await forRevisions([revision]);
  const tries = ['ann', 'bo', 'cy'].map((name) => by.put({ administrators: [{ user: `${name}@example.org` }] }));
  const ended = await Promise.allSettled(tries);
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect((await owner.get()).administrators).toHaveLength(1);
});

test('a category that is moved by another keeps its revision: its name is what is changed', async () => {
  const [first, second] = (await owner.get()).categories as (Entry & { revision?: number })[];
  const before = await owner.of('categories').get(first!._id);
  await owner.of('categories').update(second!._id, { index: 0 });
  const after = await owner.of('categories').get(first!._id);
  expect([after.index, after.revision]).toEqual([1, before.revision]);
});
