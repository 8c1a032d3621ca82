import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the numbers that systems give to outgoing connections: one of those may take a port between its choice and its use. */
const RANGE = { from: 10_000, below: 32_704 } as const;
const BLOCK = 64;
const TRIES = 1_000;
const LOOPBACK = '127.0.0.1';

/** Ports that this process may still give: the rest of its newest block. */
let left: number[] = [];
let claim: Promise<void> | undefined;
/** Ports that this process gives to those only who prefer them. */
const reserved = new Set<number>();

/**
 * Keeps ports for those who prefer them. Their block of an earlier process may be this process's block now: without this,
 * `freePort` could give one of them to somebody else first.
 */
export function reservePorts(ports: Iterable<number>): void {
  for (const port of ports) reserved.add(port);
}

/**
 * Returns a port that nothing listens on now, that no other process of Catchment is given, and that this process gives once: a port is
 * chosen long before a program listens on it. Ports come in blocks, and a process owns a block while it lives: it listens on the first port of it, so the
 * system keeps others out and frees the block at any end of the process.
 * @param preferred taken where it is free; 0: any
 */
export async function freePort({
  host = LOOPBACK,
  preferred = 0,
}: {
  readonly host?: string;
  readonly preferred?: number;
} = {}): Promise<number> {
  if (preferred !== 0 && (await isPortFree(preferred, host))) {
    reserved.add(preferred);
    return preferred;
  }
  for (;;) {
    const port = left.shift();
    if (port === undefined) {
      claim ??= claimBlock();
      await claim;
    } else if (!reserved.has(port) && (await isPortFree(port, host))) return port;
  }
}

/** Returns whether a server could listen on this address now. */
export async function isPortFree(port: number, host: string): Promise<boolean> {
  const probe = await listening(port, host);
  if (probe === undefined) return false;
  probe.close();
  await once(probe, 'close');
  return true;
}

/** Returns the ports of last time where they are free, others where not. */
export async function choosePorts(remembered: readonly number[], count: number, host: string): Promise<number[]> {
  reservePorts(remembered);
  const chosen: number[] = [];
  for (let index = 0; index < count; index++) chosen.push(await freePort({ host, preferred: remembered[index] ?? 0 }));
  return chosen;
}

/** Listens on the first port of a block from now on; the others of it are left to give. */
async function claimBlock(): Promise<void> {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const first = RANGE.from + BLOCK * randomInt(Math.floor((RANGE.below - RANGE.from) / BLOCK));
    const server = await listening(first, LOOPBACK);
    if (server === undefined) continue;
    server.unref();
    left = Array.from({ length: BLOCK - 1 }, (_, index) => first + 1 + index);
    claim = undefined;
    return;
  }
  throw new Error(`No ports are free between ${RANGE.from} and ${RANGE.below}: stop programs that listen there.`);
}

/** Opens a server on this address; undefined where another one has it. */
function listening(port: number, host: string): Promise<ReturnType<typeof createServer> | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host, exclusive: true }, () => resolve(server));
  });
}
