import { Acquisition, type NotifyOn } from '@catchment/contracts/ingest';
import { NodeConfig, ValueType } from '@catchment/contracts/nodes';
import { encodeEntries, type LogEntry } from '@catchment/ingest-log';
import { DEFAULT_QUALITY, qualityTable } from '@catchment/quality';
import {
  applyToModel,
  columnOf,
  type Model,
  type ModeName,
  randomFrom,
  randomWrite,
  SEED,
  type Updates,
} from '@catchment/testkit/write-model';
import type { Changes, StoredAlarm } from '../domain/changes.ts';
import type { PlacedEntry } from '../domain/evaluation/placed-entry.ts';
import type { HistoryNeed, StoredRecords } from '../domain/evaluation/stored-records.ts';
import type { KeptRecord } from '../domain/history.ts';
import type { Judgement } from '../domain/judgement.ts';
import { type Node, seriesKind, toNode } from '../domain/node.ts';
import { applyLog, type LogMessage } from './apply-log.ts';
import type { AlarmStore, LockedSeries, PartitionTransaction } from './ports.ts';

const SOURCE = 'e'.repeat(24);
const OWNER = 'c'.repeat(24);
const IDS = { ownerId: OWNER, workspaceId: 'd'.repeat(24) };

const seriesOf = (
  nodeId: string,
  states: readonly object[],
  alarms: { type: string; isEnabled: boolean; qualityTypes: string[] }[] = [],
): Node =>
  toNode(
    NodeConfig.fromPartial({
      ...IDS,
      nodeId,
      sourceId: SOURCE,
      class: 'point.NumberPoint',
      revision: 1,
      isActive: true,
      alarms,
      series: {
        valueType: ValueType.VALUE_TYPE_NUMBER,
        multiplier: 1,
        statesType: 'RANGE',
        states: states.map((state) => ({ occurrences: 1, isAlarm: false, ...state })),
      },
    }),
  );

const source = toNode(
  NodeConfig.fromPartial({
    ...IDS,
    nodeId: SOURCE,
    sourceId: SOURCE,
    class: 'source.data.Jts',
    revision: 1,
    source: { isEnabled: true },
  }),
);

const statesOf = (id: string, occurrences: number) => [
  { stateId: `${id}-normal`, name: 'NORMAL' },
  { stateId: `${id}-high`, name: 'HIGH', threshold: 500, occurrences, isAlarm: true },
];

/** Records as InfluxDB has them, with the times at which they were written. */
class Stored {
  readonly #series = new Map<string, Map<number, KeptRecord & { writtenMs: number }>>();
  isAway = false;
  isBehind = false;

  write(nodeId: string, model: Model, writtenMs: number): void {
    const before = this.#series.get(nodeId) ?? new Map();
    const after = new Map<number, KeptRecord & { writtenMs: number }>();
    for (const [timeMs, { v, q }] of model) {
      if (v === undefined) continue;
      const known = before.get(timeMs);
      const isSame = known?.value === v && known?.code === q;
      after.set(timeMs, { timeMs, value: v, code: q, writtenMs: isSame ? known.writtenMs : writtenMs });
    }
    this.#series.set(nodeId, after);
  }

