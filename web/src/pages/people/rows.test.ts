import type { People } from '../../data/people.ts';
import { inviteLack, movedTo, type Place, peopleRows, rolesOf } from './rows.ts';

const user = (email: string, role: string, more: object = {}) => ({
  ...{ contact: { email }, name: { first: email.slice(0, 2), last: '' }, account: { lastLoginTime: null }, role },
  ...more,
});
const PEOPLE: People = {
  workspaces: [
    { _id: 'n', name: 'North' },
    { _id: 's', name: 'South' },
  ],
  hasMore: false,
  roles: [],
  account: {
    administrators: [{ user: 'jo@example.org', name: { first: 'Jo' }, lastLoginTime: '2026-01-02T00:00:00.000Z' }],
    groups: [{ _id: 'g', name: 'Crew', users: [{ user: 'sam@example.org' }, { user: 'ed@example.org' }] }],
  },
  securities: new Map([
    [
      'n',
      {
        users: [
          user('own@example.org', 'OWNER'),
          user('jo@example.org', 'ADMINISTRATOR'),
          user('sam@example.org', 'View', { expiryTime: '2027-01-01T00:00:00.000Z' }),
          user('ed@example.org', ''),
        ],
        groups: [{ group: 'Crew', role: 'Operate', users: [{ user: 'sam@example.org' }, { user: 'ed@example.org' }] }],
      },
    ],
    ['s', { users: [user('sam@example.org', 'View', { expiryTime: '2026-12-01T00:00:00.000Z' })], groups: [] }],
  ]),
};

test('everybody is listed once, those who stand highest first, with what they have where', () => {
  const rows = peopleRows(PEOPLE);
  expect(rows.map(({ email, standing, groups }) => [email, standing, ...groups])).toEqual([
    ['own@example.org', 'OWNER'],
    ['jo@example.org', 'ADMINISTRATOR'],
    ['ed@example.org', 'USER', 'Crew'],
    ['sam@example.org', 'USER', 'Crew'],
  ]);
  const sam = rows[3]!;
  expect([rolesOf(sam), sam.ends]).toEqual([[['View', 2]], '2026-12-01T00:00:00.000Z']);
  expect(rolesOf(rows[2]!)).toEqual([['', 1]]);
});

test('who is no administrator sees the groups of Workspaces alone', () => {
  const rows = peopleRows({ ...PEOPLE, account: undefined });
  expect(rows.find(({ email }) => email === 'ed@example.org')?.groups).toEqual(['Crew']);
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
  ['a group that is gone', 'new@example.org', '', { kind: 'group', id: 'x' }, 'place'],
  ['somebody new', 'new@example.org', 'View', NORTH, undefined],
] as const)('an invitation of %s', (_what, email, role, place, lack) => {
  const groups = PEOPLE.account!.groups;
  expect(inviteLack({ email, role, place }, 'me@example.org', peopleRows(PEOPLE), groups)).toBe(lack);
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

test('other keys are not those of the table', () => {
  expect(movedTo('x', { row: 0, column: 0 }, { rows: 1, columns: 1 })).toBeUndefined();
});
