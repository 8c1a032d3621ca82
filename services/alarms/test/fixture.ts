import { type ApiCaller, scopeOf, serviceCaller } from '@catchment/access';
import { Bus } from '@catchment/bus';
import {
  type AlarmAction,
  AlarmChanged,
  AlarmsServiceService,
  AttemptEnded,
  AttemptKind,
  StateChanged,
} from '@catchment/contracts/alarms';
import { DataTimesServiceService } from '@catchment/contracts/data-times';
import { EventRecorded } from '@catchment/contracts/events';
import { type GetEdgesRequest, HistoricServiceService } from '@catchment/contracts/historic';
import { Acquisition, AppliedGroup, type BatchApplied, NotifyOn, WriteMode } from '@catchment/contracts/ingest';
import { NodeConfig, NodesServiceService, type ResolveNodesRequest, ValueType } from '@catchment/contracts/nodes';
import { NodeChanged, NodesDeleted } from '@catchment/contracts/nodes-messages';
import { OwnersServiceService } from '@catchment/contracts/owners';
import { SeriesRecomputed } from '@catchment/contracts/ratings';
import { DomainError, notFound, notPermitted } from '@catchment/errors';
import { CallerSigner, CallerVerifier, createGrpcClient, GrpcServerBuilder, type Handlers } from '@catchment/grpc';
import { newObjectId } from '@catchment/ids';
import { type Column, encodeEntries, FLAG, type LogEntry } from '@catchment/ingest-log';
import { AccountQualities, resolveNode, seenNodes } from '@catchment/node-replica';
import { Database, OutboxRelay } from '@catchment/pg';
import { DEFAULT_QUALITY, type QualitySettings } from '@catchment/quality';
import { createLogger } from '@catchment/telemetry';
import { fakeHandlers, HANGS_AFTER_MS, testNats, until } from '@catchment/testkit';
import { migratedDatabase } from '@catchment/testkit/migrated-database';
import { followedLog, readAlarms } from '../src/bus/alarm-readers.ts';
import { changeMessages } from '../src/bus/messages.ts';
import { grpcDataTimes } from '../src/clients/data-times.ts';
import { grpcHistory } from '../src/clients/stored-history.ts';
import { PgAlarmStore } from '../src/store/pg-alarm-store.ts';
import { PgKnownNodes } from '../src/store/pg-known-nodes.ts';
import { StoredRaisedSources } from '../src/store/raised-sources.ts';
import { alarmsHandlers } from '../src/transport/alarms-handlers.ts';
import { judgeSeries } from '../src/usecases/judge-series.ts';
import { lookForOutdated } from '../src/usecases/look-for-outdated.ts';
import type { NodeAttempt } from '../src/usecases/ports.ts';
import { resumeReady } from '../src/usecases/resume-series.ts';
import { takeAttempts } from '../src/usecases/take-attempts.ts';

const SECRET = 'a-test-secret-of-more-than-32-characters';
export const NOW = Date.UTC(2026, 4, 15, 12);
/** The store has a record before the readers of the log. */
export const AHEAD = Number.MAX_SAFE_INTEGER;
const log = createLogger('test', { level: 'silent' });

export type StoredRow = readonly [timeMs: number, value: number, quality?: number | undefined, writtenMs?: number];

/** Fakes the peers: what they know, and how often they were asked. */
class Peers {
  readonly nodes = new Map<string, NodeConfig>();
  /** The newest come first: time, value, quality, and when it was last written, by the broker's clock; long ago where that is missing. */
  readonly records = new Map<string, readonly StoredRow[]>();
  endOfLog = async (): Promise<number> => 0;
  edgesAsked = 0;
  resolved = 0;
  isHistoricAway = false;
  /** The store of these series is away, others answer. */
  readonly awaySeries = new Set<string>();
  /** The store does not have yet what the log has. */
  isHistoricBehind = false;
  readonly unknownSeries = new Set<string>();
  /** Reference times of sources, Unix ms. */
  readonly dataTimes = new Map<string, number>();
  isStoreBehind = false;
  quality: QualitySettings = DEFAULT_QUALITY;

