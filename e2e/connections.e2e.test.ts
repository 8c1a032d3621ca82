// A process outlives its connections (docs/reference/guarantees.md#lost-connections): its peers may break every
// connection at any moment.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  amount,
  type Ending,
  endConnections,
  Front,
  ownInflux,
  ownNats,
  ownPostgres,
  removeDataFolder,
  seededRandom,
  type Target,
  temporaryDataFolder,
  until,
} from '@catchment/testkit';
import { seedOf } from '@catchment/testkit/amount';
import { type Answer, type Api, MODEL } from './src/api.ts';
import { type Installation, startInstallation } from './src/installation.ts';

const CUTS = Number(process.env.CUTS ?? amount(60, 200));
const LONGEST_PAUSE_MS = 200;
const PEERS = ['nodes', 'historic', 'alarms', 'events', 'devices', 'render', 'processing'] as const;
const FIRST_MS = Date.UTC(2024, 0, 1);
const YEAR = 'startTime=2024-01-01T00:00:00Z&endTime=2024-12-31T00:00:00Z';

const open: (() => unknown)[] = [];
let installation: Installation;
let api: Api;
/** Breaks connections, by their target. @returns how many were broken, where that is known */
const cuts = new Map<string, (ending: Ending) => unknown>();

beforeAll(async () => {
  const dataDir = await temporaryDataFolder();
  open.push(() => removeDataFolder(dataDir));
  const [postgres, nats, influx] = await Promise.all([ownPostgres(), ownNats(), ownInflux()]);
  for (const server of [postgres, nats, influx]) open.push(() => server[Symbol.asyncDispose]());
  const front = async (name: string, target: () => Target | Promise<Target>) => {
    const made = await Front.open(target);
    open.push(() => made.close());
    cuts.set(name, (ending) => made.cut(ending));
    return made.port;
  };
  const through = async (name: string, url: string) => {
    const { hostname: host, port } = new URL(url);
    return Object.assign(new URL(url), {
      hostname: '127.0.0.1',
      port: String(await front(name, () => ({ host, port: Number(port) }))),
    }).href;
  };
  const portOf = async (peer: string): Promise<Target> => {
    const { grpcPorts } = JSON.parse(await readFile(path.join(dataDir, 'running.json'), 'utf8'));
    return { host: '127.0.0.1', port: grpcPorts[peer] };
  };
  const addresses = await Promise.all(
    PEERS.map(async (peer) => [`${peer.toUpperCase()}_ADDRESS`, `127.0.0.1:${await front(peer, () => portOf(peer))}`]),
  );
  const urls = {
    POSTGRES_URL: await through('postgres', postgres.url),
    NATS_URL: await through('nats', nats.url),
    INFLUX_URL: await through('influx', influx.url),
  };
  cuts.set('backends of postgres', () => endConnections(postgres.url));
  installation = await startInstallation({
    dataDir,
    keepData: true,
    // Writers without pause come to the daily limit of a source.
    env: { ...urls, ...Object.fromEntries(addresses), ROWS_PER_SOURCE_PER_DAY: '0' },
  });
  api = installation.api;
});
afterAll(async () => {
  await installation?.stop();
  for (const close of open.reverse()) await close();
});

/** Repeats requests of one kind until stopped, and counts what came of them. */
class Load {
  readonly outcomes = new Map<string, number>();
  good = 0;
  #isStopping = false;
  readonly #running: Promise<void>;

  /** @param turn one request; the n-th of this load */
  constructor(turn: (n: number) => Promise<Answer>, onGood: (answer: Answer, n: number) => void = () => {}) {
    this.#running = this.#run(turn, onGood);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#running;
  }

  /** Resolves when requests of this load are answered again. */
  async recovered(): Promise<void> {
    const before = this.good;
    await until(() => this.good >= before + 2, {
      what: `requests are answered again, after ${JSON.stringify([...this.outcomes])}`,
    });
  }

  async #run(turn: (n: number) => Promise<Answer>, onGood: (answer: Answer, n: number) => void): Promise<void> {
    for (let n = 0; !this.#isStopping; n += 1) {
      const answer = await turn(n).catch(() => undefined);
      const outcome = String(answer?.status ?? 'broken off');
      this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
      if (answer && answer.status >= 200 && answer.status < 300) {
        this.good += 1;
        onGood(answer, n);
      }
      await delay(outcome.startsWith('2') ? 5 : 50);
    }
  }
}

const timeOf = (n: number) => new Date(FIRST_MS + n * 1_000).toISOString();

