// A backup is made while people write, everything is destroyed, and what comes back is the moment of the backup (docs/operations/backup.md).
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, open, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { removeDataFolder, runSql, temporaryDataFolder, until } from '@catchment/testkit';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { Api, jts, MODEL } from './src/api.ts';
import { type Account, catchment, type Installation, runCatchment, startInstallation } from './src/installation.ts';
import { readAll } from './src/read-records.ts';

const T0 = Date.UTC(2024, 0, 1);
const WRITERS = ['w0', 'w1', 'w2', 'w3'] as const;
/** A writer waits so long between two requests: some are under way at any time, and the backup needs the processor, too. */
const PAUSE_MS = 30;
/** The second InfluxDB. */
const SHARD = 'b';
const BYTES = Buffer.from(Array.from({ length: 300_000 }, (_, n) => (n * 7) % 251));

type Op = { readonly writeMode: string; readonly rows: readonly (readonly [number, number])[] };

/** The n-th write of a writer: mostly a new record; some replace, some fail on what is there, some clear a range. */
function opOf(n: number): Op {
  if (n % 11 === 10)
    return {
      writeMode: 'INSERT_DELETE_EXISTING',
      rows: [
        [n - 4, 2000 + n],
        [n, 3000 + n],
      ],
    };
  if (n % 5 === 4)
    return {
      writeMode: 'MERGE_OVERWRITE_EXISTING',
      rows: [
        [n - 2, 1000 + n],
        [n, n],
      ],
    };
  if (n % 7 === 6)
    return {
      writeMode: 'MERGE_PRESERVE_EXISTING',
      rows: [
        [n - 3, -1],
        [n, n],
      ],
    };
  if (n % 13 === 12)
    return {
      writeMode: 'MERGE_FAIL_ON_EXISTING',
      rows: [
        [n - 1, -2],
        [n, -2],
      ],
    };
  return { writeMode: 'MERGE_OVERWRITE_EXISTING', rows: [[n, n]] };
}

/** Returns what the first `count` writes leave. */
function stateAfter(count: number): Map<number, number> {
  const state = new Map<number, number>();
  for (let n = 0; n < count; n += 1) {
    const { writeMode, rows } = opOf(n);
    const [first, last] = [rows[0]?.[0] ?? 0, rows.at(-1)?.[0] ?? 0];
    if (writeMode === 'MERGE_FAIL_ON_EXISTING' && rows.some(([at]) => state.has(at))) continue;
    if (writeMode === 'INSERT_DELETE_EXISTING') for (let at = first; at <= last; at += 1) state.delete(at);
    for (const [at, value] of rows) if (writeMode !== 'MERGE_PRESERVE_EXISTING' || !state.has(at)) state.set(at, value);
  }
  return state;
}

const textOf = (state: ReadonlyMap<number, number>) => [...state].sort(([a], [b]) => a - b).join(' ');
const timeOf = (n: number) => new Date(T0 + n * 1_000).toISOString();

let installation: Installation;
let api: Api;
let dataDir: string;
let backups: string;
let keys: string;
let identity: string;
const start = () =>
  startInstallation({
    args: ['--no-demo', '--influxdbs', '2'],
    dataDir,
    keepData: true,
    env: { INGEST_PARTITIONS: '2' },
  });
/** `other` is brought alone into another installation. */
let first: string;
let other: Account;

beforeAll(async () => {
  [dataDir, backups, keys] = await Promise.all([temporaryDataFolder(), temporaryDataFolder(), temporaryDataFolder()]);
  identity = await generateX25519Identity();
  await writeFile(path.join(keys, 'identity.txt'), `# made by a test\n${identity}\n`);
  await writeFile(path.join(keys, 'other.txt'), `${await generateX25519Identity()}\n`);
  installation = await start();
  api = installation.api;
});
afterAll(async () => {
  await installation?.stop();
  for (const folder of [dataDir, backups, keys]) if (folder) await removeDataFolder(folder);
});

/** @param sourceIds of the writers, in turn */
type LoadedSite = { sourceIds: readonly string[]; workspaceId: string; chainId: string };

