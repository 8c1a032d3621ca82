import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { envReader, INGEST_PARTITIONS } from '@catchment/config';
import type { ListenerPorts } from './listeners.ts';
import type { KeptPorts } from './ports.ts';

/** State of an installation under a data folder, kept between starts. Readable by its owner only. */
export type InstallationState = {
  /** Signs the callers between the services. */
  serviceTokenSecret: string;
  /** Partitions of the ingest log, fixed for life: one, since all of an installation on one machine shares its cores. */
  partitions: number;
  /** Key of the account made at the first start; the database has only its hash. */
  administrationKey?: string;
  demonstrationLoaded?: boolean;
  /** Its accounts are those of a backup: none is made at the first start. */
  restored?: boolean;
  /** Login of the simulated modem. */
  modem?: { deviceKey: string; secret: string };
  /** The ports are chosen once: modems, monitoring and scripts know them. */
  ports?: KeptPorts;
};

/** Tools beside the installation, such as `catchment account create` and the tests, read here what runs. */
export type RunningState = {
  readonly url: string;
  readonly nodesAddress: string;
  readonly devicesAddress: string;
  readonly historicAddress: string;
  /** The address has the login, as the services have it. */
  readonly postgresUrl: string;
  readonly natsUrl: string;
  readonly influxUrl: string;
  /** The key is the name of the shard. */
  readonly moreInfluxUrls: Readonly<Record<string, string>>;
  /** Devices and their clients connect at these ports. */
  readonly listeners: ListenerPorts;
  /** Further processes of devices have theirs here, by their names. */
  readonly replicaListeners: Readonly<Record<string, ListenerPorts>>;
  /** Loopback ports by service. */
  readonly grpcPorts: Readonly<Record<string, number>>;
  readonly healthPorts: Readonly<Record<string, number>>;
  /** Process ids by the names of services (several may have one), servers and the start itself. */
  readonly pids: Readonly<Record<string, number>>;
  /** The key is the service. */
  readonly logFiles: Readonly<Record<string, string>>;
  /** The process of `catchment start` is known by this: its id alone may be another process's once it has ended. */
  readonly identity?: string;
};

const STATE_FILE = 'state.json';
const RUNNING_FILE = 'running.json';

/**
 * Opens the installation's state; it is made anew, with a secret of its own, where there is none.
 * @throws ConfigError before anything is kept
 */
export async function openState(dataDir: string, env: NodeJS.ProcessEnv = process.env): Promise<InstallationState> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const known = await readJson<InstallationState>(path.join(dataDir, STATE_FILE));
  if (known) return known;
  const read = envReader(env);
  const partitions = read.int('INGEST_PARTITIONS', { ...INGEST_PARTITIONS, fallback: 1 });
  read.done();
  const fresh = { serviceTokenSecret: randomBytes(32).toString('base64url'), partitions };
  await saveState(dataDir, fresh);
  return fresh;
}

/** An installation keeps these in its folder. */
const OWN = /^(state\.json|running\.json(\.\d+\.tmp)?|logs|postgres|nats|influx(-[a-z0-9]+)?|sftp-host-key\.pem)$/;

/**
 * Makes the folder of the data its owner's alone, before a start. One in which somebody else keeps something too is left as it is: what
 * is kept below it is its owner's alone in any case. The folder must not be in use: PostgreSQL's own account passes through it.
 */
export async function makePrivate(dataDir: string): Promise<void> {
  if ((await mkdir(dataDir, { recursive: true, mode: 0o700 })) !== undefined) return;
  const { uid, mode } = await stat(dataDir);
  const isOurs = uid === process.getuid?.() && (mode & 0o7000) === 0;
  // PostgreSQL's own account passes by its group.
  const isClosed = (mode & 0o007) === 0;
  if (!isOurs || isClosed) return;
  const names = await readdir(dataDir);
  if (names.includes(STATE_FILE) && names.every((name) => OWN.test(name))) await chmod(dataDir, 0o700);
}

/** The folder has an installation. */
export const hasState = (dataDir: string): boolean => existsSync(path.join(dataDir, STATE_FILE));

export const saveState = (dataDir: string, state: InstallationState): Promise<void> =>
  writeJson(path.join(dataDir, STATE_FILE), state);

export const readRunning = (dataDir: string): Promise<RunningState | undefined> =>
  readJson(path.join(dataDir, RUNNING_FILE));

export const saveRunning = (dataDir: string, running: RunningState): Promise<void> =>
  writeJson(path.join(dataDir, RUNNING_FILE), running);

async function readJson<T>(file: string): Promise<T | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : (JSON.parse(text) as T);
}

/** A reader, or a crash in the middle, never sees half a file. */
async function writeJson(file: string, value: unknown): Promise<void> {
  const draft = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
