// Recent records are in memory (docs/adr/0039-recent-records.md): whatever is written, by whichever replica, an answer from memory is that
// of the store.
import { Bus } from '@catchment/bus';
import { NodesDelete, SeriesDelete } from '@catchment/contracts/ingest';
import { ValueType } from '@catchment/contracts/nodes';
import { newObjectId, partitionOf } from '@catchment/ids';
import { type Column, encodeEntries, type LogEntry } from '@catchment/ingest-log';
import { Database } from '@catchment/pg';
import { DEFAULT_TABLE } from '@catchment/quality';
import { createLogger } from '@catchment/telemetry';
import { Front, testInflux, testNats, until } from '@catchment/testkit';
import { amount, seedOf } from '@catchment/testkit/amount';
import { column } from '@catchment/testkit/columns';
import { migratedDatabase } from '@catchment/testkit/migrated-database';
import { columnOf, randomFrom, randomWrite } from '@catchment/testkit/write-model';
import { openShards } from '../src/open-shards.ts';
import { openWriters } from '../src/open-writers.ts';
import { readHistoric } from '../src/read/usecases/read-historic.ts';
import { readingQueue } from '../src/read/usecases/reading-queues.ts';
import type { RecordReader } from '../src/records/usecases/ports.ts';
import type { SeriesNode } from '../src/series/domain/series-node.ts';
import { caller } from './fixture.ts';
import { seriesNode, TYPES } from './series.ts';

const SEED = seedOf('RECENT_SEED');
const STEPS = amount(100, 1_500);
const PARTITIONS = 2;
const BUDGET_BYTES = 256 * 1024;
const T = Date.UTC(2024, 0, 1);
const STEP_MS = 1_000;
/** Records lie within this many steps. */
const SPAN = 400;
const log = createLogger('test', { level: 'silent' });
const never = new AbortController().signal;

const database = await migratedDatabase('historic');
const nats = await testNats();
const influx = await testInflux();
afterAll(async () => void (await Promise.all([database.drop(), nats.drop(), influx.drop()])));

/** Opens a replica as service.ts wires it, with the broker behind a front that can be cut. */
async function openReplica(name: string) {
  const { hostname, port } = new URL(nats.url);
  const broker = { isAway: false };
  const front = await Front.open(() => {
    if (broker.isAway) throw new Error('the broker is away');
    return { host: hostname, port: Number(port) };
  });
  const url = new URL(nats.url);
  url.hostname = '127.0.0.1';
  url.port = String(front.port);
  const own = new Database({ url: database.url, schema: 'historic', applicationName: name });
  const bus = await Bus.open({ url: url.href, prefix: nats.prefix, name, partitions: PARTITIONS, log });
  const shards = await openShards({
    shards: [{ name: 'default', url: influx.url, influxDatabase: influx.database }],
    database: own,
    bus,
    log,
    newShard: 'default',
    graceSeconds: 1,
    leastRun: 2,
    recentBytes: BUDGET_BYTES,
  });
  const writers = openWriters(shards, { database: own, bus, log }).map((writer) => writer.start());
  if (writers[0]) shards.followLog(writers[0].hold);
  const store = { scans: 0 };
  const routed = shards.routed.records;
  const { scan } = routed;
  routed.scan = (...of) => {
    store.scans += 1;
    return scan(...of);
  };
  return {
    name,
    bus,
    shards,
    front,
    broker,
    store,
    memory: shards.recent,
    close: async () => {
      await Promise.all(writers.map((writer) => writer.stop()));
      await bus.close();
      await shards.close();
      await own.close();
      front.close();
    },
  };
}
type Replica = Awaited<ReturnType<typeof openReplica>>;

