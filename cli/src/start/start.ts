import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { envReader, ownLogins, readClassNamespace } from '@catchment/config';
import { identityOf, removeServerData, type Servers, startServers } from '@catchment/servers';
import { MODEM_INTERVAL_SECONDS } from '../demonstration/modem.ts';
import { buildPages } from './build-pages.ts';
import { Helper } from './helper.ts';
import { keepHostKey } from './listeners.ts';
import { ROOT } from './paths.ts';
import { choosePorts } from './ports.ts';
import {
  memorySettings,
  type Processes,
  type ServiceProcess,
  serviceArguments,
  serviceProcesses,
  stopLimitMs,
  stopWaves,
} from './processes.ts';
import { progressLine } from './progress-line.ts';
import { runningState } from './running-state.ts';
import { watchServers } from './servers-watch.ts';
import { type Ports, processEnvironment, readyUrl } from './service-table.ts';
import { type InstallationState, makePrivate, openState, readRunning, saveRunning, saveState } from './state.ts';
import { listOf, Supervisor } from './supervisor.ts';
import { untilRoom } from './until-room.ts';
import { welcome } from './welcome.ts';

export type StartOptions = {
  port: number;
  /** The user chose this port. */
  portIsFixed: boolean;
  host: string;
  fresh: boolean;
  demo: boolean;
  json?: boolean;
  yes: boolean;
  dataDir: string;
  postgresUrl?: string;
  natsUrl?: string;
  influxUrl?: string;
  natsBinary?: string;
  influxBinary?: string;
  /** At least one. */
  influxdbs: number;
  /** Processes of the devices service. */
  devices: number;
  /** The services are spread over processes like this. */
  processes: Processes;
};

const SERVICE_READY_LIMIT_MS = 60_000;
/** Several services in a process get no more than one does from a machine that is busy with much else. */
const PROCESS_READY_LIMIT_MS = 180_000;
/** The answer of a service whose process has said nothing in its time is waited for this long. */
const LAST_LOOK_MS = 2_000;
export const DEVICES_MAX = 8;
/** The InfluxDBs after the first one, whose shard is `default`, have these shards. */
const SHARD_NAMES = ['b', 'c', 'd'] as const;
export const INFLUXDBS_MAX = SHARD_NAMES.length + 1;
/** Starts the servers and every service, makes the first account, loads the demonstration, and keeps all of it running. */
export async function start(options: StartOptions): Promise<void> {
  const beganMs = Date.now();
  const dataDir = path.resolve(options.dataDir);
  const { namespace, fsync } = settings();
  const say = progressLine(beganMs, options.json);
  await refuseSecondStart(dataDir);
  if (options.fresh) await removeAll(dataDir, say);
  const stop = stopSignal();
  const waiting = { say, signal: stop.signal };

  using helper = new Helper();
  helper.open();
  const pages = buildPages(say);
  // Reported below, once everything else can be stopped.
  pages.catch(() => undefined);
  await makePrivate(dataDir);
  const state = await openState(dataDir);
  const identity = await identityOf(process.pid);
  const servers = await startServers({
    ...serverOptions(options),
    dataDir,
    fsync,
    log: say,
    check: (kind, url) => helper.ask('checkServer', { kind, url }),
  });
  const { ports, kept } = await choosePorts({
    http: options.port,
    httpIsFixed: options.portIsFixed,
    // Any port for the gateway, as in tests that start several installations, means any port for devices too.
    usual: options.port !== 0,
    host: options.host,
    devices: options.devices,
    kept: state.ports ?? {},
    env: process.env,
    say,
  });
  state.ports = kept;
  await untilRoom(() => saveState(dataDir, state), waiting);
  const processes = serviceProcesses(options.processes, ports);
  const url = `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${ports.http}`;
  let publish = () => {};
  const supervisor = new Supervisor({ logFolder: path.join(dataDir, 'logs'), say, onChange: () => publish() });
  // Changes are saved one after another: services may start and stop in the same moment.
  let saved = Promise.resolve();
  let isWaiting = false;
  publish = () => {
    if (isWaiting) return;
    isWaiting = true;
    saved = saved
      .then(() => {
        isWaiting = false;
        return untilRoom(
          () => saveRunning(dataDir, runningState({ url, ports, processes, servers, supervisor, identity })),
          waiting,
        );
      })
      .catch((error) => {
        if (!stop.signal.aborted) say(String(error));
      });
  };
  const watch = watchServers(servers, { dataDir, say, onChange: publish });

  let failure: unknown;
  const work = async () => {
    await startServices(supervisor, helper, { options, processes, servers, url, state, say });
    const { activateUrl, shown } = await helper.ask('firstSteps', {
      dataDir,
      demo: options.demo,
      namespace,
      url,
      beganMs,
      json: options.json === true,
      nodesAddress: `127.0.0.1:${ports.grpc.nodes}`,
    });
    helper.letGo();
    await pages;
    const { administrationKey, demonstrationLoaded, modem } = await openState(dataDir);
    if (demonstrationLoaded && modem && options.demo) await startModem(supervisor, modem, ports, options.host);
    welcome(options, {
      url,
      key: administrationKey ?? '',
      activateUrl,
      dataDir,
      hasDemonstration: options.demo,
      pages: shown,
      namespace,
      listeners: ports.listeners,
      seconds: (Date.now() - beganMs) / 1000,
    });
  };
  try {
    const working = work();
    // Work that it begins once it is left behind fails by the end of the services.
    working.catch(() => undefined);
    await Promise.race([working, stop.requested, supervisor.refused]);
    await Promise.race([stop.requested, supervisor.refused]);
  } catch (error) {
    if (!stop.signal.aborted) failure = error;
  }
  say('Stopping');
  helper[Symbol.dispose]();
  await supervisor.stop([['modem'], ...stopWaves(processes)]);
  await watch.stop();
  await servers.stop();
  await rm(path.join(dataDir, 'running.json'), { force: true });
  if (failure) throw failure;
  say('Stopped; the next start keeps the data');
}

