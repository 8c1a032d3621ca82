import { execFile } from 'node:child_process';

export type Outcome = { readonly status: number; readonly stdout: string; readonly stderr: string };

/** Runs a command to its end, whatever its status. @throws when it is not there */
export function attempt(command: string, ...args: string[]): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number') reject(error);
      else resolve({ status: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

/** Its output. @throws when its status is not 0 */
export async function run(command: string, ...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await attempt(command, ...args);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr || stdout}`);
  return stdout;
}

/** kubectl and helm in one namespace. */
export const inNamespace = (namespace: string) => ({
  kubectl: (...args: string[]) => run('kubectl', '--namespace', namespace, ...args),
  helm: (...args: string[]) => run('helm', '--namespace', namespace, ...args),
});

export function say(text: string): void {
  process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}