/** Writes and changes all the time until it is stopped. */
class Load {
  readonly #api: Api;
  readonly #site: LoadedSite;
  #isStopped = false;
  readonly #running: Promise<unknown>;
  readonly done = new Map<string, number>(WRITERS.map((name) => [name, 0]));
  /**
   * These steps of the chain were acknowledged: a record, then a node, then at times a file, each after the one before was answered.
   */
  readonly chain = { records: 0, nodes: 0, files: 0 };

  constructor(api: Api, site: LoadedSite) {
    this.#api = api;
    this.#site = site;
    this.#running = Promise.all([...WRITERS.map((name, index) => this.#write(name, index)), this.#chain()]);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #write(name: string, index: number): Promise<void> {
    const sourceId = this.#site.sourceIds[index % this.#site.sourceIds.length];
    for (let n = 0; !this.#isStopped; n += 1) {
      const { writeMode, rows } = opOf(n);
      const document = jts(
        [name],
        rows.map(([at, value]) => [timeOf(at), value] as const),
      );
      await this.#put(`/nodes/${sourceId}/historic?writeMode=${writeMode}`, document);
      this.done.set(name, n + 1);
      await delay(PAUSE_MS);
    }
  }

  async #chain(): Promise<void> {
    const { chainId, workspaceId } = this.#site;
    for (let n = 0; !this.#isStopped; n += 1) {
      await this.#put(`/nodes/${chainId}/historic`, jts(['chain'], [[timeOf(n), n]]));
      this.chain.records += 1;
      await this.#api.create({ _class: `${MODEL}.location.Location`, name: `chain ${n}`, parentId: workspaceId });
      this.chain.nodes += 1;
      if (n % 4 === 0)
        await this.#api.upload(workspaceId, Buffer.concat([BYTES, Buffer.from(`${n}`)]), `file-${n}.bin`);
      if (n % 4 === 0) this.chain.files += 1;
      await delay(PAUSE_MS);
    }
  }

  async #put(target: string, document: unknown): Promise<void> {
    const { status, text } = await this.#api.put(target, document);
    if (status !== 202) throw new Error(`${target} answered ${status}: ${text}`);
  }
}

type Node = { _id: string; name: string; _class: string; currentValue?: number; fileUrl?: string; fileSize?: number };
const nodesOf = async (of: Api): Promise<Node[]> =>
  (await of.get('/nodes?limit=50000&attr=_id,name,currentValue,fileUrl,fileSize')).json as Node[];
const eventsOf = async (of: Api): Promise<{ _id: string; message: string }[]> =>
  (await of.get('/events?limit=10000')).json;
const restoreArgs = () => ['restore', '--from', backups, '--data-dir', dataDir];
const restore = (...args: string[]) => runCatchment([...restoreArgs(), ...args]);

