// `node services/gateway/test/flood-memory.ts`: memory of a gateway (and of its fake peers, in the same process) before, during and after floods of bodies,
// and how many of another account's writes were refused meanwhile.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const MIB = 1024 * 1024;
const NODE = `/api/v1/nodes/${'1'.repeat(24)}`;
const KEYS = ['A', 'B', 'C', 'D'].map((letter) => letter.repeat(40)) as [string, string, string, string];
const JSON_TYPE = { 'content-type': 'application/json' };

type Flood = {
  readonly name: string;
  readonly connections: number;
  readonly target: string;
  readonly bytes: number;
  readonly headers: (n: number) => Record<string, string>;
  /** Every body comes to its end. */
  readonly isWhole?: true;
};
const keyOf = (n: number, of: number) => ({ ...JSON_TYPE, 'x-api-key': KEYS[n % of] ?? '' });
const FORM = { 'content-type': 'multipart/form-data; boundary=x' };
const FLOODS: readonly Flood[] = [
  {
    name: '175 halves of 5 MiB to sensorlog',
    connections: 175,
    target: 'POST /upload/sensorlog',
    bytes: 5 * MIB - 2,
    headers: () => JSON_TYPE,
  },
  {
    name: '256 slow files by a push key',
    connections: 256,
    target: 'POST /upload/source/k',
    bytes: 300,
    headers: () => ({ 'content-type': 'text/plain' }),
  },
  {
    name: '128 slow attachments of an account',
    connections: 128,
    target: `POST ${NODE}/attachments`,
    bytes: 300,
    headers: (n) => ({ ...keyOf(n, 1), ...FORM }),
  },
  {
    name: '300 halves of 5 MiB of three accounts',
    connections: 300,
    target: `PUT ${NODE}/historic`,
    bytes: 5 * MIB - 2,
    headers: (n) => keyOf(n, 3),
  },
  {
    name: '300 bodies of 5 MiB of three accounts',
    connections: 300,
    target: `PUT ${NODE}/historic`,
    bytes: 5 * MIB - 2,
    headers: (n) => keyOf(n, 3),
    isWhole: true,
  },
];

async function serve(): Promise<void> {
  const { ACCOUNT, openGateway } = await import('./fixture.ts');
  const accounts = new Map(
    KEYS.map((key) => [
      createHash('sha256').update(key).digest('hex'),
      { ...ACCOUNT, ownerId: key.slice(0, 24), keyId: key.slice(0, 24) },
    ]),
  );
  const { port, calls } = await openGateway({
    behaviour: { authenticate: async (sha256) => accounts.get(Buffer.from(sha256).toString('hex')) ?? ACCOUNT },
  });
  calls.push = () => 0;
  process.stdout.write(`${port}\n`);
}

async function main(): Promise<void> {
  const folder = path.resolve(import.meta.dirname, '..');
  const lines = (name: string) => readFileSync(path.join(folder, name), 'utf8').split(/\s+/).filter(Boolean);
  const env = Object.fromEntries(lines('environment').map((line) => line.split('=', 2) as [string, string]));
  const server = spawn(process.execPath, [...lines('node-options'), import.meta.filename, 'serve'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = Number(String(((await once(server.stdout, 'data')) as [Buffer])[0]));
  const residentMib = () =>
    Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024);
  for (const flood of FLOODS) await run(flood, port, residentMib);
  server.kill();
}

async function run(
  { name, connections, target, bytes, headers, isWhole }: Flood,
  port: number,
  residentMib: () => number,
) {
  const before = residentMib();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, residentMib());
  }, 50);
  const body = Buffer.alloc(bytes, ' ');
  const sockets = Array.from({ length: connections }, (_, n) => {
    const all = { host: 'x', 'content-length': String(bytes + (isWhole ? 0 : 1)), ...headers(n) };
    const lines = Object.entries(all).map(([header, value]) => `${header}: ${value}\r\n`);
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.resume().write(`${target} HTTP/1.1\r\n${lines.join('')}\r\n`);
    socket.write(body);
    return socket;
  });
  await delay(5_000);
  const statuses: Record<number, number> = {};
  for (let n = 0; n < 40; n += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}${NODE}/historic`, {
      method: 'PUT',
      headers: keyOf(3, 4),
      body: '{}',
    });
    await answer.arrayBuffer();
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
  }
  for (const socket of sockets) socket.destroy();
  await delay(5_000);
  clearInterval(watch);
  process.stdout.write(
    `${name}: ${before} MiB before, ${peak} at the peak, ${residentMib()} after; another account: ${JSON.stringify(statuses)}\n`,
  );
}

await (process.argv[2] === 'serve' ? serve() : main());
