import path from 'node:path';
import { run } from '../tools/run.ts';

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
  const env = { PATH: [binaries, folder, process.env.PATH].join(path.delimiter) };
  const { code, output } = await run(path.join(folder, name), args, { cwd, env });
  return { status: code, printed: output.slice(-KEPT_CHARACTERS).trim() };
}
