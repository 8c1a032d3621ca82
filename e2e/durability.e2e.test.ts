// A write that was answered 202 survives the death of any process (docs/reference/guarantees.md#durable-before-202).
import { setTimeout as delay } from 'node:timers/promises';
import { amount, runSql, seededRandom, until } from '@catchment/testkit';
import { seedOf } from '@catchment/testkit/amount';
import { type Api, MODEL } from './src/api.ts';
import type { Installation } from './src/installation.ts';
import { borrowInstallation } from './src/lent-installation.ts';
import { whileHung } from './src/while-hung.ts';

const OFTEN = ['gateway', 'historic', 'nats'] as const;
const ONCE = ['nodes', 'alarms', 'events', 'devices', 'render', 'processing'] as const;
const KILLS = amount(3, 20);
const WRITERS = 6;
/** A writer waits so long between two requests: of six, one or two have a request under way at any time, and processes that start again need the processor, too. */
const PAUSE_MS = 60;
const FIRST_MS = Date.UTC(2024, 0, 1);

let installation: Installation;
let api: Api;

beforeAll(async () => {
  installation = await borrowInstallation('spread');
  api = installation.api;
});
afterAll(() => installation?.stop());

/** Writes parameters all the time, one record a request, and notes the records that are answered 202. */
class RunningWriter {
  readonly #ids: readonly string[];
  readonly accepted: Map<string, number[]>;
  readonly failures = new Map<string, number>();
  total = 0;
  #stopping = false;
  readonly #writing: Promise<void>[];

  constructor(ids: readonly string[]) {
    this.#ids = ids;
    this.accepted = new Map(ids.map((id) => [id, []]));
    this.#writing = ids.map((id) => this.#write(id));
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#writing);
  }

  async #write(id: string): Promise<void> {
    for (let n = 0; !this.#stopping; n += 1) {
      const timestamp = new Date(FIRST_MS + n * 1_000).toISOString();
      const outcome = await api.put(`/nodes/${id}/historic/now`, { value: n, timestamp }).then(
        ({ status }) => status,
        () => 'connection',
      );
      if (outcome === 202) {
        this.accepted.get(id)?.push(n);
        this.total += 1;
      } else this.failures.set(String(outcome), (this.failures.get(String(outcome)) ?? 0) + 1);
      await delay(PAUSE_MS);
    }
  }

  /** Resolves when requests are answered 202 again. */
  async recovered(): Promise<void> {
    const before = this.total;
    await until(() => this.total >= before + this.#ids.length);
  }
}

async function parameters(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { sourceId } = await api.createSite();
    ids.push((await api.create({ _class: `${MODEL}.point.NumberPoint`, name: 'Value', parentId: sourceId }))._id);
  }
  return ids;
}

async function storedIn(id: string): Promise<number[]> {
  const answer = await api.get(`/nodes/${id}/historic?startTime=2024-01-01T00:00:00Z&endTime=2024-12-31T00:00:00Z`);
  expect(answer.status).toBe(200);
  return answer.json.data.map((row: { f: { 0: { v: number } } }) => row.f[0].v);
}

async function expectAllStored(writer: RunningWriter): Promise<void> {
  for (const [id, accepted] of writer.accepted) {
    let missing: number[] = [];
    await until(
      async () => {
        const stored = new Set(await storedIn(id));
        missing = accepted.filter((n) => !stored.has(n));
        return missing.length === 0;
      },
      { everyMs: 250, what: 'every record answered 202 is stored' },
    ).catch((error: Error) => {
      throw new Error(`${missing.length} of ${accepted.length} records answered 202 are lost, first ${missing[0]}`, {
        cause: error,
      });
    });
  }
}

test(`nothing answered 202 is lost when processes are killed ${KILLS + ONCE.length} times under a running writer`, async () => {
  const writer = new RunningWriter(await parameters(WRITERS));
  const seed = seedOf('KILL_SEED');
  const random = seededRandom(seed);
  const plan = [...Array.from({ length: KILLS }, (_, n) => OFTEN[n % OFTEN.length] ?? 'nats'), ...ONCE].map((name) => ({
    name,
    at: random(),
  }));
  plan.sort((a, b) => a.at - b.at);
  process.stderr.write(`kill plan, seed ${seed}: ${plan.map(({ name }) => name).join(' ')}\n`);
  for (const { name } of plan) {
    await writer.recovered();
    await delay(random() * 200);
    await installation.kill(name);
  }
  await writer.recovered();
  await writer.stop();
  process.stderr.write(
    `${writer.total} records answered 202; refused meanwhile: ${JSON.stringify(Object.fromEntries(writer.failures))}\n`,
  );
  await expectAllStored(writer);
  for (const [id, accepted] of writer.accepted) {
    await until(async () => (await api.get(`/nodes/${id}`)).json.currentValue >= (accepted.at(-1) ?? 0));
  }
});

