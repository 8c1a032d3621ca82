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

/** Kubernetes clients say this when the API server did not answer at all, as on a busy machine. */
const NO_ANSWER =
  /Unable to connect to the server|TLS handshake timeout|i\/o timeout|the server was unable to return a response/;
const TIMES = 5;

/** Its output. @throws when its status is not 0 */
export async function run(command: string, ...args: string[]): Promise<string> {
  const isReading = command === 'kubectl' && args.some((arg) => ['get', 'rollout', 'wait'].includes(arg));
  for (let time = 1; ; time += 1) {
    const { status, stdout, stderr } = await attempt(command, ...args);
    if (status === 0) return stdout;
    if (isReading && time < TIMES && NO_ANSWER.test(stderr)) continue;
    throw new Error(`${command} ${args.join(' ')}: ${stderr || stdout}`);
  }
}

/** Runs kubectl and helm in one namespace. */
export const inNamespace = (namespace: string) => ({
  kubectl: (...args: string[]) => run('kubectl', '--namespace', namespace, ...args),
  helm: (...args: string[]) => run('helm', '--namespace', namespace, ...args),
});

export function say(text: string): void {
  process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}