test('everything comes back as it was in the moment of the backup, under load', async () => {
  const site = await api.createSite('Site');
  const chain = await api.create({ _class: `${MODEL}.source.data.Jts`, name: 'Chain', parentId: site.locationId });
  const second = await api.createSite('Second');
  other = await installation.account({ name: 'Other' });
  const otherSite = await other.api.createSite('Elsewhere');
  for (const { workspaceId } of [second, otherSite])
    await installation.command(['shards', 'assign', workspaceId, SHARD]);
  await other.api.put(
    `/nodes/${otherSite.sourceId}/historic`,
    jts(
      ['level'],
      Array.from({ length: 500 }, (_, n) => [timeOf(n), n / 4] as const),
    ),
  );

  await other.api.upload(otherSite.workspaceId, BYTES, 'elsewhere.bin');
  await until(async () => (await nodesOf(other.api)).find(({ name }) => name === 'level')?.currentValue === 499 / 4);

  const load = new Load(api, {
    workspaceId: site.workspaceId,
    chainId: chain._id,
    sourceIds: [site.sourceId, second.sourceId],
  });
  await until(async () => Math.min(...load.done.values()) >= 40, { what: 'there are records' });
  const recipient = await identityToRecipient(identity);
  await breakOff(['backup', 'create', '--to', backups, '--recipient', recipient, '--data-dir', dataDir]);
  const eventsBefore = await eventsOf(api);
  const began = new Map(load.done);
  const created = await installation.command(['backup', 'create', '--to', backups, '--recipient', recipient]);
  const ended = new Map(load.done);
  await load.stop();
  expect(created).toContain('of it new');
  const listed = await runCatchment(['backup', 'list', '--from', backups, '--json']);
  expect(JSON.parse(listed.output).accounts).toBe(2);

  // A second backup writes hardly anything that is new, and removes what the interrupted one has left.
  const left = await contentFiles();
  const again = await installation.command([
    'backup',
    'create',
    '--to',
    backups,
    '--recipient',
    recipient,
    '--keep',
    '2',
  ]);
  expect(again).toMatch(/are not written again/);
  expect(await contentFiles()).not.toEqual(expect.arrayContaining(left));
  expect(await shardSeries()).toBeGreaterThanOrEqual(3);
  const state = path.join(keys, 'state.json');
  await copyFile(path.join(dataDir, 'state.json'), state);
  await installation.stop();
  await removeDataFolder(dataDir);
  await mkdir(dataDir, { mode: 0o711 });

  first = JSON.parse(listed.output).name;
  const given = ['--backup', first, '--identity', path.join(keys, 'identity.txt')];
  await expect(refusals(given)).resolves.toEqual([
    'nothing is there yet',
    'an identity is needed',
    'a wrong identity is refused',
    'a damaged file is refused',
    'a damaged manifest is refused',
    'other partitions are refused',
    'other InfluxDBs are refused',
  ]);

  await copyFile(state, path.join(dataDir, 'state.json'));
  const restored = await restore(...given);
  expect(restored).toMatchObject({ code: 0, output: expect.stringContaining('is restored') });
  const secondTime = await restore(...given);
  expect(secondTime).toMatchObject({ code: 1, output: expect.stringContaining('The installation is not empty') });
  installation = await start();
  api = installation.api;

  expect(await shardSeries()).toBeGreaterThanOrEqual(3);
  const nodes = await nodesOf(api);
  const idOf = (name: string) => nodes.find((node) => node.name === name)?._id ?? '';
  await until(async () => (await api.get(`/nodes/${idOf('w0')}`)).json.currentValue !== undefined);
  const links = nodes.filter(({ name }) => name.startsWith('chain ')).length;
  // Writes that were on their way reach the stores. Each look takes all anew, since one more write changes records and values.
  const read = await until(
    async () => {
      const found = await readAll(api, new Map([...WRITERS, 'chain'].map((name) => [name, idOf(name)])));
      const isSettled = WRITERS.every(
        (name) => isPrefix(found.get(name), began.get(name) ?? 0, ended.get(name) ?? 0) !== undefined,
      );
      const now = new Map((await nodesOf(api)).map((node) => [node.name, node.currentValue]));
      const areCurrent = [...WRITERS, 'chain'].every((name) => now.get(name) === lastOf(found.get(name)));
      return isSettled && areCurrent && (found.get('chain')?.size ?? 0) >= links && found;
    },
    { what: 'all records are those of some number of writes, and current values those of the newest' },
  );

  // The chain holds: no effect is without its cause, and none is missing.
  const records = read.get('chain')?.size ?? 0;
  expect(links).toBeGreaterThan(0);
  expect([links, links + 1]).toContain(records);
  const files = nodes.filter(({ name }) => name.startsWith('file-'));
  expect([Math.ceil(links / 4), Math.ceil(links / 4) - 1]).toContain(files.length);
  for (const { fileUrl, name } of files.slice(0, 5)) {
    const bytes = Buffer.from(await (await fetch(fileUrl ?? '')).arrayBuffer());
    expect(bytes.equals(Buffer.concat([BYTES, Buffer.from(/\d+/.exec(name)?.[0] ?? '')]))).toBe(true);
  }

  expect(eventsBefore.length).toBeGreaterThan(0);
  const made = nodes.flatMap(({ name }) => (name.startsWith('chain ') ? [`Created node '${name}'`] : []));
  // Events that were on their way to their service in that moment get there.
  await until(
    async () => {
      const after = new Map((await eventsOf(api)).map((event) => [event._id, event.message]));
      const messages = new Set(after.values());
      const areOldOnesThere = eventsBefore.every(({ _id, message }) => after.get(_id) === message);
      return areOldOnesThere && made.every((message) => messages.has(message));
    },
    { what: 'the events from before the backup, and of every node that is there' },
  );

  // Keys are what they were, and the other account sees its own.
  const own = new Api(api.url, other.api.key);
  const names = ((await own.get('/nodes?limit=1000&attr=_id,name')).json as Node[]).map(({ name }) => name);
  expect(names).toContain('Elsewhere');
  expect(names).not.toContain('Site');

  // Writing goes on behind all that was there.
  const k = read.get('chain')?.size ?? 0;
  await api.put(`/nodes/${chain._id}/historic`, jts(['chain'], [[timeOf(k), 777]]));
  await until(async () => (await api.get(`/nodes/${idOf('chain')}`)).json.currentValue === 777);
});

