// Sessions of downloads deliver files, which the worker of files reads.
import { type SettingsOf, settingsOf, type TransportName, transportSettings } from '@catchment/contracts/transports';
import { Egress, readRanges } from '@catchment/egress';
import { newObjectId } from '@catchment/ids';
import type { Database } from '@catchment/pg';
import { createLogger } from '@catchment/telemetry';
import { until } from '@catchment/testkit';
import type { FileTransport, SessionSource } from '../src/acquisition/index.ts';
import { collectFiles } from '../src/downloads/index.ts';
import { deliverFile } from '../src/files/usecases/deliver-file.ts';
import { FileWorker } from '../src/files/usecases/file-worker.ts';
import type { FileSource } from '../src/sources/domain/source-file.ts';
import type { FileWrite } from '../src/sources/usecases/ports.ts';
import type { Store } from '../src/store.ts';
import { type DevicesDatabase, devicesDatabase } from './devices-database.ts';

/** A large file takes minutes on a busy machine. */
const OUTCOME_MS = 900_000;
const log = createLogger('test', { level: 'silent' });
const LOOPBACK = readRanges(['127.0.0.1/32']) ?? [];
export const egress = new Egress({ allowed: LOOPBACK, resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
export const now = Date.now;

let scratch: DevicesDatabase;
export let database: Database;
export let store: Store;
const writes: FileWrite[] = [];
export const bodies: string[] = [];
export const faults: string[] = [];
let worker: FileWorker;
export const closers: (() => unknown)[] = [];

/** Opens the store and reads what is fetched, for the tests of one file. */
export function useDownloads(): void {
  beforeAll(async () => {
    scratch = await devicesDatabase();
    ({ database, store } = scratch);
    const historic = {
      writeFile: async (write: FileWrite) => {
        writes.push(write);
        bodies.push(Buffer.from(write.body).toString());
        return 0;
      },
      reportFault: async ({ fault }: { fault: string }) => void faults.push(fault),
    };
    worker = new FileWorker({ store, historic, log, now });
    worker.start();
  });
  afterAll(async () => {
    for (const close of closers.splice(0)) await close();
    await worker.stop();
    await scratch.drop();
  });
  beforeEach(() => {
    for (const list of [writes, bodies, faults]) list.splice(0);
  });
}

export type Source = { readonly session: SessionSource; files: FileSource };

export function sourceOf(over: Partial<FileSource> = {}, attributes: Record<string, unknown> = {}): Source {
  const of = { ownerId: newObjectId(), workspaceId: newObjectId() };
  const files = { _id: newObjectId(), ...of, readMode: 'NEW', files: [], ...over };
  const sourceClass = 'source.data.TextParser';
  return { session: { ...of, sourceId: files._id, sourceClass, name: 'Source', attributes }, files };
}

/** Runs a session; returns what it reported, and what came of the files when all of them were read. */
export async function session<N extends TransportName>(
  transport: FileTransport<N>,
  fields: Partial<SettingsOf<N>>,
  { session: source, files }: Source,
  signal = new AbortController().signal,
) {
  const settings = settingsOf(transport.name, transportSettings(transport.name, fields)) as SettingsOf<N>;
  const reported: string[] = [];
  const delivered: string[] = [];
  const connection = await transport.connect(settings, { ...source, files }, signal);
  try {
    await collectFiles(store)(connection, {
      source,
      files,
      progress: { event: async (level, message) => void reported.push(`${level} ${message}`) },
      deliver: async (file) => {
        const result = await deliverFile({ store, wake: () => worker.wake(), now }, file);
        if (result) delivered.push(result.fileId);
        return result;
      },
      now,
      signal,
    });
  } finally {
    await connection.close();
    for (const fileId of delivered) await until(() => store.readOutcome(fileId), { deadlineMs: OUTCOME_MS });
  }
  return reported;
}

/** Returns records in the order of the writes: `<series> <time> <value>`. */
export const records = () =>
  bodies.flatMap((body) => {
    const { header, data } = JSON.parse(body) as {
      header: { columns: Record<string, { series: string }> };
      data: { ts: string; f: Record<string, { v: unknown }> }[];
    };
    return data.flatMap(({ ts, f }) =>
      Object.entries(f).map(([n, { v }]) => `${header.columns[n]?.series} ${ts} ${v}`),
    );
  });
