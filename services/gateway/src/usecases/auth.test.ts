import type { AuthenticateResponse } from '@catchment/contracts/nodes';
import { DomainError } from '@catchment/errors';
import { CallerSigner } from '@catchment/grpc';
import { clientAddress } from '../domain/client-address.ts';
import { FixedWindow, shareOf } from '../domain/fixed-window.ts';
import { Authenticator } from './authenticator.ts';

describe('FixedWindow', () => {
  test('counts up to the limit, refuses without counting, begins anew at the window’s end', () => {
    let now = 0;
    const window = new FixedWindow({ limit: 2, windowMs: 100, now: () => now });
    expect(window.take('a')).toMatchObject({ isOver: false, remaining: 1, resetMs: 100 });
    now = 50;
    expect(window.take('a')).toMatchObject({ isOver: false, remaining: 0, resetMs: 100 });
    expect(window.take('a')).toMatchObject({ isOver: true, remaining: 0 });
    expect(window.take('b')).toMatchObject({ isOver: false });
    now = 100;
    expect(window.take('a')).toMatchObject({ isOver: false, remaining: 1, resetMs: 200 });
  });

  test.each([
    [100, 1, 100],
    [100, 3, 33],
    [2, 5, 1],
  ])('of %d over %d replicas each has %d', (limit, replicas, share) => {
    expect(shareOf(limit, replicas)).toBe(share);
  });
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1::/64'],
  ['2001:DB8::5', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('failures of %s are counted by %s', (ip, key) => {
  expect(clientAddress(ip)).toBe(key);
});

describe('Authenticator', () => {
  const KEY = 'k'.repeat(40);
  const signer = new CallerSigner('a-test-secret-of-more-than-32-characters');
  const answer: AuthenticateResponse = {
    keyId: '5'.repeat(24),
    ownerId: '6'.repeat(24),
    userId: '7'.repeat(24),
    username: 'jo@example.org',
    permission: 'READ_ONLY',
    accessLevel: 'LIMITED_WORKSPACES',
    workspaceIds: ['8'.repeat(24)],
    accountStatus: 'ACTIVE',
    accountType: 'STANDARD',
    rights: undefined,
  };
  const unknown = new DomainError('unauthenticated', 'KEY_UNKNOWN', 'no');

  function fixture(reply: () => Promise<AuthenticateResponse>, { known = true } = {}) {
    const clock = { nowMs: 1 };
    let lookups = 0;
    const lookup = () => {
      lookups += 1;
      return reply();
    };
    let searches = 0;
    const find = async ({ sha256 }: { sha256: Buffer[] }) => {
      searches += 1;
      return { knownSha256: known ? sha256 : [] };
    };
    const authenticator = new Authenticator({ lookup, find, signer, nowMs: () => clock.nowMs });
    return { authenticator, clock, lookups: () => lookups, searches: () => searches };
  }

  test.each([undefined, '', 'short', `${KEY}x`, 'k'.repeat(39) + '-'])(
    '%p is refused without a lookup',
    async (key) => {
      const f = fixture(async () => answer);
      expect(await f.authenticator.accountOf(key)).toBeUndefined();
      expect(f.lookups()).toBe(0);
    },
  );

  test.each([
    ['a known key', async () => answer, 'account'],
    ['an unknown key', async () => Promise.reject(unknown), 'none'],
  ])('%s is asked for once in two seconds', async (_what, reply, outcome) => {
    const f = fixture(reply);
    const both = await Promise.all([f.authenticator.accountOf(KEY), f.authenticator.accountOf(KEY)]);
    f.clock.nowMs += 2_000;
    both.push(await f.authenticator.accountOf(KEY));
    expect(both.map((account) => (account ? 'account' : 'none'))).toEqual([outcome, outcome, outcome]);
    expect(f.lookups()).toBe(1);
    f.clock.nowMs += 1;
    await f.authenticator.accountOf(KEY);
    expect(f.lookups()).toBe(2);
  });

  test('whoever needs a younger answer gets one, and the others have it too', async () => {
    const f = fixture(async () => answer);
    await f.authenticator.accountOf(KEY);
    f.clock.nowMs += 500;
    await f.authenticator.accountOf(KEY, 500);
    expect(f.lookups()).toBe(1);
    f.clock.nowMs += 1;
    await f.authenticator.accountOf(KEY, 500);
    await f.authenticator.accountOf(KEY);
    expect(f.lookups()).toBe(2);
  });

  test('a guess is searched for and never looked up, and remembered', async () => {
    const f = fixture(async () => answer, { known: false });
    const both = await Promise.all([f.authenticator.accountOf(KEY), f.authenticator.accountOf(KEY)]);
    both.push(await f.authenticator.accountOf(KEY));
    expect(both).toEqual([undefined, undefined, undefined]);
    expect([f.searches(), f.lookups()]).toEqual([1, 0]);
    f.clock.nowMs += 2_001;
    await f.authenticator.accountOf(KEY);
    expect([f.searches(), f.lookups()]).toEqual([2, 0]);
  });

  test('a key that was good is looked up again without a search, until it is refused', async () => {
    const replies: (() => Promise<AuthenticateResponse>)[] = [
      async () => answer,
      async () => answer,
      async () => Promise.reject(unknown),
      async () => answer,
    ];
    const f = fixture(async () => (replies.shift() as () => Promise<AuthenticateResponse>)());
    const seen: [boolean, number][] = [];
    for (let n = 0; n < 4; n += 1) {
      const account = await f.authenticator.accountOf(KEY);
      seen.push([account !== undefined, f.searches()]);
      f.clock.nowMs += 2_001;
      await new Promise(setImmediate);
    }
    expect(seen).toEqual([
      [true, 1],
      [true, 1],
      [false, 1],
      [true, 2],
    ]);
  });

  describe('of a workspace user', () => {
    const grants = [{ permissions: ['VIEW'], workspaceIds: ['8'.repeat(24)] }];
    const ofUser = (more: object = {}) => ({ ...answer, rights: { grants, ...more } });

    test('the rights travel with the caller', async () => {
      const plain = await fixture(async () => ofUser()).authenticator.accountOf(KEY);
      expect(plain?.caller.rights).toEqual({ grants });
      const closing = await fixture(async () => ofUser({ closedAsOfMs: 7 })).authenticator.accountOf(KEY);
      expect(closing?.caller.rights).toEqual({ grants, closedAsOfMs: 7 });
      expect((await fixture(async () => answer).authenticator.accountOf(KEY))?.caller).not.toHaveProperty('rights');
    });

    test.each([
      ['half a second, so that changes hold within one', {}, 500],
      ['until access ends, where that comes first', { untilMs: 101 }, 99],
      ['half a second, where it comes later', { untilMs: 10_000 }, 500],
      ['not at all when it has ended', { untilMs: 1 }, -1],
    ])('are remembered %s', async (_what, more, forMs) => {
      const f = fixture(async () => ofUser(more));
      await f.authenticator.accountOf(KEY);
      f.clock.nowMs += Math.max(forMs, 0);
      await f.authenticator.accountOf(KEY);
      expect(f.lookups()).toBe(forMs < 0 ? 2 : 1);
      f.clock.nowMs += 2;
      await f.authenticator.accountOf(KEY);
      expect(f.lookups()).toBe(forMs < 0 ? 3 : 2);
    });
  });

  test('workspaces belong to limited keys only', async () => {
    const limited = await fixture(async () => answer).authenticator.accountOf(KEY);
    expect(limited?.caller.workspaceIds).toEqual(['8'.repeat(24)]);
    const wide = await fixture(async () => ({ ...answer, accessLevel: 'WORKSPACES' })).authenticator.accountOf(KEY);
    expect(wide?.caller).not.toHaveProperty('workspaceIds');
  });

  test.each([
    [
      'the nodes service is away',
      async () => Promise.reject(new DomainError('unavailable', 'PEER_UNAVAILABLE', 'x')),
      'unavailable',
    ],
    [
      'our own token is refused',
      async () => Promise.reject(new DomainError('unauthenticated', 'CALLER_NOT_AUTHENTICATED', 'x')),
      'internal',
    ],
    ['rights are of an unknown word', async () => ({ ...answer, permission: 'ANYTHING' }), 'internal'],
  ])('%s: an error, never a caller, and the next request asks again', async (_what, reply, kind) => {
    const f = fixture(reply);
    await expect(f.authenticator.accountOf(KEY)).rejects.toMatchObject({ kind });
    await expect(f.authenticator.accountOf(KEY)).rejects.toMatchObject({ kind });
    expect(f.lookups()).toBe(2);
  });
});
