import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {
  findBinary,
  type InfluxOptions,
  isAtLeast,
  NATS_CLUSTER_VERSION,
  type NatsOptions,
  type NatsServer,
  type PostgresOptions,
  type RunningServer,
  removeServerData,
  startInflux,
  startNats,
  startPostgres,
} from '@catchment/servers';
import {
  type NatsCluster,
  type NatsClusterOptions,
  type PostgresPair,
  startNatsCluster,
  startPostgresPair,
} from '@catchment/servers/replicated';
import { isRunning } from './is-running.ts';
import { BROKER_ENV } from './server-kinds.ts';

/** Servers of one test alone, to kill and restart; `await using` stops them and deletes their data. */
export const ownPostgres = (options: Partial<PostgresOptions> = {}): Promise<RunningServer> =>
  own((dataDir) => startPostgres({ fast: true, ...options, dataDir }));

export const ownNats = (options: Partial<NatsOptions> = {}): Promise<NatsServer> =>
  own((dataDir) => startNats({ durable: false, ...options, dataDir }));

export const ownInflux = (options: Partial<InfluxOptions> = {}): Promise<RunningServer> =>
  own((dataDir) => startInflux({ ...options, dataDir }));

/** Three servers; NATS_BINARY of the environment names another program than the machine's. */
export const ownNatsCluster = (options: Partial<NatsClusterOptions> = {}): Promise<NatsCluster> =>
  own((dataDir) =>
    startNatsCluster({ ...(process.env.NATS_BINARY && { binary: process.env.NATS_BINARY }), ...options, dataDir }),
  );

/** Starts a primary with a synchronous standby. */
export const ownPostgresPair = (): Promise<PostgresPair> => own((dataDir) => startPostgresPair({ dataDir }));

/** Returns whether the nats-server of `ownNatsCluster` keeps what a cluster has copied. */
export async function hasClusterNats(): Promise<boolean> {
  const found = await findBinary('nats', process.env.NATS_BINARY);
  return found !== undefined && isAtLeast(found.version, NATS_CLUSTER_VERSION);
}

async function own<S extends { stop: () => Promise<void> }>(start: (dataDir: string) => Promise<S>): Promise<S> {
  const dataDir = await temporaryDataFolder();
  const remove = () => removeDataFolder(dataDir);
  try {
    const server = await start(dataDir);
    const end = async () => {
      await server.stop();
      await remove();
    };
    return Object.defineProperty(server, Symbol.asyncDispose, { value: end });
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The system may have a file system in memory here. */
const MEMORY_FOLDER = '/dev/shm';
/** The data of a whole run needs about a third of it. */
const ROOM_BYTES = 8 * 1024 ** 3;
const FOLDER_NAME = 'catchment-test-';

/**
 * Makes a new folder for servers' data. Others may pass through it, since as root PostgreSQL runs as another account; every
 * secret below is readable by its owner only. In a run of tests it is in memory where there is room: databases come and go by the
 * thousand files, and a disk's file system spends processor time on each.
 */
export async function temporaryDataFolder(isOfTests = process.env[BROKER_ENV] !== undefined): Promise<string> {
  const parent = isOfTests && (await hasMemoryFolder()) ? MEMORY_FOLDER : os.tmpdir();
  const folder = await mkdtemp(path.join(parent, `${FOLDER_NAME}${process.pid}-`));
  await chmod(folder, 0o711);
  return folder;
}

async function hasMemoryFolder(): Promise<boolean> {
  const found = await statfs(MEMORY_FOLDER).catch(() => undefined);
  return found !== undefined && found.bavail * found.bsize > ROOM_BYTES && process.availableMemory() > ROOM_BYTES;
}

/** Deletes from memory what processes have left there that were killed. */
export async function sweepMemory(): Promise<void> {
  for (const name of await readdir(MEMORY_FOLDER).catch(() => [])) {
    const owner = name.startsWith(FOLDER_NAME) ? Number.parseInt(name.slice(FOLDER_NAME.length), 10) : Number.NaN;
    if (!Number.isNaN(owner) && !isRunning(owner)) await removeDataFolder(path.join(MEMORY_FOLDER, name));
  }
}

/** Deletes a folder of `temporaryDataFolder` with all that its servers kept. */
export async function removeDataFolder(dataDir: string): Promise<void> {
  await removeServerData(dataDir);
  await rm(dataDir, { recursive: true, force: true });
}
