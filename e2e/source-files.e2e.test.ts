// Files for sources (docs/reference/accounts-and-usage.md#administration; docs/reference/acquisition.md#files-of-a-source):
// as large as they may be, through a whole installation.
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { type Installation, startInstallation } from './src/installation.ts';

const MIB = 1024 * 1024;
const MAX_BYTES = 100 * MIB;
/** Node frees buffers once 64 MiB of them are waiting; a process that holds the file has 100 MiB and its copies. */
const GROWTH_MAX_BYTES = 96 * MIB;

let installation: Installation;
let sourceId: string;
beforeAll(async () => {
  // The memory of own processes alone can be read.
  installation = await startInstallation({ args: ['--no-demo'] });
  const { api } = installation;
  const make = async (cls: string, name: string, parentId?: string): Promise<string> =>
    (await api.post('/nodes', { _class: `io.svc.models.node.${cls}`, name, parentId })).json._id;
  const station = await make('location.Location', 'Station', await make('Workspace', 'Files'));
  sourceId = await make('source.data.TextParser', 'Logger', station);
}, 240_000);
afterAll(() => installation?.stop(), 60_000);

const residentBytes = async (pid: number): Promise<number> =>
  Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

/** Sends so many bytes as fast as they are accepted, and samples the memory of processes meanwhile. */
async function send(sizeBytes: number, pids: readonly number[]) {
  const { url, api } = installation;
  const before = await Promise.all(pids.map(residentBytes));
  const most = [...before];
  const headers = { 'X-Api-Key': api.key, 'Content-Type': 'text/csv' };
  const asked = request(`${url}/api/v1/nodes/${sourceId}/files`, { method: 'POST', headers });
  const answered = new Promise<{ status: number; text: string }>((resolve, reject) => {
    asked.on('error', reject).on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
    });
  });
  const piece = Buffer.alloc(64 * 1024, 'a text without a time, 1\n');
  for (let sent = 0; sent < sizeBytes; sent += piece.length) {
    if (!asked.write(piece.subarray(0, sizeBytes - sent))) await new Promise((resolve) => asked.once('drain', resolve));
    for (const [n, pid] of pids.entries()) most[n] = Math.max(most[n] ?? 0, await residentBytes(pid));
  }
  asked.end();
  const answer = await answered;
  return { ...answer, growth: most.map((bytes, n) => bytes - (before[n] ?? 0)) };
}

test('100 MiB are taken in and looked at, and neither process ever holds them', async () => {
  const { gateway = 0, devices = 0 } = await installation.pids();
  const { status, text, growth } = await send(MAX_BYTES, [gateway, devices]);
  expect([status, JSON.parse(text).error.reason]).toEqual([400, 'NO_TIME']);
  for (const bytes of growth) expect(bytes).toBeLessThan(GROWTH_MAX_BYTES);
}, 120_000);

test('a byte more is too much, also where nobody has said how many come', async () => {
  const { status, text } = await send(MAX_BYTES + 1, []);
  expect(status).toBe(413);
  expect(text).toContain('a file may have at most');
}, 120_000);
