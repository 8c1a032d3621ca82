import { AlarmChanged, StateChanged } from '@catchment/contracts/alarms';
import { HANGS_AFTER_MS, until } from '@catchment/testkit';
import { seedOf } from '@catchment/testkit/amount';
import { NODE_COLUMNS, type NodeRow, toNode } from '../src/nodes/store/node-rows.ts';
import {
  lockEdges,
  placedInputs,
  refreshStale,
  shownOf,
  toEdges,
  toShown,
  type ValuesRow,
} from '../src/shown/index.ts';
import { saveShown } from '../src/shown/store/pg-shown.ts';
import { propagateDue } from '../src/templates/index.ts';
import { decodeAlarms } from '../src/values/bus/decode-alarms.ts';
import { applyAlarms, applyBatches } from '../src/values/index.ts';
import { decoded, number, T, text, written } from './applied.ts';
import { type Fixture, openFixture } from './fixture.ts';
import { type Random, random } from './random.ts';

/** SHOWN_SEED repeats a run, SHOWN_STEPS makes it longer or shorter. */
const SEED = seedOf('SHOWN_SEED');
const STEPS = Number(process.env.SHOWN_STEPS ?? 150);

type Api = Awaited<ReturnType<Fixture['account']>>;
let f: Fixture;
beforeAll(async () => {
  f = await openFixture();
});
afterAll(() => f.close());

const range = (...thresholds: number[]) => ({
  statesType: 'RANGE',
  states: [{ name: 'NORMAL' }, ...thresholds.map((threshold) => ({ name: `S${threshold}`, threshold }))],
});
const discrete = (...thresholds: (number | string)[]) => ({
  statesType: 'DISCRETE',
  states: thresholds.map((threshold, n) => ({ name: `S${n}`, threshold })),
});
const CHANGES: Readonly<Record<string, readonly object[]>> = {
  'point.NumberPoint': [
    { multiplier: 2 },
    { multiplier: 1e308, offset: null },
    { multiplier: null, offset: -1 },
    { equation: 'x^2 - 3' },
    { equation: 'ln(x)' },
    { equation: null },
    { states: null },
    range(3, 5),
    range(1),
    discrete(1, 0.3, -4),
    { name: 'Another name' },
  ],
  'point.TextPoint': [{ states: null }, discrete('a', '/^b+$/'), discrete('/[0-9]/'), { units: 'x' }],
  'source.data.Jts': [{ isEnabled: false }, { isEnabled: null }, { scheduleType: 'SERVER' }, { scheduleType: null }],
};
const NUMBERS = [-4, 0.1 + 0.2, 1, 3, 5.5, 1e300];
const TEXTS = ['a', 'bb', 'a 7', ''];

type Row = NodeRow & ValuesRow & { current_state_id: string | null };

/** Reads every node of the account with its values, as stored. */
async function rowsOf(ownerId: string): Promise<Row[]> {
  const { rows } = await f.database.query<Row>(
    `SELECT v.*, ${NODE_COLUMNS}, a.current_state_id
     FROM nodes n JOIN node_values v USING (node_id) LEFT JOIN node_alarms a USING (node_id) WHERE n.owner_id = $1`,
    [ownerId],
  );
  return rows;
}

const computed = (row: Row) => {
  const { current_state_id: reported } = row;
  return shownOf({ ...toNode(row), reported }, toEdges(row));
};

/** Makes random changes of whatever the shown is made of. */
class Play {
  readonly api: Api;
  readonly r: Random;
  readonly workspaceId: string;
  #logSequence = 0;
  #revision = 0;

  constructor(api: Api, r: Random, workspaceId: string) {
    this.api = api;
    this.r = r;
    this.workspaceId = workspaceId;
  }

