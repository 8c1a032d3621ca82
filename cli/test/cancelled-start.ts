import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { settingOf } from '@catchment/config';
import { LISTENER_NAMES } from '@catchment/contracts/transports';
import {
  freePort,
  heldTransaction,
  ownInflux,
  ownNats,
  ownPostgres,
  removeDataFolder,
  temporaryDataFolder,
  until,
} from '@catchment/testkit';
import { keepHostKey } from '../src/start/listeners.ts';
import { serviceArguments } from '../src/start/processes.ts';
import {
  type Backends,
  type Ports,
  processEnvironment,
  SERVICES,
  type ServiceName,
} from '../src/start/service-table.ts';

/** A start ends by one of these. */
export const ENDINGS = ['SIGTERM', 'SIGINT', 'parent killed', 'deadline'] as const;
type EndingName = (typeof ENDINGS)[number];

/** The servers are in one of these conditions meanwhile. */
export const CONDITIONS = [
  'all there',
  'PostgreSQL away',
  'PostgreSQL silent',
  'migrations of another process',
  'NATS away',
  'NATS silent',
  'InfluxDB silent',
] as const;
export type Condition = (typeof CONDITIONS)[number];

export type Trial = {
  /** Services of one process. */
  readonly services: readonly ServiceName[];
  readonly condition: Condition;
  readonly ending: EndingName;
  /** The time after the process was started, or once it is ready; a deadline comes when it comes. */
  readonly afterMs: number | 'ready';
  readonly schema: string;
};
export type Outcome = {
  readonly hadStarted: boolean;
  /** The process ended this long after the ending; undefined where it was still there after `GONE_LIMIT_MS`, and was killed. */
  readonly goneMs: number | undefined;
  /** The process ended with this code or signal; undefined where its parent was killed. */
  readonly code: number | string | undefined;
  /** The start left these processes of its group behind. */
  readonly leftBehind: number;
};

/** A service drains for at most 25 s; a start has nobody to wait for. */
const GONE_LIMIT_MS = 25_000;
/** A start that has not ended by then heeds no deadline. */
const READY_LIMIT_MS = 60_000;
const DEADLINE_SECONDS = 2;
/** `PG_MIGRATE_LOCK_ID` of node-pg-migrate. */
const MIGRATION_LOCK = 7_241_865_325_823_964;

const PARENT = `
const { spawn } = require('node:child_process');
const child = spawn(process.execPath, process.argv.slice(1), { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], detached: true });
child.on('message', (message) => console.log(message));
console.log(child.pid);
setInterval(() => {}, 1e6);
`;

