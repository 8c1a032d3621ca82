import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const KEPT_CHARACTERS = 20_000;
const binaries = path.resolve(import.meta.dirname, '../../node_modules/.bin');

/**
 * Runs a tool on our Node; `printed` is the end of its output.
 * @param folder of its binary, and of those that it starts
 */
export async function runTool(
  name: string,
  args: string[],
  cwd: string,
  folder = binaries,
): Promise<{ status: number; printed: string }> {
  const child = spawn(path.join(folder, name), args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PATH: [binaries, folder, process.env.PATH].join(path.delimiter) },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      printed = `${printed}${chunk}`.slice(-KEPT_CHARACTERS);
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { status: code ?? 1, printed: printed.trim() };
}
