// A node is deleted under a running writer: nothing of it is found afterwards, in any store (docs/reference/node-tree.md#delete).
import { type TestDatabase, type TestInflux, testDatabase, testInflux, until } from '@catchment/testkit';
import { type Api, jts, MODEL } from './src/api.ts';
import { type Installation, startInstallation } from './src/installation.ts';

const WRITERS = 4;
/** Each writer sends at least this many requests after the deletion. */
const AFTERWARDS = 25;
const FIRST_MS = Date.UTC(2024, 0, 1);

let postgres: TestDatabase;
let influx: TestInflux;
let installation: Installation;
let api: Api;

beforeAll(async () => {
  [postgres, influx] = await Promise.all([testDatabase(), testInflux()]);
  installation = await startInstallation({
    args: ['--no-demo', '--postgres-url', postgres.url, '--influx-url', influx.url],
    env: { INFLUX_DATABASE: influx.database },
  });
  api = installation.api;
});
afterAll(async () => {
  await installation?.stop();
  await Promise.all([postgres?.drop(), influx?.drop()]);
});

/**
 * Writers write to a source by columns and to its parameter by records, without pause, until long after the deletion, and until one is
 * answered 404: services that take writes learn of a deletion a moment after its answer.
 */
class RunningWriters {
  readonly answers = new Map<number, number>();
  isDeleted = false;
  readonly #sourceId: string;
  readonly #pointId: string;
  readonly #writing: Promise<void>[];

  constructor(sourceId: string, pointId: string) {
    this.#sourceId = sourceId;
    this.#pointId = pointId;
    this.#writing = Array.from({ length: WRITERS }, (_, n) => this.#write(n));
  }

  end = (): Promise<unknown> => Promise.all(this.#writing);

  async #write(writer: number): Promise<void> {
    for (let n = 0, after = 0; after < AFTERWARDS || !this.answers.has(404); n += 1) {
      if (this.isDeleted) after += 1;
      const timestamp = new Date(FIRST_MS + (n * WRITERS + writer) * 1_000).toISOString();
      const { status } =
        writer % 2 === 0
          ? await api.put(`/nodes/${this.#pointId}/historic/now`, { value: n, timestamp })
          : await api.put(
              `/nodes/${this.#sourceId}/historic?notifyOn=ALL_NEWER`,
              jts(['a', `b${writer}`], [[timestamp, n, n]]),
            );
      this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
    }
  }
}

/**
 * Services keep these markers for a while so that nothing in flight revives a deleted node: only that it is deleted.
 * Counters of daily limits are of days, not of nodes, and go with theirs.
 */
const NOTES: readonly RegExp[] = [
  /^nodes\.gone_nodes: \((\w{24},){3}\d+,\{\},"[^"]*"\)$/,
  /^events\.deleted_nodes: \(\w{24},"[^"]*"\)$/,
  /^historic\.deleted_series: \(\w{24},"[^"]*"\)$/,
  /^historic\.node_replica: \((\w{24},){3}"",\d+,"\\\\x","[^"]*"\)$/,
  /^alarms\.node_replica: \((\w{24},){3}\d+,"\\\\x","[^"]*",""\)$/,
  /^historic\.daily_rows: \(\w{24}(,\d+){3},"[^"]*"\)$/,
];

/** Finds where a text stands in PostgreSQL, in any column of any table of any service. */
async function foundInPostgres(ids: readonly string[]): Promise<string[]> {
  const tables = await postgres.query<{ schema: string; name: string }>(
    `SELECT schemaname AS schema, tablename AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const found: string[] = [];
  for (const { schema, name } of tables) {
    const rows = await postgres.query<{ row: string }>(
      `SELECT left(t::text, 300) AS row FROM "${schema}"."${name}" t WHERE t::text ~ $1 LIMIT 100`,
      [ids.join('|')],
    );
    found.push(...rows.map(({ row }) => `${schema}.${name}: ${row}`));
  }
  return found.filter((row) => !NOTES.some((note) => note.test(row)));
}

async function foundInInflux(ids: readonly string[]): Promise<string[]> {
  const { results } = await influx.query('SHOW SERIES');
  const series = results
    .flatMap((result) => result.series ?? [])
    .flatMap(({ values }) => (values ?? []).flat().map(String));
  return series.filter((key) => ids.some((id) => key.includes(id)));
}

test.each(['parameter', 'source', 'location', 'workspace'] as const)('a %s under running writers', async (what) => {
  const { workspaceId, locationId, sourceId } = await api.createSite();
  const states = [{ name: 'NORMAL' }, { name: 'HIGH', threshold: 5, isAlarm: true }];
  const _class = `${MODEL}.point.NumberPoint`;
  const pointId = (await api.create({ _class, name: 'P', parentId: sourceId, states }))._id;
  const other = await api.createSite();
  const writers = new RunningWriters(sourceId, pointId);
  await until(async () => (writers.answers.get(202) ?? 0) >= 60);
  await until(async () => (await api.get(`/nodes/${pointId}`)).json.currentValue !== undefined);

  const target = { parameter: pointId, source: sourceId, location: locationId, workspace: workspaceId }[what];
  const deleted = await api.delete(`/nodes/${target}`);
  expect([deleted.status, deleted.text]).toEqual([200, expect.any(String)]);
  writers.isDeleted = true;
  await writers.end();
  expect([...writers.answers.keys()].sort()).toEqual([202, 404]);
  for (const path of ['', '/historic?limit=1', '/events'])
    await until(async () => (await api.get(`/nodes/${target}${path}`)).status === 404);
  expect((await api.delete(`/nodes/${target}`)).status).toBe(404);

  // A later message of the same log comes after all that were under way.
  const last = await api.put(
    `/nodes/${other.sourceId}/historic`,
    jts(['last'], [[new Date(FIRST_MS).toISOString(), 1]]),
  );
  expect(last.status).toBe(202);
  const children = async () => (await api.get(`/nodes?filter=parentId($eq:${other.sourceId})`)).json;
  await until(async () => (await children())[0]?.currentValue === 1);

  const below = {
    parameter: [],
    source: [pointId],
    location: [sourceId, pointId],
    workspace: [locationId, sourceId, pointId],
  };
  const gone = [target, ...below[what]];
  const left = async () => [...(await foundInPostgres(gone)), ...(await foundInInflux(gone))];
  await until(async () => (await left()).length === 0).catch(async () => expect(await left()).toEqual([]));
  // The node above has one event.
  if (what !== 'workspace') {
    const parentId = { parameter: sourceId, source: locationId, location: workspaceId }[what];
    const deletions = async () => {
      const events = (await api.get(`/nodes/${parentId}/events`)).json as { message: string }[];
      return events.filter(({ message }) => message.startsWith('Deleted node')).length;
    };
    await until(deletions);
    expect(await deletions()).toBe(1);
  }
});