test('one account comes into an installation that runs, without keys and passwords', async () => {
  await installation.stop();
  // It has another number of partitions than the backup.
  installation = await startInstallation({ args: ['--no-demo'], env: { INGEST_PARTITIONS: '1' } });
  const given = ['restore', '--from', backups, '--backup', first, '--identity', path.join(keys, 'identity.txt')];
  const restored = await installation.command([...given, '--account', other.id]);
  expect(restored).toMatch(/500 records.*has no keys/s);
  await expect(installation.command([...given, '--account', other.id])).rejects.toThrow('has the account already');
  await expect(installation.command([...given, '--account', 'nobody'])).rejects.toThrow('has no account nobody');

  // Its key is of no use here; its owner sets a password.
  expect((await new Api(installation.url, other.api.key).get('/nodes')).status).toBe(401);
  const link = await installation.personLink('other@example.org');
  const body = new URLSearchParams({
    password: 'a-long-enough-word-7',
    repeat: 'a-long-enough-word-7',
    firstName: 'O',
    lastName: 'T',
  });
  const answer = await fetch(`${installation.url}${new URL(link).pathname}`, {
    method: 'POST',
    redirect: 'manual',
    body,
  });
  expect(answer.status).toBe(303);
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  const get = async (where: string) =>
    (await fetch(`${installation.url}/api/v1${where}`, { headers: { cookie } })).json();
  const nodes = (await get('/nodes?limit=1000&attr=_id,name,currentValue,fileUrl')) as Node[];
  expect(nodes.map(({ name }) => name).sort()).toEqual(['Elsewhere', 'Location', 'Source', 'elsewhere.bin', 'level']);
  const level = nodes.find(({ name }) => name === 'level');
  expect(level?.currentValue).toBe(499 / 4);
  const { data } = (await get(`/nodes/${level?._id}/historic?startTime=2024-01-01T00:00:00Z&limit=1000`)) as {
    data: { f: { 0: { v: number } } }[];
  };
  expect(data.map(({ f }) => f[0].v)).toEqual(Array.from({ length: 500 }, (_, n) => n / 4));
  const file = await fetch(nodes.find(({ name }) => name === 'elsewhere.bin')?.fileUrl ?? '');
  expect(Buffer.from(await file.arrayBuffer()).equals(BYTES)).toBe(true);
  // The account that was there sees nothing of it.
  expect((await nodesOf(installation.api)).map(({ name }) => name)).not.toContain('Elsewhere');
});

const lastOf = (series: ReadonlyMap<number, { v: number | string | null }> | undefined) =>
  [...(series ?? [])].sort(([a], [b]) => a - b).at(-1)?.[1].v;

/** Returns the number of writes whose result this is; undefined = of none. */
function isPrefix(found: ReadonlyMap<number, { v: number | string | null }> | undefined, from: number, to: number) {
  const text = textOf(new Map([...(found ?? [])].map(([ms, { v }]) => [(ms - T0) / 1_000, Number(v)])));
  for (let count = from; count <= to + 1; count += 1) if (textOf(stateAfter(count)) === text) return count;
  return undefined;
}

