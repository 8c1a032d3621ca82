import { DEFAULT_ROLES, isReservedRole } from './role.ts';

test.each([
  ['Owner', true],
  ['No  Access', false],
  ['no access', true],
  ['Owners', false],
])('the name %j of a role is reserved: %s', (name, isReserved) => {
  expect(isReservedRole(name)).toBe(isReserved);
});

test('each role of a new account may no more than the one before it', () => {
  const sets = DEFAULT_ROLES.map(({ permissions }) => new Set<string>(permissions));
  for (const [i, set] of sets.entries()) expect(set.isSubsetOf(sets[i - 1] ?? set)).toBe(true);
  expect(sets.map((set) => set.size)).toEqual([...sets.map((set) => set.size)].sort((a, b) => b - a));
});