/** Returns the whole answer of a read, as it leaves. */
async function answerOf(
  { shards }: Replica,
  reader: RecordReader,
  node: SeriesNode,
  given: Record<string, string>,
): Promise<string> {
  const deps = {
    catalogue: { resolve: async () => node, resolveAll: async () => [node] },
    reader,
    summaries: shards.routed.summaries,
    outlines: shards.routed.outlines,
    qualityOf: async () => DEFAULT_TABLE,
    queueOf: async () => readingQueue(4),
    settledUntil: async () => 0,
    limits: { maxRecords: 100_000, maxBytes: 20_000_000 },
    maxMs: 20_000,
    now: () => T,
  };
  const request = { nodeRef: node.nodeId, arguments: given, arrivalMs: T, hidesPaths: false };
  let text = '';
  const call = { caller: caller(node.ownerId), token: '', signal: never };
  for await (const { contentType, bytes } of readHistoric(deps, request, call)) {
    // The pieces of a text depend on the moment.
    if (text === '') text = `${contentType}\n`;
    text += bytes.toString();
  }
  return text;
}

const ODD_NUMBERS = [0, -0, -1.5, 1e300, 5e-324, 0.1 + 0.2, -123_456_789.123, 1e21, 2 ** 53 + 2];
const ODD_TEXTS = ['', '"', '\\', 'a\\"b', 'line\nbreak', 'tab\t', 'ü€😀', '\ud800', ' x=1i,y', '\\\\', 'null'];

