import { once } from 'node:events';
import { createServer } from 'node:net';
import { Writable } from 'node:stream';
import { type ApiCaller, checkPermission, checkWorkspace, isUnlimited, may, scopeOf } from '@catchment/access';
import { AlarmsServiceService } from '@catchment/contracts/alarms';
import { EventsServiceService } from '@catchment/contracts/events';
import { DomainError } from '@catchment/errors';
import { createLogger, currentRequestId, withRequestId } from '@catchment/telemetry';
import { type CallContext, CallerSigner, CallerVerifier, createGrpcClient, GrpcServerBuilder } from './index.ts';

const SECRET = 'a-test-secret-of-more-than-32-characters';
const caller: ApiCaller = {
  kind: 'api',
  ownerId: '0'.repeat(24),
  userId: '1'.repeat(24),
  username: 'jo@example.org',
  permission: 'MODIFY',
  accessLevel: 'ACCOUNT',
};

async function fixture(acknowledge: (context: CallContext) => Promise<void> = async () => {}) {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const log = createLogger('test', { destination });
  let produced = 0;
  const server = await new GrpcServerBuilder({ verifier: new CallerVerifier(SECRET), log })
    .add(AlarmsServiceService, {
      acknowledge: async (_request, context) => {
        await acknowledge(context);
        return {};
      },
      clear: async () => ({}),
      changeAlarms: async () => ({ outcomes: [] }),
    })
    .add(EventsServiceService, {
      createEvents: async () => ({}),
      clearEvents: async () => ({}),
      countAlarmEvents: async () => ({ counts: [] }),
      async *listEvents(request) {
        const data = Buffer.alloc(64 * 1024);
        for (let n = 0; n < 1000; n += 1) {
          if (request.nodeRef === 'break' && n === 2)
            throw new DomainError('unavailable', 'PEER_UNAVAILABLE', 'store is down');
          produced += 1;
          yield { data, contentType: '', revision: '' };
        }
      },
    })
    .listen({ host: '127.0.0.1', port: 0 });
  const address = `127.0.0.1:${server.port}`;
  const alarms = createGrpcClient(AlarmsServiceService, address);
  const events = createGrpcClient(EventsServiceService, address);
  const token = await new CallerSigner(SECRET).sign(caller);
  const close = async () => {
    alarms.close();
    events.close();
    await server.close();
  };
  const closeClients = () => {
    alarms.close();
    events.close();
  };
  return {
    ...{ alarms, events, token, lines, close, closeClients, produced: () => produced },
    port: server.port,
    closeServer: () => server.close(),
  };
}

const serve = (port: number) =>
  new GrpcServerBuilder({ verifier: new CallerVerifier(SECRET), log: createLogger('test', { level: 'silent' }) })
    .add(AlarmsServiceService, {
      acknowledge: async () => ({}),
      clear: async () => ({}),
      changeAlarms: async () => ({ outcomes: [] }),
    })
    .listen({ host: '127.0.0.1', port });

const request = { nodeRef: 'x', alarmTypes: '', comment: '' };

test('the handler learns the signed caller and the request id', async () => {
  const seen: unknown[] = [];
  const f = await fixture(async (context) => void seen.push(context.caller, currentRequestId()));
  await withRequestId('r-7', () => f.alarms.acknowledge(request, { token: f.token }));
  expect(seen).toEqual([caller, 'r-7']);
  await f.close();
});

test.each([
  ['no token', ''],
  ['a forged token', 'eyJhbGciOiJub25lIn0.e30.'],
])('%s is refused before the handler runs', async (_what, token) => {
  let ran = false;
  const f = await fixture(async () => {
    ran = true;
  });
  await expect(f.alarms.acknowledge(request, { token })).rejects.toMatchObject({ kind: 'unauthenticated' });
  expect(ran).toBe(false);
  await f.close();
});

test('a token of another installation is refused', async () => {
  const f = await fixture();
  const token = await new CallerSigner(`${SECRET}-other`).sign(caller);
  await expect(f.alarms.acknowledge(request, { token })).rejects.toMatchObject({ kind: 'unauthenticated' });
  await f.close();
});

test('a domain error keeps kind, reason and text; an unknown one is logged and hidden', async () => {
  const errors = [new DomainError('not_found', 'NOT_FOUND', 'gone'), new Error('connection string postgres://secret')];
  const f = await fixture(async () => Promise.reject(errors.shift()));
  await expect(f.alarms.acknowledge(request, { token: f.token })).rejects.toMatchObject({
    kind: 'not_found',
    reason: 'NOT_FOUND',
  });
  await expect(f.alarms.acknowledge(request, { token: f.token })).rejects.toMatchObject({
    kind: 'internal',
    message: 'Internal server error',
  });
  expect(f.lines.filter((line) => line.includes('call failed'))).toHaveLength(1);
  await f.close();
});