  readonly dataTimesHandlers: Handlers<typeof DataTimesServiceService> = {
    getDataTimes: async ({ nodeIds }, { caller }) => {
      serviceCaller(caller);
      const times = nodeIds.map((nodeId) => ({ nodeId, referenceMs: this.dataTimes.get(nodeId) }));
      return {
        times: times.flatMap(({ nodeId, referenceMs }) => (referenceMs === undefined ? [] : { nodeId, referenceMs })),
      };
    },
  };

  readonly ownersHandlers = fakeHandlers(OwnersServiceService, {
    getQualitySettings: async (_request, { caller }) => {
      serviceCaller(caller);
      const { excluded, unspecified, unknown, codes } = this.quality;
      return {
        excluded: [...excluded],
        unspecified,
        unknown,
        codes: codes.map((code) => ({ ...code, sourceQuality: [...code.sourceQuality] })),
      };
    },
  });

  readonly nodesHandlers = fakeHandlers(NodesServiceService, {
    resolveNodes: async ({ nodeRefs, ownerId, skipsMissing }: ResolveNodesRequest, { caller }) => {
      this.resolved += 1;
      const scope = scopeOf(caller, ownerId);
      const nodes = nodeRefs.flatMap((ref) => {
        const node = this.nodes.get(ref);
        if (skipsMissing && node?.ownerId !== scope.ownerId) return [];
        if (node?.ownerId !== scope.ownerId) throw notFound();
        if (scope.workspaceIds && !scope.workspaceIds.includes(node.workspaceId)) throw notPermitted();
        return node;
      });
      return { nodes };
    },
  });

  readonly historicHandlers = fakeHandlers(HistoricServiceService, {
    getEdges: async ({ nodeIds, newest, writtenBeforeMs }: GetEdgesRequest, { caller }) => {
      serviceCaller(caller);
      this.edgesAsked += 1;
      if (this.isHistoricAway || nodeIds.some((nodeId) => this.awaySeries.has(nodeId)))
        throw new DomainError('unavailable', 'PEER_UNAVAILABLE', 'Service temporarily unavailable');
      if (nodeIds.some((nodeId) => this.unknownSeries.has(nodeId))) throw notFound();
      const edgesOf = (nodeId: string, beforeMs = Number.POSITIVE_INFINITY) => ({
        nodeId,
        newest: (this.records.get(nodeId) ?? [])
          .filter(([, , , writtenMs = 0]) => writtenMs < beforeMs)
          .slice(0, newest)
          .map(([timestampMs, value, quality]) => ({
            timestampMs,
            value: { $case: 'number' as const, value },
            quality,
          })),
        oldest: undefined,
      });
      const edges = nodeIds.map((nodeId) => edgesOf(nodeId));
      if (writtenBeforeMs.length === 0) return { edges, earlier: [] };
      const earlier = nodeIds.map((nodeId, n) => edgesOf(nodeId, writtenBeforeMs[n]));
      return { edges, earlier, logSequence: await this.endOfLog() };
    },
    getProgress: async (_request, { caller }) => {
      serviceCaller(caller);
      return { isStored: !this.isHistoricBehind, pending: 0 };
    },
  });
}

export const caller = (ownerId: string, change: Partial<ApiCaller> = {}): ApiCaller => ({
  kind: 'api',
  ownerId,
  userId: newObjectId(),
  username: 'jo@example.org',
  permission: 'MODIFY',
  accessLevel: 'ACCOUNT',
  ...change,
});

type StateGiven = { name: string; threshold?: number; occurrences?: number; isAlarm?: boolean; stateId?: string };
export const NORMAL: StateGiven = { name: 'NORMAL' };
/** See docs/reference/states.md#evaluation. */
export const EXAMPLE: readonly StateGiven[] = [
  { name: 'LOW', threshold: 20 },
  NORMAL,
  { name: 'HIGH', threshold: 50 },
  { name: 'CRITICAL', threshold: 100, occurrences: 2, isAlarm: true },
];

