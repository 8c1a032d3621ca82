import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import getPort from 'get-port';

/** Below the numbers that systems give to outgoing connections: one of those may take a port between its choice and its use. */
const RANGE = { from: 10_000, below: 32_768 } as const;
const TRIES = 100;

/**
 * A port that nothing listens on now.
 * @param preferred taken where it is free; 0: any
 */
export function freePort({
  host = '127.0.0.1',
  preferred = 0,
  exclude = [],
}: {
  readonly host?: string;
  readonly preferred?: number;
  readonly exclude?: readonly number[];
} = {}): Promise<number> {
  const others = Array.from({ length: TRIES }, () => randomInt(RANGE.from, RANGE.below));
  return getPort({ host, exclude, port: [...(preferred === 0 ? [] : [preferred]), ...others] });
}

/** Whether a server could listen on this address now. */
export function isPortFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/** The ports of last time where they are free, others where not. */
export async function choosePorts(remembered: readonly number[], count: number, host: string): Promise<number[]> {
  const chosen: number[] = [];
  for (let index = 0; index < count; index++) {
    const last = remembered[index];
    const keep = last !== undefined && (await isPortFree(last, host));
    chosen.push(keep ? last : await freePort({ host, exclude: chosen }));
  }
  return chosen;
}