  readonly steps: Readonly<Record<string, () => Promise<string>>> = {
    change: async () => {
      const row = await this.#pick((row) => row.class in CHANGES && row.template_node_id === null);
      const body = this.r.pick(CHANGES[row.class]!);
      await this.api.update(row.node_id, body);
      return `${row.node_id} ${JSON.stringify(body)}`;
    },
    write: async () => {
      const row = await this.#point();
      const records = Array.from({ length: 1 + this.r.below(3) }, () => this.r.below(20))
        .sort((a, b) => b - a)
        .map((ms) =>
          row.class === 'point.TextPoint' ? text(T + ms, this.r.pick(TEXTS)) : number(T + ms, this.r.pick(NUMBERS)),
        );
      await this.#apply(written(row.node_id, this.api.ownerId, ...records));
      return `${row.node_id} ${JSON.stringify(records)}`;
    },
    removeValues: async () => {
      const row = await this.#point();
      const { ownerId } = this.api;
      const gone = { nodeId: row.node_id, ownerId, modifiedMs: T };
      const left = { newest: [number(T + this.r.below(20), 1)] };
      await this.#apply(
        this.r.below(2) === 0
          ? { seriesDeletes: [{ ...gone, timeMs: T, username: 'jo' }] }
          : { series: [{ ...gone, recompute: true, edges: { nodeId: row.node_id, ...left, oldest: left.newest[0] } }] },
      );
      return row.node_id;
    },
    report: async () => {
      const row = await this.#point();
      const ids = (row.config.states ?? []).map(({ _id }) => _id);
      const changed = {
        nodeId: row.node_id,
        ownerId: this.api.ownerId,
        stateId: this.r.pick([...ids, '', 'f'.repeat(24)]),
        revision: ++this.#revision,
        ...(this.r.below(2) === 0 && { timeMs: T + this.r.below(20) }),
      };
      const alarm = AlarmChanged.fromPartial({ ...changed, alarmType: 'stateAlarm', alarmState: 'ACTIVE' });
      await applyAlarms(f, [
        ...decodeAlarms({
          subject: 'alarms.state.changed.v1',
          data: StateChanged.encode(StateChanged.fromPartial(changed)).finish(),
        }),
        ...decodeAlarms({ subject: 'alarms.alarm.changed.v1', data: AlarmChanged.encode(alarm).finish() }),
      ]);
      return JSON.stringify(changed);
    },
    clone: async () => {
      const row = await this.#pick(({ class: cls }) => cls === 'location.Location');
      await this.api.clone(row.node_id, { parentId: this.workspaceId, name: `C${this.r.below(1e6)}` });
      return row.node_id;
    },
    remove: async () => {
      const rows = (await rowsOf(this.api.ownerId)).filter(({ parent_id }) => parent_id === this.workspaceId);
      if (rows.length < 4) return 'nothing';
      const { node_id } = this.r.pick(rows);
      await this.api.remove(node_id);
      return node_id;
    },
    followTemplate: async () => {
      await propagateDue(f);
      return '';
    },
  };

  async #pick(where: (row: Row) => boolean): Promise<Row> {
    return this.r.pick((await rowsOf(this.api.ownerId)).filter(where).sort((a, b) => (a.node_id < b.node_id ? -1 : 1)));
  }
  #point = () => this.#pick(({ class: cls }) => cls.startsWith('point.'));

  async #apply(batch: object): Promise<void> {
    const [deps, logSequence] = [{ database: f.database, acquisitionEventMs: 60_000 }, ++this.#logSequence];
    const readEdges = async () => new Map();
    await applyBatches(
      { ...deps, readEdges },
      0,
      decoded({ logSequence, ...batch } as object),
      AbortSignal.timeout(HANGS_AFTER_MS),
    );
  }
}

test(`what is stored beside a node is what the one function computes, after ${STEPS} random changes (seed ${SEED})`, async () => {
  const api = await f.account();
  const workspace = await api.create('Workspace', 'Site');
  const templates = await api.create('Templates', 'Templates');
  const r = random(SEED);
  for (const parentId of [workspace._id, templates._id]) {
    const station = await api.create('location.Location', 'Station', parentId);
    const source = await api.create('source.data.Jts', 'Source', station._id);
    for (const cls of ['point.NumberPoint', 'point.TextPoint']) await api.create(cls, cls.slice(6), source._id);
  }
  const game = new Play(api, r, workspace._id);
  const log: string[] = [];
  const often = ['change', 'change', 'write', 'write', 'write', 'report', 'report', 'removeValues'];
  for (let n = 0; n < STEPS; n += 1) {
    const name = r.pick([...Object.keys(game.steps), ...often]);
    log.push(`${name}: ${await game.steps[name]?.()}`);
    try {
      const rows = await rowsOf(api.ownerId);
      for (const row of rows) expect([row.is_stale, toShown(row)]).toEqual([false, computed(row)]);
      const row = r.pick(rows);
      expect((await api.get(row.node_id)).currentStateId ?? null).toBe(computed(row).current.stateId);
    } catch (error) {
      throw new Error(`after\n${log.slice(-8).join('\n')}`, { cause: error });
    }
  }
});

