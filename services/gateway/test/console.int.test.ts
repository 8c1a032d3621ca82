// The console's page, where signing in leads, and what strangers read (docs/reference/public-pages.md#console).
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONSOLE_ATTRIBUTES } from '@catchment/dashboard-view';
import { DomainError } from '@catchment/errors';
import { HANGS_AFTER_MS } from '@catchment/testkit';
import { ACCOUNT, type Behaviour, openGateway } from './fixture.ts';

const HTML = { accept: 'text/html,application/xhtml+xml' };
const HOSTILE = '</script><script>alert(1)</script>';
const OTHER = 'd'.repeat(24);
const account = (ownerId: string, slug: string, accountName: string, status = 'ACTIVE') => ({
  ownerId,
  slug,
  accountName,
  standing: 'ADMINISTRATOR',
  status,
});
const PERSON = {
  userId: 'u1',
  email: 'jo@example.org',
  profile: {
    firstName: 'Jo',
    lastName: HOSTILE,
    phone: '',
    timezone: 'Europe/Berlin',
    timezoneAdjustForDst: false,
    timeFormat: 'DD.MM.YYYY HH:mm',
  },
  ownerId: ACCOUNT.ownerId,
  accounts: [account(ACCOUNT.ownerId, 'north1', HOSTILE), account(OTHER, 'south2', 'South', 'DISABLED')],
  isProven: true,
  invitations: [],
};

let webRoot: string;
beforeAll(async () => {
  webRoot = await mkdtemp(join(tmpdir(), 'catchment-console-'));
  await mkdir(join(webRoot, '.vite'));
  const manifest = {
    'src/main.tsx': { file: 'assets/main-1.js', isEntry: true },
    'src/app/console.tsx': {
      file: 'assets/console-1.js',
      css: ['assets/console-1.css'],
      isEntry: true,
      imports: ['_shared-1.js', '_first-1.js'],
    },
    '_first-1.js': { file: 'assets/first-1.js', name: 'first' },
    '_shared-1.js': { file: 'assets/shared-1.js', imports: ['_deep-1.js'] },
    '_deep-1.js': { file: 'assets/deep-1.js', imports: ['_shared-1.js'] },
    'src/pages/overview/index.tsx': {
      file: 'assets/overview-1.js',
      css: ['assets/overview-1.css'],
      imports: ['_table-1.js', '_shared-1.js'],
      dynamicImports: ['src/maps/sites-map.ts'],
    },
    'src/pages/node/index.tsx': { file: 'assets/node-1.js' },
    'src/maps/sites-map.ts': { file: 'assets/map-1.js' },
    '_table-1.js': { file: 'assets/table-1.js' },
    'src/words/en.ts': { file: 'assets/en-1.js' },
    'src/words/de.ts': { file: 'assets/de-1.js' },
  };
  await writeFile(join(webRoot, '.vite/manifest.json'), JSON.stringify(manifest));
});
afterAll(() => rm(webRoot, { recursive: true }));

const ANSWERS: Record<string, () => object> = {
  authenticateSession: () => ({ ...ACCOUNT, keyId: 'session:1' }),
  getPerson: () => PERSON,
  signIn: () => ({
    userId: 'u1',
    username: PERSON.email,
    ownerId: ACCOUNT.ownerId,
    expiresMs: Date.now() + 60_000,
  }),
};
const people =
  (change: Record<string, () => object> = {}): Behaviour['people'] =>
  async (rpc) =>
    ({ ...ANSWERS, ...change })[rpc]?.() ?? {};
/** @param placesMs the page waits so long for the places of its streams, however busy the machine is */
const open = (
  change: Record<string, () => object> = {},
  env: Record<string, string> = {},
  placesMs: number | undefined = HANGS_AFTER_MS,
) => openGateway({ behaviour: { people: people(change) }, env: { WEB_ROOT: webRoot, ...env }, deps: { placesMs } });
type Gateway = Awaited<ReturnType<typeof open>>;
const cookie = `catchment_session=${'s'.repeat(43)}`;
const get = (gateway: Gateway, path: string, headers: Record<string, string> = { cookie }) =>
  gateway.ask(path, { key: undefined, headers: { ...HTML, ...headers } });
const ended = () => {
  throw new DomainError('unauthenticated', 'SESSION_ENDED', 'no');
};

const startOf = (text: string) =>
  JSON.parse(/<script type="application\/json" id="start">(.*?)<\/script>/s.exec(text)?.[1] ?? '');

