import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ProcessPlan } from './server-process.ts';
import type { ServerKind } from './versions.ts';

const run = promisify(execFile);

/** Machines with a container engine but without the program run these images. */
export const IMAGES: Record<ServerKind, { name: string; version: string }> = {
  postgres: { name: 'postgres:17-alpine', version: '17' },
  nats: { name: 'nats:2.11-alpine', version: '2.11' },
  influx: { name: 'influxdb:1.8-alpine', version: '1.8' },
};

const ENGINE_LIMIT_MS = 5_000;
const PULL_LIMIT_MS = 600_000;

/** Returns whether a container engine answers the `docker` command of this machine. */
export async function engineAnswers(): Promise<boolean> {
  return run('docker', ['info', '--format', '{{.ServerVersion}}'], { timeout: ENGINE_LIMIT_MS }).then(
    ({ stdout }) => stdout.trim() !== '',
    () => false,
  );
}

/** Fetches the image of a server where it is not there yet. @throws Error with what the engine said */
export async function providePulledImage(kind: ServerKind, log: (line: string) => void): Promise<void> {
  const { name } = IMAGES[kind];
  if (await succeeds(['image', 'inspect', name])) return;
  log(`fetching the container image ${name}`);
  await run('docker', ['pull', '--quiet', name], { timeout: PULL_LIMIT_MS });
}

type ContainerFacts = {
  kind: ServerKind;
  /** The server's folder on this machine and where the container sees it. */
  folder: string;
  mount: { from: string; to: string };
  host: string;
  port: number;
  containerPort: number;
  environment: Record<string, string>;
  /** The container runs these arguments, which follow the image. */
  arguments: string[];
};

/** Returns the part of a plan that differs in a container: `docker run` in the foreground passes our signals on to it. */
export async function containerPlan(
  facts: ContainerFacts,
): Promise<Pick<ProcessPlan, 'program' | 'arguments' | 'mark' | 'killFirst'>> {
  const name = containerName(facts);
  const environmentFile = path.join(facts.folder, 'container.env'); // not in arguments: everybody may list those
  const lines = Object.entries(facts.environment).map(([key, value]) => `${key}=${value}\n`);
  await writeFile(environmentFile, lines.join(''), { mode: 0o600 });
  await chmod(environmentFile, 0o600);
  await succeeds(['rm', '--force', name]); // left behind by a run that was killed
  return {
    program: 'docker',
    arguments: runArguments(facts, name, environmentFile),
    mark: name,
    killFirst: async () => {
      await succeeds(['kill', name]);
    },
  };
}

/** Returns the words after `docker`; the port is published on `host` alone, not on every interface as is usual. */
export function runArguments(facts: ContainerFacts, name: string, environmentFile: string): string[] {
  const { mount, host, port, containerPort } = facts;
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  const user = uid === undefined || uid === 0 ? [] : ['--user', `${uid}:${gid}`]; // files stay ours
  return [
    'run',
    '--rm',
    '--name',
    name,
    ...user,
    '--publish',
    `${host}:${port}:${containerPort}`,
    '--volume',
    `${mount.from}:${mount.to}`,
    '--env-file',
    environmentFile,
    IMAGES[facts.kind].name,
    ...facts.arguments,
  ];
}

function containerName({ kind, folder }: ContainerFacts): string {
  return `catchment-${kind}-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`;
}

async function succeeds(args: string[]): Promise<boolean> {
  return run('docker', args, { timeout: 30_000 }).then(
    () => true,
    () => false,
  );
}
