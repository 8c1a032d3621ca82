import { callerOf, type KeyHolder } from './key-caller.ts';

const holder = (more: Partial<KeyHolder> = {}): KeyHolder => ({
  key_id: 'key',
  owner_id: 'owner',
  user_id: 'user',
  email: 'ada@example.org',
  permission: 'MODIFY',
  access_level: 'ACCOUNT',
  workspace_ids: ['alz'],
  status: 'ACTIVE',
  account_type: 'FULL',
  has_standing: true,
  last_used_ms: null,
  ...more,
});
const GRANTED = {
  grants: [{ permissions: ['VIEW'], workspaceIds: ['alz'] }],
  closedAsOfMs: undefined,
  untilMs: undefined,
};

test('who has standing works with a key as far as it goes', () => {
  expect(callerOf(holder(), undefined)).toMatchObject({ accessLevel: 'ACCOUNT', rights: undefined });
});

test('a workspace user does not work on the account, even with a key of before', () => {
  expect(callerOf(holder(), GRANTED)).toMatchObject({ accessLevel: 'WORKSPACES', rights: GRANTED });
});

test('a key is nobody’s once nothing of the account is open to its user', () => {
  expect(callerOf(holder(), { ...GRANTED, grants: [] })).toBeUndefined();
});

test.each([
  ['LIMITED_WORKSPACES', ['alz']],
  ['WORKSPACES', []],
])('a key of level %s is limited to %j', (accessLevel, workspaceIds) => {
  expect(callerOf(holder({ access_level: accessLevel }), undefined)?.workspaceIds).toEqual(workspaceIds);
});
