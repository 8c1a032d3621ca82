import { DomainError } from '@catchment/errors';
import { seedOf } from '@catchment/testkit/amount';
import { type Fixture, openFixture } from './fixture.ts';
import { ownerClient } from './owner-client.ts';
import { securityClient } from './security-client.ts';

let f: Fixture;
beforeAll(async () => {
  f = await openFixture();
});
afterAll(() => f.close());

const RUNS = Number(process.env.FUZZ_RUNS ?? 600);
const seed = seedOf('FUZZ_SEED');

/** mulberry32 gives the same numbers for the same seed. */
function random(from: number): () => number {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

test(`bodies of any shape are taken or refused as wrong, never more (FUZZ_SEED=${seed})`, async () => {
  const mine = await f.account();
  const security = await securityClient(f, mine.caller);
  await (await ownerClient(f, mine.caller)).createGroups([{ name: 'Crew', users: [{ user: 'cas@example.org' }] }]);
  const { workspace, location, source } = await f.source(mine);
  await security.grant(workspace._id, { users: [{ user: 'bob@example.org', role: 'View' }] });
  const theirs = await f.account();
  const elsewhere = await theirs.create('Workspace', 'Site');
  const before = await (await securityClient(f, theirs.caller)).get(elsewhere._id);

  const next = random(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const TEXTS = [
    '',
    ' ',
    'View',
    'no access',
    'NO ACCESS',
    'Owner',
    'bob@example.org',
    'BOB@EXAMPLE.ORG',
    'x@y.z',
    'a@b',
    '@',
    'Crew',
    'crew ',
    'Critical',
    '\0',
    '\ud800',
    "'; DROP TABLE users; --",
    'é'.repeat(300),
    'x'.repeat(5_000),
    '2999-01-01T00:00:00Z',
    '1970-01-01',
    'NOW',
    '+61812345678',
    'Etc/UTC',
    '__proto__',
    'constructor',
  ];
  const scalar = () => pick<unknown>([...TEXTS, 0, -1, 1.5, 1e308, true, false, null, undefined, [], {}]);
  const FIELDS = [
    'user',
    'group',
    'role',
    'expiryTime',
    'name',
    'phone',
    'timezone',
    'timezoneAdjustForDst',
    'timeFormat',
    'notificationCategories',
    '__proto__',
    'first',
    'last',
    'category',
    'email',
    'sms',
  ];
  const value = (depth: number): unknown => {
    const kind = next();
    if (depth === 0 || kind < 0.5) return scalar();
    if (kind < 0.75) return Array.from({ length: Math.floor(next() * 4) }, () => value(depth - 1));
    return Object.fromEntries(FIELDS.filter(() => next() < 0.4).map((name) => [name, value(depth - 1)]));
  };
  const entry = () => {
    const known = {
      user: pick(['bob@example.org', 'eve@example.org', 'nobody@x.y']),
      group: 'Crew',
      role: pick(['View', 'No Access', 'Operate']),
    };
    return next() < 0.5 ? { ...known, ...(value(1) as object) } : value(2);
  };
  const list = () => (next() < 0.7 ? Array.from({ length: Math.floor(next() * 4) }, entry) : value(2));
  const body = () => (next() < 0.9 ? { users: list(), groups: list() } : value(2));
  const CALLS = [security.grant, security.revoke, security.prefer, security.subscribe, security.unsubscribe] as const;

  const kinds: Record<string, number> = {};
  for (let run = 0; run < RUNS; run += 1) {
    const nodeRef = pick([workspace._id, location._id, source._id, elsewhere._id, '@none', 'x']);
    const given = body();
    const outcome = await pick(CALLS)(nodeRef, given ?? null).then(
      () => 'done',
      (error: unknown) => (error instanceof DomainError ? error.kind : 'broken'),
    );
    kinds[outcome] = (kinds[outcome] ?? 0) + 1;
    if (!['done', 'invalid_argument', 'not_found'].includes(outcome))
      throw new Error(`${outcome}: ${nodeRef} ${JSON.stringify(given)?.slice(0, 500)}`);
  }
  expect(kinds.done).toBeGreaterThan(RUNS / 50);
  expect(kinds.invalid_argument).toBeGreaterThan(RUNS / 4);
  expect(await (await securityClient(f, theirs.caller)).get(elsewhere._id)).toEqual(before);
});