test('while InfluxDB does not answer, writes are answered 202 and appear once it is back', async () => {
  const writer = new RunningWriter(await parameters(2));
  await writer.recovered();
  await whileHung(installation, 'influx', async () => {
    const [id = ''] = writer.accepted.keys();
    await writer.recovered();
    await until(async () => (await api.get(`/nodes/${id}/historic?limit=1`)).status === 503, { what: 'it is silent' });
    for (let n = 0; n < 5; n += 1) await writer.recovered();
  });
  await writer.stop();
  expect(Object.fromEntries(writer.failures)).toEqual({});
  await expectAllStored(writer);
});

test('while PostgreSQL does not answer, reads and changes are 503 and say when to ask again, and all goes on once it does', async () => {
  const { sourceId, locationId } = await api.createSite();
  const id = (await api.create({ _class: `${MODEL}.point.NumberPoint`, name: 'Value', parentId: sourceId }))._id;
  await until(async () => (await api.put(`/nodes/${id}/historic/now`, { value: 1 })).status === 202);
  const ask = () =>
    Promise.all([
      api.get('/nodes'),
      api.get(`/nodes/${locationId}`),
      api.get('/events?limit=3'),
      api.get(`/nodes/${id}/historic?limit=5`),
      api.get(`/nodes/${id}/historic/chart?startTime=2024-01-01T00:00:00Z&endTime=2025-01-01T00:00:00Z`),
      api.put(`/nodes/${locationId}`, { name: 'Renamed' }),
    ]);
  const failuresOf = (answers: Awaited<ReturnType<typeof ask>>) =>
    answers
      .filter(({ status }) => status !== 200)
      .map(({ status, headers, json }) => [status, headers.get('retry-after'), json.error.reason]);
  await until(async () => failuresOf(await ask()).length === 0);
  await whileHung(installation, 'postgres', async () => {
    // Facts that a service still knows may be answered at first; nothing is too large or too slow.
    for (const [status, retryAfter] of failuresOf(await ask())) expect([status, retryAfter]).toEqual([503, '30']);
    const silent = [503, '30', 'DATABASE_SILENT'];
    await until(async () => {
      const failures = failuresOf(await ask());
      for (const [status] of failures) expect(status).toBe(503);
      return JSON.stringify(failures) === JSON.stringify(Array(6).fill(silent));
    });
  });
  await until(async () => failuresOf(await ask()).length === 0);
});

test('a series whose states were never followed: what is older than its records is no news, what is newer is', async () => {
  const { sourceId } = await api.createSite();
  const states = [{ name: 'NORMAL' }, { name: 'HIGH', threshold: 50 }];
  const given = { _class: `${MODEL}.point.NumberPoint`, name: 'Level', parentId: sourceId, states };
  const { _id: id } = await api.create(given);
  const write = async (minute: number, value: number) => {
    const timestamp = new Date(FIRST_MS + minute * 60_000).toISOString();
    expect((await api.put(`/nodes/${id}/historic/now`, { value, timestamp })).status).toBe(202);
  };
  await write(10, 1);
  const { postgresUrl } = await installation.running();
  const forgotten = () => runSql(postgresUrl, 'DELETE FROM alarms.series WHERE node_id = $1 RETURNING node_id', [id]);
  // The record counts from then on as older than any state.
  await until(async () => (await forgotten()).length === 1, { what: 'the first record is evaluated' });
  await write(5, 60);
  await write(11, 60);
  await write(12, 1);
  const events = async () => {
    const { json } = await api.get(`/nodes/${id}/events?filter=eventType($eq:STATE)`);
    return (json as { eventTime: string; message: string }[]).map(
      ({ eventTime, message }) => `${(Date.parse(eventTime) - FIRST_MS) / 60_000} ${message}`,
    );
  };
  const last = '12 State changed from HIGH to NORMAL';
  await until(async () => (await events()).includes(last), { what: `${last} is logged` });
  expect((await events()).sort()).toEqual(['11 State changed from NORMAL to HIGH', last]);
});
