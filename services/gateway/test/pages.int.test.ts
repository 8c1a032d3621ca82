// Public pages and dashboards of people who are signed in: what goes in and out over HTTP (docs/reference/public-pages.md).
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiCaller } from '@catchment/access';
import type { DashboardView } from '@catchment/dashboard-view';
import { DomainError, notFound, type ReasonOf } from '@catchment/errors';
import { openEventStream, until } from '@catchment/testkit';
import { vi } from 'vitest';
import { config } from '../src/config.ts';
import { FilesFake } from './files-fake.ts';
import { ACCOUNT, type Ask, type Behaviour, chunk, noMessages, openGateway } from './fixture.ts';

const ID = 'abcdefghij12345';
const NODE = 'a'.repeat(24);
const WORKSPACE = 'b'.repeat(24);
const HTML = { accept: 'text/html,application/xhtml+xml' };
const HOSTILE = '</script><script>alert(1)</script>';
const FOUND = { ownerId: 'o'.repeat(24), workspaceId: WORKSPACE, nodeId: NODE, name: 'Site "one"' };

const VIEW: DashboardView = {
  name: HOSTILE,
  description: '<img src=x onerror=alert(1)>',
  account: { name: 'A & B', logoUrl: null },
  timezone: 'Etc/UTC',
  adjustForDst: true,
  generatedTime: '2026-01-01T00:00:00.000Z',
  mapTiles: null,
  tiles: [
    {
      id: 't',
      label: HOSTILE,
      x: 0,
      y: 0,
      w: 3,
      h: 2,
      style: 'default',
      alarm: null,
      content: { type: 'STATIC_TEXT', text: HOSTILE },
    },
    {
      id: 's',
      label: '',
      x: 3,
      y: 0,
      w: 3,
      h: 2,
      style: 'default',
      alarm: null,
      content: { type: 'ALARM_SUMMARY', name: 'Site', period: 'NOW-7D', counts: [] },
    },
  ],
};
const COUNT = { tileId: 's', workspaceId: WORKSPACE, nodeIds: [], startMs: 1, endMs: 2 };
const TILE = {
  type: 'HISTORIC_TABLE',
  startMs: 0,
  endMs: 1_000,
  imageId: '',
  layerIds: [],
  workspaceId: WORKSPACE,
  arguments: { timezone: 'Etc/UTC', timezoneAdjustForDst: 'TRUE' },
  nodes: [{ nodeId: NODE, name: 'Level', units: 'm', isNumber: true, arguments: {} }],
};

/** Peers with one public page. */
const PAGES: Record<string, () => object> = {
  findPublic: () => FOUND,
  getPage: () => ({ ownerId: FOUND.ownerId, nodeId: NODE, view: Buffer.from(JSON.stringify(VIEW)), counts: [COUNT] }),
  getTile: () => TILE,
};
const serving = (change: Record<string, () => object> = {}): Partial<Behaviour> => ({
  pages: async (rpc) => ({ ...PAGES, ...change })[rpc]!(),
});
const denied = (reason: ReasonOf<'permission_denied'>) => () => {
  throw new DomainError('permission_denied', reason, 'Not permitted');
};
const unknown = () => {
  throw notFound();
};

let webRoot: string;
beforeAll(async () => {
  webRoot = await mkdtemp(join(tmpdir(), 'catchment-web-'));
  await Promise.all(['.vite', 'assets'].map((folder) => mkdir(join(webRoot, folder))));
  const manifest = {
    'src/main.tsx': { file: 'assets/main-1.js', css: ['assets/main-1.css'], imports: ['_shared.js'], isEntry: true },
    '_shared.js': { file: 'assets/shared-1.js', css: ['assets/shared-1.css'] },
  };
  await Promise.all([
    writeFile(join(webRoot, '.vite/manifest.json'), JSON.stringify(manifest)),
    writeFile(join(webRoot, 'assets/main-1.js'), 'console.log(1);\n'.repeat(500)),
    writeFile(join(webRoot, 'assets/main-1.js.br'), 'pressed by the build'),
    writeFile(join(webRoot, 'assets/main-1.css'), 'body{}'),
    writeFile(join(webRoot, 'assets/secret.txt'), 'no'),
  ]);
});
afterAll(() => rm(webRoot, { recursive: true }));

