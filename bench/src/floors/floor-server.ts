import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** Starts a bare server in a process of its own, as the services are: `append-server.ts` or `node-server.ts`. */
export async function startFloor(file: string, storeUrl: string): Promise<{ origin: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, file), storeUrl], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const stop = async () => {
    child.stdin.end();
    await exited;
  };
  const [port] = (await Promise.race([
    once(child.stdout, 'data'),
    exited.then(() => Promise.reject(new Error(`${file} ended before it listened`))),
  ])) as [Buffer];
  return { origin: `http://127.0.0.1:${Number(String(port))}`, stop };
}
