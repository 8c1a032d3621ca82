import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { removeServerData, type Servers, startServers } from '@catchment/servers';

export const ROOT = path.resolve(import.meta.dirname, '../..');
const CATCHMENT = path.join(ROOT, 'cli/bin/catchment');
const run = promisify(execFile);

/** The services take this many processes (`catchment start --processes`). */
export const PROCESSES = ['each', '1', '2'] as const;
export type Processes = (typeof PROCESSES)[number];

/** One run's servers and services. */
export type Installation = {
  readonly url: string;
  readonly key: string;
  readonly servers: Servers;
  /** Modems and clients of MQTT connect to these ports. */
  ports(): Promise<{ readonly scout: number; readonly mqtt: number }>;
  /** Services answer `/metrics` at these ports. */
  healthPorts(): Promise<number[]>;
  /** This time passed from the servers until every service was ready. */
  readonly readySeconds: number;
  /** Process ids by name: services and servers. */
  pids(): Promise<Record<string, number>>;
  /** Runs a `catchment` command on its data folder. @throws Error when it fails */
  command(args: readonly string[]): Promise<void>;
  stop(): Promise<void>;
};

const READY_LIMIT_MS = 120_000;

/**
 * @param options.natsBinary another nats-server than the machine's
 * @param options.processes default: each, for most figures are those of single services
 */
export async function startInstallation(options: {
  natsBinary?: string;
  processes?: Processes;
  /** More of `catchment start`. */
  args?: readonly string[];
  env?: NodeJS.ProcessEnv;
}): Promise<Installation> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'catchment-bench-'));
  const { natsBinary, processes = 'each', args = [] } = options;
  const servers = await startServers({ dataDir, yes: true, ...(natsBinary !== undefined && { natsBinary }) });
  const child = spawn(
    CATCHMENT,
    [
      'start',
      '--no-demo',
      '--port',
      '0',
      '--data-dir',
      path.join(dataDir, 'app'),
      '--processes',
      processes,
      ...args,
      '--postgres-url',
      servers.postgres.url,
      '--nats-url',
      servers.nats.url,
      '--influx-url',
      servers.influx.url,
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, LOG_LEVEL: 'warn', ROWS_PER_SOURCE_PER_DAY: '0', ...options.env },
    },
  );
  const stop = async () => {
    if (child.exitCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await servers.stop();
    await removeServerData(dataDir);
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const { url, key, readySeconds } = await printedAddress(child);
    const ports = async () => (await runningOf(dataDir)).listeners;
    const healthPorts = async () => Object.values((await runningOf(dataDir)).healthPorts);
    const command = async (given: readonly string[]) => {
      await run(CATCHMENT, [...given, '--data-dir', path.join(dataDir, 'app')]);
    };
    return { url, key, readySeconds, servers, stop, ports, healthPorts, command, pids: () => pidsOf(dataDir, servers) };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Reads the address and the key as `catchment start` prints them. */
async function printedAddress(child: ChildProcess): Promise<{ url: string; key: string; readySeconds: number }> {
  const found = Promise.withResolvers<{ url: string; key: string; readySeconds: number }>();
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk;
    const url = /https?:\/\/\S+/.exec(output)?.[0];
    const key = /key\s+([A-Za-z0-9]{40})/.exec(output)?.[1];
    if (url && key) found.resolve({ url, key, readySeconds: readySecondsOf(output) });
  });
  child.once('exit', (code) =>
    found.reject(new Error(`the installation did not start (exit code ${code}):\n${output}`)),
  );
  const limit = setTimeout(
    () => found.reject(new Error(`the installation was not ready in time:\n${output}`)),
    READY_LIMIT_MS,
  );
  return found.promise.finally(() => clearTimeout(limit));
}

/** Each line of a step begins with the seconds since the start. */
function readySecondsOf(output: string): number {
  const last = (pattern: RegExp) => Math.max(...[...output.matchAll(pattern)].map(([, seconds]) => Number(seconds)));
  return last(/^ *([0-9.]+) s .* (?:is|are) ready$/gm) - last(/^ *([0-9.]+) s .* given by URL$/gm);
}

type Running = {
  pids: Record<string, number>;
  listeners: { scout: number; mqtt: number };
  healthPorts: Record<string, number>;
};

const runningOf = async (dataDir: string): Promise<Running> =>
  JSON.parse(await readFile(path.join(dataDir, 'app', 'running.json'), 'utf8')) as Running;

async function pidsOf(dataDir: string, servers: Servers): Promise<Record<string, number>> {
  const { pids } = await runningOf(dataDir);
  const { nats, postgres, influx } = servers;
  return { ...pids, nats: nats.pid ?? 0, postgres: postgres.pid ?? 0, influx: influx.pid ?? 0 };
}
