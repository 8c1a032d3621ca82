import type { People } from '../../data/people/people.ts';
import {
  holdersOf,
  inviteLack,
  lossesOfGroup,
  movedTo,
  named,
  overNewer,
  type Place,
  peopleRows,
  rightsIn,
  rolesOf,
  windowAt,
} from './rows.ts';

const person = (email: string, role: 'OWNER' | 'ADMINISTRATOR' | null = null) => ({
  contact: { email },
  name: { first: email.slice(0, 2), last: '' },
  account: { lastLoginTime: null },
  role,
});
const VIEW = { role: 'View', permissions: ['VIEW'] };
const OPERATE = { role: 'Operate', permissions: ['VIEW', 'CONTROL'] };
const PEOPLE: People = {
  people: [
    person('jo@example.org', 'ADMINISTRATOR'),
    person('sam@example.org'),
    person('own@example.org', 'OWNER'),
    person('ed@example.org'),
  ],
  groups: [{ _id: 'g', group: 'Crew', users: [{ user: 'sam@example.org' }, { user: 'ed@example.org' }] }],
  workspaces: [
    {
      _id: 'n',
      name: 'North',
      permissions: [],
      users: [{ user: 'sam@example.org', ...VIEW, expiryTime: '2027-01-01T00:00:00.000Z' }],
      groups: [{ group: 'Crew', ...OPERATE }],
    },
    {
      _id: 's',
      name: 'South',
      permissions: [],
      users: [{ user: 'sam@example.org', ...VIEW, expiryTime: '2026-12-01T00:00:00.000Z' }],
      groups: [],
    },
  ],
  hasMore: false,
  isReading: false,
  roles: [],
};
const ROWS = peopleRows(PEOPLE);
const [, , ED, SAM] = ROWS;

test('everybody is listed once, those who stand highest first, with what they have where', () => {
  expect(ROWS.map(({ email, standing, groups }) => [email, standing, ...groups])).toEqual([
    ['own@example.org', 'OWNER'],
    ['jo@example.org', 'ADMINISTRATOR'],
    ['ed@example.org', 'USER', 'Crew'],
    ['sam@example.org', 'USER', 'Crew'],
  ]);
  expect([rolesOf(SAM!), SAM!.ends]).toEqual([[['View', 2]], '2026-12-01T00:00:00.000Z']);
  expect(rolesOf(ED!)).toEqual([[undefined, 1]]);
});

test('what a person may do is what the own role and the groups give, each right once', () => {
  expect(rightsIn(SAM!.access.get('n')!)).toEqual(['VIEW', 'CONTROL']);
  expect(rightsIn(SAM!.access.get('s')!)).toEqual(['VIEW']);
});

test('who loses what with a group: all access, or a part of it', () => {
  expect(lossesOfGroup(PEOPLE.groups[0]!, ROWS, PEOPLE)).toEqual([
    { email: 'ed@example.org', workspaces: ['North'], allIn: ['North'] },
    { email: 'sam@example.org', workspaces: ['North'], allIn: [] },
  ]);
});

test('who has a role: people and groups, with their Workspaces', () => {
  expect(holdersOf({ _id: 'r', name: 'View', permissions: [], revision: 1 }, PEOPLE)).toEqual([
    { who: 'sam@example.org', workspaces: ['North', 'South'] },
  ]);
  expect(holdersOf({ _id: 'r', name: 'Operate', permissions: [], revision: 1 }, PEOPLE)).toEqual([
    { who: 'Crew', workspaces: ['North'] },
  ]);
});

test('rights that were ticked and unticked are done to what others have made of the role meanwhile', () => {
  const role = (name: string, ...permissions: string[]) => ({ name, permissions });
  expect(overNewer(role('Watch', 'A', 'B'), role('Night', 'A', 'D'), role('Watch', 'B', 'C'))).toEqual({
    values: role('Night', 'C', 'D'),
    conflicts: [],
  });
  expect(overNewer(role('Watch', 'A'), role('Night', 'A'), role('Day', 'A'))).toEqual({
    values: role('Night', 'A'),
    conflicts: [{ name: 'name', base: 'Watch', theirs: 'Day', mine: 'Night' }],
  });
});

const NORTH: Place = { kind: 'workspace', id: 'n' };
const CREW: Place = { kind: 'group', id: 'g' };
test.each([
  ['no address', 'sam', 'View', NORTH, 'email'],
  ['oneself, letter case aside', ' ME@example.org', 'View', NORTH, 'self'],
  ['an administrator', 'jo@example.org', 'View', NORTH, 'isAdministrator'],
  ['nothing chosen', 'new@example.org', 'View', undefined, 'place'],
  ['no role', 'new@example.org', '', NORTH, 'role'],
  ['somebody who has a role there', 'Sam@Example.org', 'Operate', NORTH, 'isIn'],
  ['somebody who has access by a group alone', 'ed@example.org', 'Operate', NORTH, undefined],
  ['a member of the group', 'sam@example.org', '', CREW, 'isMember'],
  ['a group that is gone', 'new@example.org', '', { kind: 'group', id: 'x' }, 'groupGone'],
  ['somebody new', 'new@example.org', 'View', NORTH, undefined],
] as const)('an invitation of %s', (_what, email, role, place, lack) => {
  expect(inviteLack({ email, role, place }, 'me@example.org', ROWS, PEOPLE.groups)).toBe(lack);
});

test.each([
  ['ArrowRight', 2, 3],
  ['ArrowUp', 1, 2],
  ['Home', 2, 0],
  ['End', 2, 3],
  ['PageDown', 4, 2],
  ['PageUp', 0, 2],
])('%s moves within the table', (key, row, column) => {
  expect(movedTo(key, { row: 2, column: 2 }, { rows: 5, columns: 4 })).toEqual({ row, column });
});

test.each([
  ['the first part', 0, 340, [0, 20]],
  ['the part in which something stands', 39, 340, [20, 40]],
  ['the last part', 339, 340, [320, 340]],
  ['fewer than a part', 3, 7, [0, 7]],
  ['something that is there no more', 339, 25, [20, 25]],
  ['nothing', 0, 0, [0, 0]],
] as const)('of a large table %s is drawn', (_what, index, count, [from, to]) => {
  const part = windowAt(index, count, 20);
  expect([part.from, part.to]).toEqual([from, to]);
  const all = Array.from({ length: count }, (_, i) => i);
  expect(part.of(all).every(([item, at]) => item === at)).toBe(true);
});

test('who is looked for is found by name and e-mail, letter case aside', () => {
  const all = [
    { name: 'Zoë Rivers', email: 'zoe@example.org' },
    { name: 'Pumps', email: '' },
  ];
  const found = (words: string) => named(all, words, ({ email }) => email).map(({ name }) => name);
  expect([found(''), found(' RIVERS '), found('zoe@'), found('nobody')]).toEqual([
    ['Zoë Rivers', 'Pumps'],
    ['Zoë Rivers'],
    ['Zoë Rivers'],
    [],
  ]);
});

test('other keys are not those of the table', () => {
  expect(movedTo('x', { row: 0, column: 0 }, { rows: 1, columns: 1 })).toBeUndefined();
});