/** Returns what makes a restore refuse a backup; none of it touches the data folder. */
async function refusals(given: readonly string[]): Promise<string[]> {
  const seen: string[] = [];
  const untouched = async () => expect(await readdir(dataDir)).toEqual([]);
  const refused = async (what: string, args: readonly string[], pattern: RegExp, env?: NodeJS.ProcessEnv) => {
    const { code, output } = await runCatchment([...restoreArgs(), ...args], env);
    expect([code, output]).toEqual([1, expect.stringMatching(pattern)]);
    await untouched();
    seen.push(what);
  };
  await untouched();
  seen.push('nothing is there yet');
  await refused('an identity is needed', given.slice(0, 2), /is encrypted for age1\w+: give --identity/);
  await refused(
    'a wrong identity is refused',
    [...given.slice(0, 3), path.join(keys, 'other.txt')],
    /no identity matched/,
  );
  const manifest = path.join(backups, 'backups', `${given[1]}.json`);
  const largest = await largestFile(path.join(backups, 'blobs'), await readFile(manifest, 'utf8'));
  await flip(largest);
  await refused('a damaged file is refused', given, /is not what was written/);
  await flip(largest);
  await flip(manifest);
  await refused('a damaged manifest is refused', given, /its manifest is damaged/);
  await flip(manifest);
  // Nobody is at these addresses: it is said before they are asked.
  const DATABASE_URL = 'postgres://127.0.0.1:1/none';
  const named = { DATABASE_URL, NATS_URL: 'nats://127.0.0.1:1', INFLUX_URL: 'http://127.0.0.1:1' };
  await refused('other partitions are refused', given, /INGEST_PARTITIONS is 3, and the backup has 2/, {
    ...named,
    INGEST_PARTITIONS: '3',
  });
  await refused('other InfluxDBs are refused', given, /INFLUX_SHARDS lacks b: /, {
    ...named,
    INFLUX_SHARDS: 'c=http://127.0.0.1:1',
  });
  return seen;
}

/** Ends a backup while it reads records, then kills one: that leaves no backup, and its lock for ten minutes. */
async function breakOff(args: readonly string[]): Promise<void> {
  const { postgresUrl } = await installation.running();
  const readers = () => runSql(postgresUrl, `SELECT FROM pg_stat_activity WHERE application_name = 'copy-records'`);
  const lock = path.join(backups, 'backup.lock');
  const ended = async (signal: NodeJS.Signals): Promise<number | null> => {
    const broken = catchment(args);
    const exit = once(broken, 'exit');
    await until(async () => broken.exitCode !== null || (await readers()).length > 0, {
      everyMs: 5,
      what: 'records are read',
    });
    broken.kill(signal);
    const [code] = await exit;
    await until(async () => (await readers()).length === 0, { what: 'its reader of records ends too' });
    return code;
  };
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    let code = await ended(signal);
    // One that was done before the signal came is made again, as if it had never been.
    for (; code === 0; code = await ended(signal)) {
      await removeDataFolder(backups);
      await mkdir(backups);
    }
    // One that was asked to end says so, and leaves the folder to the next one.
    expect([code, existsSync(lock)]).toEqual(signal === 'SIGTERM' ? [143, false] : [null, true]);
  }
  expect((await runCatchment(['backup', 'list', '--from', backups])).output).toContain('There are no backups');
  expect(await runCatchment(args)).toMatchObject({ code: 1, output: expect.stringContaining('Another backup is') });
  const then = new Date(Date.now() - 11 * 60_000);
  await utimes(lock, then, then);
}

/** Returns series that the second InfluxDB has. */
async function shardSeries(): Promise<number> {
  const { shards } = JSON.parse(await installation.command(['shards', 'list', '--json']));
  return shards.find(({ name }: { name: string }) => name === SHARD).series;
}

const contentFiles = async () =>
  (await readdir(path.join(backups, 'blobs'), { recursive: true, withFileTypes: true })).flatMap((entry) =>
    entry.isFile() ? [entry.name] : [],
  );

/** Changes one bit in the middle, or changes it back. */
async function flip(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    const at = Math.floor((await handle.stat()).size / 2);
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, at);
    await handle.write(Buffer.from([(buffer[0] ?? 0) ^ 1]), 0, 1, at);
  } finally {
    await handle.close();
  }
}

/** Returns the largest of the files that a manifest names. */
async function largestFile(folder: string, manifest: string): Promise<string> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.isFile() && manifest.includes(entry.name.slice(0, 64)),
  );
  const sized = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const file = path.join(parentPath, name);
      return { file, size: (await stat(file)).size };
    }),
  );
  return sized.sort((a, b) => b.size - a.size)[0]?.file ?? '';
}