const open = (options: Parameters<typeof openGateway>[0] = {}) =>
  openGateway({ behaviour: serving(), ...options, env: { WEB_ROOT: webRoot, ...options.env } });
type Gateway = Awaited<ReturnType<typeof open>>;
/** Asks without a key, as browsers do. */
const get = (gateway: Gateway, path: string, asked: Ask = {}) => gateway.ask(path, { key: undefined, ...asked });
const callerOf = (gateway: Gateway, rpc: string) =>
  gateway.calls.find((call) => call.rpc === rpc)?.context.caller as ApiCaller | undefined;

describe('the page', () => {
  test('has its first view, the built script, and nothing that a text could begin', async () => {
    await using gateway = await open();
    const { status, text, headers } = await get(gateway, `/public/dash/${ID}`, { headers: HTML });
    expect(status).toBe(200);
    const embedded = /<script type="application\/json" id="view">(.*?)<\/script>/s.exec(text)?.[1] ?? '';
    expect(JSON.parse(embedded)).toMatchObject({ name: HOSTILE, tiles: [{ label: HOSTILE }, {}] });
    expect(text.match(/<script/g)).toHaveLength(2);
    expect(text).not.toContain('<img src=x');
    for (const part of [
      '<script type="module" src="/assets/main-1.js">',
      'href="/assets/main-1.css"',
      '/assets/shared-1.css',
    ])
      expect(text).toContain(part);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin',
      'content-security-policy': expect.stringContaining("default-src 'none'; script-src 'self'; style-src 'self'"),
    });
    expect(headers['content-security-policy']).toMatch(/connect-src 'self'; img-src 'self' data:;/);
    expect(headers).not.toHaveProperty('set-cookie');
  });

  test('lets browsers ask the tile server of maps, where one is configured, and no other', async () => {
    const env = { MAP_TILES_URL: 'https://{s}.tiles.test/{z}/{x}/{y}.png', MAP_TILES_ATTRIBUTION: '© Tiles' };
    await using gateway = await open({ env });
    const page = await get(gateway, `/public/dash/${ID}`);
    expect(page.headers['content-security-policy']).toContain("img-src 'self' data: https://*.tiles.test;");
    const view = (await get(gateway, `/public/dash/${ID}/view`)).json() as DashboardView;
    expect(view.mapTiles).toEqual({ url: env.MAP_TILES_URL, attribution: '© Tiles' });
  });

  test.each(['ftp://a/{z}/{x}/{y}', 'https://a.test/', "https://a.test'; script-src *;/{z}/{x}/{y}", 'tiles'])(
    'a tile server %s stops the start',
    (url) => {
      expect(() => config.read({ MAP_TILES_URL: url })).toThrow('MAP_TILES_URL');
    },
  );

  test('has no header where none is wanted; another word is refused', async () => {
    await using gateway = await open();
    expect((await get(gateway, `/public/dash/${ID}?header=none`)).text).toContain('data-header="none"');
    expect((await get(gateway, `/public/dash/${ID}`)).text).toContain('data-header="logo"');
    const refused = await get(gateway, `/public/dash/${ID}?header=large`);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('header')]);
  });

  test('says what to do where the front end is not built', async () => {
    await using gateway = await open({ env: { WEB_ROOT: join(webRoot, 'nowhere') } });
    const { status, text, headers } = await get(gateway, `/public/dash/${ID}`, { headers: HTML });
    expect([status, headers['retry-after']]).toEqual([503, '30']);
    expect(text).toContain('npm run build');
    expect((await get(gateway, `/public/dash/${ID}/view`)).status).toBe(200);
  });

  test('a report says that it needs a Chromium, to people and to programs, where there is none', async () => {
    const behaviour: Partial<Behaviour> = {
      ...serving(),
      stream: () =>
        noMessages(() =>
          Promise.reject(new DomainError('unavailable', 'NO_CHROMIUM', 'Reports need a Chromium: install one')),
        ),
    };
    await using gateway = await open({ behaviour });
    const page = await get(gateway, `/public/report/${ID}`, { headers: HTML });
    expect([page.status, page.text]).toEqual([503, expect.stringContaining('apt install chromium')]);
    expect(page.text).not.toContain('is starting');
    const { error } = (await get(gateway, `/public/report/${ID}`)).json() as { error: object };
    expect(error).toMatchObject({ reason: 'NO_CHROMIUM', message: 'Reports need a Chromium: install one' });
  });

  test('is asked for as its address says', async () => {
    await using gateway = await open();
    await get(gateway, `/public/historic/${ID}/view?timezone=Asia/Tokyo&startTime=NOW-1D&other=1`);
    expect(gateway.calls.find(({ rpc }) => rpc === 'getPage')?.request).toEqual({
      page: {
        kind: 'historic',
        nodeRef: NODE,
        arguments: { timezone: 'Asia/Tokyo', startTime: 'NOW-1D' },
        accountSlug: '',
      },
      basePath: `/public/historic/${ID}`,
    });
    expect(callerOf(gateway, 'getPage')).toMatchObject({
      kind: 'api',
      ownerId: FOUND.ownerId,
      username: 'Public',
      permission: 'READ_ONLY',
      accessLevel: 'LIMITED_WORKSPACES',
      workspaceIds: [WORKSPACE],
    });
  });

  test('has counts of alarm events, asked for once in five seconds', async () => {
    await using gateway = await open();
    // Counts are as old as the test says.
    let nowMs = Math.ceil(performance.now());
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
    try {
      const asked = async () => {
        const { tiles } = (await get(gateway, `/public/dash/${ID}/view`)).json() as DashboardView;
        expect(tiles[1]?.content).toMatchObject({ counts: [{ eventType: 'STATE', count: 3 }] });
        return gateway.calls.filter(({ rpc }) => rpc === 'countAlarmEvents').length;
      };
      expect([await asked(), await asked()]).toEqual([1, 1]);
      nowMs += 4_999;
      expect(await asked()).toBe(1);
      nowMs += 2;
      // The memory looks at its clock once in a millisecond.
      await until(async () => (await asked()) === 2);
    } finally {
      clock.mockRestore();
    }
  });
});

