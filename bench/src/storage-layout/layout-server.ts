import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type RunningServer, startInflux } from '@catchment/servers';
import { authorization } from '../influx-floor.ts';
import { dealOut, runLoad } from '../load.ts';

const SETTLE_LIMIT_MS = 60_000;
const POLL_MS = 500;
/** Segments that are empty still have a header of a few bytes. */
const EMPTY_WAL_BYTES = 1_000;
/** A shard without writes for this long is written out and compacted, so that sizes can be read soon after writing; busy shards are not affected. */
const COLD: Readonly<Record<string, string>> = {
  INFLUXDB_DATA_CACHE_SNAPSHOT_WRITE_COLD_DURATION: '2s',
  INFLUXDB_DATA_COMPACT_FULL_WRITE_COLD_DURATION: '3s',
};

export type Row = readonly (number | string | null)[];
type WriteAnswer = { readonly status: number; readonly text: string };

/** An InfluxDB of its own in a temporary folder, which goes when it is disposed of. */
export class LayoutServer {
  readonly #server: RunningServer;
  readonly #folder: string;
  readonly #origin: string;
  readonly #headers: Record<string, string>;
  #databases = 0;

  private constructor(server: RunningServer, folder: string) {
    const { origin, username, password } = new URL(server.url);
    this.#server = server;
    this.#folder = folder;
    this.#origin = origin;
    this.#headers = authorization(username, password);
  }

  static async start(): Promise<LayoutServer> {
    Object.assign(process.env, COLD);
    const folder = await mkdtemp(path.join(tmpdir(), 'storage-layout-'));
    return new LayoutServer(await startInflux({ dataDir: folder }), folder);
  }

  get version(): string {
    return this.#server.version ?? 'unknown';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** A new database as the historic service makes it, or with another shard duration. */
  async database(shardDuration = '52w'): Promise<string> {
    this.#databases += 1;
    const name = `layout_${this.#databases}`;
    await this.query(
      '',
      `CREATE DATABASE "${name}" WITH DURATION INF REPLICATION 1 SHARD DURATION ${shardDuration} NAME "autogen"`,
    );
    return name;
  }

  async drop(database: string): Promise<void> {
    await this.query('', `DROP DATABASE "${database}"`);
  }

  /** Writes the bodies on all connections. @returns seconds */
  async write(database: string, bodies: readonly Buffer[], precision: 'ms' | 'ns' = 'ms'): Promise<number> {
    const path = `/write?db=${database}&precision=${precision}`;
    const { seconds } = await runLoad(this.#origin, dealOut(bodies, path), { headers: this.#headers, expect: 204 });
    return seconds;
  }

  /** Writes lines that may be refused. */
  async tryWrite(database: string, lines: string): Promise<WriteAnswer> {
    const url = `${this.#origin}/write?db=${database}&precision=ms`;
    const answer = await fetch(url, { method: 'POST', headers: this.#headers, body: lines });
    return { status: answer.status, text: (await answer.text()).trim() };
  }

  /** All rows of a statement. @throws Error with InfluxDB's own words */
  async query(database: string, statement: string): Promise<Row[]> {
    const body = new URLSearchParams({ db: database, q: statement, epoch: 'ms' });
    const answer = await fetch(`${this.#origin}/query`, { method: 'POST', headers: this.#headers, body });
    const { error, results = [] } = (await answer.json()) as QueryAnswer;
    const failure = error ?? results.find((result) => result.error)?.error;
    if (failure) throw new Error(failure);
    return results.flatMap((result) => (result.series ?? []).flatMap((series) => series.values ?? []));
  }

  async restart(): Promise<void> {
    await this.#server.restart();
  }

  /** Waits until every record of the databases is in data files that are fully compacted. */
  async settle(...databases: string[]): Promise<void> {
    const deadline = performance.now() + SETTLE_LIMIT_MS;
    for (const database of databases) {
      while (!(await this.#isSettled(database))) {
        if (performance.now() > deadline) throw new Error(`${database} was not compacted in time`);
        await delay(POLL_MS);
      }
    }
  }

  /** Data files of a database: bytes of records (without the series index), number of all files, shards. */
  async disk(database: string): Promise<{ recordBytes: number; files: number; shards: number }> {
    const files = await this.#files('data', database);
    const records = files.filter(({ name }) => name.endsWith('.tsm'));
    return {
      recordBytes: records.reduce((sum, { bytes }) => sum + bytes, 0),
      files: files.length,
      shards: new Set(records.map(({ name }) => path.dirname(name))).size,
    };
  }

  /** Resident memory of InfluxDB now, in bytes. */
  async memoryBytes(): Promise<number> {
    const status = await readFile(`/proc/${this.#server.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
  }

  async #isSettled(database: string): Promise<boolean> {
    const wal = await this.#files('wal', database);
    if (wal.some(({ bytes }) => bytes > EMPTY_WAL_BYTES)) return false;
    const data = await this.#files('data', database);
    if (data.some(({ name }) => name.endsWith('.tmp'))) return false;
    const records = data.filter(({ name }) => name.endsWith('.tsm'));
    const generations = new Set(records.map(({ name }) => name.slice(0, name.lastIndexOf('-'))));
    return records.length > 0 && generations.size === new Set(records.map(({ name }) => path.dirname(name))).size;
  }

  async #files(kind: 'data' | 'wal', database: string): Promise<{ name: string; bytes: number }[]> {
    const folder = path.join(this.#folder, 'influx', kind, database);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
    // A file may disappear between the listing and its stat.
    const sizes = await Promise.all(
      files.map((name) =>
        stat(name).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    );
    return files.map((name, index) => ({ name, bytes: sizes[index] ?? 0 }));
  }
}

type QueryAnswer = { error?: string; results?: { error?: string; series?: { values?: Row[] }[] }[] };
