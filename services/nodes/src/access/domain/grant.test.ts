import type { Entry } from '../../rights/index.ts';
import { checkEntryCounts, grantMessage, grantOf, roleOf } from './grant.ts';

const ROLE = { roleId: 'r', name: 'View', permissions: ['VIEW'] };
const END_MS = Date.UTC(2026, 0, 2);
const view = (expiresMs: number | null = null): Entry => ({ role: 'View', permissions: ['VIEW'], expiresMs });
const operate: Entry = { role: 'Operate', permissions: [], expiresMs: null };
type Given = Parameters<typeof grantOf>[1];
const given = (change: Partial<Given> = {}): Given => ({
  at: 'users[0]',
  was: undefined,
  expiresMs: undefined,
  ...change,
});

test.each<readonly [string, Given, Entry | null, did: string, expiresMs: number | null]>([
  ['who has none is granted it without an end', given(), null, 'granted', null],
  ['… or with the end that is given', given({ expiresMs: END_MS }), null, 'granted', END_MS],
  ['another role is a change', given(), operate, 'changed', null],
  ['another end is a change', given({ expiresMs: END_MS }), view(), 'changed', END_MS],
  ['an end that is taken away is a change', given({ expiresMs: null }), view(END_MS), 'changed', null],
  ['an end that is not given stays', given(), view(END_MS), 'kept', END_MS],
  ['the same again is kept', given({ expiresMs: END_MS }), view(END_MS), 'kept', END_MS],
  [
    'what was looked at counts by the key of its role',
    given({ was: { role: 'VIEW', expiresMs: null } }),
    view(),
    'kept',
    null,
  ],
  ['nothing was looked at, and there is nothing', given({ was: null }), null, 'granted', null],
])('%s', (_what, request, before, did, expiresMs) => {
  expect(grantOf(ROLE, request, before)).toEqual({ entry: view(expiresMs), roleId: 'r', did });
});

test.each<readonly [string, Given['was'], Entry | null, string]>([
  ['another role', { role: 'View', expiresMs: null }, operate, "it is role 'Operate' now"],
  [
    'another end',
    { role: 'View', expiresMs: null },
    view(END_MS),
    "it is role 'View' until 2026-01-02T00:00:00.000Z now",
  ],
  ['an access meanwhile', null, view(), "it is role 'View' now"],
  ['none any more', { role: 'View', expiresMs: null }, null, 'there is none now'],
])('who has looked at another access is refused: there is %s', (_what, was, before, now) => {
  expect(() => grantOf(ROLE, given({ was }), before)).toThrow(`users[0].was: the access has changed, ${now}`);
});

test.each([
  ['an unknown role', 'Guest', 'users[0].role: must be the name of a role of the account'],
  ['a reserved one', 'Owner', 'users[0].role: must not be a reserved name'],
])('%s is refused', (_what, role, rule) => {
  const roles = new Map([['view', ROLE]]);
  expect(roleOf(roles, { at: 'users[0]', role: 'VIEW' })).toBe(ROLE);
  expect(() => roleOf(roles, { at: 'users[0]', role })).toThrow(rule);
});

test('the log has a line of what was granted or changed', () => {
  const grants = [null, operate, view()].map((before) => grantOf(ROLE, given(), before));
  expect(grants.map((grant) => grantMessage(grant, 'ada@example.org'))).toEqual([
    "Granted ada@example.org role 'View'",
    "Changed ada@example.org to role 'View'",
    undefined,
  ]);
});

test.each([
  [{ inWorkspace: 5_000, ofOne: 1_000 }, undefined],
  [{ inWorkspace: 5_001, ofOne: 1 }, 'a Workspace may have at most 5000 users and groups'],
  [{ inWorkspace: 1, ofOne: 1_001 }, 'a user or group may be in at most 1000 workspaces'],
])('%o: %s', (counts, rule) => {
  const check = () => checkEntryCounts(counts);
  if (rule === undefined) expect(check).not.toThrow();
  else expect(check).toThrow(rule);
});