test('the page has the places of the streams that it follows: what changes before they are open is not lost', async () => {
  const asked: [string, unknown][] = [];
  await using gateway = await open();
  gateway.behaviour.readFeed = async (kind, { arguments: given, cursor }) => {
    asked.push([kind, { ...given, cursor }]);
    return { messages: [], cursor: `${kind} 7`, hasMore: false };
  };
  const { text } = await get(gateway, '/a/north1/overview');
  expect(startOf(text).streams).toEqual({ nodes: 'nodes 7', events: 'events 7' });
  // The streams of the page are asked for like this: places of streams with other arguments are not theirs.
  expect(new Map(asked)).toEqual(
    new Map([
      ['nodes', { attr: CONSOLE_ATTRIBUTES, filter: '', cursor: '' }],
      ['events', { attr: '', filter: '', cursor: '' }],
    ]),
  );
});

test.each<[string, Behaviour['readFeed']]>([
  ['is away', () => Promise.reject(new DomainError('unavailable', 'DATABASE_UNAVAILABLE', 'away'))],
  ['does not answer', () => new Promise(() => {})],
])('the page comes without the places of its streams where a service %s', async (_what, readFeed) => {
  await using gateway = await open({}, {}, 1);
  gateway.behaviour.readFeed = readFeed;
  const { status, text } = await get(gateway, '/a/north1/overview');
  expect([status, startOf(text).streams]).toEqual([200, { nodes: '', events: '' }]);
});

test('the page has who is signed in and the account of the address, its scripts, and nothing that a text could begin', async () => {
  await using gateway = await open();
  const { status, text, headers } = await get(gateway, '/a/north1/overview?state=ACTIVE');
  expect(status).toBe(200);
  expect(startOf(text)).toMatchObject({
    person: { id: 'u1', email: PERSON.email, name: `Jo ${HOSTILE}`, timezone: 'Europe/Berlin', adjustForDst: false },
    account: { id: ACCOUNT.ownerId, slug: 'north1', name: HOSTILE, standing: 'ADMINISTRATOR', isDisabled: false },
    accounts: [{ slug: 'north1' }, { slug: 'south2', isDisabled: true }],
    invitations: 0,
    csrf: expect.stringMatching(/^[\w-]{43}$/),
    classNamespace: 'io.svc',
    deviceAddresses: {},
    devicePorts: { mqtt: 1883, ftp: 21, sftp: 22, scout: 4331, callback: 4332, waterlog: 32_213, waspmote: 5566 },
  });
  expect(text.match(/<script/g)).toHaveLength(3);
  expect(text).toContain('<script type="module" src="/assets/console-1.js">');
  // It reads who is signed in, and asks for data before other script is there.
  expect(text).toMatch(/id="start">.*<script type="module" async src="\/assets\/first-1\.js">.*console-1\.js/s);
  expect(text).toContain('href="/assets/console-1.css"');
  // The browser need not have the script to know what it imports.
  for (const name of ['shared', 'deep'])
    expect(text).toContain(`<link rel="modulepreload" href="/assets/${name}-1.js">`);
  // People read this where the script does not come.
  expect(text).toContain('<a href="">Load again</a>');
  expect(text).toContain('<a href="">Neu laden</a>');
  expect(text).not.toContain('main-1.js');
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex',
    'content-security-policy': expect.stringMatching(
      /^default-src 'none'; script-src 'self'; style-src 'self'; .*frame-ancestors 'none'$/,
    ),
  });
});

test.each([
  ['/a/north1/overview', 'en-GB,en;q=0.9', ['overview', 'table', 'en']],
  ['/a/north1/overview?state=ACTIVE', 'fr-FR,de;q=0.8', ['overview', 'table', 'de']],
  ['/a/north1/n/0123456789abcdef01234567/chart', 'de', ['node', 'de']],
  ['/a/north1/__proto__/..%2fmap', `fr,${'it,'.repeat(5_000)}`, ['en']],
])('what %s shows comes along with the script, in %s', async (path, language, expected) => {
  await using gateway = await open();
  const { text } = await get(gateway, path, { cookie, 'accept-language': language });
  const preloaded = [...text.matchAll(/<link rel="modulepreload" href="\/assets\/(\w+)-1\.js">/g)].map(
    ([, name]) => name,
  );
  expect(new Set(preloaded)).toEqual(new Set(['shared', 'deep', ...expected]));
  expect(text.includes('href="/assets/overview-1.css"')).toBe(expected.includes('overview'));
});

