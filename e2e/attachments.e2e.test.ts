// Files of people are uploaded in a stream, kept by the broker, opened by signed links alone.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { HANGS_AFTER_MS, until } from '@catchment/testkit';
import sharp from 'sharp';
import { type Api, MODEL, unique } from './src/api.ts';
import type { Installation } from './src/installation.ts';
import { borrowInstallation } from './src/lent-installation.ts';

const MIB = 1024 * 1024;
const BOUNDARY = 'a-part-of-the-form';
const SIZE = 50 * MIB;
const SMALL_SIZE = 10 * MIB;
/** The small files have as many bytes as the large one: their garbage is alike. */
const SMALL_FILES = SIZE / SMALL_SIZE;
/** The large file may take this much more of the gateway than small ones. A gateway that held a file would need all of the difference. */
const MAX_MORE = 32 * MIB;

let installation: Installation;
let api: Api;
let workspace: string;

beforeAll(async () => {
  installation = await borrowInstallation('each', { fresh: ['gateway'] });
  api = installation.api;
  workspace = (await api.create({ _class: `${MODEL}.Workspace`, name: unique('Files') }))._id;
});
afterAll(() => installation?.stop());

type Upload = { status: number; json: { _id: string; fileUrl: string; filePreviewUrl: string; fileSize: number } };

/** Sends a form with one file in pieces, as fast as they are accepted; may end it early. */
async function stream(to: Api, parent: string, pieces: AsyncIterable<Buffer>, signal?: AbortSignal): Promise<Upload> {
  const { hostname, port } = new URL(to.url);
  const request = httpRequest({
    hostname,
    port,
    method: 'POST',
    path: `/api/v1/nodes/${parent}/attachments`,
    headers: { 'X-Api-Key': to.key, 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` },
    agent: false,
    ...(signal && { signal }),
  });
  const answered = once(request, 'response');
  answered.catch(() => undefined);
  request.write(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="data.bin"\r\n\r\n`);
  for await (const piece of pieces) {
    signal?.throwIfAborted();
    if (!request.write(piece)) await once(request, 'drain', { ...(signal && { signal }) });
  }
  request.end(`\r\n--${BOUNDARY}--\r\n`);
  const [response] = await answered;
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, json: JSON.parse(Buffer.concat(chunks).toString()) };
}

const residentBytes = async (pid: number): Promise<number> =>
  Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

/** Measures the most memory that a process has while something is done, looked at every 20 ms. */
async function peakOf<T>(pid: number, work: () => Promise<T>): Promise<{ peak: number; result: T }> {
  let peak = 0;
  const done = new AbortController();
  const watched = (async () => {
    for (; !done.signal.aborted; await delay(20)) peak = Math.max(peak, await residentBytes(pid));
  })();
  const result = await work().finally(() => done.abort());
  await watched;
  return { peak, result };
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const follow = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, { headers, signal: AbortSignal.timeout(HANGS_AFTER_MS) });
const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());
const usageOf = async (api: Api): Promise<number> =>
  (await api.get('/owners/account/usage')).json.accounts[0].attachmentBytes;
const urlOf = async (id: string, expiry: number): Promise<string> =>
  (await api.get(`/nodes/${id}?attr=fileUrl&expiry=${expiry}`)).json.fileUrl;
/** Another account with a workspace. */
const accountWithWorkspace = async () => {
  const { api: own } = await installation.account({ name: unique('Files') });
  return { own, place: (await own.create({ _class: `${MODEL}.Workspace`, name: 'Site' }))._id };
};

test('50 MiB are streamed in and out, whole, and the gateway never holds them', async () => {
  const pid = (await installation.pids()).gateway ?? 0;
  const block = randomBytes(MIB);
  const pieces = async function* (size = SIZE) {
    for (let i = 0; i < size / MIB; i += 1) {
      block.writeUInt32LE(i);
      yield Buffer.from(block);
    }
  };
  const whole = createHash('sha256');
  for await (const piece of pieces()) whole.update(piece);
  const through = async (size: number) => {
    const { status, json } = await stream(api, workspace, pieces(size));
    expect({ status, fileSize: json.fileSize }).toEqual({ status: 201, fileSize: size });
    const response = await follow(json.fileUrl);
    const hash = createHash('sha256');
    for await (const chunk of response.body!) hash.update(chunk);
    return { json, response, hash: hash.digest('hex') };
  };
  // Garbage that is not collected yet comes with small files too.
  const { peak: small } = await peakOf(pid, async () => {
    for (let n = 0; n < SMALL_FILES; n += 1) await through(SMALL_SIZE);
  });
  const { peak: large, result } = await peakOf(pid, () => through(SIZE));
  const { json, response, hash } = result;
  expect(hash).toBe(whole.digest('hex'));
  expect(large - small).toBeLessThan(MAX_MORE);

  const part = await follow(json.fileUrl, { Range: `bytes=${5 * MIB - 2}-${5 * MIB + 3}` });
  expect(part.status).toBe(206);
  expect(part.headers.get('content-range')).toBe(`bytes ${5 * MIB - 2}-${5 * MIB + 3}/${SIZE}`);
  block.writeUInt32LE(5);
  expect(await bytesOf(part)).toEqual(Buffer.concat([block.subarray(-2), block.subarray(0, 4)]));
  expect((await follow(json.fileUrl, { Range: `bytes=${SIZE}-` })).status).toBe(416);
  const fresh = await follow(json.fileUrl, { 'If-None-Match': response.headers.get('etag') ?? '' });
  expect(fresh.status).toBe(304);
});

