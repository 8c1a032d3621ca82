import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { DomainError } from '@catchment/errors';
import { FileLinks, type FileVariant } from '@catchment/file-links';
import { until } from '@catchment/testkit';
import { FilesFake, MAX_BYTES } from './files-fake.ts';
import { KEYS, openGateway, SECRET } from './fixture.ts';

const NODE = 'a'.repeat(24);
const UPLOAD = `/api/v1/nodes/${NODE}/attachments`;
const NOW = Date.parse('2026-03-01T00:00:00Z');
const links = new FileLinks(SECRET);
const link = (nodeId: string, variant: FileVariant = 'file', expiresMs?: number) =>
  links.path(nodeId, variant, expiresMs);

const files = new FilesFake();
let gateway: Awaited<ReturnType<typeof openGateway>>;
beforeAll(async () => {
  gateway = await openGateway({ files, now: () => NOW });
});
afterAll(() => gateway[Symbol.asyncDispose]());
beforeEach(() => {
  files.reset();
  gateway.calls.length = 0;
});

type Part = { name: string; fileName?: string; value: string | Buffer };
const BOUNDARY = 'a-boundary';
const formOf = (parts: readonly Part[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ name, fileName, value }) => [
      Buffer.from(
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}\r\n\r\n`,
      ),
      Buffer.from(value),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);
const HEADERS = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
const upload = (
  parts: readonly Part[] | Buffer,
  more: { path?: string; headers?: Record<string, string>; key?: string } = {},
) =>
  gateway.ask(more.path ?? UPLOAD, {
    method: 'POST',
    body: Buffer.isBuffer(parts) ? parts : formOf(parts),
    headers: { ...HEADERS, ...more.headers },
    key: more.key ?? KEYS.modify,
  });
const file = (value: string | Buffer, fileName = 'a.bin'): Part => ({ name: 'file', fileName, value });

describe('an upload', () => {
  test.each([1, 999, 1000, 1001, 35_000, MAX_BYTES])('of %i bytes arrives in segments, whole', async (size) => {
    const bytes = randomBytes(size);
    const reply = await upload([file(bytes, 'Übersicht "1".png')]);
    expect(reply.status).toBe(201);
    expect(reply.headers['cache-control']).toBe('no-store');
    const { _id } = reply.json() as { _id: string };
    const segments = files.stored.get(_id) ?? [];
    expect(segments.slice(0, -1).every((segment) => segment.length === 1000)).toBe(true);
    expect(Buffer.concat(segments).equals(bytes)).toBe(true);
    expect(files.finished).toEqual([expect.objectContaining({ size, preview: Buffer.alloc(0) })]);
    expect(files.abandoned).toEqual([]);
  });

  test('texts of the form and of the query go with it, before or after the file', async () => {
    const parts = [{ name: 'name', value: 'Plan' }, file('x'), { name: 'description', value: 'Größe' }];
    expect((await upload(parts, { path: `${UPLOAD}?attr=_id&expiry=5` })).status).toBe(201);
    expect(gateway.calls.findLast(({ rpc }) => rpc === 'finishUpload')?.request).toMatchObject({
      nodeRef: NODE,
      name: 'Plan',
      description: 'Größe',
      fileName: 'a.bin',
      attr: '_id',
      expiry: 5,
    });
  });

  test('of a picture comes with its preview', async () => {
    files.isPicture = true;
    expect((await upload([file('picture')])).status).toBe(201);
    expect(files.finished[0]?.preview.toString()).toBe('jpeg');
  });

  test('of a picture that cannot be drawn at the moment is not kept', async () => {
    files.isPicture = true;
    files.jpeg = async () => {
      throw new DomainError('unavailable', 'TOO_MANY_CHARTS', 'Service temporarily unavailable');
    };
    expect((await upload([file('picture')])).status).toBe(503);
    expect(files.abandoned).toHaveLength(1);
  });

  test.each<[string, readonly Part[] | Buffer, Record<string, string>, number, string]>([
    ['no file', [{ name: 'name', value: 'x' }], {}, 400, 'file: must be sent'],
    ['two files', [file('a'), file('b')], {}, 400, 'file: must be one'],
    ['an unknown part', [file('a'), { name: 'color', value: 'x' }], {}, 400, 'color: must be name or description'],
    [
      'many parts',
      [file('a'), ...Array.from({ length: 9 }, (_, i) => ({ name: `p${i}`, value: '' }))],
      {},
      400,
      'body: ',
    ],
    ['a long text', [file('a'), { name: 'name', value: 'x'.repeat(9000) }], {}, 400, 'name: must be a text'],
    ['a form that ends early', formOf([file('abc')]).subarray(0, -10), {}, 400, 'body: must be well-formed'],
    ['no form', Buffer.from('{"a":'), {}, 400, 'body: must be well-formed'],
    ['nothing', Buffer.alloc(0), {}, 400, 'body: must be well-formed'],
    [
      'JSON',
      Buffer.from('{}'),
      { 'content-type': 'application/json' },
      400,
      'Content-Type: must be multipart/form-data',
    ],
    ['no boundary', Buffer.from('x'), { 'content-type': 'multipart/form-data' }, 400, 'Content-Type: '],
    ['gzip', [file('a')], { 'content-encoding': 'gzip' }, 400, 'Content-Encoding: must be identity'],
    ['a byte too much', [file(randomBytes(MAX_BYTES + 1))], {}, 413, 'a file may have at most'],
    ['a form far too long', [file('a')], { 'content-length': '200000000' }, 413, 'too large'],
  ])('of %s is refused and leaves nothing', async (_what, parts, headers, status, message) => {
    const reply = await upload(parts, { headers });
    expect(reply.status).toBe(status);
    expect(reply.text).toContain(message);
    expect(files.finished).toEqual([]);
    expect([...files.stored.keys()]).toEqual([]);
  });

  test.each([
    ['a key for reading', { key: KEYS.readOnly }, 403],
    ['an unknown key', { key: KEYS.unknown }, 401],
    ['an unknown parent', { path: '/api/v1/nodes/unknown/attachments' }, 404],
    ['a wrong expiry', { path: `${UPLOAD}?expiry=x` }, 400],
  ])('by %s is refused with its answer, however long the file', async (_what, more, status) => {
    expect((await upload([file(randomBytes(MAX_BYTES))], more)).status).toBe(status);
    expect([...files.stored.keys()]).toEqual([]);
  });

  test('a segment that cannot be stored ends it; whether it is stored is not known, so it is left to the sweep', async () => {
    files.onWrite = async (index) => {
      if (index === 3)
        throw new DomainError('unavailable', 'FILE_STORE_UNAVAILABLE', 'Service temporarily unavailable');
    };
    expect((await upload([file(randomBytes(50_000))])).status).toBe(503);
    expect(files.abandoned).toEqual([]);
    expect(files.finished).toEqual([]);
  });

  test('a client that leaves half-way leaves nothing', async () => {
    const body = formOf([file(randomBytes(100_000))]);
    const { port } = gateway;
    const headers = { ...HEADERS, 'x-api-key': KEYS.modify, 'content-length': String(body.length) };
    const request = httpRequest({ host: '127.0.0.1', port, path: UPLOAD, method: 'POST', headers, agent: false });
    request.on('error', () => {});
    request.write(body.subarray(0, 60_000));
    await until(() => [...files.stored.values()].some((segments) => segments.length > 20));
    request.destroy();
    await until(() => files.abandoned.length === 1);
    expect([...files.stored.keys()]).toEqual([]);
    expect(files.finished).toEqual([]);
  });

  test('a client is held back while a segment is stored', async () => {
    const gate = Promise.withResolvers<void>();
    files.onWrite = () => gate.promise;
    const body = formOf([file(randomBytes(MAX_BYTES - 10))]);
    const headers = { ...HEADERS, 'x-api-key': KEYS.modify, 'content-length': String(body.length) };
    const request = httpRequest({
      host: '127.0.0.1',
      port: gateway.port,
      path: UPLOAD,
      method: 'POST',
      headers,
      agent: false,
    });
    const answered = once(request, 'response');
    request.end(body);
    await until(() => files.stored.size === 1);
    gate.resolve();
    const [response] = await answered;
    response.resume();
    expect(response.statusCode).toBe(201);
    expect(files.finished[0]?.size).toBe(MAX_BYTES - 10);
  });

  test('ends with the key that it began with, however long it takes', async () => {
    expect((await upload([file('x')])).status).toBe(201);
    const callers = gateway.calls.filter(({ rpc }) => /Upload$/.test(rpc)).map(({ context }) => context.caller);
    expect(new Set(callers.map((caller) => JSON.stringify(caller))).size).toBe(1);
  });
});

describe('a link', () => {
  const bytes = randomBytes(4321);
  beforeEach(() => files.add(NODE, bytes, { preview: Buffer.from('small picture') }));
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    gateway.ask(path, { key: undefined, headers, method });

  test('gives the file, without a key', async () => {
    const reply = await get(link(NODE));
    expect(reply.status).toBe(200);
    expect(reply.bytes.equals(bytes)).toBe(true);
    expect(reply.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': '4321',
      'content-disposition': 'inline; filename="site.png"',
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      etag: `"f${'a'.repeat(23)}"`,
    });
    expect(reply.headers['content-security-policy']).toContain('sandbox');
    expect(gateway.calls.find(({ rpc }) => rpc === 'getFile')?.context.caller).toEqual({
      kind: 'service',
      service: 'gateway',
    });
  });

  test('gives the preview', async () => {
    const reply = await get(link(NODE, 'preview'));
    expect(reply.text).toBe('small picture');
    expect(reply.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': 'inline; filename="site.jpg"',
      etag: `"f${'a'.repeat(23)}-preview"`,
    });
    expect((await get(link(NODE, 'preview'), { range: 'bytes=6-' })).text).toBe('picture');
  });

  test('answers HEAD without the bytes', async () => {
    const reply = await get(link(NODE), { range: 'bytes=0-1' }, 'HEAD');
    expect(reply).toMatchObject({ status: 200, headers: { 'content-length': '4321' } });
    expect(reply.bytes).toHaveLength(0);
  });

  test.each([
    ['bytes=0-0', 0, 0],
    ['bytes=0-999', 0, 999],
    ['bytes=999-1000', 999, 1000],
    ['bytes=500-3500', 500, 3500],
    ['bytes=4320-', 4320, 4320],
    ['bytes=1000-99999', 1000, 4320],
    ['bytes=-1', 4320, 4320],
    ['bytes=-99999', 0, 4320],
  ])('%s gives bytes %i to %i', async (range, first, last) => {
    const reply = await get(link(NODE), { range });
    expect(reply.status).toBe(206);
    expect(reply.headers['content-range']).toBe(`bytes ${first}-${last}/4321`);
    expect(reply.headers['content-length']).toBe(String(last - first + 1));
    expect(reply.bytes.equals(bytes.subarray(first, last + 1))).toBe(true);
  });

  test.each(['bytes=4321-', 'bytes=5000-6000', 'bytes=-0'])('%s is outside', async (range) => {
    const reply = await get(link(NODE), { range });
    expect(reply.status).toBe(416);
    expect(reply.headers['content-range']).toBe('bytes */4321');
    expect(reply.json()).toMatchObject({ error: { code: 416, reason: 'RANGE_NOT_SATISFIABLE' } });
  });

  test.each(['bytes=0-1,5-6', 'lines=0-1', 'bytes=5-1', 'bytes=x-', 'bytes'])('%s gives the whole', async (range) => {
    expect((await get(link(NODE), { range })).status).toBe(200);
  });

  test('is not sent again to who has it', async () => {
    const etag = `"f${'a'.repeat(23)}"`;
    const fresh = await get(link(NODE), { 'if-none-match': `"other", ${etag}` });
    expect(fresh.status).toBe(304);
    expect(fresh.bytes).toHaveLength(0);
    expect((await get(link(NODE), { 'if-none-match': '"other"' })).status).toBe(200);
    expect((await get(link(NODE), { range: 'bytes=1-2', 'if-range': etag })).status).toBe(206);
    expect((await get(link(NODE), { range: 'bytes=1-2', 'if-range': '"other"' })).status).toBe(200);
  });

  test.each<[string, string, number, string]>([
    ['expired', link(NODE, 'file', NOW), 403, 'LINK_EXPIRED'],
    ['of another variant', link(NODE).replace('?', '/preview?'), 403, 'LINK_NOT_VALID'],
    ['without signature', `/files/${NODE}`, 403, 'LINK_NOT_VALID'],
    ['with half a signature', link(NODE).slice(0, -5), 403, 'LINK_NOT_VALID'],
    ['of another node', link(NODE).replace('/aaaa', '/bbbb'), 403, 'LINK_NOT_VALID'],
    ['of a node that is gone', link('b'.repeat(24)), 404, 'NOT_FOUND'],
    ['of no node', link('nobody'), 404, 'NOT_FOUND'],
  ])('%s is refused, to programs and to people', async (_what, path, status, reason) => {
    const reply = await get(path);
    expect(reply.status).toBe(status);
    expect(reply.json()).toMatchObject({ error: { code: status, reason } });
    expect(reply.headers['cache-control']).toBe('no-store');
    const page = await get(path, { accept: 'text/html,application/xhtml+xml' });
    expect(page.status).toBe(status);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.text).toMatch(status === 404 ? /not here any more/ : /expired|not valid/);
  });

  test('holds until its end', async () => {
    expect((await get(link(NODE, 'file', NOW + 1000))).status).toBe(200);
  });

  test('to bytes that are gone is not found, and no broken file', async () => {
    files.stored.clear();
    const reply = await get(link(NODE), { range: 'bytes=5-' });
    expect(reply.status).toBe(404);
    for (const name of ['content-disposition', 'etag', 'content-range', 'accept-ranges'])
      expect(reply.headers[name]).toBeUndefined();
  });

  test('bytes that go missing on the way break the answer off', async () => {
    files.stored.get(`f${NODE.slice(1)}`)!.length = 2;
    await expect(get(link(NODE))).rejects.toThrow();
  });

  test.each([
    ['text/html', 'attachment'],
    ['application/zip', 'attachment'],
    ['application/pdf', 'inline'],
    ['video/mp4', 'inline'],
    ['text/plain', 'inline'],
  ])('%s is offered as %s', async (mimeType, type) => {
    files.add(NODE, bytes, { mimeType });
    const reply = await get(link(NODE));
    expect(reply.headers['content-disposition']).toBe(`${type}; filename="site.png"`);
    expect(reply.headers['content-security-policy'] === undefined).toBe(mimeType === 'application/pdf');
  });

  test('without a preview has none', async () => {
    files.add(NODE, bytes);
    expect((await get(link(NODE, 'preview'))).status).toBe(404);
  });

  test('other methods are not offered', async () => {
    const reply = await get(link(NODE), {}, 'DELETE');
    expect(reply).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } });
  });
});

test('links are counted by address where requests are limited', async () => {
  await using limited = await openGateway({ files, env: { RATE_LIMIT_REQUESTS: '2' }, now: () => NOW });
  files.add(NODE, Buffer.from('x'));
  const statuses = [];
  for (let i = 0; i < 3; i += 1) statuses.push((await limited.ask(link(NODE), { key: undefined })).status);
  expect(statuses).toEqual([200, 200, 429]);
});