test('a call that outlives its deadline fails, and its handler is told', async () => {
  const told = Promise.withResolvers<void>();
  const f = await fixture(
    ({ signal }) =>
      new Promise((resolve) => {
        const tell = () => resolve(told.resolve());
        if (signal.aborted) tell();
        else signal.addEventListener('abort', tell);
      }),
  );
  // Long enough to reach the handler on a busy machine.
  await expect(f.alarms.acknowledge(request, { token: f.token, timeoutMs: 500 })).rejects.toMatchObject({
    kind: 'deadline_exceeded',
  });
  await told.promise;
  await f.close();
});

test('a silent peer of the handler makes the call unavailable: the time of the caller is not over', async () => {
  const f = await fixture(async () => {
    throw new DomainError('deadline_exceeded', 'DEADLINE_EXCEEDED', 'Service temporarily unavailable');
  });
  await expect(f.alarms.acknowledge(request, { token: f.token })).rejects.toMatchObject({ kind: 'unavailable' });
  await f.close();
});

test('a slow reader slows the sender down, and one that stops early stops it', async () => {
  const f = await fixture();
  for await (const _chunk of f.events.listEvents({ nodeRef: '', arguments: {}, arrivalMs: 0 }, { token: f.token }))
    break;
  await f.close();
  expect(f.produced()).toBeLessThan(200);
});

test('a stream that breaks ends with an error, never as if complete', async () => {
  const f = await fixture();
  let received = 0;
  const read = async () => {
    for await (const _chunk of f.events.listEvents(
      { nodeRef: 'break', arguments: {}, arrivalMs: 0 },
      { token: f.token },
    )) {
      received += 1;
    }
  };
  await expect(read()).rejects.toMatchObject({ kind: 'unavailable' });
  expect(received).toBe(2);
  await f.close();
});

test('a peer that is not there is unavailable', async () => {
  const alarms = createGrpcClient(AlarmsServiceService, '127.0.0.1:1');
  await expect(alarms.acknowledge(request, { token: 'x', timeoutMs: 500 })).rejects.toMatchObject({
    kind: 'unavailable',
  });
  alarms.close();
});

test('a peer that takes the connection and says nothing, as one that hangs, is unavailable before the deadline', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as { port: number };
  const alarms = createGrpcClient(AlarmsServiceService, `127.0.0.1:${port}`);
  const call = alarms.acknowledge(request, { token: 'x', timeoutMs: 600_000 });
  await expect(call).rejects.toMatchObject({ kind: 'unavailable', reason: 'PEER_UNAVAILABLE' });
  alarms.close();
  silent.close();
});

test('a call to a peer that is just being replaced waits for the new one', async () => {
  const f = await fixture();
  const { port } = f;
  await f.alarms.acknowledge(request, { token: f.token });
  await f.closeServer();
  await expect(f.alarms.acknowledge(request, { token: f.token, timeoutMs: 300 })).rejects.toMatchObject({
    kind: expect.stringMatching(/unavailable|deadline_exceeded/),
  });
  const waiting = f.alarms.acknowledge(request, { token: f.token });
  const replacement = await serve(port);
  await expect(waiting).resolves.toEqual({});
  f.closeClients();
  await replacement.close();
});

test('a call that waits for its peer ends by its own deadline or signal, and goes on when the peer comes', async () => {
  const f = await fixture();
  const { port, token } = f;
  await f.closeServer();
  const call = (options: object) => f.alarms.acknowledge(request, { token, waitForReady: true, ...options });
  await expect(call({ timeoutMs: 300 })).rejects.toMatchObject({ kind: 'deadline_exceeded' });
  const leaving = new AbortController();
  const left = call({ timeoutMs: 60_000, signal: leaving.signal });
  leaving.abort();
  await expect(left).rejects.toMatchObject({ kind: 'cancelled' });
  const waiting = call({ timeoutMs: 60_000 });
  const replacement = await serve(port);
  await expect(waiting).resolves.toEqual({});
  f.closeClients();
  await replacement.close();
});

test('a caller that has left before its call is sent is not waited for', async () => {
  const f = await fixture();
  await f.closeServer();
  const options = { token: f.token, waitForReady: true, timeoutMs: 60_000, signal: AbortSignal.abort() };
  await expect(f.alarms.acknowledge(request, options)).rejects.toMatchObject({ kind: 'cancelled' });
  const chunks = f.events.listEvents({ nodeRef: '', arguments: {}, arrivalMs: 0 }, options)[Symbol.asyncIterator]();
  await expect(chunks.next()).rejects.toMatchObject({ kind: 'cancelled' });
  f.closeClients();
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

  test('a thousand workspaces travel with a call', async () => {
    const seen: unknown[] = [];
    const f = await fixture(async (context) => void seen.push(context.caller));
    const workspaceIds = Array.from({ length: 1_000 }, (_, n) => n.toString(16).padStart(24, '0'));
    const who: ApiCaller = { ...user, rights: { grants: [{ permissions: ['VIEW'], workspaceIds }] } };
    await f.alarms.acknowledge(request, { token: await new CallerSigner(SECRET).sign(who) });
    expect(seen).toEqual([who]);
    await f.close();
  });
});
