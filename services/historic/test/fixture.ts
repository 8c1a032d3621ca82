import { type ApiCaller, type Caller, checkWorkspace, scopeOf } from '@catchment/access';
import { Bus } from '@catchment/bus';
import { HistoricServiceService, ReadAggregateAtRequest, WriteComputedRequest } from '@catchment/contracts/historic';
import { AppliedGroup, type BatchApplied } from '@catchment/contracts/ingest';
import {
  type EnsureParametersRequest,
  NodeConfig,
  NodesServiceService,
  type SeriesConfig,
  ValueType,
} from '@catchment/contracts/nodes';
import { NodeChanged, NodesDeleted } from '@catchment/contracts/nodes-messages';
import { DomainError, notFound } from '@catchment/errors';
import {
  type CallContext,
  CallerSigner,
  CallerVerifier,
  createGrpcClient,
  GrpcServerBuilder,
  type Handlers,
} from '@catchment/grpc';
import { newObjectId, partitionOf } from '@catchment/ids';
import type { LogEntry } from '@catchment/ingest-log';
import { nodesOfSources } from '@catchment/node-replica';
import { Database, OutboxRelay } from '@catchment/pg';
import { DEFAULT_TABLE, type QualityTable } from '@catchment/quality';
import { createLogger } from '@catchment/telemetry';
import { fakeHandlers, HANGS_AFTER_MS, testInflux, testNats, until } from '@catchment/testkit';
import { migratedDatabase } from '@catchment/testkit/migrated-database';
import type { BatchApplier } from '../src/apply/usecases/apply-batch.ts';
import { followConfiguration } from '../src/following/bus/follow-nodes.ts';
import { historicHandlers } from '../src/historic-handlers.ts';
import { pgDailyRows } from '../src/limits/store/pg-daily-rows.ts';
import { DailyLimits } from '../src/limits/usecases/daily-limits.ts';
import { dayTimes } from '../src/limits/usecases/day-times.ts';
import { GroupCommit } from '../src/log/bus/group-commit.ts';
import { openShards } from '../src/open-shards.ts';
import { openWriters } from '../src/open-writers.ts';
import { Waiting } from '../src/progress/usecases/get-write-state.ts';
import { settledUntil } from '../src/progress/usecases/settled-until.ts';
import { readingQueues } from '../src/read/usecases/reading-queues.ts';
import { pgRecordRetention } from '../src/retention/store/pg-record-retention.ts';
import { NodeCatalogue } from '../src/series/clients/catalogue.ts';
import { seriesNode } from './series.ts';

const SECRET = 'a-test-secret-of-more-than-32-characters';
const PARTITIONS = 2;
const RECENT_BYTES = 4 * 1024 * 1024;
const log = createLogger('test', { level: 'silent' });

export const caller = (ownerId: string, change: Partial<ApiCaller> = {}): ApiCaller => ({
  kind: 'api',
  ownerId,
  userId: newObjectId(),
  username: 'jo@example.org',
  permission: 'MODIFY',
  accessLevel: 'ACCOUNT',
  ...change,
});
export const SERVICE: Caller = { kind: 'service', service: 'nodes' };
export const PROCESSING: Caller = { kind: 'service', service: 'processing' };

const TYPE_OF: Readonly<Record<string, ValueType>> = {
  TEXT: ValueType.VALUE_TYPE_TEXT,
  TIME: ValueType.VALUE_TYPE_TIME,
};

/** The part of the nodes service that historic calls. */
class FakeNodes {
  readonly nodes = new Map<string, NodeConfig>();
  /** These nodes are closed to every workspace user with No Access anywhere. */
  readonly closed = new Set<string>();
  asked = 0;

  find(ref: string, call: CallContext, ownerId: string): NodeConfig {
    const scope = scopeOf(call.caller, ownerId);
    const node = [...this.nodes.values()].find(
      (node) => node.ownerId === scope.ownerId && (node.nodeId === ref.toLowerCase() || `@${node.customId}` === ref),
    );
    if (!node || (scope.closedTo && this.closed.has(node.nodeId))) throw notFound();
    checkWorkspace(scope, node.workspaceId);
    return node;
  }

