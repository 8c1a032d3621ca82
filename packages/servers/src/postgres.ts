import { access, chown, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { checkServer } from './check-server.ts';
import { containerPlan } from './container.ts';
import { stopLeftOver } from './left-over.ts';
import { choosePorts } from './ports.ts';
import { letPass, postgresAccount, providePostgresFolder } from './postgres-folder.ts';
import { processServer } from './process-server.ts';
import { provideProgram } from './provide-program.ts';
import type { RunningServer } from './running-server.ts';
import { DEFAULT_HOST, DEFAULT_READY_LIMIT_MS, type ServerOptions } from './server-options.ts';
import { runToEnd } from './server-process.ts';
import { openState, type ServerState, saveState } from './server-state.ts';
import { retryOnTakenPort } from './taken-port.ts';

export type PostgresOptions = ServerOptions & {
  /** The `postgres` program to run instead of the first one found; `initdb` is taken from beside it. */
  binary?: string;
  /** Tests alone may leave out fsync: a crash of the machine (not of the server) loses data then. */
  fast?: boolean;
  /** False: nothing waits for the disk, and what PostgreSQL has answered survives its end, but not that of the machine. */
  fsync?: boolean;
  /** Lies below `dataDir`, for one of several; default `postgres`. */
  folder?: string;
  /** Further settings are `name=value`: the last one counts. */
  settings?: readonly string[];
};

/** Made at the first start; the services make their schemas in it. */
const DATABASE = 'catchment';
const FAST_SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

/**
 * Starts PostgreSQL with its files in `<dataDir>/<folder>` (or where its account can reach them: see
 * `providePostgresFolder`), on the port of last time where that is free.
 * @throws Error when there is no usable PostgreSQL, or it is not ready in time
 */
export function startPostgres(options: PostgresOptions): Promise<RunningServer> {
  return retryOnTakenPort(() => launch(options));
}

async function launch(options: PostgresOptions): Promise<RunningServer> {
  const { dataDir, log = () => {}, host = DEFAULT_HOST, readyLimitMs = DEFAULT_READY_LIMIT_MS } = options;
  const { fast = false, fsync = true, check = checkServer } = options;
  const folder = path.join(path.resolve(dataDir), options.folder ?? 'postgres');
  const { state, isNew } = await openState(folder);
  const program = await provideProgram('postgres', options, options.binary ?? (await programOfData(state)));
  await stopLeftOver(folder, log);
  state.filesFolder ??= await providePostgresFolder(folder, isNew, log, program.path === undefined);
  const account = postgresAccount();
  if (account !== undefined && program.path !== undefined) await letPass(folder, account);
  const [port = 0] = await choosePorts(state.ports, 1, host);
  state.ports = [port];
  await saveState(folder, state);

  const cluster = path.join(state.filesFolder, 'cluster');
  const isContainer = program.path === undefined;
  if (!isContainer) await initialise(program.path, cluster, state, !fast && fsync);
  const url = `postgres://${state.user}:${state.password}@${host}:${port}/${DATABASE}`;
  return processServer('postgres', program.version, url, {
    name: 'PostgreSQL',
    ...(isContainer
      ? await containerPlan({
          kind: 'postgres',
          folder,
          host,
          port,
          containerPort: 5432,
          mount: { from: state.filesFolder, to: '/var/lib/postgresql/data' },
          environment: {
            POSTGRES_USER: state.user,
            POSTGRES_PASSWORD: state.password,
            PGDATA: '/var/lib/postgresql/data/cluster',
          },
          arguments: ['postgres', ...settings('*', options)],
        })
      : {
          program: program.path,
          arguments: ['-D', cluster, '-p', String(port), ...settings(host, options)],
          mark: cluster,
        }),
    ...(account === undefined || isContainer ? {} : { runAs: account }),
    stopSignal: 'SIGINT', // fast shutdown: SIGTERM would wait for every client to leave
    folder,
    logFile: path.join(folder, 'postgres.log'),
    check: () => check('postgres', url),
    readyLimitMs,
  });
}

/** Files belong to a major version: where several are installed, the one that made them opens them. */
async function programOfData({ filesFolder }: ServerState): Promise<string | undefined> {
  if (filesFolder === undefined) return undefined;
  const version = await readFile(path.join(filesFolder, 'cluster', 'PG_VERSION'), 'utf8').catch(() => undefined);
  const program = `/usr/lib/postgresql/${version?.trim()}/bin/postgres`;
  return access(program).then(
    () => program,
    () => undefined,
  );
}

function settings(host: string, { fast, fsync = true, settings: further = [] }: PostgresOptions): string[] {
  const values = [
    `listen_addresses=${host}`,
    'unix_socket_directories=', // TCP only: the usual socket folder belongs to the machine's own PostgreSQL
    'max_connections=200',
    'logging_collector=off',
    'log_min_messages=warning',
    ...(fast ? FAST_SETTINGS : []),
    ...(fsync ? [] : ['fsync=off']),
    ...further,
  ];
  return values.flatMap((value) => ['-c', value]);
}

/** Runs `initdb` into a folder that gets its name only when complete: an interrupted start begins again. */
async function initialise(program: string, cluster: string, state: ServerState, sync: boolean): Promise<void> {
  const files = path.dirname(cluster);
  if ((await readdir(files)).includes(path.basename(cluster))) return;
  const account = postgresAccount();
  const unfinished = `${cluster}.unfinished`;
  const passwordFile = path.join(files, 'password');
  await rm(unfinished, { recursive: true, force: true });
  await writeFile(passwordFile, state.password, { mode: 0o600 });
  const { uid, gid } = await stat(files);
  if (account !== undefined) await chown(passwordFile, uid, gid);
  try {
    const args = ['-D', unfinished, '-U', state.user, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
    const more = ['--encoding=UTF8', '--locale=C.UTF-8', '--data-checksums', ...(sync ? [] : ['--no-sync'])];
    await runToEnd(path.join(path.dirname(program), 'initdb'), [...args, ...more], account);
    await runToEnd('/bin/mv', [unfinished, cluster], account);
  } finally {
    await rm(passwordFile, { force: true });
  }
}
