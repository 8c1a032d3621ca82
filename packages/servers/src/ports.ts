import { createServer } from 'node:net';
import getPort from 'get-port';

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
    chosen.push(keep ? last : await getPort({ host, exclude: chosen }));
  }
  return chosen;
}