/** Opens real servers, and ports on which nobody answers, for starts that are given up. */
export async function openTrials() {
  await using opened = new AsyncDisposableStack();
  const postgres = opened.use(await ownPostgres());
  const nats = opened.use(await ownNats());
  const influx = opened.use(await ownInflux());
  const silent = opened.use(await silentServer());
  const nobody = await freePort();
  const at = (url: string, port: number) => {
    const other = new URL(url);
    other.port = String(port);
    return other.href;
  };
  const backends = (condition: Condition): Backends => ({
    postgresUrl:
      condition === 'PostgreSQL away'
        ? at(postgres.url, nobody)
        : condition === 'PostgreSQL silent'
          ? at(postgres.url, silent.port)
          : postgres.url,
    natsUrl:
      condition === 'NATS away'
        ? at(nats.url, nobody)
        : condition === 'NATS silent'
          ? at(nats.url, silent.port)
          : nats.url,
    influxUrl: condition === 'InfluxDB silent' ? at(influx.url, silent.port) : influx.url,
    moreInfluxUrls: new Map(),
  });
  const ports = anyPorts(nobody);
  const folder = await temporaryDataFolder();
  opened.defer(() => removeDataFolder(folder));
  const hostKeyFile = await keepHostKey(folder);

  const run = async (trial: Trial): Promise<Outcome> => {
    const unlock =
      trial.condition === 'migrations of another process'
        ? await heldTransaction(postgres.url, `SELECT pg_advisory_lock(${MIGRATION_LOCK})`)
        : undefined;
    const own = trial.services.flatMap((service) => [
      [settingOf(service, 'DATABASE_SCHEMA'), `${service}${trial.schema}`],
      [settingOf(service, 'GRPC_PORT'), '0'],
    ]);
    const env = {
      ...processEnvironment(trial.services, {
        ports,
        backends: backends(trial.condition),
        serviceTokenSecret: randomBytes(32).toString('hex'),
        partitions: 1,
        host: '127.0.0.1',
        baseUrl: 'http://127.0.0.1',
        hostKeyFile,
      }),
      ...Object.fromEntries(own),
      LOG_LEVEL: 'error',
      ...(trial.ending === 'deadline' && { START_LIMIT_SECONDS: String(DEADLINE_SECONDS) }),
    };
    try {
      return await cancelled(trial, await serviceArguments(...trial.services), env);
    } finally {
      await unlock?.();
    }
  };
  const resources = opened.move();
  return { run, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

async function cancelled({ ending, afterMs }: Trial, args: string[], env: NodeJS.ProcessEnv): Promise<Outcome> {
  const hasParent = ending === 'parent killed';
  const child = hasParent
    ? spawn(process.execPath, ['--eval', PARENT, '--', ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    : spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'ignore', 'ipc'], detached: true });
  let said = '';
  child.stdout?.on('data', (chunk) => {
    said += chunk;
  });
  child.on('message', (message) => {
    said += `${message}\n`;
  });
  const exited = once(child, 'exit');
  if (hasParent) await until(() => said.includes('\n'));
  const pid = hasParent ? Number(said.split('\n')[0]) : (child.pid ?? 0);
  const isReady = () => said.includes('ready');
  const isOver = async () => isReady() || !(await isRunning(pid));
  if (ending === 'deadline' || afterMs === 'ready') await until(isOver, { deadlineMs: READY_LIMIT_MS }).catch(() => {});
  else await delay(afterMs);
  const hadStarted = isReady();
  const endedMs = performance.now();
  if (hasParent) child.kill('SIGKILL');
  // A service that was ready before its deadline goes on.
  else if (ending !== 'deadline' || hadStarted) child.kill(ending === 'SIGINT' ? 'SIGINT' : 'SIGTERM');
  const isGone = await until(async () => !(await isRunning(pid)), { deadlineMs: GONE_LIMIT_MS, everyMs: 10 }).catch(
    () => false,
  );
  const goneMs = Math.round(performance.now() - endedMs);
  const leftBehind = isGone ? await left(pid) : 0;
  if (!isGone) process.kill(pid, 'SIGKILL');
  const [code, signal] = await exited;
  return {
    hadStarted,
    goneMs: isGone ? goneMs : undefined,
    code: hasParent ? undefined : (signal ?? code),
    leftBehind,
  };
}

/** Returns false for a process that waits to be reaped. */
async function isRunning(pid: number): Promise<boolean> {
  const state = /^State:\s+(\w)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''))?.[1];
  return state !== undefined && state !== 'Z' && state !== 'X';
}

/** Finds processes of a group whose leader has ended, a moment later: they notice its end by their pipes. */
async function left(group: number): Promise<number> {
  return until(async () => (await groupOf(group)) === 0, { deadlineMs: 5_000 }).then(
    () => 0,
    () => groupOf(group),
  );
}

async function groupOf(group: number): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')));
  // State, parent and group stand after the name.
  return stats.filter((text) => {
    const [state, , pgrp] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return Number(pgrp) === group && state !== 'Z';
  }).length;
}

/** Takes connections, and says nothing. */
async function silentServer(): Promise<{ readonly port: number; [Symbol.asyncDispose](): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.on('close', () => sockets.delete(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const close = async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { port: typeof address === 'object' && address ? address.port : 0, [Symbol.asyncDispose]: close };
}

/** Every service listens wherever it likes; its peers are not there. */
function anyPorts(nobody: number): Ports {
  const every = (port: number) => Object.fromEntries(SERVICES.map((name) => [name, port])) as Ports['grpc'];
  const listeners = Object.fromEntries(LISTENER_NAMES.map((name) => [name, 0])) as Ports['listeners'];
  return { http: 0, listeners, replicas: [], grpc: every(nobody), health: every(0) };
}
