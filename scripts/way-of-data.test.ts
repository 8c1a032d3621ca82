// One stream of writes in every mode drives the writer and its readers, each by its own code: alarms, nodes and topics have learned what is
// stored, whatever broke off and came again in between (docs/architecture.md#the-path-of-a-record).
import { AppliedGroup, type BatchApplied } from '@catchment/contracts/ingest';
import { ValueType } from '@catchment/contracts/nodes';
import { unavailable } from '@catchment/errors';
import {
  type ColumnParts,
  decodeBatch,
  effectOf,
  encodeEntries,
  FLAG,
  flagsAt,
  type LogEntry,
  NOTHING_WRITTEN,
  readEntries,
} from '@catchment/ingest-log';
import {
  applyToModel,
  columnOf,
  type Model,
  type ModelRecord,
  randomFrom,
  randomWrite,
  SEED,
  sorted,
} from '@catchment/testkit/write-model';
import { columnEdits } from '../services/alarms/src/domain/column-edits.ts';
import { EMPTY_HISTORY, editedRecords, type KeptRecord } from '../services/alarms/src/domain/history.ts';
import type { RecordChange } from '../services/events/src/topics/domain/record-changes.ts';
import type { TopicMessage } from '../services/events/src/topics/usecases/ports.ts';
import { RecordPusher } from '../services/events/src/topics/usecases/push-records.ts';
import { type AppliedMessage, BatchApplier } from '../services/historic/src/apply/usecases/apply-batch.ts';
import { MemoryObservations, MemoryRecords } from '../services/historic/test/memory-records.ts';
import type { Edges } from '../services/nodes/src/shown/index.ts';
import { decodeApplied } from '../services/nodes/src/values/bus/decode-applied.ts';
import { valuesChanges } from '../services/nodes/src/values/domain/applied-batch.ts';
import { mergeEdges } from '../services/nodes/src/values/domain/series-value.ts';
import { toEdges } from '../services/nodes/src/values/usecases/series-records.ts';

const RUNS = 60;
const MESSAGES = 8;
/** Most columns go over it, and come in parts. */
const MAX_BYTES = 420;
const SERIES = ['a'.repeat(24), 'b'.repeat(24)] as const;
const OF = { ownerId: 'c'.repeat(24), workspaceId: 'd'.repeat(24), sourceId: 'e'.repeat(24), username: 'jo' };
const SIGNAL = () => AbortSignal.timeout(60_000);

type Message = { readonly sequence: number; readonly data: Uint8Array };
type Random = () => number;
type Known = readonly [timeMs: number, value: number | string, code: number | undefined];

/** Keeps parts of columns, as each reader keeps them. */
function partsInMemory() {
  const kept = new Map<string, Uint8Array[]>();
  return {
    stagePart: async ({ columnKey, part, data }) => {
      const known = kept.get(columnKey) ?? [];
      known[part] ??= data;
      kept.set(columnKey, known);
    },
    partsOf: async (columnKey) => kept.get(columnKey) ?? [],
  } satisfies ColumnParts;
}

/** Breaks the work off at a random step. */
function breaks(random: Random, most: number) {
  let left = Math.floor(random() * most);
  return () => {
    left -= 1;
    if (left < 0) throw unavailable('BROKER_UNAVAILABLE');
  };
}

/** Takes messages in groups, each of which comes again until it has gone well. @returns how often one broke off */
async function untilRead<M>(
  messages: readonly M[],
  random: Random,
  read: (group: readonly M[]) => Promise<void>,
): Promise<number> {
  let broken = 0;
  for (let done = 0; done < messages.length; ) {
    const group = messages.slice(done, done + 1 + Math.floor(random() * 4));
    const isDone = await read(group).then(
      () => true,
      () => false,
    );
    if (isDone) done += group.length;
    else broken += 1;
  }
  return broken;
}

/** Models what historic's writer stores of the log, and what it reports, in the order in which it does. */
async function write(messages: readonly Message[], random: Random) {
  const [store, observations] = [new MemoryRecords(), new MemoryObservations()];
  const [reported, parts]: [BatchApplied[], ColumnParts] = [[], partsInMemory()];
  const applier = new BatchApplier({
    records: store,
    existing: store,
    observations,
    sumAt: async ({ nodeId }, timestamps) => store.sumAt(nodeId, timestamps),
    state: {
      deletedAmong: async () => new Set(),
      rememberDeleted: async () => {},
      partsOf: async (columnKey) => (await parts.partsOf(columnKey)).map((data) => Buffer.from(data)),
      stagePart: (part) => parts.stagePart(part),
      markCompleted: async () => {},
      dropFinished: async () => {},
    },
    edgesOf: async ({ nodeId }) => store.edges(nodeId),
    log: { warn: () => {} },
    publishApplied: async (partition: number, applied: readonly AppliedMessage[]) => {
      for (const { summary, sequence } of applied) {
        store.before('publish');
        reported.push(summary.toMessage(partition, sequence));
      }
    },
    publishSettled: async () => {},
  });
  const broken = await untilRead(messages, random, async (group) => {
    const breakOff = breaks(random, 60);
    store.before = breakOff;
    observations.before = breakOff;
    await applier.apply(0, group, SIGNAL());
  });
  store.before = () => {};
  return { store, reported, broken };
}

