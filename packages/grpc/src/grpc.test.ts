import { once } from 'node:events';
import { createServer } from 'node:net';
import { type ApiCaller, checkPermission, checkWorkspace, isUnlimited, may, scopeOf } from '@catchment/access';
import { AlarmsServiceService } from '@catchment/contracts/alarms';
import { createGrpcClient } from './index.ts';

const caller: ApiCaller = {
  kind: 'api',
  ownerId: '0'.repeat(24),
  userId: '1'.repeat(24),
  username: 'jo@example.org',
  permission: 'MODIFY',
  accessLevel: 'ACCOUNT',
};

const request = { nodeRef: 'x', alarmTypes: '', comment: '' };

test('a peer that is not there is unavailable', async () => {
  const alarms = createGrpcClient(AlarmsServiceService, '127.0.0.1:1');
  await expect(alarms.acknowledge(request, { token: 'x', timeoutMs: 500 })).rejects.toMatchObject({
    kind: 'unavailable',
  });
  alarms.close();
});

test('a peer that takes the connection and says nothing, as one that hangs, is unavailable before the deadline', async () => {
  // Reads, so that it hears the end of the connection, and never answers.
  const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as { port: number };
  const alarms = createGrpcClient(AlarmsServiceService, `127.0.0.1:${port}`);
  const call = alarms.acknowledge(request, { token: 'x', timeoutMs: 600_000 });
  await expect(call).rejects.toMatchObject({ kind: 'unavailable', reason: 'PEER_UNAVAILABLE' });
  alarms.close();
  silent.close();
});

test('a scope holds the account and the workspaces of a limited key', () => {
  const limited: ApiCaller = { ...caller, accessLevel: 'LIMITED_WORKSPACES', workspaceIds: ['a'] };
  expect(() => checkWorkspace(scopeOf(limited), 'a')).not.toThrow();
  expect(() => checkWorkspace(scopeOf(limited), 'b')).toThrow('Not permitted');
  expect(() => checkWorkspace(scopeOf(caller), 'b')).not.toThrow();
  expect(() => scopeOf({ kind: 'service', service: 'devices' })).toThrow('ownerId');
  expect(scopeOf({ kind: 'service', service: 'devices' }, 'o').ownerId).toBe('o');
});

describe('a workspace user', () => {
  const rights = {
    grants: [
      { permissions: ['VIEW', 'CONFIGURE'], workspaceIds: ['a'] },
      { permissions: ['VIEW'], workspaceIds: ['b', 'c'] },
    ],
  };
  const user: ApiCaller = { ...caller, accessLevel: 'WORKSPACES', rights };
  const limited: ApiCaller = { ...user, accessLevel: 'LIMITED_WORKSPACES', workspaceIds: ['b', 'x'] };

  test.each([
    ['a workspace with access', user, 'a', undefined],
    ['one without: it does not exist', user, 'x', 'not_found'],
    ['one with access within the limits of the key', limited, 'b', undefined],
    ['one with access outside of them', limited, 'a', 'permission_denied'],
    ['one within them without access', limited, 'x', 'not_found'],
  ] as const)('%s', (_what, who, workspaceId, kind) => {
    const check = () => checkWorkspace(scopeOf(who), workspaceId);
    if (kind) expect(check).toThrow(expect.objectContaining({ kind }));
    else expect(check).not.toThrow();
  });

  test('lists are narrowed to what both user and key may see', () => {
    expect(scopeOf(user).workspaceIds).toEqual(['a', 'b', 'c']);
    expect(scopeOf(limited).workspaceIds).toEqual(['b']);
    expect(scopeOf(user).closedTo).toBeUndefined();
    const { closedTo } = scopeOf({ ...user, rights: { ...rights, closedAsOfMs: 5 } });
    expect(closedTo).toEqual({ userId: user.userId, asOfMs: 5 });
  });

  test.each([
    ['a', 'CONFIGURE', true],
    ['b', 'CONFIGURE', false],
    ['c', 'VIEW', true],
    ['x', 'VIEW', false],
  ] as const)('in %s: %s is %s', (workspaceId, permission, expected) => {
    expect(may(user, workspaceId, permission)).toBe(expected);
  });

  test('is held to one of the permissions asked for; others and services are not', () => {
    expect(() => checkPermission(user, 'b', 'EDIT_DATA', 'VIEW')).not.toThrow();
    expect(() => checkPermission(user, 'b', 'EDIT_DATA')).toThrow('Not permitted');
    expect(() => checkPermission(caller, 'b', 'SECURITY')).not.toThrow();
    expect(() => checkPermission({ kind: 'service', service: 'devices' }, 'b', 'SECURITY')).not.toThrow();
    expect([user, limited, caller].map(isUnlimited)).toEqual([false, false, true]);
  });
});