  parametersOf(sourceId: string): NodeConfig[] {
    return [...this.nodes.values()].filter((node) => node.parentId === sourceId);
  }

  handlers(): Handlers<typeof NodesServiceService> {
    return fakeHandlers(NodesServiceService, {
      resolveNodes: async ({ nodeRefs, ownerId }, call) => {
        this.asked += 1;
        return { nodes: nodeRefs.map((ref) => this.find(ref, call, ownerId)) };
      },
      getSource: async ({ sourceId, ownerId }, call) => ({
        source: this.find(sourceId, call, ownerId),
        parameters: this.parametersOf(sourceId),
      }),
      listParametersBelow: async ({ nodeRef, ownerId, limit }, call) => {
        const below = (nodeId: string): NodeConfig[] =>
          this.parametersOf(nodeId).flatMap((node) => [node, ...below(node.nodeId)]);
        const parameters = below(this.find(nodeRef, call, ownerId).nodeId).filter((node) => node.series);
        return { nodes: parameters.filter(({ nodeId }) => !this.closed.has(nodeId)).slice(0, limit) };
      },
      ensureParameters: async ({ sourceId, ownerId, columns }, call) => {
        const source = this.find(sourceId, call, ownerId);
        return { parameters: columns.map((column) => this.#ensure(source, column)) };
      },
    });
  }

  #ensure(source: NodeConfig, column: EnsureParametersRequest['columns'][number]): NodeConfig {
    const key = column.series || column.name;
    const children = this.parametersOf(source.nodeId);
    const found =
      children.find((node) => node.nodeId === column.id) ?? children.find((node) => node.series?.seriesKey === key);
    if (found) return found;
    if (!key)
      throw new DomainError('invalid_argument', 'INVALID_ARGUMENT', `header.columns.${column.index}.id: is unknown`);
    const valueType = TYPE_OF[column.dataType] ?? ValueType.VALUE_TYPE_NUMBER;
    const node = childOf(source, { name: column.name || key, series: { valueType, seriesKey: key } });
    this.nodes.set(node.nodeId, node);
    return node;
  }
}

const childOf = (source: NodeConfig, change: Parameters<typeof seriesNode>[0] = {}) =>
  seriesNode({
    ownerId: source.ownerId,
    workspaceId: source.workspaceId,
    parentId: source.nodeId,
    sourceId: source.nodeId,
    ...change,
  });

/** Starts the service on real servers, as main.ts wires it, with nodes faked behind real gRPC. */
export async function startHistoric(
  influxUrl?: string,
  {
    others = 0,
    recentBytes = RECENT_BYTES,
    logLookMs,
  }: { others?: number; recentBytes?: number; logLookMs?: number } = {},
) {
  const [pg, nats, influx, ...more] = await Promise.all([
    migratedDatabase('historic'),
    testNats(),
    influxUrl ? undefined : testInflux(),
    ...Array.from({ length: others }, () => testInflux()),
  ]);
  const database = new Database({
    url: pg.url,
    schema: 'historic',
    applicationName: 'test',
    rehearsesTransactions: true,
  });
  const bus = await Bus.open({ url: nats.url, prefix: nats.prefix, name: 'test', partitions: PARTITIONS, log });
  const shards = await openShards({
    shards: [
      { name: 'default', url: influxUrl ?? influx?.url ?? '', influxDatabase: influx?.database ?? 'own' },
      ...more.map(({ url, database }, n) => ({ name: `s${n + 2}`, url, influxDatabase: database })),
    ],
    database,
    bus,
    log,
    newShard: 'default',
    graceSeconds: 1,
    logLookMs,
    // Tests write few records; runs of any length are to be read.
    leastRun: 2,
    recentBytes,
  });
  const { records, existing, summaries, outlines } = shards.routed;
  const [verifier, signer] = [new CallerVerifier(SECRET), new CallerSigner(SECRET)];
  const nodes = new FakeNodes();
  const nodesServer = await new GrpcServerBuilder({ verifier, log })
    .add(NodesServiceService, nodes.handlers())
    .listen({ host: '127.0.0.1', port: 0 });
  const nodesClient = createGrpcClient(NodesServiceService, `127.0.0.1:${nodesServer.port}`);
  const rowLimits = new Map<string, number>();
  const qualities = new Map<string, QualityTable>();
  const clock = { now: Date.now };
  const catalogue = new NodeCatalogue({ database, nodes: nodesClient, signer });
  const commit = new GroupCommit({
    publish: (subject, data, options) => bus.publish(subject, data, options),
    partitions: PARTITIONS,
    maxPayloadBytes: () => bus.maxPayloadBytes,
  });
  const append = shards.assigning((...given) => commit.append(...given));
  const newLimits = () =>
    new DailyLimits({
      rows: pgDailyRows(database),
      limitOf: async (ownerId) => rowLimits.get(ownerId) ?? 0,
      timesOf: dayTimes({
        nodesOf: (source, limit) => nodesOfSources(database, [source], limit),
        existing,
        backlog: shards.backlog,
        log,
      }),
      now: () => clock.now(),
      log,
    });
  const limits = newLimits();
  const relay = new OutboxRelay({ database, bus, log });
  followConfiguration({ bus, catalogue, database, append, now: Date.now });
  const writers = openWriters(shards, { database, bus, log });
  const applier = writers[0]?.applier as BatchApplier;
  const messages: { partition: number; sequence: number; data: Uint8Array }[] = [];
  const running = new Map(
    writers.map((writer) => [
      writer.shard,
      writer.start((partition, batch) => {
        if (writer.shard === 'default')
          for (const { sequence, data } of batch) messages.push({ partition, sequence, data });
      }),
    ]),
  );
  const [, { hold }] = [...running][0] ?? [undefined, { hold: undefined }];
  if (hold) shards.followLog(hold);
  const applied: BatchApplied[] = [];
  bus.readPartitions('nodes', async (_partition, batch) => {
    for (const { data } of batch) applied.push(...AppliedGroup.decode(data).batches);
  });
  const read = {
    catalogue,
    reader: shards.recent,
    summaries,
    outlines,
    qualityOf: async (ownerId: string) => qualities.get(ownerId) ?? DEFAULT_TABLE,
    queueOf: readingQueues(4, (nodeIds) => shards.router.shardsOf(nodeIds)),
    settledUntil: settledUntil({
      logTimeMs: () => bus.timeMs('INGEST'),
      endOfLog: () => bus.lastSequence('INGEST'),
      areStored: shards.areStored,
      oldestUnstoredMs: shards.oldestUnstoredMs,
    }),
    limits: { maxRecords: 100_000, maxBytes: 20_000_000 },
    maxMs: 20_000,
    now: Date.now,
  };
  const server = await new GrpcServerBuilder({ verifier, log })
    .add(
      HistoricServiceService,
      historicHandlers({
        write: {
          catalogue,
          append,
          limits,
          partitions: PARTITIONS,
          reader: records,
          qualityOf: read.qualityOf,
          now: Date.now,
        },
        read,
        earlier: shards.routed.records,
        progress: shards,
        writeState: { areStored: shards.areStored, endOfLog: () => bus.lastSequence('INGEST'), waiting: new Waiting() },
        kept: pgRecordRetention(database),
        rowLimitOf: async () => 100_000,
      }),
    )
    .listen({ host: '127.0.0.1', port: 0 });
  const client = createGrpcClient(HistoricServiceService, `127.0.0.1:${server.port}`);
  const as = async (who: Caller) => ({ token: await signer.sign(who), timeoutMs: HANGS_AFTER_MS });
  const add = <N extends NodeConfig>(node: N): N => {
    nodes.nodes.set(node.nodeId, node);
    return node;
  };
  /** Waits until the log, and what follows from it, has been read. */
  const idle = () =>
    until(
      async () => {
        const lags = [await bus.lag('DOMAIN'), await bus.lag('INGEST'), await bus.lag('APPLIED')];
        const mine = Object.assign({}, ...lags) as Record<string, number>;
        const read = Object.entries(mine).filter(([name]) => /^writer-|^nodes-\d|^historic-nodes$/.test(name));
        return read.every(([, lag]) => lag === 0);
      },
      { what: 'all is read' },
    );

  return {
    nodes,
    bus,
    read,
    /** Waits for the next millisecond of the broker: what is written from then on has a later time of writing. @returns that time */
    nextMs: async () => {
      const nowMs = await bus.timeMs('INGEST');
      const isLater = (timeMs: number) => timeMs > nowMs && timeMs;
      const what = 'the clock of the broker goes on';
      return until(async () => isLater(await bus.timeMs('INGEST')), { what, everyMs: 1 });
    },
    sign: (who: Caller) => signer.sign(who),
    /** The broker. */
    nats,
    database,
    records,
    messages,
    applied,
    idle,
    applier,
    shards,
    influxes: [influx, ...more],
    /** Writers by shard. */
    writers: running,
    startWriter: (shard: string) => {
      const writer = writers.find((candidate) => candidate.shard === shard);
      if (writer) running.set(shard, writer.start());
    },
    existing,
    /** Makes a parameter of a new source in a new account. */
    parameter: (series: Partial<SeriesConfig> = {}, change: Partial<NodeConfig> = {}) =>
      add(seriesNode({ ...change, series })),
    source: (change: Partial<NodeConfig> = {}) => {
      const nodeId = newObjectId();
      const owned = { ownerId: newObjectId(), workspaceId: newObjectId(), revision: 1 };
      return add(
        NodeConfig.fromPartial({ ...owned, nodeId, sourceId: nodeId, class: 'source.data.Jts', name: 'S', ...change }),
      );
    },
    child: (source: NodeConfig, change: Parameters<typeof seriesNode>[0] = {}) => add(childOf(source, change)),
    write: async (node: NodeConfig, body: unknown, given: object = {}, who: Caller = caller(node.ownerId)) => {
      const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
      const defaults = { ownerId: '', writeMode: '', notifyOn: '', origin: '', continues: false };
      const request = { ...defaults, nodeRef: node.nodeId, body: bytes };
      return (await client.write({ ...request, ...given }, await as(who))).rows;
    },
    writeMany: async (
      body: unknown,
      given: { params?: string; columnIndex?: number; writeMode?: string; notifyOn?: string },
      who: Caller,
    ) => {
      const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
      const request = { params: '', writeMode: '', notifyOn: '', ...given, body: bytes };
      return (await client.writeMany(request, await as(who))).rows;
    },
    writeNow: async (node: NodeConfig, body: unknown, who: Caller = caller(node.ownerId), arrivalMs = 0) =>
      client.writeNow({ nodeRef: node.nodeId, body: Buffer.from(JSON.stringify(body)), arrivalMs }, await as(who)),
    writeLines: async (
      node: NodeConfig,
      lines: string | Buffer,
      given: object = {},
      who: Caller = caller(node.ownerId),
    ) => {
      const request = {
        nodeRef: node.nodeId,
        lines: Buffer.from(lines),
        precision: 'ms',
        arrivalMs: 0,
        continues: false,
      };
      return client.writeLines({ ...request, ...given }, await as(who));
    },
    /** Writes with an id, as a request with a key does; returns where the log has it. */
    writeParts: async (node: NodeConfig, body: unknown, given: object = {}, who: Caller = caller(node.ownerId)) => {
      const defaults = { ownerId: '', writeMode: '', notifyOn: '', origin: '', continues: false };
      const request = { ...defaults, nodeRef: node.nodeId, body: Buffer.from(JSON.stringify(body)), ...given };
      return (await client.write(request, await as(who))).parts;
    },
    writeState: async (
      parts: { sourceId: string; sequence: number; nodeIds: string[] }[],
      waitMs: number,
      who: Caller,
    ) => client.getWriteState({ parts, waitMs }, await as(who)),
    writeComputed: async (request: Partial<WriteComputedRequest>, who: Caller = PROCESSING) =>
      client.writeComputed(WriteComputedRequest.fromPartial(request), await as(who)),
    aggregateAt: async (request: Partial<ReadAggregateAtRequest>, who: Caller = PROCESSING) => {
      const chunks = [];
      const whole = ReadAggregateAtRequest.fromPartial(request);
      for await (const chunk of client.readAggregateAt(whole, await as(who))) chunks.push(chunk);
      return chunks;
    },
    tellFault: async ({ nodeId: sourceId, ownerId }: NodeConfig, fault: string, who: Caller) =>
      client.tellFault({ sourceId, ownerId, fault }, await as(who)),
    deleteHistoric: async (node: NodeConfig, who: Caller = caller(node.ownerId)) =>
      client.deleteAll({ nodeRef: node.nodeId }, await as(who)),
    readText: async (
      node: Pick<NodeConfig, 'nodeId' | 'ownerId'>,
      given: Record<string, string>,
      who: Caller = caller(node.ownerId),
    ) => {
      let text = '';
      let contentType = '';
      const request = { nodeRef: node.nodeId, arguments: given, arrivalMs: 0 };
      for await (const chunk of client.read(request, await as(who))) {
        contentType ||= chunk.contentType;
        text += chunk.data.toString();
      }
      return { text, contentType };
    },
    readMany: async (given: Record<string, string>, who: Caller, arrivalMs = 0) => {
      let text = '';
      for await (const chunk of client.readMany({ arguments: given, arrivalMs }, await as(who)))
        text += chunk.data.toString();
      return text;
    },
    readSeries: async (node: NodeConfig, given: object = {}, who: Caller = caller(node.ownerId)) => {
      const plain = { limit: 0, bounding: false, transformed: false, arguments: {}, arrivalMs: 0, ownerId: '' };
      const request = { nodeRef: node.nodeId, ...plain, ...given };
      const chunks = [];
      for await (const chunk of client.readSeries(request, await as(who))) chunks.push(chunk);
      return chunks;
    },
    closeNode: (nodeId: string) => void nodes.closed.add(nodeId),
    limits,
    newLimits,
    /** Accounts may bring these rows per source and day; an account without a number has no limit. */
    rowLimits,
    /** Quality settings by account; none = the defaults. */
    qualities,
    clock,
    edges: async (ownerId: string, nodeIds: string[], newest = 2, who: Caller = SERVICE, untilMs?: number) =>
      (await client.getEdges({ ownerId, nodeIds, newest, untilMs, writtenBeforeMs: [] }, await as(who))).edges,
    /** Returns the same, with those that were last written before a time for each of them. */
    edgesBefore: async (ownerId: string, nodeIds: string[], newest: number, writtenBeforeMs: number[]) =>
      client.getEdges({ ownerId, nodeIds, newest, writtenBeforeMs }, await as(SERVICE)),
    nodesDeleted: async (...gone: NodeConfig[]) => {
      for (const node of gone) nodes.nodes.delete(node.nodeId);
      const message = NodesDeleted.fromPartial({ ownerId: gone[0]?.ownerId ?? '', nodes: gone, timeMs: Date.now() });
      const data = NodesDeleted.encode(message).finish();
      await bus.publish('nodes.node.deleted.v1', data, { msgId: newObjectId() });
    },
    nodeChanged: async (node: NodeConfig, timeMs = Date.now()) => {
      add(node);
      const data = NodeChanged.encode(NodeChanged.fromPartial({ node, timeMs })).finish();
      await bus.publish('nodes.node.changed.v1', data, { msgId: newObjectId() });
    },
    append: (node: NodeConfig, entries: readonly LogEntry[]) =>
      append(partitionOf(node.sourceId, PARTITIONS), entries, Date.now() + HANGS_AFTER_MS),
    close: async () => {
      client.close();
      await server.close();
      await relay.stop();
      await commit.drain();
      await bus.close();
      nodesClient.close();
      await nodesServer.close();
      await shards.close();
      await database.close();
      await Promise.all([pg.drop(), nats.drop(), influx?.drop(), ...more.map((store) => store.drop())]);
    },
  };
}
export type Historic = Awaited<ReturnType<typeof startHistoric>>;

export type Field = { v?: unknown; q?: number | null; a?: string | null } | null;

/** Makes a JTS document of one column. */
export const jts = (rows: readonly (readonly [ts: number | string, field: Field])[]) => ({
  docType: 'jts',
  version: '1.0',
  data: rows.map(([ts, field]) => ({ ts, f: { 0: field } })),
});