/** A number parameter. */
export function parameter(
  states: readonly StateGiven[],
  change: { nodeId?: string; hysteresis?: number } = {},
): NodeConfig {
  const { nodeId = newObjectId(), hysteresis = 0 } = change;
  return NodeConfig.fromPartial({
    nodeId,
    ownerId: newObjectId(),
    workspaceId: newObjectId(),
    sourceId: newObjectId(),
    class: 'point.NumberPoint',
    name: 'Level',
    revision: 1,
    isActive: true,
    series: {
      valueType: ValueType.VALUE_TYPE_NUMBER,
      multiplier: 1,
      statesType: 'RANGE',
      hysteresis,
      states: states.map((state) => ({ stateId: `${nodeId}-${state.name}`, occurrences: 1, isAlarm: false, ...state })),
    },
  });
}

export const source = (of: NodeConfig, isEnabled: boolean, revision = 1): NodeConfig =>
  NodeConfig.fromPartial({
    nodeId: of.sourceId,
    ownerId: of.ownerId,
    workspaceId: of.workspaceId,
    sourceId: of.sourceId,
    class: 'source.data.Jts',
    revision,
    source: { isEnabled },
  });

export type Given = { notify?: keyof typeof NOTIFY; mode?: WriteMode };
export const NOTIFY = {
  LATEST_ONLY: NotifyOn.NOTIFY_ON_LATEST_ONLY,
  ALL_NEWER: NotifyOn.NOTIFY_ON_ALL_NEWER,
  NONE: NotifyOn.NOTIFY_ON_NONE,
};

export const column = (
  node: NodeConfig,
  records: readonly (readonly [number, number | null])[],
  given: Given = {},
): Column => ({
  nodeId: node.nodeId,
  ownerId: node.ownerId,
  workspaceId: node.workspaceId,
  sourceId: node.sourceId,
  valueType: ValueType.VALUE_TYPE_NUMBER,
  writeMode: given.mode ?? WriteMode.WRITE_MODE_MERGE_OVERWRITE_EXISTING,
  notifyOn: NOTIFY[given.notify ?? 'ALL_NEWER'],
  modifiedMs: NOW,
  username: 'jo@example.org',
  timestamps: Float64Array.from(records.map(([timeMs]) => timeMs)),
  flags: Uint8Array.from(records.map(([, value]) => (value === null ? FLAG.deleteMarker : FLAG.value))),
  numbers: Float64Array.from(records.map(([, value]) => value ?? Number.NaN)),
  texts: [],
  qualities: new Uint16Array(0),
  annotations: new Map(),
  traceparent: '',
});

const ATTEMPTS = {
  session: AttemptKind.ATTEMPT_KIND_SESSION,
  configuration: AttemptKind.ATTEMPT_KIND_CONFIGURATION,
  control: AttemptKind.ATTEMPT_KIND_CONTROL,
  run: AttemptKind.ATTEMPT_KIND_RUN,
} as const;

