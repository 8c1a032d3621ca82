import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { checkServer } from './check-server.ts';
import { containerPlan } from './container.ts';
import { stopLeftOver } from './left-over.ts';
import { choosePorts } from './ports.ts';
import { processServer } from './process-server.ts';
import { provideProgram } from './provide-program.ts';
import type { RunningServer } from './running-server.ts';
import { DEFAULT_HOST, DEFAULT_READY_LIMIT_MS, type ServerOptions } from './server-options.ts';
import { openState, type ServerState, saveState } from './server-state.ts';
import { retryOnTakenPort } from './taken-port.ts';
import { isAtLeast, NATS_SYNC_ALWAYS_VERSION } from './versions.ts';

export type NatsOptions = ServerOptions & {
  /** Program to run instead of the first one found. */
  binary?: string;
  /** Fsync every message where the server can (2.10 and newer); default true. */
  durable?: boolean;
  /** All streams together may reserve this; default 64 GiB. */
  maxFileStoreBytes?: number;
};

const DEFAULT_FILE_STORE_BYTES = 64 * 1024 ** 3;

/** `durable`: fsynced before it is acknowledged; `accepted`: the broker has it (docs/reference/guarantees.md#durable-before-202). */
export type NatsServer = RunningServer & { readonly deliveryClass: 'durable' | 'accepted' };

/**
 * Starts NATS with JetStream in `<dataDir>/nats`, on the port of last time where that is free.
 * @throws Error when there is no usable nats-server, or it is not ready in time
 */
export function startNats(options: NatsOptions): Promise<NatsServer> {
  return retryOnTakenPort(() => launch(options));
}

async function launch(options: NatsOptions): Promise<NatsServer> {
  const { dataDir, log = () => {}, host = DEFAULT_HOST, readyLimitMs = DEFAULT_READY_LIMIT_MS } = options;
  const { check = checkServer } = options;
  const program = await provideProgram('nats', options, options.binary);
  const folder = path.join(path.resolve(dataDir), 'nats');
  const { state } = await openState(folder);
  await stopLeftOver(folder, log);
  const [port = 0] = await choosePorts(state.ports, 1, host);
  state.ports = [port];
  await saveState(folder, state);

  const deliveryClass = deliveryClassOf(program.version, options.durable ?? true);
  const configFile = path.join(folder, 'nats.conf');
  const inside = program.path === undefined ? { host: '0.0.0.0', port: 4222, folder: '/data' } : { host, port, folder };
  await writeFile(configFile, natsConfig({ ...options, ...inside, state, deliveryClass }), { mode: 0o600 });
  await chmod(configFile, 0o600);
  const url = `nats://${state.user}:${state.password}@${host}:${port}`;
  const server = await processServer('nats', program.version, url, {
    name: 'NATS',
    ...(program.path === undefined
      ? await containerPlan({
          kind: 'nats',
          folder,
          host,
          port,
          containerPort: 4222,
          environment: {},
          mount: { from: folder, to: '/data' },
          arguments: ['--config', '/data/nats.conf'],
        })
      : { program: program.path, arguments: ['--config', configFile], mark: configFile }),
    stopSignal: 'SIGTERM',
    folder,
    logFile: path.join(folder, 'nats.log'),
    check: () => check('nats', url),
    readyLimitMs,
  });
  return Object.defineProperties(server, { deliveryClass: { value: deliveryClass, enumerable: true } }) as NatsServer;
}

function deliveryClassOf(version: string, durable: boolean): 'durable' | 'accepted' {
  return durable && isAtLeast(version, NATS_SYNC_ALWAYS_VERSION) ? 'durable' : 'accepted';
}

type ConfigFacts = {
  host: string;
  port: number;
  folder: string;
  state: ServerState;
  deliveryClass: 'durable' | 'accepted';
  maxFileStoreBytes?: number;
  /** Facts of a cluster: the name of this server, and the ports by which its servers find each other, its own first. */
  cluster?: { name: string; routePorts: readonly number[] };
};

/** Writes the configuration file; `sync_interval: always` is an error in servers before 2.10. */
export function natsConfig(facts: ConfigFacts): string {
  const { cluster } = facts;
  return `listen: ${quoted(`${facts.host}:${facts.port}`)}
server_name: ${cluster?.name ?? 'catchment'}
jetstream {
  store_dir: ${quoted(path.join(facts.folder, 'store'))}
  max_memory_store: ${256 * 1024 ** 2}
  max_file_store: ${facts.maxFileStoreBytes ?? DEFAULT_FILE_STORE_BYTES}
${facts.deliveryClass === 'durable' ? '  sync_interval: always\n' : ''}}
authorization {
  user: ${quoted(facts.state.user)}
  password: ${quoted(facts.state.password)}
}
${cluster ? clusterBlock(facts, cluster.routePorts) : ''}`;
}

function clusterBlock({ host, state: { user, password } }: ConfigFacts, [own, ...others]: readonly number[]): string {
  const routes = others.map((port) => quoted(`nats-route://${user}:${password}@${host}:${port}`));
  return `cluster {
  name: catchment
  listen: ${quoted(`${host}:${own}`)}
  authorization {
    user: ${quoted(user)}
    password: ${quoted(password)}
  }
  routes: [${routes.join(', ')}]
}
`;
}

const quoted = (text: string): string => JSON.stringify(text);