  before({ nodeId, beforeMs }: HistoryNeed, count: number): StoredRecords {
    const all = [...(this.#series.get(nodeId)?.values() ?? [])].sort((a, b) => b.timeMs - a.timeMs);
    const plain = ({ timeMs, value, code }: KeptRecord): KeptRecord => ({ timeMs, value, code });
    return {
      newest: all.slice(0, count).map(plain),
      earlier: all
        .filter(({ writtenMs }) => writtenMs < beforeMs)
        .slice(0, count)
        .map(plain),
      beforeMs,
      logSequence: 0,
    };
  }
}

/** Rows stand for those of PostgreSQL; a transaction that is refused leaves none. */
function setUp(nodes: readonly Node[], stored: Stored, verdicts: ReadonlyMap<number, ReadonlyMap<number, Uint8Array>>) {
  const known = new Map(nodes.map((node) => [node.nodeId, node]));
  const settled = new Set<string>();
  let kept = {
    sequence: 0,
    series: new Map<string, Omit<LockedSeries, 'isWaiting'>>(),
    alarms: new Map<string, StoredAlarm>(),
    waiting: new Map<string, PlacedEntry>(),
    days: new Set<string>(),
    judgements: [] as Judgement[],
    announced: [] as unknown[],
  };
  const counts = { transactions: 0, asked: 0 };
  const transaction = (now: typeof kept): PartitionTransaction =>
    ({
      nodes: async (ids: readonly string[]) =>
        new Map(ids.flatMap((id) => (known.has(id) ? [[id, { node: known.get(id), isSourceEnabled: true }]] : []))),
      series: async (ids: readonly string[]) =>
        new Map(
          ids.flatMap((id) => {
            const state = now.series.get(id);
            const isWaiting = [...now.waiting.values()].some(({ nodeId }) => nodeId === id);
            return state ? [[id, { ...state, isWaiting }]] : [];
          }),
        ),
      alarms: async (ids: readonly string[]) => [...now.alarms.values()].filter(({ nodeId }) => ids.includes(nodeId)),
      verdicts: async (sequence: number) => verdicts.get(sequence) ?? new Map(),
      remove: async () => {},
      wait: async (entries: readonly PlacedEntry[]) => {
        for (const entry of entries) now.waiting.set(`${entry.sequence} ${entry.index}`, entry);
      },
      arrived: async () => {},
      judgeLater: async (all: readonly Judgement[]) => void now.judgements.push(...all),
      takeAheadDays: async (days: readonly { sourceId: string; day: number }[]) => {
        const fresh = days.filter(({ sourceId, day }) => !now.days.has(`${sourceId} ${day}`));
        for (const { sourceId, day } of fresh) now.days.add(`${sourceId} ${day}`);
        return new Set(fresh.map(({ sourceId }) => sourceId));
      },
      save: async ({ series = [], alarms = [], events = [] }: Changes) => {
        for (const { node, series: after, announce } of series) {
          now.series.set(node.nodeId, { stateId: after.stateId, history: after.history });
          if (announce) now.announced.push(['state', node.nodeId, after.stateId, after.history.records.at(-1)?.timeMs]);
        }
        for (const { node, type, alarm, isReported = true } of alarms) {
          now.alarms.set(`${node.nodeId} ${type}`, { nodeId: node.nodeId, type, alarm });
          if (isReported) now.announced.push(['alarm', node.nodeId, type, alarm]);
        }
        for (const { node, message, timeMs, eventType } of events)
          now.announced.push(['event', node.nodeId, eventType, timeMs, message]);
      },
    }) as unknown as PartitionTransaction;
  const store: Pick<AlarmStore, 'applyOnce'> = {
    applyOnce: async ({ sequence }, work) => {
      counts.transactions += 1;
      const { series, alarms, waiting, days, judgements, announced } = kept;
      const now = {
        sequence: kept.sequence,
        series: new Map(series),
        alarms: new Map(alarms),
        waiting: new Map(waiting),
        days: new Set(days),
        judgements: [...judgements],
        announced: [...announced],
      };
      if (kept.sequence >= sequence || !(await work(transaction(now), kept.sequence))) return;
      kept = { ...now, sequence };
    },
  };
  const kindOf = (nodeId: string) => {
    const node = known.get(nodeId);
    return node ? seriesKind(node) : ('absent' as const);
  };
  const raised = new Set<string>();
  return {
    counts,
    get kept() {
      return kept;
    },
    apply: (messages: readonly LogMessage[]) =>
      applyLog(
        {
          store,
          raised: { has: (id: string) => raised.has(id), add: (id: string) => void raised.add(id) } as never,
          known: {
            kind: kindOf,
            load: async () => {},
            isSettled: (id) => settled.has(id),
            settle: (id) => void settled.add(id),
            unsettle: (id) => void settled.delete(id),
          },
          history: {
            newest: async () => new Map(),
            before: async (needs, count) => {
              counts.asked += 1;
              return new Map(needs.map((need) => [need.nodeId, stored.isAway ? null : stored.before(need, count)]));
            },
            isStored: async () => !stored.isBehind,
          },
          quality: { peek: () => qualityTable(DEFAULT_QUALITY), load: async () => qualityTable(DEFAULT_QUALITY) },
        },
        messages,
        AbortSignal.timeout(10_000),
      ),
  };
}

const messageOf = (entries: readonly LogEntry[]) => encodeEntries(entries, 1_000_000, () => 'k')[0] ?? new Uint8Array();
const messageAt = (sequence: number, entries: readonly LogEntry[]): LogMessage => ({
  partition: 0,
  sequence,
  timeMs: 100 + sequence,
  data: messageOf(entries),
});
const written = (nodeId: string, updates: Updates): LogEntry => ({
  kind: 'column',
  column: columnOf('MERGE_OVERWRITE_EXISTING', updates, { ...IDS, nodeId, sourceId: SOURCE }),
});
const seriesDelete = (nodeId: string, timeMs: number): LogEntry => ({
  kind: 'seriesDelete',
  seriesDelete: { ...IDS, nodeId, sourceId: SOURCE, valueType: 1, recomputing: false, username: 'jo', timeMs },
});
const bitsWritten = (before: Model, after: Model, updates: Updates): Uint8Array => {
  const times = [...updates.keys()].sort((a, b) => a - b);
  const bits = new Uint8Array(Math.ceil(times.length / 8));
  for (const [n, time] of times.entries())
    if (JSON.stringify(before.get(time)) !== JSON.stringify(after.get(time)))
      bits[n >> 3] = (bits[n >> 3] ?? 0) | (1 << (n & 7));
  return bits;
};
const DECIDED_BY_WRITER: readonly ModeName[] = [
  'MERGE_PRESERVE_EXISTING',
  'MERGE_UPDATE_EXISTING',
  'MERGE_FAIL_ON_EXISTING',
  'INSERT_FAIL_ON_EXISTING',
];

/** Writes near the end of a series, and ranges that take away many of its records. */
function randomly(random: () => number): { mode: ModeName; updates: Updates } {
  if (random() < 0.15) {
    const from = -Math.floor(random() * 130);
    return {
      mode: 'DELETE_RANGE',
      updates: new Map([
        [from, null],
        [random() < 0.5 ? 20 : from + Math.floor(random() * (20 - from)), null],
      ]),
    };
  }
  const { mode, updates } = randomWrite(random, 1);
  const shift = Math.floor(random() * 3) * 4 - Math.floor(random() * 130) * Number(random() < 0.4);
  return { mode, updates: new Map([...updates].map(([time, update]) => [time + shift, update])) };
}

/** Announcements of each node keep their order; one transaction announces its events first. */
const byNode = (announced: readonly unknown[]) => {
  const found: Record<string, unknown[]> = {};
  for (const news of announced as [string, string, ...unknown[]][]) {
    const key = `${news[0]} ${news[1]}`;
    found[key] = [...(found[key] ?? []), news];
  }
  return found;
};

test(`messages that are applied together announce and leave what they do one by one (seed ${SEED})`, async () => {
  const random = randomFrom(SEED + 7);
  for (let run = 0; run < Number(process.env.RUNS ?? 300); run += 1) {
    const ids = ['a', 'b', 'f'].map((letter) => letter.repeat(24));
    const nodes = [
      source,
      ...ids.map((id, n) =>
        seriesOf(
          id,
          n === 2 ? [{ stateId: 'only', name: 'NORMAL' }] : statesOf(id, 1 + Math.floor(random() * 3)),
          n === 0 && random() < 0.5 ? [{ type: 'qualityAlarm', isEnabled: true, qualityTypes: ['BAD', 'GOOD'] }] : [],
        ),
      ),
    ];
    const models = new Map<string, Model>(ids.map((id) => [id, new Map()]));
    const stored = new Stored();
    stored.isBehind = run % 6 === 5;
    for (const [id, model] of models) {
      if (random() < 0.3) continue;
      for (let n = Math.floor(random() * 200); n >= 0; n -= 1) model.set(-n * 3, { v: Math.floor(random() * 1_000) });
      stored.write(id, model, 1);
    }
    const verdicts = new Map<number, Map<number, Uint8Array>>();
    const [alone, together, again] = [1, 2, 3].map(() => setUp(nodes, stored, verdicts)) as [
      ReturnType<typeof setUp>,
      ReturnType<typeof setUp>,
      ReturnType<typeof setUp>,
    ];
    const steps: string[] = [];
    const messages: LogMessage[] = [];
    for (let sequence = 1; sequence <= 10; sequence += 1) {
      const entries: LogEntry[] = [];
      const timeMs = 100 + sequence;
      const said = new Map<number, Uint8Array>();
      verdicts.set(sequence, said);
      for (let n = Math.floor(random() * 4); n >= 0; n -= 1) {
        const nodeId = ids[Math.floor(random() * 3)] as string;
        const model = models.get(nodeId) as Model;
        const dice = random();
        if (dice < 0.04) {
          model.clear();
          entries.push(seriesDelete(nodeId, timeMs));
          steps.push(`${sequence}: ${nodeId[0]} delete`);
        } else if (dice < 0.14) {
          entries.push({
            kind: 'acquisition',
            acquisition: Acquisition.fromPartial({
              ...IDS,
              nodeId: SOURCE,
              sourceId: SOURCE,
              isSource: true,
              timeMs,
              rows: 1,
              excluded: random() < 0.5 ? 0 : 3,
              dropped: random() < 0.7 ? 0 : 2,
            }),
          });
        } else {
          const { mode, updates } = randomly(random);
          const before: Model = new Map(model);
          applyToModel(model, mode, updates);
          if (DECIDED_BY_WRITER.includes(mode) && random() < 0.95)
            said.set(entries.length, bitsWritten(before, model, updates));
          steps.push(`${sequence}: ${nodeId[0]} ${mode} ${JSON.stringify([...updates])}`);
          entries.push({
            kind: 'column',
            column: columnOf(mode, updates, {
              ...IDS,
              nodeId,
              sourceId: SOURCE,
              modifiedMs: timeMs,
              notifyOn: Math.floor(random() * 3) as NotifyOn,
            }),
          });
        }
        stored.write(nodeId, model, timeMs);
      }
      messages.push(messageAt(sequence, entries));
      // Series have begun before the group, with what was stored then.
      if (sequence === 2)
        for (const log of [alone, together, again]) for (const message of messages) await log.apply([message]);
      if (sequence === 2) stored.isAway = run % 7 === 6;
    }
    for (const message of messages) await alone.apply([message]);
    await together.apply(messages);
    // The groups come again, as after groups that were applied and not acknowledged.
    for (let from = 0; from < messages.length; ) {
      const end = from + 1 + Math.floor(random() * 4);
      await again.apply(messages.slice(from, end));
      from = random() < 0.4 ? from : Math.min(end, from + 1 + Math.floor(random() * 4));
    }
    for (const other of [together, again]) {
      const what = ({ kept }: ReturnType<typeof setUp>) => ({
        announced: byNode(kept.announced),
        series: Object.fromEntries([...kept.series].sort()),
        alarms: Object.fromEntries([...kept.alarms].sort()),
        waiting: [...kept.waiting.keys()],
        judged: [...new Set(kept.judgements.map(({ nodeId }) => nodeId))].sort(),
      });
      expect({ run, steps, ...what(other) }).toEqual({ run, steps, ...what(alone) });
    }
  }
});

test('series that begin in every message of a group are looked for once, all together', async () => {
  const ids = Array.from({ length: 5 }, (_, n) => n.toString(16).padStart(24, '0'));
  const service = setUp([source, ...ids.map((id) => seriesOf(id, statesOf(id, 1)))], new Stored(), new Map());
  await service.apply(
    Array.from({ length: 16 }, (_, n) =>
      messageAt(
        n + 1,
        ids.map((nodeId) => written(nodeId, new Map([[n, { v: n * 100 }]]))),
      ),
    ),
  );
  expect(service.counts).toEqual({ transactions: 2, asked: 1 });
});

test('a series that the same message empties and writes is announced again', async () => {
  const nodeId = 'f'.repeat(24);
  const service = setUp([source, seriesOf(nodeId, [{ stateId: 'only', name: 'NORMAL' }])], new Stored(), new Map());
  const write = written(nodeId, new Map([[1, { v: 1 }]]));
  const emptied = seriesDelete(nodeId, 5);
  await service.apply([messageAt(1, [write])]);
  await service.apply([messageAt(2, [emptied, write])]);
  expect(service.kept.series.get(nodeId)?.stateId).toBe('only');
});