test(`${STEPS} random steps of two replicas, seed ${SEED}: each answer from memory is that of the store`, async () => {
  const random = randomFrom(SEED);
  const whole = (below: number) => Math.floor(random() * below);
  const pick = <A>(choices: readonly A[]): A => choices[whole(choices.length)] as A;
  const types = [TYPES.NUMBER, TYPES.NUMBER, TYPES.NUMBER, TYPES.TEXT, TYPES.COORDINATES, TYPES.TIME];
  const series = types.map((valueType) => seriesNode({ series: { valueType } }));
  const replicas = [await openReplica('one'), await openReplica('two')];
  const ends = Array.from({ length: PARTITIONS }, () => 0);
  let [messages, reads, hits, compared] = [0, 0, 0, 0];

  const publish = async (node: SeriesNode, entries: readonly LogEntry[]) => {
    const partition = partitionOf(node.sourceId, PARTITIONS);
    messages += 1;
    // Some are in parts.
    for (const [part, data] of encodeEntries(entries, pick([500_000, 500_000, 2_000]), newObjectId).entries())
      await until(
        async () => {
          const { sequence } = await pick(replicas).bus.publish(`ingest.${partition}`, data, {
            msgId: `m-${messages}-${part}`,
          });
          ends[partition] = sequence;
          return true;
        },
        { what: 'it is published', everyMs: 20 },
      );
  };
  const isRead = () =>
    until(
      async () => {
        const read = ends.map((end, partition) => pick(replicas).bus.hasRead('writer', partition, end));
        return (await Promise.all(read)).every(Boolean);
      },
      { what: 'the log is read', everyMs: 5 },
    );
  const of = ({ nodeId, ownerId, workspaceId, sourceId, series: { valueType } }: SeriesNode): Partial<Column> => ({
    nodeId,
    ownerId,
    workspaceId,
    sourceId,
    valueType,
    modifiedMs: T + messages,
  });
  const at = () => T + whole(SPAN) * STEP_MS;

  const write = (node: SeriesNode): Column => {
    const { valueType } = node.series;
    if (valueType === ValueType.VALUE_TYPE_NUMBER || valueType === ValueType.VALUE_TYPE_TEXT) {
      const isText = valueType === ValueType.VALUE_TYPE_TEXT;
      const { mode, updates } = randomWrite(random, STEP_MS, isText);
      const fromMs = at();
      const moved = [...updates].map(([time, update]) => {
        if (update && update.v !== undefined && update.v !== null && random() < 0.3)
          return [time + fromMs, { ...update, v: isText ? pick(ODD_TEXTS) : pick(ODD_NUMBERS) }] as const;
        return [time + fromMs, update] as const;
      });
      return columnOf(mode, new Map(moved), of(node));
    }
    const times = Array.from({ length: 1 + whole(4) }, () => at());
    const distinct = [...new Set(times)].sort((a, b) => a - b);
    const perRecord = valueType === ValueType.VALUE_TYPE_COORDINATES ? 2 : 1;
    const numbers = Array.from({ length: distinct.length * perRecord }, () =>
      perRecord === 2 ? pick([0, -0, 45.5, -179.25, random() * 90]) : T + whole(1e9),
    );
    return column(distinct, { ...of(node), numbers: Float64Array.from(numbers) });
  };
  /** Makes numbers alone, behind all others or among them. */
  const run = (node: SeriesNode): Column => {
    const fromMs = random() < 0.5 ? T + (SPAN + messages) * STEP_MS : at();
    const times = Array.from({ length: 2 + whole(150) }, (_, n) => fromMs + n * STEP_MS);
    return column(times, { ...of(node), numbers: Float64Array.from(times, () => pick([...ODD_NUMBERS, random()])) });
  };
  const numbers = () => series.filter(({ series: own }) => own.valueType === ValueType.VALUE_TYPE_NUMBER);

  const steps: Record<string, readonly [share: number, act: () => Promise<void>]> = {
    write: [
      60,
      async () => {
        const node = pick(series);
        // Several columns of a message may be of the same series.
        const columns = Array.from({ length: 1 + whole(3) }, () => write(node));
        await publish(
          node,
          columns.map((column) => ({ kind: 'column', column: column })),
        );
      },
    ],
    run: [
      12,
      async () => {
        const node = pick(numbers());
        await publish(node, [{ kind: 'column', column: run(node) }]);
      },
    ],
    deleteSeries: [
      2,
      async () => {
        const node = pick(series);
        const seriesDelete = SeriesDelete.fromPartial({ ...of(node), timeMs: T });
        await publish(node, [{ kind: 'seriesDelete', seriesDelete }]);
      },
    ],
    deleteNode: [
      1,
      async () => {
        const index = whole(series.length);
        const node = series[index] as SeriesNode;
        const nodesDelete = NodesDelete.fromPartial({ ownerId: node.ownerId, nodeIds: [node.nodeId] });
        await publish(node, [{ kind: 'nodesDelete', nodesDelete }]);
        await isRead();
        series[index] = seriesNode({ series: { valueType: node.series.valueType } });
      },
    ],
    // Its writes go by another partition from now on, which another replica may have.
    move: [
      2,
      async () => {
        const index = whole(series.length);
        await isRead();
        series[index] = { ...(series[index] as SeriesNode), sourceId: newObjectId() };
      },
    ],
    restart: [
      1.5,
      async () => {
        const index = whole(replicas.length);
        await replicas[index]?.close();
        replicas[index] = await openReplica(`again ${messages}`);
      },
    ],
    cut: [0.5, async () => void pick(replicas).front.cut('reset')],
  };
  const shares = Object.values(steps).reduce((sum, [share]) => sum + share, 0);
  const step = () => {
    let left = random() * shares;
    for (const [share, act] of Object.values(steps)) {
      left -= share;
      if (left < 0) return act();
    }
    return Promise.resolve();
  };

  const question = (): Record<string, string> => {
    const iso = (ms: number) => new Date(ms).toISOString();
    const [first, last] = [at(), at()].sort((a, b) => a - b) as [number, number];
    const limit = String(pick([1, 2, 10, 50, 1_000]));
    const format = pick([{}, {}, { format: 'CSV', quality: 'SEPARATE_VALUE', annotation: 'SEPARATE_VALUE' }]);
    const excluded = pick([{}, {}, { qualityExcluded: 'BAD' }, { qualityExcluded: 'NONE' }]);
    const range = pick<Record<string, string>>([
      { limit },
      { limit },
      { limit, endTime: iso(last) },
      { limit, startTime: iso(first) },
      { startTime: iso(first), endTime: iso(last) },
      { startTime: iso(first), endTime: iso(T + 10 * SPAN * STEP_MS), ...(random() < 0.5 && { limit }) },
    ]);
    return { ...format, ...excluded, ...range };
  };
  const compare = async (replica: Replica, node: SeriesNode) => {
    const given = question();
    const store = replica.shards.routed.records;
    const before = await answerOf(replica, store, node, given);
    const scans = replica.store.scans;
    const memory = await answerOf(replica, replica.memory, node, given);
    reads += 1;
    if (replica.store.scans === scans) hits += 1;
    const after = await answerOf(replica, store, node, given);
    // A write that came meanwhile may be in one and not yet in the other.
    if (before !== after) return;
    compared += 1;
    expect(memory, `${JSON.stringify(given)} of ${replica.name}`).toBe(before);
  };

  try {
    // A machine decides which replica gets the messages, and how many reads come while they are stored: it goes on until enough were hits.
    for (let n = 0; n < STEPS || hits <= reads / 10; n += 1) {
      await step();
      if (random() < 0.7) await isRead();
      const node = pick(series);
      for (let times = 0; times < 3; times += 1) await compare(pick(replicas), node);
      if (process.env.RECENT_TELLS && n % 50 === 0)
        process.stderr.write(`${JSON.stringify({ n, reads, hits, compared })}\n`);
    }
    // Otherwise nothing was compared.
    expect(hits).toBeGreaterThan(reads / 10);
    await isRead();
    for (const node of series) for (const replica of replicas) await compare(replica, node);
    if (process.env.RECENT_TELLS) process.stderr.write(JSON.stringify({ reads, hits, messages }));
  } finally {
    await Promise.all(replicas.map((replica) => replica.close()));
  }
}, 1_800_000);

