import { EventRecorded } from '@catchment/contracts/events';
import { NodeConfig } from '@catchment/contracts/nodes';
import { newObjectId } from '@catchment/ids';
import { saveNodes } from '@catchment/node-replica';
import { Database } from '@catchment/pg';
import { amount, HANGS_AFTER_MS, type TestDatabase } from '@catchment/testkit';
import { migratedDatabase } from '@catchment/testkit/migrated-database';
import { changeMessages } from '../src/bus/messages.ts';
import { toNode } from '../src/domain/node.ts';
import { PgAlarmStore } from '../src/store/pg-alarm-store.ts';
import { lookForOutdated } from '../src/usecases/look-for-outdated.ts';

const COUNT = amount(10_000, 100_000);
const BATCH = 5_000;
const MINUTE = 60_000;
const START = Date.UTC(2026, 4, 15);
const MINUTES = 16;

type Reported = { readonly minute: number; readonly raised: boolean };
type Simulated = {
  readonly nodeId: string;
  readonly quietMs: number;
  /** The records come at these times, which are also their times. */
  readonly arrivalsMs: readonly number[];
};

let scratch: TestDatabase;
let database: Database;
const open = () =>
  new Database({ url: scratch.url, schema: 'alarms', applicationName: 'test', rehearsesTransactions: true });
beforeAll(async () => {
  scratch = await migratedDatabase('alarms');
  database = open();
});
afterAll(async () => {
  await database.close();
  await scratch.drop();
});

/** The same every time: most report all the while, some stop, some stop and come back. */
function simulated(n: number): Simulated {
  const everyMs = MINUTE + (n % 7) * 17_001;
  const quietMs = 120_000 + (n % 11) * 30_000;
  const stopsMs = n % 10 < 7 ? Number.POSITIVE_INFINITY : START + (n % 5) * MINUTE + (n % 997);
  const resumesMs = n % 10 === 9 ? stopsMs + quietMs + (n % 7) * 31_337 : Number.POSITIVE_INFINITY;
  const arrivalsMs: number[] = [];
  for (let at = START - (n % 59) * 1_000; at <= START + MINUTES * MINUTE; at += everyMs)
    if (at < stopsMs || at >= resumesMs) arrivalsMs.push(at);
  return { nodeId: n.toString(16).padStart(24, '0'), quietMs, arrivalsMs };
}

/** Computes what the rule says, looked at once a minute. */
function expectedOf({ quietMs, arrivalsMs }: Simulated): Reported[] {
  const reported: Reported[] = [];
  for (let minute = 0; minute <= MINUTES; minute += 1) {
    const nowMs = START + minute * MINUTE;
    const reference = arrivalsMs.findLast((at) => at <= nowMs) ?? START;
    const isRaised = reported.at(-1)?.raised ?? false;
    if (nowMs - reference > quietMs !== isRaised) reported.push({ minute, raised: !isRaised });
  }
  return reported;
}

test(`${COUNT} sources: raised and cleared to the minute, whatever is restarted in between`, async () => {
  const sources = Array.from({ length: COUNT }, (_, n) => simulated(n));
  const byId = new Map(sources.map((source) => [source.nodeId, source]));
  const config = ({ nodeId, quietMs }: Simulated) =>
    NodeConfig.fromPartial({
      nodeId,
      sourceId: nodeId,
      ownerId: 'a'.repeat(24),
      workspaceId: 'b'.repeat(24),
      revision: 1,
      class: 'source.data.Jts',
      source: { isEnabled: true, scheduleType: 'NONE', quietMaxSeconds: quietMs / 1_000 },
      alarms: [{ type: 'outdatedAlarm', isEnabled: true }],
    });
  const newStore = () => new PgAlarmStore(database, changeMessages(newObjectId));
  let store = newStore();
  for (let from = 0; from < COUNT; from += BATCH) {
    const configs = sources.slice(from, from + BATCH).map(config);
    await saveNodes(database, configs);
    await store.transaction((tx) => tx.watchSources(configs.map(toNode)));
  }

  let nowMs = START;
  const isReached = (at: number) => at <= nowMs;
  const dataTimes = {
    of: async (ids: readonly string[]) =>
      new Map(ids.map((id) => [id, byId.get(id)?.arrivalsMs.findLast(isReached) ?? START])),
  };
  const reported = new Map<string, Reported[]>();
  for (let minute = 0; minute <= MINUTES; minute += 1) {
    nowMs = START + minute * MINUTE;
    if (minute === 7) {
      await database.close();
      database = open();
      store = newStore();
    }
    const came = sources.filter(({ arrivalsMs }) => arrivalsMs.some((at) => at > nowMs - MINUTE && at <= nowMs));
    await store.transaction((tx) => tx.arrived(came.map(({ nodeId }) => nodeId)));
    const deps = { store, dataTimes, isStoreBehind: async () => false, now: () => nowMs };
    await lookForOutdated(deps, AbortSignal.timeout(HANGS_AFTER_MS));
    const { rows } = await database.query<{ data: Buffer }>(
      `WITH gone AS (DELETE FROM outbox RETURNING subject, data) SELECT data FROM gone WHERE subject LIKE 'events.%'`,
    );
    for (const { data } of rows) {
      const { nodeId, alarmState, timeMs } = EventRecorded.decode(data);
      expect(timeMs).toBe(nowMs);
      reported.set(nodeId, [...(reported.get(nodeId) ?? []), { minute, raised: alarmState === 'ACTIVE' }]);
    }
  }
  const wrong = sources.filter(
    (source) => JSON.stringify(reported.get(source.nodeId) ?? []) !== JSON.stringify(expectedOf(source)),
  );
  expect(wrong.slice(0, 3).map((source) => [source, reported.get(source.nodeId), expectedOf(source)])).toEqual([]);
  expect([...reported.values()].flat().length).toBeGreaterThan(COUNT / 4);
});
