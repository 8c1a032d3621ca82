import { NOTHING, withPage } from './people-pages.ts';

const person = (email: string, role: 'OWNER' | null = null) => ({ contact: { email }, role });
const workspace = (_id: string) => ({ _id, name: _id, permissions: [], users: [], groups: [] });

test('pages of Workspaces make one: who is in several of them is there once, with what the last one says', () => {
  const first = { people: [person('jo'), person('sam')], groups: [{ group: 'Crew', users: [] }] };
  const second = { people: [person('jo', 'OWNER')], groups: [{ group: 'Crew', users: [{ user: 'jo' }] }] };
  const read = [
    { ...first, workspaces: [workspace('a')], next: 1 },
    { ...second, workspaces: [workspace('b')], next: null },
  ].reduce(withPage, NOTHING);
  expect(read.people).toEqual([person('sam'), person('jo', 'OWNER')]);
  expect(read.groups).toEqual(second.groups);
  expect([read.workspaces.map(({ _id }) => _id), read.next]).toEqual([['a', 'b'], null]);
});