/** Returns the last verdict of each column, by sequence and entry. */
const verdictsOf = (reported: readonly BatchApplied[]): ReadonlyMap<number, ReadonlyMap<number, Uint8Array>> =>
  new Map(
    reported.map(({ logSequence, columnsSettled }) => [
      logSequence,
      new Map(columnsSettled.map(({ entry, written }) => [entry, written])),
    ]),
  );

/** Returns the records having a value of a series, as alarms keep them. */
async function alarmsKnow(
  messages: readonly Message[],
  reported: readonly BatchApplied[],
  nodeId: string,
  random: Random,
) {
  const [verdicts, parts] = [verdictsOf(reported), partsInMemory()];
  let records: readonly KeptRecord[] = [];
  for (const { sequence, data } of messages) {
    const entries = decodeBatch(data).map((entry, index) => ({ index, entry }));
    const read = () => readEntries(entries, { parts, written: async () => verdicts.get(sequence) ?? new Map() });
    // An attempt that broke off has kept the parts of the message.
    if (random() < 0.2) await read();
    for (const { entry, written = NOTHING_WRITTEN } of await read()) {
      if (entry.kind === 'seriesDelete' && entry.seriesDelete.nodeId === nodeId) records = [];
      if (entry.kind !== 'column' || entry.column.nodeId !== nodeId) continue;
      records = editedRecords({ ...EMPTY_HISTORY, records }, columnEdits(effectOf(entry.column, written)));
    }
  }
  return records.map(({ timeMs, value, code }): Known => [timeMs, value, code]);
}

/** Models what a topic has been sent, by series, and how often it was away. */
async function topicHas(messages: readonly Message[], reported: readonly BatchApplied[], random: Random) {
  const [verdicts, parts] = [verdictsOf(reported), partsInMemory()];
  const models = new Map<string, Model>(SERIES.map((nodeId) => [nodeId, new Map()]));
  const changes = new Map<string, RecordChange>();
  const pusher = (breakOff: () => void) =>
    new RecordPusher({
      settled: {
        ...parts,
        settle: async () => {},
        upTo: async () => Number.MAX_SAFE_INTEGER,
        verdicts: async (_partition, sequence) => verdicts.get(sequence) ?? new Map(),
        forget: async () => {},
        purge: async () => {},
      },
      topic: {
        send: async (sent: Iterable<TopicMessage>) => {
          for (const { value } of sent) {
            breakOff();
            const change = changes.get(value);
            if (change) follow(models, change);
          }
          return { refused: [] };
        },
      },
      messagesOf: (change, id) => {
        const value = `${id} ${changes.size}`;
        changes.set(value, change);
        return [{ id, key: OF.ownerId, value }];
      },
      fill: async () => 0,
      pause: async () => {},
      log: { error: () => {} },
    });
  const read = messages.map((message) => ({ ...message, firstSequence: message.sequence, isRetry: false }));
  // Another process each time.
  const broken = await untilRead(read, random, (group) => pusher(breaks(random, 12)).push(0, group, SIGNAL()));
  return { models, broken };
}

function follow(models: ReadonlyMap<string, Model>, change: RecordChange): void {
  const model = models.get(change.kind === 'deleted' ? change.series.nodeId : change.column.nodeId) ?? new Map();
  if (change.kind === 'deleted') {
    const { fromMs, toMs } = change.range ?? { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY };
    for (const time of [...model.keys()]) if (time >= fromMs && time <= toMs) model.delete(time);
    return;
  }
  const { column, indexes } = change;
  for (const index of indexes) {
    const time = column.timestamps[index] ?? 0;
    const record = change.kind === 'written' && after(change.updates ? model.get(time) : undefined, column, index);
    // A record of which an update has left nothing is gone.
    if (record && Object.keys(record).length > 0) model.set(time, record);
    else model.delete(time);
  }
}

function after(before: ModelRecord = {}, column: Parameters<typeof flagsAt>[0], index: number): ModelRecord {
  const flags = flagsAt(column, index);
  const part = <P extends keyof ModelRecord>(name: P, is: number, isNull: number, sent: () => ModelRecord[P]) => {
    const value = flags & is ? sent() : flags & isNull ? undefined : before[name];
    return value === undefined ? {} : { [name]: value };
  };
  return {
    ...part('v', FLAG.value, FLAG.valueNull, () => column.numbers[index]),
    ...part('q', FLAG.quality, FLAG.qualityNull, () => column.qualities[index]),
    ...part('a', FLAG.annotation, FLAG.annotationNull, () => column.annotations.get(index)),
  };
}