test.each(['/favicon.svg', '/favicon.ico'])('the mark of the product is at %s', async (path) => {
  await using gateway = await open();
  const { status, headers, text } = await get(gateway, path);
  expect([status, headers['content-type'], text]).toEqual([200, 'image/svg+xml', expect.stringContaining('<svg')]);
});

describe('a link that opens nothing', () => {
  const OUTCOMES = [
    ['unknown', unknown, 404, 'NOT_FOUND', 'does not exist'],
    ['not public', denied('NOT_PUBLIC'), 403, 'NOT_PUBLIC', 'not public'],
    ['of a disabled account', denied('ACCOUNT_DISABLED'), 403, 'ACCOUNT_DISABLED', 'is disabled'],
    ['of an account without pages', denied('NO_PUBLIC_ACCESS'), 403, 'NO_PUBLIC_ACCESS', 'no public pages'],
  ] as const;

  test.each(OUTCOMES)('%s: people get a page, programs JSON', async (_what, findPublic, code, reason, words) => {
    await using gateway = await open({ behaviour: serving({ findPublic }) });
    for (const kind of ['dash', 'chart', 'historic', 'attachment', 'report']) {
      const page = await get(gateway, `/public/${kind}/${ID}`, { headers: HTML });
      expect([page.status, page.headers['content-type']]).toEqual([code, 'text/html; charset=utf-8']);
      expect(page.text).toContain(words);
      const json = await get(gateway, `/public/${kind}/${ID}`);
      expect([json.status, json.json()]).toEqual([code, { error: { code, message: expect.any(String), reason } }]);
    }
    for (const path of ['view', 'stream', 'tiles/t/series', 'tiles/t/records', 'tiles/t/image', 'tiles/t/layers/0']) {
      const { status, headers } = await get(gateway, `/public/dash/${ID}/${path}`, { headers: HTML });
      expect([status, headers['content-type']]).toEqual([code, 'application/json; charset=utf-8']);
    }
  });

  test('another address, or another method', async () => {
    await using gateway = await open();
    for (const path of ['/public', '/public/dash', `/public/node/${ID}`, `/public/dash/${ID}/tiles`, '/dash'])
      expect((await get(gateway, path)).status).toBe(404);
    const posted = await get(gateway, `/public/dash/${ID}`, { method: 'POST' });
    expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect((await get(gateway, `/public/dash/${ID}`, { method: 'HEAD' })).text).toBe('');
  });
});

