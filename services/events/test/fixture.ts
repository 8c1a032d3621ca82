import { type ApiCaller, scopeOf } from '@catchment/access';
import { Bus } from '@catchment/bus';
import { EventFeedServiceService } from '@catchment/contracts/event-feed';
import { EventRecorded, EventsServiceService, type ListEventsRequest } from '@catchment/contracts/events';
import { NodeConfig, NodesServiceService, type ResolveNodesRequest } from '@catchment/contracts/nodes';
import { NodesDeleted } from '@catchment/contracts/nodes-messages';
import { SecurityServiceService } from '@catchment/contracts/security';
import { notFound, notPermitted } from '@catchment/errors';
import { CallerSigner, CallerVerifier, createGrpcClient, GrpcServerBuilder } from '@catchment/grpc';
import { newObjectId } from '@catchment/ids';
import { visibleNodes } from '@catchment/node-replica';
import { Database } from '@catchment/pg';
import { createLogger } from '@catchment/telemetry';
import { fakeHandlers, testNats } from '@catchment/testkit';
import { migratedDatabase } from '@catchment/testkit/migrated-database';
import { readEvents } from '../src/bus/event-readers.ts';
import { eventColumns } from '../src/store/event-columns.ts';
import { PgEventStore } from '../src/store/pg-event-store.ts';
import { PgMonths } from '../src/store/pg-months.ts';
import { PgRetention } from '../src/store/pg-retention.ts';
import { eventFeedHandlers } from '../src/transport/event-feed-handlers.ts';
import { eventsHandlers } from '../src/transport/events-handlers.ts';
import { EventTail } from '../src/usecases/event-tail.ts';

const SECRET = 'a-test-secret-of-more-than-32-characters';
export const NOW = Date.UTC(2026, 4, 15, 12);
export const log = createLogger('test', { level: 'silent' });

/** The part of the nodes service that events calls: over real gRPC, with the caller's own rights. */
type FakeNodes = Map<string, { ownerId: string; workspaceId: string }>;

const fakeNodes = (nodes: FakeNodes) =>
  fakeHandlers(NodesServiceService, {
    async resolveNodes({ nodeRefs, skipsMissing }: ResolveNodesRequest, { caller }) {
      const scope = scopeOf(caller);
      if (skipsMissing) {
        // The customId of a node is the beginning of its id here.
        const own = [...nodes].filter(([, node]) => node.ownerId === scope.ownerId);
        const named = own.filter(([nodeId]) => nodeRefs.includes(`@${nodeId.slice(0, 8)}`));
        return {
          nodes: named.map(([nodeId, node]) =>
            NodeConfig.fromPartial({ nodeId, customId: nodeId.slice(0, 8), ...node }),
          ),
        };
      }
      const found = nodeRefs.map((nodeRef) => {
        const node = nodes.get(nodeRef);
        if (node?.ownerId !== scope.ownerId) throw notFound();
        if (scope.workspaceIds && !scope.workspaceIds.includes(node.workspaceId)) throw notPermitted();
        return NodeConfig.fromPartial({ nodeId: nodeRef, ...node });
      });
      return { nodes: found };
    },
  });

/** Answers the same closed nodes to every caller. */
const fakeSecurity = (closed: readonly string[]) =>
  fakeHandlers(SecurityServiceService, {
    async *listClosedNodes() {
      for (const nodeId of closed) yield { nodeIds: [nodeId] };
    },
  });

export const caller = (change: Partial<ApiCaller> = {}): ApiCaller => ({
  kind: 'api',
  ownerId: newObjectId(),
  userId: newObjectId(),
  username: 'jo@example.org',
  permission: 'READ_ONLY',
  accessLevel: 'ACCOUNT',
  ...change,
});

export const recorded = (change: Partial<EventRecorded>): EventRecorded =>
  EventRecorded.fromPartial({
    eventId: newObjectId(),
    workspaceId: newObjectId(),
    nodeId: newObjectId(),
    nodeClass: 'point.NumberPoint',
    level: 'INFO',
    eventType: 'STATE',
    alarmState: 'NONE',
    timeMs: NOW,
    username: 'System',
    message: 'State changed from NORMAL to HIGH',
    ...change,
  });