/** Models what nodes show of a series. @param asked what the store answers where the writer has reported no edges */
function nodesShow(reported: readonly BatchApplied[], random: Random, nodeId: string, asked: () => Edges): Edges {
  const none: Edges = { current: null, previous: null, oldest: null };
  let [shown, applied] = [none, 0];
  for (let done = 0; done < reported.length; ) {
    const group = reported.slice(done, done + 1 + Math.floor(random() * 4));
    // Some messages come twice.
    if (random() < 0.8) done += group.length;
    const hasEdges = random() < 0.8;
    const batches = group.map((batch) => ({
      ...batch,
      series: batch.series.map((entry) => (hasEdges ? entry : { ...entry, edges: undefined })),
    }));
    const data = AppliedGroup.encode({ batches }).finish();
    const newer = decodeApplied({ subject: 'applied.0', data }).filter(({ logSequence }) => logSequence > applied);
    applied = newer.at(-1)?.logSequence ?? applied;
    const change = valuesChanges(newer).find((change) => change.nodeId === nodeId);
    if (!change) continue;
    const { base, written } = change;
    shown =
      base === 'ask' ? asked() : written.reduce(mergeEdges, base === 'known' ? shown : base === 'none' ? none : base);
  }
  return shown;
}

test(`alarms, nodes and topics learn what is stored from one stream of writes (seed ${SEED})`, async () => {
  const random = randomFrom(SEED + 17);
  const seen = { parts: 0, writer: 0, topics: 0 };
  for (let run = 0; run < RUNS; run += 1) {
    const models = new Map<string, Model>(SERIES.map((nodeId) => [nodeId, new Map()]));
    const steps: string[] = [];
    const messages: Message[] = [];
    for (let message = 0; message < MESSAGES; message += 1) {
      const entries: LogEntry[] = [];
      for (let n = Math.floor(random() * 3); n >= 0; n -= 1) {
        const nodeId = SERIES[random() < 0.7 ? 0 : 1];
        const model = models.get(nodeId) ?? new Map();
        if (random() < 0.05) {
          const deletion = { ...OF, nodeId, timeMs: 1, valueType: ValueType.VALUE_TYPE_NUMBER, recomputing: false };
          entries.push({ kind: 'seriesDelete', seriesDelete: deletion });
          steps.push(`${nodeId[0]} delete`);
          model.clear();
          continue;
        }
        const { mode, updates } = randomWrite(random, 1);
        entries.push({ kind: 'column', column: columnOf(mode, updates, { ...OF, nodeId }) });
        steps.push(`${nodeId[0]} ${mode} ${JSON.stringify([...updates])}`);
        applyToModel(model, mode, updates);
      }
      const limit = random() < 0.5 ? MAX_BYTES : 1_000_000;
      for (const data of encodeEntries(entries, limit, () => `${run}-${message}-${random()}`))
        messages.push({ sequence: messages.length + 1, data });
    }
    seen.parts += messages.flatMap(({ data }) => decodeBatch(data)).filter(({ kind }) => kind === 'columnPart').length;
    const { store, reported, broken } = await write(messages, random);
    seen.writer += broken;
    const topic = await topicHas(messages, reported, random);
    seen.topics += topic.broken;
    for (const [nodeId, model] of models) {
      const of = { run, steps, nodeId };
      const records = sorted(model);
      const values = records.flatMap(([time, { v, q }]): Known[] => (v === undefined ? [] : [[time, v, q]]));
      expect({ ...of, stored: store.read(nodeId) }).toEqual({ ...of, stored: records });
      expect({ ...of, sent: sorted(topic.models.get(nodeId) ?? new Map()) }).toEqual({ ...of, sent: records });
      // A quality that stood alone at its time, before an update brought a value, is not kept.
      const known = (await alarmsKnow(messages, reported, nodeId, random)).map(
        ([time, value, code], n): Known => [time, value, code ?? values[n]?.[2]],
      );
      expect({ ...of, known }).toEqual({ ...of, known: values });
      const asked = () => toEdges(store.edges(nodeId));
      const { current, previous, oldest } = nodesShow(reported, random, nodeId, asked);
      const shown = [current, previous, oldest].map((record) => record && [record.ms, record.value]);
      const [newest, second, first] = [values.at(-1), values.at(-2), values[0]].map(
        (value) => value?.slice(0, 2) ?? null,
      );
      expect({ ...of, shown }).toEqual({ ...of, shown: [newest, second, first] });
    }
  }
  expect(seen.parts).toBeGreaterThan(RUNS);
  expect(seen.writer).toBeGreaterThan(RUNS);
  expect(seen.topics).toBeGreaterThan(RUNS);
});