describe('limits', () => {
  test('links that open nothing are counted by client address; good ones go on', async () => {
    let isKnown = false;
    const findPublic = () => (isKnown ? FOUND : unknown());
    await using gateway = await open({ behaviour: serving({ findPublic }) });
    const statuses: number[] = [];
    for (let n = 0; n < 101; n += 1)
      statuses.push((await get(gateway, `/public/dash/${String(n).padStart(15, 'x')}`)).status);
    expect(new Set(statuses.slice(0, 100))).toEqual(new Set([404]));
    expect(statuses[100]).toBe(429);
    isKnown = true;
    expect((await get(gateway, `/public/dash/${ID}/view`)).status).toBe(200);
  });

  test('requests of pages have a counter of their own, by client address', async () => {
    let nowMs = 1_000_000;
    const env = { RATE_LIMIT_REQUESTS: '3', RATE_LIMIT_WINDOW_SECONDS: '60' };
    await using gateway = await open({ env, now: () => nowMs });
    for (let n = 0; n < 3; n += 1) expect((await gateway.ask('/api/v1/nodes')).status).toBe(200);
    for (let n = 0; n < 3; n += 1) expect((await get(gateway, `/public/dash/${ID}/view`)).status).toBe(200);
    const over = await get(gateway, `/public/dash/${ID}`, { headers: HTML });
    expect([over.status, over.headers['retry-after']]).toEqual([429, '60']);
    expect(over.text).toContain('Too many requests');
    expect((await get(gateway, '/assets/main-1.css')).status).toBe(200);
    nowMs += 60_000;
    expect((await get(gateway, `/public/dash/${ID}/view`)).status).toBe(200);
  });

  test('open streams of a client are bounded', async () => {
    await using gateway = await open({ env: { PAGE_VIEWERS_PER_CLIENT: '2' } });
    const url = `http://127.0.0.1:${gateway.port}/public/dash/${ID}/stream`;
    const streams = [await openEventStream(url), await openEventStream(url)];
    expect((await openEventStream(url)).response.statusCode).toBe(429);
    streams[0]!.leave();
    await until(async () => (await openEventStream(url)).response.statusCode === 200);
  });
});

