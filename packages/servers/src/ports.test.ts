import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { choosePorts, freePort, isPortFree, reservePorts } from './ports.ts';

const MODULE = new URL('./ports.ts', import.meta.url).href;
const COUNT = 40;

/** Starts a process that chooses ports and lives on without listening on one; returns what it chose. */
async function chooser(): Promise<{ ports: number[]; end(): void }> {
  const script = `const { freePort } = await import(${JSON.stringify(MODULE)});
    const ports = await Promise.all(Array.from({ length: ${COUNT} }, () => freePort()));
    console.log(JSON.stringify(ports));
    setInterval(() => {}, 60_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  return { ports: JSON.parse(String(line)), end: () => child.kill('SIGKILL') };
}

test('processes that choose at the same time are given different ports, below those of outgoing connections', async () => {
  const choosers = await Promise.all([chooser(), chooser(), chooser()]);
  for (const { end } of choosers) end();
  const ports = choosers.flatMap((chooser) => chooser.ports);
  expect(new Set(ports).size).toBe(3 * COUNT);
  expect(Math.min(...ports)).toBeGreaterThan(10_000);
  expect(Math.max(...ports)).toBeLessThan(32_768);
});

test('a port that is given is free, and none is given twice', async () => {
  const ports: number[] = [];
  for (let n = 0; n < 100; n += 1) ports.push(await freePort());
  expect(new Set(ports).size).toBe(100);
  expect(await isPortFree(ports[0] as number, '127.0.0.1')).toBe(true);
});

test('a wanted port is given where it is free, and another one where it is taken', async () => {
  const wanted = await freePort();
  expect(await freePort({ preferred: wanted })).toBe(wanted);
  const server = createServer().listen(wanted, '127.0.0.1');
  await once(server, 'listening');
  expect(await isPortFree(wanted, '127.0.0.1')).toBe(false);
  expect(await freePort({ preferred: wanted })).not.toBe(wanted);
  server.close();
});

/** Returns the ports that this process gives next, unless they are reserved. */
async function nextPorts(): Promise<number[]> {
  for (;;) {
    const port = await freePort();
    if ((port - 10_000) % 64 < 32) return Array.from({ length: 16 }, (_, index) => port + 1 + index);
  }
}

test('a reserved port is given to whoever prefers it, and to nobody else', async () => {
  const next = await nextPorts();
  reservePorts(next);
  expect(next).not.toContain(await freePort());
  expect(await freePort({ preferred: next[0] as number })).toBe(next[0]);
});

test('a preferred port is not given again to somebody who has no preference', async () => {
  const [preferred = 0] = await nextPorts();
  expect(await freePort({ preferred })).toBe(preferred);
  expect(await freePort()).not.toBe(preferred);
});

test('remembered ports of a block that this process owns now do not meet those that are new', async () => {
  const [first = 0, second = 0] = await nextPorts();
  // The first server is new and remembers none.
  const ports = await choosePorts([0, first, second], 3, '127.0.0.1');
  expect(ports.slice(1)).toEqual([first, second]);
  expect(new Set(ports).size).toBe(3);
});