/** Starts the service on real servers, its peers faked behind real gRPC. */
export async function startService() {
  const [pg, nats] = await Promise.all([migratedDatabase('alarms'), testNats()]);
  const database = new Database({
    url: pg.url,
    schema: 'alarms',
    applicationName: 'test',
    rehearsesTransactions: true,
  });
  const store = new PgAlarmStore(database, changeMessages(newObjectId));
  const bus = await Bus.open({ url: nats.url, prefix: nats.prefix, name: 'test', partitions: 1, log });
  const relay = new OutboxRelay({ database, bus, log });
  const peers = new Peers();
  peers.endOfLog = () => bus.lastSequence('INGEST');
  const [verifier, signer] = [new CallerVerifier(SECRET), new CallerSigner(SECRET)];
  const peerServer = await new GrpcServerBuilder({ verifier, log })
    .add(NodesServiceService, peers.nodesHandlers)
    .add(HistoricServiceService, peers.historicHandlers)
    .add(DataTimesServiceService, peers.dataTimesHandlers)
    .add(OwnersServiceService, peers.ownersHandlers)
    .listen({ host: '127.0.0.1', port: 0 });
  const nodes = createGrpcClient(NodesServiceService, `127.0.0.1:${peerServer.port}`);
  const historic = createGrpcClient(HistoricServiceService, `127.0.0.1:${peerServer.port}`);
  const server = await new GrpcServerBuilder({ verifier, log })
    .add(
      AlarmsServiceService,
      alarmsHandlers({
        store,
        nodes: {
          resolve: (ref, call) => resolveNode(nodes, ref, call),
          seen: (refs, call) => seenNodes(nodes, refs, call),
        },
        now: () => NOW,
      }),
    )
    .listen({ host: '127.0.0.1', port: 0 });
  const client = createGrpcClient(AlarmsServiceService, `127.0.0.1:${server.port}`);
  const owners = createGrpcClient(OwnersServiceService, `127.0.0.1:${peerServer.port}`);
  const dataTimes = createGrpcClient(DataTimesServiceService, `127.0.0.1:${peerServer.port}`);
  const clock = { now: NOW };
  const quality = new AccountQualities(owners, signer, 'alarms');
  const history = grpcHistory(historic, signer, () => clock.now);
  const known = new PgKnownNodes({ database, nodes, signer, max: 1_000 });
  const raised = new StoredRaisedSources(database);
  const readers = readAlarms(bus, { store, known, raised, history, quality });
  await raised.look();

  const events: EventRecorded[] = [];
  const states: StateChanged[] = [];
  const alarms: AlarmChanged[] = [];
  bus.readDomain('events-recorded', async (messages) => {
    for (const { data } of messages) events.push(EventRecorded.decode(data));
  });
  bus.readDomain('nodes-alarms', async (messages) => {
    for (const { data, subject } of messages) {
      if (subject === 'alarms.state.changed.v1') states.push(StateChanged.decode(data));
      else alarms.push(AlarmChanged.decode(data));
    }
  });

  const idle = () =>
    until(async () => {
      const [log, domain] = [await bus.lag('INGEST'), await bus.lag('DOMAIN')];
      const applied = await bus.lag('APPLIED');
      const { rows } = await database.query<{ n: number }>('SELECT count(*) AS n FROM outbox');
      const isRead =
        domain['alarms-recomputed'] === 0 && domain['alarms-nodes'] === 0 && domain['alarms-attempts'] === 0;
      return log['alarms-0'] === 0 && applied['alarms-applied-0'] === 0 && isRead && rows[0]?.n === 0;
    }).then(() =>
      until(async () => {
        const domain = await bus.lag('DOMAIN');
        return domain['events-recorded'] === 0 && domain['nodes-alarms'] === 0;
      }),
    );
  /** @returns the sequence of the last message */
  const publish = async (entries: readonly LogEntry[], maxBytes = bus.maxPayloadBytes): Promise<number> => {
    let last = 0;
    for (const data of encodeEntries(entries, maxBytes, newObjectId))
      last = (await bus.publish('ingest.0', data, { msgId: newObjectId() })).sequence;
    return last;
  };

  /** This is done some times a second. */
  const judge = async (isFollowed = followedLog(bus).isFollowed) => {
    const judging = { store, history, quality, log: { ...followedLog(bus), isFollowed }, now: () => clock.now };
    await judgeSeries(judging, AbortSignal.timeout(HANGS_AFTER_MS));
    await idle();
  };

  return {
    peers,
    bus,
    database,
    store,
    known,
    history,
    raised,
    quality,
    clock,
    idle,
    publish,
    /** Says what the writer of historic did with messages of the log. */
    applied: async (...batches: Partial<BatchApplied>[]) => {
      const data = AppliedGroup.encode(AppliedGroup.fromPartial({ batches })).finish();
      await bus.publish('applied.0', data, { msgId: newObjectId() });
      await idle();
    },
    /** This is done every few seconds. */
    resume: async () => {
      await resumeReady({ store, known, history, quality }, AbortSignal.timeout(HANGS_AFTER_MS));
      await idle();
    },
    judge,
    /** A series was computed anew, and is stored. */
    recomputed: async ({ nodeId, ownerId }: NodeConfig) => {
      const message = SeriesRecomputed.encode({ nodeId, ownerId, timeMs: NOW }).finish();
      await bus.publish('historic.series.recomputed.v1', message, { msgId: newObjectId() });
      await idle();
      await judge();
    },
    /** Sends columns as one message and waits until all that it causes has arrived. */
    write: async (...columns: Column[]): Promise<number> => {
      const sequence = await publish(columns.map((column) => ({ kind: 'column', column })));
      await idle();
      return sequence;
    },
    nodeChanged: async (node: NodeConfig, created = false) => {
      peers.nodes.set(node.nodeId, node);
      const message = NodeChanged.fromPartial({ created, node, timeMs: NOW, username: 'al@example.org' });
      await bus.publish('nodes.node.changed.v1', NodeChanged.encode(message).finish(), { msgId: newObjectId() });
      await idle();
    },
    /** Says how an attempt with a node ended; '' = well. */
    attemptEnded: async (
      { nodeId, ownerId, sourceId }: NodeConfig,
      kind: keyof typeof ATTEMPTS,
      failure: string,
      msgId = newObjectId(),
    ) => {
      const message = AttemptEnded.fromPartial({
        nodeId,
        ownerId,
        sourceId,
        kind: ATTEMPTS[kind],
        failure,
        timeMs: NOW,
      });
      await bus.publish('alarms.attempt.ended.v1', AttemptEnded.encode(message).finish(), { msgId });
      await idle();
    },
    /** Takes what a message of this sequence says of an attempt. */
    take: async (attempt: NodeAttempt) => {
      await takeAttempts({ store, known }, [attempt], AbortSignal.timeout(HANGS_AFTER_MS));
      await idle();
    },
    /** Says what a request did to its target. */
    acquired: async (...acquisitions: Partial<Acquisition>[]) => {
      await publish(
        acquisitions.map((acquisition) => ({ kind: 'acquisition', acquisition: Acquisition.fromPartial(acquisition) })),
      );
      await idle();
    },
    /** Looks at the sources that are due, as at this time. */
    lookAt: async (nowMs: number) => {
      const isStoreBehind = async () => peers.isStoreBehind;
      const deps = { store, dataTimes: grpcDataTimes(dataTimes, signer), isStoreBehind, now: () => nowMs };
      await lookForOutdated(deps, AbortSignal.timeout(HANGS_AFTER_MS));
      await idle();
    },
    nodesDeleted: async (node: NodeConfig) => {
      peers.nodes.delete(node.nodeId);
      const { ownerId, nodeId, sourceId } = node;
      const message = NodesDeleted.fromPartial({ ownerId, nodes: [{ nodeId, sourceId }] });
      await bus.publish('nodes.node.deleted.v1', NodesDeleted.encode(message).finish(), { msgId: newObjectId() });
      await idle();
    },
    acknowledge: async (by: ApiCaller, nodeRef: string, alarmTypes = '', comment = '') => {
      await client.acknowledge({ nodeRef, alarmTypes, comment }, { token: await signer.sign(by) });
      await idle();
    },
    clear: async (by: ApiCaller, nodeRef: string, alarmTypes = '') => {
      await client.clear({ nodeRef, alarmTypes }, { token: await signer.sign(by) });
      await idle();
    },
    changeListed: async (
      by: ApiCaller,
      action: AlarmAction,
      alarms: readonly (readonly [string, string])[],
      comment = '',
    ) => {
      const listed = alarms.map(([nodeRef, alarmType]) => ({ nodeRef, alarmType }));
      const answer = await client.changeAlarms({ action, alarms: listed, comment }, { token: await signer.sign(by) });
      await idle();
      return answer.outcomes.map(({ kind }) => kind || 'done');
    },
    /** `<time> <message> <alarmState>` of a node's events. */
    reported: (node: NodeConfig) =>
      events
        .filter((event) => event.nodeId === node.nodeId)
        .map((event) => `${event.timeMs} ${event.message.replace('State changed from ', '')} ${event.alarmState}`),
    events: (node: NodeConfig) => events.filter((event) => event.nodeId === node.nodeId),
    /** Names of the states that were announced. */
    states: (node: NodeConfig) =>
      states.filter((state) => state.nodeId === node.nodeId).map((state) => state.stateId.split('-')[1] ?? ''),
    alarms: (node: NodeConfig) => alarms.filter((alarm) => alarm.nodeId === node.nodeId),
    revisions: (node: NodeConfig) =>
      [...states, ...alarms].filter((change) => change.nodeId === node.nodeId).map((change) => change.revision),
    close: async () => {
      await readers.stop();
      client.close();
      nodes.close();
      historic.close();
      owners.close();
      dataTimes.close();
      await server.close();
      await peerServer.close();
      await relay.stop();
      await bus.close();
      await database.close();
      await Promise.all([pg.drop(), nats.drop()]);
    },
  };
}
export type Service = Awaited<ReturnType<typeof startService>>;