describe('documents', () => {
  test.each([
    ['chart', 'PNG', 'renderChart', 'image/png'],
    ['chart', 'pdf', 'renderChart', 'application/pdf'],
    ['historic', 'CSV', 'read', 'text/csv'],
    ['historic', 'json', 'read', 'application/json'],
  ])(
    'a %s as %s comes from %s, with the rights of the page and the arguments of the address',
    async (kind, format, rpc, type) => {
      const stream: Behaviour['stream'] = async function* () {
        yield chunk('bytes', type);
      };
      await using gateway = await open({ behaviour: { ...serving(), stream } });
      const reply = await get(
        gateway,
        `/public/${kind}/${ID}?format=${format}&width=200&timezone=Asia/Tokyo&header=logo`,
      );
      expect([reply.status, reply.text, reply.headers['content-type']]).toEqual([200, 'bytes', type]);
      const call = gateway.calls.find((call) => call.rpc === rpc);
      expect(call?.request).toMatchObject({
        nodeRef: NODE,
        arguments: { format: format.toUpperCase(), width: '200', timezone: 'Asia/Tokyo' },
      });
      expect(call?.request.arguments).not.toHaveProperty('header');
      expect(callerOf(gateway, rpc)).toMatchObject({ permission: 'READ_ONLY', workspaceIds: [WORKSPACE] });
    },
  );

  test.each([
    ['chart', 'SVG', 'renderChart'],
    ['historic', 'ARROW', 'read'],
  ])('a %s does not show full paths', async (kind, format, called) => {
    await using gateway = await open();
    await get(gateway, `/public/${kind}/${ID}?format=${format}`);
    expect(gateway.calls.find(({ rpc }) => rpc === called)?.request).toMatchObject({ hidesPaths: true });
  });

  test('a report is of now, a PDF with the name of its node', async () => {
    await using gateway = await open();
    const reply = await get(gateway, `/public/report/${ID}?nowTime=2020-01-01&timezone=Asia/Tokyo`);
    expect(reply.status).toBe(200);
    expect(reply.headers['content-disposition']).toContain('Site \\"one\\".pdf');
    expect(gateway.calls.find(({ rpc }) => rpc === 'renderReport')?.request).toMatchObject({
      nodeRef: NODE,
      arguments: { timezone: 'Asia/Tokyo' },
    });
  });

  test.each([
    ['chart', 'GIF'],
    ['historic', 'PNG'],
  ])('a %s as %s is refused by name', async (kind, format) => {
    await using gateway = await open();
    const { status, text } = await get(gateway, `/public/${kind}/${ID}?format=${format}`);
    expect([status, text]).toEqual([400, expect.stringContaining('format: must be one of')]);
    const page = await get(gateway, `/public/${kind}/${ID}?format=%3Cscript%3E`, { headers: HTML });
    expect(page.text).not.toContain('<script');
  });

  test('an attachment is sent as it is, in parts too', async () => {
    const files = new FilesFake();
    files.add(NODE, Buffer.from('0123456789'), { mimeType: 'text/html', fileName: 'a.html' });
    await using gateway = await open({ files });
    const whole = await get(gateway, `/public/attachment/${ID}`);
    expect([whole.status, whole.text]).toEqual([200, '0123456789']);
    expect(whole.headers['content-disposition']).toContain('attachment;');
    expect(whole.headers['content-security-policy']).toContain('sandbox');
    const part = await get(gateway, `/public/attachment/${ID}`, { headers: { range: 'bytes=2-4' } });
    expect([part.status, part.text, part.headers['content-range']]).toEqual([206, '234', 'bytes 2-4/10']);
  });
});

