import { chown, realpath, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type PostgresOptions, startPostgres } from './postgres.ts';
import { postgresAccount, providePostgresFolder } from './postgres-folder.ts';
import { provideProgram } from './provide-program.ts';
import type { RunningServer } from './running-server.ts';
import { runToEnd } from './server-process.ts';
import { openState, saveState } from './server-state.ts';

/** A primary has a synchronous standby that is a copy of it. */
export type PostgresPair = {
  /** Takes the statements. */
  readonly primary: RunningServer;
  /** Follows it; undefined from a fail-over until `rejoin()`. */
  readonly standby: RunningServer | undefined;
  /** Kills the primary as a crash would, and makes the standby the primary. */
  failOver: () => Promise<void>;
  /** Makes the killed server the standby, with a new copy of the files. Resolves when commits wait for it. */
  rejoin: () => Promise<void>;
  stop: () => Promise<void>;
  [Symbol.asyncDispose]: () => Promise<void>;
};

type Member = { readonly server: RunningServer; readonly files: string };

const [FIRST, SECOND] = ['postgres', 'postgres-standby'];
/** Commits wait for the standby even where nothing is fsynced; a standby that was away for a while finds what it missed. */
const SETTINGS = ['synchronous_commit=on', 'wal_keep_size=256MB'];
const FOLLOWS_LIMIT_MS = 30_000;

/**
 * Starts PostgreSQL in `<dataDir>/postgres` and a synchronous standby of it in `<dataDir>/postgres-standby`.
 * @throws Error when there is no PostgreSQL on this machine, or one is not ready in time
 */
export async function startPostgresPair(options: Omit<PostgresOptions, 'folder' | 'settings'>): Promise<PostgresPair> {
  const program = await provideProgram('postgres', options, options.binary);
  if (program.path === undefined) throw new Error('a pair needs PostgreSQL as a program of this machine');
  // The program has the same version, though a link may lead to it.
  const copyProgram = path.join(path.dirname(await realpath(program.path)), 'pg_basebackup');
  const start = async (folder: string): Promise<Member> => {
    const server = started.use(await startPostgres({ ...options, folder, settings: SETTINGS }));
    return { server, files: await filesOf(options.dataDir, folder) };
  };
  await using started = new AsyncDisposableStack();
  let primary = await start(FIRST);
  const files = await placeOfCopy(options, primary);
  await copy(copyProgram, primary.server, files);
  let standby: Member | undefined = await start(SECOND);
  await makeSynchronous(primary.server, standby.server);
  let lost: Member | undefined;
  const running = started.move();
  const stop = () => running.disposeAsync();
  return {
    get primary() {
      return primary.server;
    },
    get standby() {
      return standby?.server;
    },
    failOver: async () => {
      if (standby === undefined) throw new Error('there is no standby: rejoin() first');
      await primary.server.kill();
      await runStatements(standby.server, ['SELECT pg_promote()']);
      [lost, primary, standby] = [primary, standby, undefined];
    },
    rejoin: async () => {
      if (lost === undefined) throw new Error('no server is lost: failOver() first');
      await copy(copyProgram, primary.server, lost.files);
      await lost.server.restart();
      await makeSynchronous(primary.server, lost.server);
      [standby, lost] = [lost, undefined];
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

const folderOf = (dataDir: string, name: string): string => path.join(path.resolve(dataDir), name);

async function filesOf(dataDir: string, name: string): Promise<string> {
  const { state } = await openState(folderOf(dataDir, name));
  if (state.filesFolder === undefined) throw new Error(`${name} has no files`);
  return state.filesFolder;
}

/** @returns where the files of the standby go, whose login is that of the primary */
async function placeOfCopy({ dataDir, log = () => {} }: PostgresOptions, { server }: Member): Promise<string> {
  const folder = folderOf(dataDir, SECOND);
  const { state, isNew } = await openState(folder);
  const { username, password } = new URL(server.url);
  const filesFolder = await providePostgresFolder(folder, isNew, log);
  await saveState(folder, { ...state, user: username, password, filesFolder });
  return filesFolder;
}

/** Replaces the files by those of a running server, which it will follow. */
async function copy(program: string, of: RunningServer, files: string): Promise<void> {
  const { hostname, port, username, password } = new URL(of.url);
  const account = postgresAccount();
  const [cluster, passwordFile] = [path.join(files, 'cluster'), path.join(files, 'primary-password')];
  await rm(cluster, { recursive: true, force: true });
  await writeFile(passwordFile, `*:*:*:*:${password}\n`, { mode: 0o600 });
  const { uid, gid } = await stat(files);
  if (account !== undefined) await chown(passwordFile, uid, gid);
  const name = `host=${hostname} port=${port} user=${username} passfile=${passwordFile}`;
  const args = ['--dbname', name, '--pgdata', cluster, '--write-recovery-conf', '--checkpoint=fast', '--no-sync'];
  await runToEnd(program, args, account);
}

/** Lets the primary answer a commit from now on when the standby has it. */
async function makeSynchronous(primary: RunningServer, standby: RunningServer): Promise<void> {
  // Its files say what those of the primary said: promoted, it would wait for a standby that is not there.
  await runStatements(standby, ['ALTER SYSTEM RESET synchronous_standby_names', 'SELECT pg_reload_conf()']);
  await runStatements(primary, [`ALTER SYSTEM SET synchronous_standby_names = '*'`, 'SELECT pg_reload_conf()']);
  const deadline = performance.now() + FOLLOWS_LIMIT_MS;
  for (;;) {
    const { rowCount } = await runStatements(primary, [`SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`]);
    if (rowCount === 1) return;
    if (performance.now() > deadline) throw new Error(`the standby does not follow within ${FOLLOWS_LIMIT_MS} ms`);
    await delay(50);
  }
}

/** @returns the result of the last one */
async function runStatements(server: RunningServer, statements: readonly string[]): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: server.url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {}); // a connection that breaks rejects the call that uses it
  await client.connect();
  try {
    let result: pg.QueryResult | undefined;
    for (const statement of statements) result = await client.query(statement);
    if (result === undefined) throw new Error('there is no statement');
    return result;
  } finally {
    await client.end();
  }
}