test('a replica does not trust what it knew of a series after another one has written: numbers among its records have presence fields', async () => {
  const node = seriesNode({ series: { valueType: TYPES.NUMBER } });
  const { nodeId, ownerId, workspaceId, sourceId } = node;
  const partition = partitionOf(sourceId, PARTITIONS);
  const write = async (replica: Replica, seconds: readonly number[]) => {
    const times = seconds.map((second) => T + second * STEP_MS);
    const numbers = Float64Array.from(seconds);
    const entry = {
      kind: 'column',
      column: column(times, { nodeId, ownerId, workspaceId, sourceId, numbers }),
    } as const;
    let end = 0;
    for (const data of encodeEntries([entry], 500_000, newObjectId))
      end = (await replica.bus.publish(`ingest.${partition}`, data, { msgId: newObjectId() })).sequence;
    await until(() => replica.bus.hasRead('writer', partition, end), { what: 'it is stored' });
  };
  const countOf = async (field: 'p' | 'v') => {
    const { results } = await influx.query(`SELECT count("${field}") FROM "h" WHERE "s" = '${nodeId}'`);
    return results[0]?.series?.[0]?.values?.[0]?.[1] ?? 0;
  };
  await using opened = new AsyncDisposableStack();
  const open = async (name: string) => opened.adopt(await openReplica(name), (replica) => replica.close());
  const first = await open('first');
  await write(first, [1, 2, 3]);
  await write(first, [4, 5, 6]);
  first.broker.isAway = true;
  first.front.cut('reset');
  const second = await openReplica('second');
  await write(second, [10, 11, 12]).finally(() => second.close());
  expect([await countOf('v'), await countOf('p')]).toEqual([9, 0]);
  first.broker.isAway = false;
  await until(
    () =>
      write(first, [11, 12, 13]).then(
        () => true,
        () => false,
      ),
    { what: 'the first replica is back' },
  );
  expect([await countOf('v'), await countOf('p')]).toEqual([10, 3]);
});