describe('what tiles show', () => {
  test('the rows of a table, newest first, with empty cells for broken links', async () => {
    const broken = { nodeId: '', name: '', units: '', isNumber: false, arguments: {} };
    const getTile = () => ({ ...TILE, nodes: [broken, ...TILE.nodes] });
    const stream: Behaviour['stream'] = async function* () {
      yield chunk('1969-12-31T23:59:59.000Z\t0\n1970-01-01T00:00:00.100Z\t"a\tb"\n', 'text/csv');
      yield chunk('1970-01-01T00:00:01.000Z\t2.50\n');
    };
    await using gateway = await open({ behaviour: { ...serving({ getTile }), stream } });
    expect((await get(gateway, `/public/dash/${ID}/tiles/t/records`)).json()).toEqual({
      columns: [
        { name: '', units: '' },
        { name: 'Level', units: 'm', isNumber: true },
      ],
      rows: [
        { time: '1970-01-01T00:00:01.000Z', cells: ['', '2.50'] },
        { time: '1970-01-01T00:00:00.100Z', cells: ['', 'a\tb'] },
      ],
      hasMore: false,
    });
    expect(gateway.calls.find(({ rpc }) => rpc === 'readMany')?.request).toMatchObject({
      arguments: { params: NODE, limit: '101', endTime: '1970-01-01T00:00:01.000Z', timezone: 'Etc/UTC' },
    });
  });

  test('a table of broken links alone is empty, and reads nothing', async () => {
    const getTile = () => ({ ...TILE, nodes: [{ ...TILE.nodes[0], nodeId: '' }] });
    await using gateway = await open({ behaviour: serving({ getTile }) });
    expect((await get(gateway, `/public/dash/${ID}/tiles/t/records`)).json()).toMatchObject({ rows: [] });
    expect(gateway.calls.some(({ rpc }) => rpc === 'readMany')).toBe(false);
  });

  test.each([
    ['records', 'STANDARD_CHART'],
    ['series', 'HISTORIC_TABLE'],
    ['image', 'VALUE'],
    ['image', 'ATTACHMENT_IMAGE'],
    ['layers/0', 'LOCATION_MAP'],
    ['layers/x', 'LOCATION_MAP'],
  ])('%s of a tile %s are not there', async (path, type) => {
    await using gateway = await open({ behaviour: serving({ getTile: () => ({ ...TILE, type }) }) });
    expect((await get(gateway, `/public/dash/${ID}/tiles/t/${path}`)).status).toBe(404);
  });

  test.each([
    ['series', 'STANDARD_CHART', 'width=0', 'width'],
    ['series', 'STANDARD_CHART', 'width=4001', 'width'],
    ['series', 'STANDARD_CHART', 'width=wide', 'width'],
    ['image', 'CUSTOM_CHART', 'height=99', 'height'],
  ])('%s with a wrong argument are refused by name: %s %s', async (path, type, query, name) => {
    await using gateway = await open({ behaviour: serving({ getTile: () => ({ ...TILE, type }) }) });
    const { status, text } = await get(gateway, `/public/dash/${ID}/tiles/t/${path}?${query}`);
    expect([status, text]).toEqual([400, expect.stringContaining(name)]);
  });

  test('a picture is the file where browsers show it, else its preview', async () => {
    const files = new FilesFake();
    files.add(NODE, Buffer.from('png'), { mimeType: 'image/png' });
    files.add('c'.repeat(24), Buffer.from('tiff'), {
      mimeType: 'image/tiff',
      previewSize: 4,
      preview: Buffer.from('jpeg'),
    });
    let imageId = NODE;
    const getTile = () => ({ ...TILE, type: 'ATTACHMENT_IMAGE', imageId });
    await using gateway = await open({ files, behaviour: serving({ getTile }) });
    const url = `/public/dash/${ID}/tiles/t/image?v=1`;
    expect((await get(gateway, url)).text).toBe('png');
    imageId = 'c'.repeat(24);
    const preview = await get(gateway, url);
    expect([preview.text, preview.headers['content-type']]).toEqual(['jpeg', 'image/jpeg']);
  });
});

describe('the stream', () => {
  test('begins with the view, reports changed tiles when the account has news, and ends when the page is not public', async () => {
    let text = 'first';
    let revision = 0;
    let isPublic = true;
    const getPage = () => {
      const view = { ...VIEW, tiles: [{ ...VIEW.tiles[0], content: { type: 'STATIC_TEXT', text } }] };
      return { ownerId: FOUND.ownerId, nodeId: NODE, view: Buffer.from(JSON.stringify(view)), counts: [] };
    };
    const findPublic = () => (isPublic ? FOUND : denied('NOT_PUBLIC')());
    const revisions = () => ({ [FOUND.ownerId]: String(revision) });
    await using gateway = await open({ behaviour: { ...serving({ getPage, findPublic }), revisions } });
    const stream = await openEventStream(`http://127.0.0.1:${gateway.port}/public/dash/${ID}/stream`);
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect((await stream.get(1))[0]).toMatchObject({
      event: 'view',
      data: { tiles: [{ content: { text: 'first' } }] },
    });
    text = 'second';
    revision += 1;
    expect((await stream.get(2))[1]).toMatchObject({ event: 'tile', data: { id: 't', content: { text: 'second' } } });
    isPublic = false;
    await stream.ended();
    expect(stream.messages.at(-1)).toMatchObject({ event: 'end', data: { reason: 'NOT_PUBLIC' } });
  });
});