test.each([
  ['PNG', 'image/png', () => picture().png().toBuffer()],
  ['JPEG', 'image/jpeg', () => picture().jpeg().toBuffer()],
])('a %s has a preview that shows it', async (name, mimeType, make) => {
  const bytes = await make();
  const node = await api.upload(workspace, new Uint8Array(bytes), `site ${name}`);
  expect(node).toMatchObject({ mimeType, fileSize: bytes.length });
  const original = await follow(String(node.fileUrl));
  expect(original.headers.get('content-disposition')).toBe(`inline; filename="site ${name}"`);
  expect(sha256(await bytesOf(original))).toBe(sha256(bytes));
  const preview = await follow(String(node.filePreviewUrl));
  expect(preview.headers.get('content-type')).toBe('image/jpeg');
  const { data, info } = await sharp(await bytesOf(preview))
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ width: 480, height: 240 });
  const at = (x: number) =>
    [...data.subarray((120 * 480 + x) * 3, (120 * 480 + x) * 3 + 3)] as [number, number, number];
  expect(at(100)[0]).toBeGreaterThan(at(100)[2] + 100);
  expect(at(380)[2]).toBeGreaterThan(at(380)[0] + 100);
});

/** Draws the left half red, the right half blue. */
const picture = () =>
  sharp({ create: { width: 1200, height: 600, channels: 3, background: '#e02020' } }).composite([
    { input: { create: { width: 600, height: 600, channels: 3, background: '#2020e0' } }, left: 600, top: 0 },
  ]);

test('a link opens its file alone', async () => {
  const { _id } = await api.upload(workspace, 'plain words', 'words.txt');
  const url = await urlOf(_id, 0);
  expect(await (await follow(url)).text()).toBe('plain words');
  const other = await api.upload(workspace, 'other words', 'other.txt');
  const wrong = [
    url.replace(_id, other._id),
    url.replace('expires=0', 'expires=9999999999'),
    url.slice(0, -1),
    url.replace('?', '/preview?'),
  ];
  for (const link of wrong) {
    const refused = await follow(link);
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ error: { code: 403, reason: 'LINK_NOT_VALID' } });
  }
  const page = await follow(url.slice(0, -1), { Accept: 'text/html' });
  expect(page.status).toBe(403);
  expect(await page.text()).toContain('This link is not valid');
});

test('uploads whose clients die half-way leave nothing: more of them than may be open at once are no trouble', async () => {
  const { own, place } = await accountWithWorkspace();
  const begin = async () => {
    const dying = new AbortController();
    const pieces = async function* () {
      for (let i = 0; i < 40; i += 1) {
        if (i === 2) dying.abort();
        yield Buffer.alloc(MIB, i);
      }
    };
    await expect(stream(own, place, pieces(), dying.signal)).rejects.toThrow();
  };
  for (let round = 0; round < 13; round += 1) await Promise.all(Array.from({ length: 4 }, begin));
  // The gateway may still be busy with the last of them.
  const complete = () => stream(own, place, Readable.from([Buffer.from('complete')]));
  await until(async () => (await complete()).status === 201, { everyMs: 500 });
  const nodes = (await own.get('/nodes?attr=name&sort=createdTime')).json;
  expect(nodes).toEqual([{ name: 'Site' }, { name: 'data.bin' }]);
  expect(await usageOf(own)).toBe('complete'.length);
});

test('a copy keeps the bytes when the original goes; another account gets nothing', async () => {
  const { own, place } = await accountWithWorkspace();
  const original = await own.upload(place, 'shared words', 'shared.txt');
  const copy = (await own.post(`/nodes/${original._id}/clone`, { parentId: place })).json[0];
  expect((await own.delete(`/nodes/${original._id}`)).status).toBe(200);
  expect((await follow(String(original.fileUrl))).status).toBe(404);
  expect(await (await follow(copy.fileUrl)).text()).toBe('shared words');

  for (const path of [`/nodes/${copy._id}`, `/nodes/${copy._id}/events`])
    expect((await api.get(path)).status).toBe(404);
  const form = new FormData();
  form.append('file', new Blob(['mine']), 'mine.txt');
  expect((await api.post(`/nodes/${place}/attachments`, form)).status).toBe(404);
  expect((await api.get('/nodes')).text).not.toContain(copy._id);

  expect(await usageOf(own)).toBe('shared words'.length);
  await own.delete(`/nodes/${copy._id}`);
  await until(async () => (await usageOf(own)) === 0, { everyMs: 250 });
});

test('a link holds for as many minutes as are asked for', async () => {
  const { _id } = await api.upload(workspace, 'soon closed', 'soon.txt');
  const askedMs = Date.now();
  const url = await urlOf(_id, 1);
  const answeredMs = Date.now();
  const endMs = Number(new URL(url).searchParams.get('expires')) * 1000;
  expect(endMs).toBeGreaterThanOrEqual(askedMs + 60_000);
  expect(endMs).toBeLessThanOrEqual(answeredMs + 61_000);
  expect((await follow(url)).status).toBe(200);
});