async function startServices(
  supervisor: Supervisor,
  helper: Helper,
  scope: {
    options: StartOptions;
    processes: readonly ServiceProcess[];
    servers: Servers;
    url: string;
    state: InstallationState;
    say: (line: string) => void;
  },
): Promise<void> {
  const { options, processes, servers, state, say } = scope;
  const backends = {
    postgresUrl: servers.postgres.url,
    natsUrl: servers.nats.url,
    influxUrl: servers.influx.url,
    moreInfluxUrls: new Map([...servers.moreInflux].map(([name, { url }]) => [name, url])),
  };
  const hostKeyFile = await keepHostKey(path.resolve(options.dataDir));
  for (const running of processes) {
    const { name, members, services, ports } = running;
    const env = {
      ...(await memorySettings(services)),
      ...processEnvironment(services, {
        ports,
        backends,
        hostKeyFile,
        host: options.host,
        baseUrl: scope.url,
        serviceTokenSecret: state.serviceTokenSecret,
        partitions: state.partitions,
      }),
    };
    const args = await serviceArguments(...services);
    await supervisor.start({ name, members, args, env, stopLimitMs: stopLimitMs(running) });
  }
  await Promise.all(
    processes.map(async ({ name, members, services, ports }) => {
      const limitMs = services.length > 1 ? PROCESS_READY_LIMIT_MS : SERVICE_READY_LIMIT_MS;
      // Asked once that is likely: to ask all the time takes a part of the processor from those that start.
      const began = performance.now();
      await Promise.race([supervisor.ready(name), delay(limitMs, undefined, { ref: false })]);
      const leftMs = Math.max(LAST_LOOK_MS, limitMs - (performance.now() - began));
      const limits = { limitMs: leftMs, logFile: supervisor.logFile(name) };
      const ready = services.map((service) =>
        helper.ask('waitReady', { url: readyUrl(service, ports), name: service, ...limits }),
      );
      await Promise.all(ready);
      say(`${listOf({ name, members })} ${members.length > 1 ? 'are' : 'is'} ready`);
    }),
  );
}

/** Settings of the environment. @throws ConfigError before anything is started */
function settings(): { readonly namespace: string; readonly fsync: boolean } {
  const read = envReader(process.env);
  // Every class begins with it, in the demonstration and in the printed commands.
  const namespace = readClassNamespace(read);
  // Tests, whose data nobody needs after a failure of the machine, do not wait for its disk.
  const fsync = read.bool('POSTGRES_FSYNC', { fallback: true });
  read.done();
  return { namespace, fsync };
}

async function startModem(
  supervisor: Supervisor,
  { deviceKey, secret }: NonNullable<InstallationState['modem']>,
  ports: Ports,
  host: string,
): Promise<void> {
  const args = ['simulate', 'modem', '--host', host, '--port', String(ports.listeners.scout), '--key', deviceKey];
  await supervisor.start({
    name: 'modem',
    args: [path.join(ROOT, 'cli/src/main.ts'), ...args, '--interval', String(MODEM_INTERVAL_SECONDS)],
    // The secret is not among the arguments, which every user of the machine can read.
    env: { ...ownLogins(process.env), MODEM_SECRET: secret },
  });
}

async function refuseSecondStart(dataDir: string): Promise<void> {
  const other = await readRunning(dataDir);
  const pid = other?.pids.start;
  if (other && pid !== undefined && pid !== process.pid && (await isStillThere(pid, other.identity))) {
    throw new Error(
      `Catchment runs already at ${other.url} with the data in ${dataDir} (process ${pid}). Stop it with Ctrl-C there.`,
    );
  }
}

/** A start that was killed leaves its note behind, and another process may have its id by now. */
async function isStillThere(pid: number, identity: string | undefined): Promise<boolean> {
  const found = await identityOf(pid);
  return found !== undefined && (identity === undefined || identity === found);
}

async function removeAll(dataDir: string, say: (line: string) => void): Promise<void> {
  await removeServerData(dataDir);
  await rm(dataDir, { recursive: true, force: true });
  say('All data of this installation deleted');
}

function serverOptions(options: StartOptions) {
  const { postgresUrl, natsUrl, influxUrl, natsBinary, influxBinary, influxdbs, yes } = options;
  return {
    yes,
    moreInflux: SHARD_NAMES.slice(0, influxdbs - 1),
    ...(postgresUrl !== undefined && { postgresUrl }),
    ...(natsUrl !== undefined && { natsUrl }),
    ...(influxUrl !== undefined && { influxUrl }),
    ...(natsBinary !== undefined && { natsBinary }),
    ...(influxBinary !== undefined && { influxBinary }),
  };
}

function stopSignal(): { requested: Promise<void>; signal: AbortSignal } {
  const controller = new AbortController();
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      controller.abort(new Error('stopped'));
      resolve();
    });
  }
  return { requested: promise, signal: controller.signal };
}