describe('a dashboard of one’s own', () => {
  const cookie = `catchment_session=${'s'.repeat(43)}`;
  const signedIn = (change: () => object = () => ({})): Partial<Behaviour> => ({
    ...serving(),
    people: async () => ({ ...ACCOUNT, keyId: 'session:1', ...change() }),
  });

  test('is shown with the rights of the person, and never within other sites', async () => {
    await using gateway = await open({ behaviour: signedIn() });
    const page = await get(gateway, `/dash/${NODE}`, { headers: { ...HTML, cookie } });
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(callerOf(gateway, 'getPage')).toMatchObject({ ownerId: ACCOUNT.ownerId, userId: ACCOUNT.userId });
    expect(gateway.calls.find(({ rpc }) => rpc === 'getPage')?.request).toMatchObject({
      page: { kind: 'dash', nodeRef: NODE },
      basePath: `/dash/${NODE}`,
    });
  });

  test('asks who is not signed in to sign in, and comes back to it', async () => {
    await using gateway = await open({ behaviour: signedIn() });
    const sent = await get(gateway, `/dash/${NODE}`, { headers: HTML });
    expect([sent.status, sent.headers.location]).toEqual([303, `/auth/login?next=%2Fdash%2F${NODE}`]);
    const refused = await get(gateway, `/dash/${NODE}/view`);
    expect([refused.status, refused.json()]).toMatchObject([401, { error: { code: 401 } }]);
    const form = await get(gateway, String(sent.headers.location));
    expect(form.text).toContain(`<input type="hidden" name="next" value="/dash/${NODE}">`);
    const answers = { ...ACCOUNT, userId: 'u', username: 'jo', expiresMs: Date.now() + 60_000 };
    gateway.behaviour.people = async () => answers;
    const back = await get(gateway, '/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `email=a%40b.c&password=x&next=${encodeURIComponent(`/dash/${NODE}`)}`,
    });
    expect([back.status, back.headers.location]).toEqual([303, `/dash/${NODE}`]);
  });

  test('of any node is one too: it has the token for changes, and the account of its address', async () => {
    await using gateway = await open({ behaviour: signedIn() });
    const sent = await get(gateway, `/a/river1/n/${NODE}`, { headers: HTML });
    expect([sent.status, sent.headers.location]).toEqual([303, `/auth/login?next=%2Fa%2Friver1%2Fn%2F${NODE}`]);
    const form = await get(gateway, String(sent.headers.location));
    expect(form.text).toContain(`<input type="hidden" name="next" value="/a/river1/n/${NODE}">`);
    const page = await get(gateway, `/a/river1/n/${NODE}`, { headers: { ...HTML, cookie } });
    expect([page.status, page.text]).toEqual([200, expect.stringMatching(/data-csrf="[\w-]{20,}"/)]);
    expect(gateway.calls.find(({ rpc }) => rpc === 'getPage')?.request).toMatchObject({
      page: { kind: 'node', nodeRef: NODE, accountSlug: 'river1' },
      basePath: `/a/river1/n/${NODE}`,
    });
    expect((await get(gateway, `/public/dash/${ID}`)).text).not.toContain('data-csrf');
  });

  test('of a report is its PDF: mails lead there, also people who have to sign in first', async () => {
    await using gateway = await open({ behaviour: signedIn() });
    const address = `/a/river1/n/${NODE}/report?nowTime=${encodeURIComponent('2024-05-15T20:00:00.000Z')}`;
    const sent = await get(gateway, address, { headers: HTML });
    expect([sent.status, sent.headers.location]).toEqual([303, `/auth/login?next=${encodeURIComponent(address)}`]);
    expect((await get(gateway, String(sent.headers.location))).text).toContain(`name="next" value="${address}"`);
    const pdf = await get(gateway, address, { headers: { ...HTML, cookie } });
    expect([pdf.status, pdf.headers['content-disposition']]).toEqual([200, expect.stringContaining('.pdf"')]);
    expect(gateway.calls.find(({ rpc }) => rpc === 'renderReport')?.request).toMatchObject({
      nodeRef: NODE,
      arguments: { nowTime: '2024-05-15T20:00:00.000Z' },
    });
    // The account of the address is asked for.
    expect(gateway.calls.find(({ rpc }) => rpc === 'getPage')?.request).toMatchObject({
      page: { accountSlug: 'river1' },
    });
    expect((await get(gateway, `/dash/${NODE}/report`, { headers: { ...HTML, cookie } })).status).toBe(404);
  });

  test.each([
    [
      'with the part of a chart',
      'zoom.chart=2018-06-16T00:00:00.000Z/2018-06-17T00:00:00.000Z&timezone=Asia%2FTokyo',
      true,
    ],
    ['without what no page has', 'x=%22><script>', false],
    ['without more than an address takes', `x=${'y'.repeat(1_001)}`, false],
  ])('comes back %s', async (_what, query, isKept) => {
    await using gateway = await open({ behaviour: signedIn() });
    const address = `/a/river1/n/${NODE}`;
    const sent = await get(gateway, `${address}?${query}`, { headers: HTML });
    const next = isKept ? `${address}?${query}` : address;
    expect([sent.status, sent.headers.location]).toEqual([303, `/auth/login?next=${encodeURIComponent(next)}`]);
    const form = await get(gateway, String(sent.headers.location));
    expect(form.text).toContain(`name="next" value="${next.replaceAll('&', '&amp;')}"`);
  });

  test.each([
    '/a/river1/n/x?next=\\\\evil.test',
    '/dash/x?a=b#c',
    '/dash/x?a=b\r\nset-cookie:x',
    `/dash/${NODE}/report`,
    `/a/river1/n/${NODE}/report/x`,
    '/a/river1/n/../../account',
    '/a//n/x',
    '//evil.test',
    'https://evil.test',
    '/dash/../account',
    '/dash/%2F%2Fevil.test/x',
    '/account',
    '/dash/a\\b',
    '',
  ])('does not lead to %j after signing in', async (next) => {
    await using gateway = await open();
    const { text } = await get(gateway, `/auth/login?next=${encodeURIComponent(next)}`);
    expect(text).not.toContain('name="next"');
  });

  test('of a disabled account is closed', async () => {
    await using gateway = await open({ behaviour: signedIn(() => ({ accountStatus: 'DISABLED' })) });
    expect((await get(gateway, `/dash/${NODE}`, { headers: { ...HTML, cookie } })).status).toBe(403);
  });

  test('ends its stream with the session', async () => {
    let isSignedIn = true;
    const people: Behaviour['people'] = async () => {
      if (!isSignedIn) throw new DomainError('unauthenticated', 'SESSION_ENDED', 'no');
      return { ...ACCOUNT, keyId: 'session:1' };
    };
    await using gateway = await open({ behaviour: { ...serving(), people } });
    const stream = await openEventStream(`http://127.0.0.1:${gateway.port}/dash/${NODE}/stream`, { cookie });
    await stream.get(1);
    isSignedIn = false;
    await stream.ended();
    expect(stream.messages.at(-1)).toMatchObject({ event: 'end', data: { reason: 'SESSION_ENDED' } });
  });
});

describe('built files', () => {
  test.each([
    ['as the build has pressed them', 'br, gzip', 'br', 'pressed by the build'],
    ['pressed here', 'gzip', 'gzip', undefined],
    ['plain', 'identity', undefined, 'console.log(1);\n'.repeat(500)],
    ['plain for who refuses', 'br;q=0, gzip;q=0.0', undefined, 'console.log(1);\n'.repeat(500)],
  ])('are sent %s, for good', async (_what, accepted, encoding, bytes) => {
    await using gateway = await open();
    const reply = await get(gateway, '/assets/main-1.js', { headers: { 'accept-encoding': accepted } });
    expect([reply.status, reply.headers['content-encoding']]).toEqual([200, encoding]);
    expect(reply.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
    });
    if (bytes !== undefined) expect(reply.text).toBe(bytes);
  });

  test.each([
    '../.vite/manifest.json',
    '..%2f.vite%2fmanifest.json',
    'secret.txt',
    '',

    '%00',
    'main-2.js',
  ])('nothing else is: /assets/%s', async (name) => {
    await using gateway = await open();
    expect((await get(gateway, `/assets/${name}`)).status).toBeGreaterThanOrEqual(400);
  });
});
