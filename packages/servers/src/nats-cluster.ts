import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { jetstreamManager, type StreamInfo } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { checkNats } from './check-nats.ts';
import { stopLeftOver } from './left-over.ts';
import { natsConfig } from './nats.ts';
import { choosePorts } from './ports.ts';
import { processServer } from './process-server.ts';
import { provideProgram } from './provide-program.ts';
import type { RunningServer } from './running-server.ts';
import { DEFAULT_HOST, DEFAULT_READY_LIMIT_MS, type ServerOptions } from './server-options.ts';
import { openState, type ServerState, saveState } from './server-state.ts';
import { retryOnTakenPort } from './taken-port.ts';

const SERVERS = 3;
const ASK_LIMIT_MS = 5_000;

export type NatsClusterOptions = ServerOptions & {
  /** Program to run instead of the first one found. */
  binary?: string;
};

type ReplicatedStream = {
  readonly name: string;
  /** This server answers for it; undefined while there is none. */
  readonly leader: string | undefined;
  readonly replicas: number;
  /** Copies that have all messages, the leader's included. */
  readonly currentReplicas: number;
};

export type NatsCluster = {
  /** Names all servers with commas, with their login. */
  readonly url: string;
  readonly version: string;
  /** The key is the name. */
  readonly servers: ReadonlyMap<string, RunningServer>;
  /** @throws Error while the cluster does not answer for all streams */
  streams: () => Promise<ReplicatedStream[]>;
  stop: () => Promise<void>;
  [Symbol.asyncDispose]: () => Promise<void>;
};

/**
 * Starts three NATS servers that are one cluster with JetStream, each with its store in `<dataDir>/nats-<n>`. Messages are not fsynced: three
 * copies are what makes them safe.
 * @throws Error when there is no nats-server on this machine, or the cluster is not ready in time
 */
export function startNatsCluster(options: NatsClusterOptions): Promise<NatsCluster> {
  return retryOnTakenPort(() => launch(options));
}

async function launch(options: NatsClusterOptions): Promise<NatsCluster> {
  const { dataDir, host = DEFAULT_HOST } = options;
  const program = await provideProgram('nats', options, options.binary);
  if (program.path === undefined) throw new Error('a cluster of NATS needs nats-server as a program of this machine');
  const { path: file, version } = program;
  const common = path.join(path.resolve(dataDir), 'nats-cluster');
  const { state } = await openState(common);
  state.ports = await choosePorts(state.ports, 2 * SERVERS, host);
  await saveState(common, state);
  const numbers = Array.from({ length: SERVERS }, (_, index) => index);
  // Together: none is ready before the cluster has a leader.
  const started = await Promise.allSettled(numbers.map((index) => startOne(index, { options, state, file, version })));
  const running = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const stop = async () => void (await Promise.all(running.map((server) => server.stop())));
  const failed = started.find((result) => result.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  const servers = new Map(numbers.map((index) => [nameOf(index), running[index] as RunningServer]));
  return {
    url: running.map(({ url }) => url).join(','),
    version,
    servers,
    streams: () => streamsOf(running.map(({ url }) => url)),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

const nameOf = (index: number): string => `nats-${index}`;

async function startOne(
  index: number,
  scope: { options: NatsClusterOptions; state: ServerState; file: string; version: string },
): Promise<RunningServer> {
  const { options, state, file, version } = scope;
  const { dataDir, log = () => {}, host = DEFAULT_HOST, readyLimitMs = DEFAULT_READY_LIMIT_MS } = options;
  const folder = path.join(path.resolve(dataDir), nameOf(index));
  await openState(folder);
  await stopLeftOver(folder, log);
  const [port = 0] = state.ports.slice(index);
  const routes = state.ports.slice(SERVERS);
  const routePorts = [...routes.slice(index, index + 1), ...routes.filter((_, other) => other !== index)];
  const configFile = path.join(folder, 'nats.conf');
  const cluster = { name: nameOf(index), routePorts };
  const config = natsConfig({ host, port, folder, state, cluster, deliveryClass: 'accepted' });
  await writeFile(configFile, config, { mode: 0o600 });
  await chmod(configFile, 0o600);
  const url = `nats://${state.user}:${state.password}@${host}:${port}`;
  return processServer('nats', version, url, {
    name: `NATS ${nameOf(index)}`,
    program: file,
    arguments: ['--config', configFile],
    mark: configFile,
    stopSignal: 'SIGTERM',
    folder,
    logFile: path.join(folder, 'nats.log'),
    check: () => checkNats(url),
    readyLimitMs,
  });
}

async function streamsOf(urls: readonly string[]): Promise<ReplicatedStream[]> {
  const { username, password } = new URL(urls[0] ?? '');
  const connection = await connect({
    servers: urls.map((url) => new URL(url).host),
    user: username,
    pass: password,
    reconnect: false,
    timeout: ASK_LIMIT_MS,
  });
  try {
    const manager = await jetstreamManager(connection, { timeout: ASK_LIMIT_MS });
    const streams: ReplicatedStream[] = [];
    // The leader of a stream knows more of its copies than a list does.
    for await (const name of manager.streams.names()) streams.push(copiesOf(await manager.streams.info(name)));
    return streams;
  } finally {
    await connection.close();
  }
}

function copiesOf({ config, cluster }: StreamInfo): ReplicatedStream {
  const followers = (cluster?.replicas ?? []).filter(({ current, offline }) => current && !offline);
  return {
    name: config.name,
    leader: cluster?.leader,
    replicas: config.num_replicas,
    currentReplicas: followers.length + 1,
  };
}
