import { spawn } from 'node:child_process';
import { once } from 'node:events';

export type Ended = { readonly code: number; readonly output: string };
const KEPT_CHARACTERS = 200_000;

/** Runs a program to its end, with what it prints. */
export async function run(
  command: string,
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<Ended> {
  const child = spawn(command, [...args], { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output = `${output}${chunk}`.slice(-KEPT_CHARACTERS);
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code: code ?? 1, output };
}

/** Runs commands one after the other. @returns the first that fails, else the last */
export async function inTurn(...commands: (() => Promise<Ended>)[]): Promise<Ended> {
  let ended: Ended = { code: 0, output: '' };
  for (const command of commands) {
    ended = await command();
    if (ended.code !== 0) return ended;
  }
  return ended;
}