/** Starts the service on real servers, its peer faked behind real gRPC. */
export async function startService(options: { monthsMax?: number } = {}) {
  const [pg, nats] = await Promise.all([migratedDatabase('events'), testNats()]);
  const database = new Database({
    url: pg.url,
    schema: 'events',
    applicationName: 'test',
    rehearsesTransactions: true,
  });
  const months = new PgMonths(database, { monthsMax: options.monthsMax ?? 40 });
  await months.makeAhead(NOW);
  const events = new PgEventStore(database, months, eventColumns('io.svc'));
  const bus = await Bus.open({ url: nats.url, prefix: nats.prefix, name: 'test', partitions: 1, log });
  const nodes: FakeNodes = new Map();
  const closed: string[] = [];
  const verifier = new CallerVerifier(SECRET);
  const nodesServer = await new GrpcServerBuilder({ verifier, log })
    .add(NodesServiceService, fakeNodes(nodes))
    .add(SecurityServiceService, fakeSecurity(closed))
    .listen({ host: '127.0.0.1', port: 0 });
  const nodesClient = createGrpcClient(NodesServiceService, `127.0.0.1:${nodesServer.port}`);
  const securityClient = createGrpcClient(SecurityServiceService, `127.0.0.1:${nodesServer.port}`);
  const tail = new EventTail(events);
  const deps = {
    tail,
    events,
    nodes: visibleNodes(nodesClient, securityClient),
    now: () => NOW,
    daysOf: async () => ({ eventDays: 365, debugEventDays: 30 }),
  };
  const server = await new GrpcServerBuilder({ verifier, log })
    .add(EventsServiceService, eventsHandlers(deps))
    .add(EventFeedServiceService, eventFeedHandlers(deps))
    .listen({ host: '127.0.0.1', port: 0 });
  const client = createGrpcClient(EventsServiceService, `127.0.0.1:${server.port}`);
  const feed = createGrpcClient(EventFeedServiceService, `127.0.0.1:${server.port}`);
  const signer = new CallerSigner(SECRET);

  return {
    database,
    events,
    months,
    retention: new PgRetention(database, months),
    bus,
    nodes,
    closed,
    tail,
    /** Reads messages of a stream's next part. */
    readFeed: async (by: ApiCaller, cursor = '', given: Record<string, string> = {}) => {
      const part = await feed.readFeed({ arguments: given, cursor }, { token: await signer.sign(by) });
      const messages = part.messages.map(({ data, cursor: id }) => ({
        id,
        event: JSON.parse(Buffer.from(data).toString()),
      }));
      return { ...part, messages, texts: messages.map(({ event }) => event.message).join('') };
    },
    watchAccounts: async (signal: AbortSignal, service = 'gateway') =>
      feed.watchAccounts({}, { token: await signer.sign({ kind: 'service', service }), signal, timeoutMs: 60_000 }),
    read: () => readEvents(bus, events),
    publish: async (event: EventRecorded, msgId = event.eventId) => {
      await bus.publish('events.event.recorded.v1', EventRecorded.encode(event).finish(), { msgId });
    },
    publishDeleted: async (ownerId: string, nodeIds: readonly string[]) => {
      const deleted = NodesDeleted.fromPartial({ ownerId, nodes: nodeIds.map((nodeId) => ({ nodeId })) });
      await bus.publish('nodes.node.deleted.v1', NodesDeleted.encode(deleted).finish(), { msgId: newObjectId() });
    },
    /** The chunks of an answer. */
    chunks: async (by: ApiCaller, request: Partial<ListEventsRequest> = {}) => {
      const token = await signer.sign(by);
      const ask = { nodeRef: '', arguments: {}, arrivalMs: NOW, ...request };
      const chunks = [];
      for await (const chunk of client.listEvents(ask, { token })) chunks.push(chunk);
      return chunks;
    },
    async list(by: ApiCaller, given: Record<string, string> = {}, nodeRef = ''): Promise<Record<string, unknown>[]> {
      const chunks = await this.chunks(by, { arguments: given, nodeRef });
      return JSON.parse(Buffer.concat(chunks.map((chunk) => chunk.data)).toString());
    },
    async create(by: ApiCaller, nodeRef: string, body: unknown): Promise<void> {
      const token = await signer.sign(by);
      await client.createEvents({ nodeRef, body: Buffer.from(JSON.stringify(body)), arrivalMs: NOW }, { token });
    },
    async clear(by: ApiCaller, nodeRef: string): Promise<void> {
      await client.clearEvents({ nodeRef }, { token: await signer.sign(by) });
    },
    close: async () => {
      tail.close();
      client.close();
      feed.close();
      nodesClient.close();
      securityClient.close();
      await server.close();
      await nodesServer.close();
      await bus.close();
      await database.close();
      await Promise.all([pg.drop(), nats.drop()]);
    },
  };
}
export type Service = Awaited<ReturnType<typeof startService>>;