test(`no process ends and nothing answered 2xx is lost when connections are cut ${CUTS} times under load`, async () => {
  const { sourceId, workspaceId } = await api.createSite();
  const parameter = async (name: string) =>
    (await api.create({ _class: `${MODEL}.point.NumberPoint`, name, parentId: sourceId }))._id;
  const written = await Promise.all(
    ['one', 'two', 'three'].map(async (name) => ({ id: await parameter(name), accepted: [] as number[] })),
  );
  const changed = { id: await parameter('changed'), lastGood: -1 };
  const created: string[] = [];
  const first = written[0]?.id ?? '';

  const loads: Record<string, Load> = {
    ...Object.fromEntries(
      written.map(({ id, accepted }, n) => [
        `write ${n}`,
        new Load(
          (value) => api.put(`/nodes/${id}/historic/now`, { value, timestamp: timeOf(value) }),
          (_answer, value) => accepted.push(value),
        ),
      ]),
    ),
    read: new Load(() => api.get(`/nodes/${first}/historic?${YEAR}`)),
    list: new Load(() => api.get('/nodes?type=TREE')),
    events: new Load(() => api.get(`/nodes/${sourceId}/events`)),
    change: new Load(
      (n) => api.put(`/nodes/${changed.id}`, { units: `u${n}` }),
      (_answer, n) => {
        changed.lastGood = n;
      },
    ),
    create: new Load(
      (n) => api.post('/nodes', { _class: `${MODEL}.location.Location`, name: `L${n}`, parentId: workspaceId }),
      (answer) => created.push(answer.json._id),
    ),
  };
  open.push(() => Promise.all(Object.values(loads).map((load) => load.stop())));
  await Promise.all(Object.values(loads).map((load) => load.recovered()));

  const before = await installation.pids();
  const seed = seedOf('CUT_SEED');
  const random = seededRandom(seed);
  process.stderr.write(`cuts, seed ${seed} (CUT_SEED)\n`);
  const kinds = [...cuts.keys()];
  const done = new Map<string, number>();
  for (let n = 0; n < CUTS; n += 1) {
    await delay(random() * LONGEST_PAUSE_MS);
    const kind = kinds[Math.floor(random() * kinds.length)] ?? '';
    await cuts.get(kind)?.(random() < 0.5 ? 'reset' : 'end');
    done.set(kind, (done.get(kind) ?? 0) + 1);
  }
  await Promise.all(Object.values(loads).map((load) => load.recovered()));
  await Promise.all(Object.values(loads).map((load) => load.stop()));
  const outcomes = Object.entries(loads).map(([name, load]) => [name, Object.fromEntries(load.outcomes)]);
  process.stderr.write(
    `cut ${JSON.stringify(Object.fromEntries(done))}\n${JSON.stringify(Object.fromEntries(outcomes))}\n`,
  );

  expect(await installation.pids()).toEqual(before);
  expect(installation.output()).not.toContain('stopped unexpectedly');
  await until(async () => Object.values(await readiness()).every((status) => status === 200), {
    what: 'every service is ready',
  });

  for (const { id, accepted } of written) {
    let missing: number[] = [];
    await until(
      async () => {
        const answer = await api.get(`/nodes/${id}/historic?${YEAR}`);
        const stored = new Set(answer.json.data.map((row: { f: { 0: { v: number } } }) => row.f[0].v));
        missing = accepted.filter((value) => !stored.has(value));
        return missing.length === 0;
      },
      { everyMs: 250, what: 'every record answered 202 is stored' },
    ).catch((cause: Error) => {
      throw new Error(`${missing.length} of ${accepted.length} records are lost, first ${missing[0]}`, { cause });
    });
    await until(async () => (await api.get(`/nodes/${id}`)).json.currentValue >= (accepted.at(-1) ?? 0), {
      what: 'current values follow',
    });
  }
  // A change may have come about although its answer broke off.
  const units = (await api.get(`/nodes/${changed.id}`)).json.units as string;
  expect(Number(units.slice(1))).toBeGreaterThanOrEqual(changed.lastGood);
  for (const id of created) expect((await api.get(`/nodes/${id}`)).status).toBe(200);
});

/** Reads the status of each service's page. */
async function readiness(): Promise<Record<string, number>> {
  const { healthPorts } = await installation.running();
  const services = Object.entries(healthPorts).filter(([name]) => name !== 'gateway');
  const urls = [...services.map(([name, port]) => [name, `http://127.0.0.1:${port}`]), ['gateway', installation.url]];
  const statuses = urls.map(async ([name, url]) => [name, (await fetch(`${url}/readyz`)).status]);
  return Object.fromEntries(await Promise.all(statuses));
}