test.each([
  ['/a/north1/alarms'],
  ['/a/north1/events'],
  ['/a/north1/dashboards'],
  ['/a/north1/people/access'],
  ['/a/north1/people/list?who=jo%40example.org'],
  ['/a/north1/me/sign-ins'],
  ['/a/north1/account/webhooks?webhook=0123456789abcdef01234567'],
  ['/a/north1/account'],
  ['/a/north1/n/0123456789abcdef01234567/chart'],
  ['/a/NORTH1/overview'],
  ['/a/north1/anything/else'],
])('%s is the same page: its script shows what the address says', async (path) => {
  await using gateway = await open();
  const { status, text } = await get(gateway, path);
  expect([status, text.includes('/assets/console-1.js')]).toEqual([200, true]);
});

test.each([
  ['the account that was worked in last', '/a', {}, '/a/north1/overview'],
  ['an account without a page', '/a/south2', {}, '/a/south2/overview'],
  ['nobody’s account', '/a', { getPerson: () => ({ ...PERSON, ownerId: '', accounts: [] }) }, '/account'],
])('who is signed in goes on from %s', async (_what, path, change, expected) => {
  await using gateway = await open(change);
  const { status, headers } = await get(gateway, path);
  expect([status, headers.location]).toEqual([303, expected]);
});

test('an account that is not the person’s does not exist', async () => {
  await using gateway = await open();
  const { status, text } = await get(gateway, '/a/west3/overview');
  expect([status, text.includes('console-1.js')]).toEqual([404, false]);
});

test('pages that name no account are of the one whose console was opened last', async () => {
  await using gateway = await open();
  await get(gateway, '/a/north1/overview');
  expect(gateway.calls.filter(({ rpc }) => rpc === 'chooseAccount')).toEqual([]);
  await get(gateway, '/a/south2/overview');
  const chosen = gateway.calls.filter(({ rpc }) => rpc === 'chooseAccount');
  expect(chosen.map(({ request }) => request)).toMatchObject([{ ownerId: OTHER }]);
});

test.each([
  ['/a', '/a'],
  ['/a/north1', '/a/north1'],
  ['/a/north1/overview?bbox=1,2,3,4&state=ACTIVE', '/a/north1/overview?bbox=1,2,3,4&state=ACTIVE'],
  ['/a/north1/dash/53eada0ada91110000000046/edit', '/a/north1/dash/53eada0ada91110000000046/edit'],
  [
    '/a/north1/n/0123456789abcdef01234567/chart?range=NOW-7D',
    '/a/north1/n/0123456789abcdef01234567/chart?range=NOW-7D',
  ],
  ['/a/north1/n/%40gauge-1/settings', '/a/north1/n/%40gauge-1/settings'],
])('a stranger at %s signs in first, and comes back', async (path, next) => {
  await using gateway = await open({ authenticateSession: ended, getPerson: ended });
  for (const headers of [{}, { cookie }] as Record<string, string>[]) {
    const reply = await get(gateway, path, headers);
    expect([reply.status, reply.headers.location]).toEqual([303, `/auth/login?next=${encodeURIComponent(next)}`]);
  }
  const { text } = await get(gateway, `/auth/login?next=${encodeURIComponent(next)}`, {});
  expect(text).toContain('name="next"');
});

test.each([
  '/a/north1/overview?x=<b>',
  '/a/north1/overview\\evil',
  '/a/north1//evil.test',
  '/a/../account',
  '/a/north1/nothing',
])('signing in does not lead to %j', async (next) => {
  await using gateway = await open({ authenticateSession: ended, getPerson: ended });
  const { text } = await get(gateway, `/auth/login?next=${encodeURIComponent(next)}`, {});
  expect(text).not.toContain('name="next"');
});

test('signing in lands on the console', async () => {
  await using gateway = await open();
  const reply = await gateway.ask('/auth/login', {
    method: 'POST',
    key: undefined,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'email=jo%40example.org&password=correct+horse+battery',
  });
  expect([reply.status, reply.headers.location]).toEqual([303, '/a']);
});

test('without a build there is the page that needs no script, and advice', async () => {
  await using gateway = await open({}, { WEB_ROOT: join(webRoot, 'nothing') });
  expect((await get(gateway, '/a')).headers.location).toBe('/account');
  const page = await get(gateway, '/a/north1/overview');
  expect([page.status, page.text]).toEqual([503, expect.stringContaining('npm run build')]);
});

test('the first page says to strangers what this is and where to sign in; others go on', async () => {
  await using gateway = await open();
  const { status, text } = await get(gateway, '/', {});
  expect([status, text]).toEqual([200, expect.stringContaining('href="/auth/login"')]);
  expect(text).toContain('Sensor data');
  const known = await get(gateway, '/');
  expect([known.status, known.headers.location]).toEqual([303, '/a']);
});
