// One installation has two InfluxDBs: a workspace is moved while it is written, one is stopped (docs/operations/shards.md).
import { setTimeout as delay } from 'node:timers/promises';
import { isLong, until } from '@catchment/testkit';
import { type Api, MODEL } from './src/api.ts';
import { type Installation, startInstallation } from './src/installation.ts';
import { whileHung } from './src/while-hung.ts';

const FIRST_MS = Date.UTC(2024, 0, 1);
const OTHER = 'b';
/** This many records are there before the move. */
const BEFORE = 400;
/** A writer waits so long between two requests: of seven, some write at any time, and what is watched meanwhile has the processor. */
const PAUSE_MS = 60;
/** A command is a start of Node. */
const EACH_COMMAND_MS = 2_000;

let installation: Installation;
let api: Api;
beforeAll(async () => {
  installation = await startInstallation({
    args: ['--no-demo', '--influxdbs', '2'],
    // Writers without pause come to the daily limit of a source.
    // A store is silent after 5 s (503); requests may not be over by then, which would be 413.
    env: { ROWS_PER_SOURCE_PER_DAY: '0', REQUEST_MAX_SECONDS: '20', SHARD_GRACE_SECONDS: '20' },
  });
  api = installation.api;
});
afterAll(() => installation?.stop());

type Site = { readonly workspaceId: string; readonly parameterIds: readonly string[] };

async function site(count: number): Promise<Site> {
  const { workspaceId, sourceId } = await api.createSite();
  const parameterIds: string[] = [];
  for (let n = 0; n < count; n += 1)
    parameterIds.push(
      (await api.create({ _class: `${MODEL}.point.NumberPoint`, name: `P${n}`, parentId: sourceId }))._id,
    );
  return { workspaceId, parameterIds };
}

/** Writes one record after the other to each parameter; `accepted` has those that were answered 202. */
class RunningWriter {
  readonly accepted: Map<string, number[]>;
  readonly refused: number[] = [];
  #stopping = false;
  readonly #writing: Promise<void>[];

  constructor(parameterIds: readonly string[], from = 0) {
    this.accepted = new Map(parameterIds.map((id) => [id, []]));
    this.#writing = parameterIds.map((id) => this.#write(id, from));
  }

  async #write(id: string, from: number): Promise<void> {
    for (let n = from; !this.#stopping; n += 1) {
      const timestamp = new Date(FIRST_MS + n * 1_000).toISOString();
      const answer = await api.put(`/nodes/${id}/historic/now`, { value: n, timestamp }).catch(() => ({ status: 0 }));
      if (answer.status === 202) this.accepted.get(id)?.push(n);
      else this.refused.push(answer.status);
      await delay(PAUSE_MS);
    }
  }

  /** Resolves when each parameter has got this many records more. */
  async grown(by: number): Promise<void> {
    const least = new Map([...this.accepted].map(([id, all]) => [id, all.length + by]));
    const isGrown = () => [...least].every(([id, count]) => (this.accepted.get(id)?.length ?? 0) >= count);
    await until(isGrown, { what: 'writes are accepted' });
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#writing);
  }
}

const read = (id: string) =>
  api.get(`/nodes/${id}/historic?startTime=2024-01-01T00:00:00Z&endTime=2024-12-31T00:00:00Z`);
async function valuesOf(id: string): Promise<number[]> {
  const answer = await read(id);
  expect(answer.status).toBe(200);
  return answer.json.data.map((row: { f: { 0: { v: number } } }) => row.f[0].v);
}

/** Every accepted record is there, once, and nothing that nobody wrote. */
async function expectStored(writer: RunningWriter, before = 0): Promise<void> {
  for (const [id, accepted] of writer.accepted) {
    const missing = async () => {
      const stored = new Set(await valuesOf(id));
      return accepted.filter((n) => !stored.has(n)).length;
    };
    await until(async () => (await missing()) === 0, {
      what: 'every record answered 202 is stored',
    });
    expect((await valuesOf(id)).slice(0, before)).toEqual(Array.from({ length: before }, (_, n) => n));
  }
}

const shards = async (...args: string[]) => JSON.parse(await installation.command(['shards', ...args, '--json']));
const seriesOn = async (name: string) =>
  (await shards('list')).shards.find((shard: { name: string }) => shard.name === name).series;

// Its parts: services/historic/test/shards*.int.test.ts.
test.runIf(isLong)(
  'a workspace is moved while it is written and historic is killed; then one InfluxDB hangs, and the other goes on',
  async () => {
    const [here, moving, there] = [await site(2), await site(3), await site(2)];
    for (const { workspaceId } of [here, moving])
      await installation.command(['shards', 'assign', workspaceId, 'default']);
    await installation.command(['shards', 'assign', there.workspaceId, OTHER]);
    const rows = Array.from({ length: BEFORE }, (_, n) => ({
      ts: new Date(FIRST_MS + n * 1_000).toISOString(),
      f: { 0: { v: n } },
    }));
    for (const id of moving.parameterIds)
      expect((await api.put(`/nodes/${id}/historic`, { docType: 'jts', version: '1.0', data: rows })).status).toBe(202);
    const writers = {
      here: new RunningWriter(here.parameterIds),
      moving: new RunningWriter(moving.parameterIds, BEFORE),
      there: new RunningWriter(there.parameterIds),
    };
    await writers.moving.grown(5);
    expect(await seriesOn(OTHER)).toBeGreaterThanOrEqual(2);

    const { moveId } = await shards('move', moving.workspaceId, OTHER, '--no-wait');
    for (let kills = 0; kills < 2; kills += 1) {
      await delay(150);
      await installation.kill('historic');
      await writers.moving.grown(3);
    }
    const moveNow = async () => (await shards('status')).find((shard: { moveId: number }) => shard.moveId === moveId);
    await until(async () => (await moveNow()).state === 'done', {
      everyMs: EACH_COMMAND_MS,
      what: 'it is moved',
    });
    for (const writer of Object.values(writers)) await writer.grown(10);
    await writers.moving.stop();
    await expectStored(writers.moving, BEFORE);

    const refused = writers.there.refused.length;
    await whileHung(installation, `influx-${OTHER}`, async () => {
      const [id = '', accepted = []] = [...writers.here.accepted][0] ?? [];
      // The bench measures how soon that is (bench/src/machines/measure-shards.ts).
      const showsWrites = async () => {
        await writers.there.grown(3);
        const last = accepted.at(-1) ?? 0;
        const isShown = async () => ((await valuesOf(id)).at(-1) as number) >= last;
        await until(isShown, { what: 'the other InfluxDB shows writes' });
      };
      await showsWrites();
      await until(async () => (await read(there.parameterIds[0] ?? '')).status === 503, { what: 'it is silent' });
      await showsWrites();
      expect((await shards('list')).shards).toMatchObject([
        { name: 'default', isUp: true },
        { name: OTHER, isUp: false },
      ]);
      await showsWrites();
    });
    await Promise.all([writers.here.stop(), writers.there.stop()]);
    expect(writers.there.refused.length).toBe(refused);
    await expectStored(writers.here);
    await expectStored(writers.there);
    // The old copies go; what is read does not come from there.
    await until(async () => ((await moveNow()).seriesLeftBehind ?? 0) === 0, {
      everyMs: EACH_COMMAND_MS,
      what: 'old copies are removed',
    });
    await expectStored(writers.moving, BEFORE);
  },
);