test('values, configuration and states that change at once leave what is computed from all of them', async () => {
  const api = await f.account();
  const { source } = await f.source(api);
  const points = await Promise.all(['P', 'Q'].map((name) => api.create('point.NumberPoint', name, source._id)));
  const times = Array.from({ length: 25 }, (_, n) => n);
  const readEdges = async () => new Map();
  const deps = { database: f.database, readEdges, acquisitionEventMs: 60_000 };
  const { ownerId } = api;
  await Promise.all(
    points.flatMap(({ _id: nodeId }, partition) => [
      (async () => {
        for (const n of times) {
          const batch = { logSequence: n + 1, ...written(nodeId, ownerId, number(T + Math.floor(n / 2), n)) };
          await applyBatches(deps, 100 + partition, decoded(batch as object), AbortSignal.timeout(HANGS_AFTER_MS));
        }
      })(),
      (async () => {
        for (const n of times) await api.update(nodeId, n % 2 === 0 ? { multiplier: n + 1 } : range(n * n));
      })(),
      (async () => {
        for (const n of times) {
          const [state] = (await api.get(nodeId)).states as { _id: string }[];
          const said = { kind: 'state', nodeId, ownerId, stateId: state!._id, revision: n + 1 } as const;
          await applyAlarms(f, [said]);
        }
      })(),
    ]),
  );
  for (const row of await rowsOf(ownerId)) expect([row.is_stale, toShown(row)]).toEqual([false, computed(row)]);
});

test('a change of configuration waits for a pass that computes the node, and counts after it', async () => {
  const api = await f.account();
  const { source } = await f.source(api);
  const { _id } = await api.create('point.NumberPoint', 'P', source._id);
  const batch = decoded({ logSequence: 1, ...written(_id, api.ownerId, number(T, 3)) } as object);
  const deps = { database: f.database, readEdges: async () => new Map(), acquisitionEventMs: 60_000 };
  await applyBatches(deps, 200, batch, AbortSignal.timeout(HANGS_AFTER_MS));
  await f.database.query('UPDATE node_values SET is_stale = true WHERE node_id = $1', [_id]);
  const [read, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const pass = f.database.transactionOnce(async (tx) => {
    const edges = await lockEdges(tx, [_id], 'stale');
    const inputs = (await placedInputs(tx, [_id])).get(_id)!;
    read.resolve();
    await release.promise;
    await saveShown(tx, [{ nodeId: _id, shown: shownOf(inputs, edges.get(_id)!) }]);
  });
  await read.promise;
  const changed = api.update(_id, { multiplier: 10 });
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await until(async () => (await f.database.query(waiting)).rowCount > 0);
  release.resolve();
  await pass;
  expect((await changed).currentValue).toBe(30);
  expect((await api.list({ filter: 'currentValue($eq:Number(30))', attr: '_id' })).list).toEqual([{ _id }]);
});

test('rows of before it was stored are computed in bounded pieces, and lists made before are distinguished from those after', async () => {
  const api = await f.account();
  const { source } = await f.source(api, { scheduleType: 'SERVER' });
  await f.database.query(
    `UPDATE node_values v SET is_stale = true, status = NULL FROM nodes n WHERE n.node_id = v.node_id AND n.owner_id = $1`,
    [api.ownerId],
  );
  const find = async () => api.list({ filter: 'currentStatus($eq:SCHEDULED)', attr: '_id' });
  const before = await find();
  expect(before.list).toEqual([]);
  expect(await api.get(source._id)).toMatchObject({ currentStatus: 'SCHEDULED' });
  // Two replicas at once.
  await Promise.all([refreshStale(f), refreshStale(f)]);
  const after = await find();
  expect(after.list).toEqual([{ _id: source._id }]);
  expect(after.revision).not.toBe(before.revision);
});
