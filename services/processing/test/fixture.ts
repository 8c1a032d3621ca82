import { type ApiCaller, scopeOf, serviceCaller } from '@catchment/access';
import { Bus } from '@catchment/bus';
import { AttemptEnded } from '@catchment/contracts/alarms';
import { EventRecorded } from '@catchment/contracts/events';
import { HistoricServiceService } from '@catchment/contracts/historic';
import { AppliedGroup, type BatchApplied } from '@catchment/contracts/ingest';
import { NodeConfig, NodesServiceService, ValueType } from '@catchment/contracts/nodes';
import { AccountChanged, NodeChanged, NodesDeleted } from '@catchment/contracts/nodes-messages';
import { OwnersServiceService } from '@catchment/contracts/owners';
import { ProcessingServiceService } from '@catchment/contracts/processing';
import { type Program, ProgramsServiceService, type ResolvedPath } from '@catchment/contracts/programs';
import { type Rating, RatingsServiceService, SeriesRecomputed } from '@catchment/contracts/ratings';
import { notFound } from '@catchment/errors';
import { CallerSigner, CallerVerifier, createGrpcClient, GrpcServerBuilder, type Handlers } from '@catchment/grpc';
import { newObjectId } from '@catchment/ids';
import { Database, OutboxRelay } from '@catchment/pg';
import { DEFAULT_QUALITY } from '@catchment/quality';
import { createLogger } from '@catchment/telemetry';
import { HANGS_AFTER_MS, testNats, until } from '@catchment/testkit';
import { migratedDatabase } from '@catchment/testkit/migrated-database';
import { startProcessing } from '../src/processing.ts';
import { processingHandlers } from '../src/transport/processing-handlers.ts';
import { FakeHistoric, type Stored, touchesOf } from './fake-historic.ts';
import { FakeSandbox } from './fake-sandbox.ts';

const SECRET = 'a-test-secret-of-more-than-32-characters';
const log = createLogger('test', { level: process.env.TEST_LOG === 'warn' ? 'warn' : 'silent' });

export type Process = {
  readonly code: string;
  readonly runMode?: string;
  readonly secondaryInputs?: string;
  readonly aggregateInputs?: string;
  readonly qualityFilter?: readonly string[];
};

type Given = {
  readonly name?: string;
  readonly parent?: NodeConfig;
  readonly valueType?: ValueType;
  readonly multiplier?: number;
  readonly process?: Process;
  readonly intervalSeconds?: number;
  readonly isEnabled?: boolean;
  readonly ratingInput?: string;
};

/** A tree of nodes in memory with the programs in it, behind the contracts of the nodes service. */
class FakeNodes {
  readonly all = new Map<string, NodeConfig>();
  readonly processes = new Map<string, Process>();
  readonly ratings = new Map<string, Rating>();
  sharedCode = '';
  /** Accounts whose paths anybody may name. */
  readonly ensured: string[] = [];
  /** True if the keys of AUTH are still good. */
  keysAreGood = true;
  #revision = 0;

  make(cls: string, given: Given & { ownerId?: string } = {}): NodeConfig {
    const nodeId = newObjectId();
    const { parent } = given;
    const { name = nodeId } = given;
    const ownerId = given.ownerId ?? parent?.ownerId ?? newObjectId();
    const isSeries = cls.startsWith('point.');
    const isSource = cls.startsWith('source.');
    if (given.process) this.processes.set(nodeId, given.process);
    return this.keep({
      nodeId,
      ownerId,
      class: cls,
      name,
      isActive: true,
      workspaceId: parent?.workspaceId ?? nodeId,
      parentId: parent?.nodeId ?? '',
      sourceId: isSeries ? (parent?.nodeId ?? nodeId) : nodeId,
      path: `${parent?.path ?? 'slug'}/${name}`,
      ...(isSeries && {
        series: {
          valueType: given.valueType ?? ValueType.VALUE_TYPE_NUMBER,
          multiplier: given.multiplier ?? 1,
          offset: 0,
          ...(given.ratingInput && { rating: { inputNodeId: given.ratingInput, digest: given.ratingInput } }),
        },
      }),
      ...(isSource && {
        source: {
          isEnabled: given.isEnabled ?? true,
          timezone: 'Etc/UTC',
          intervalSeconds: given.intervalSeconds ?? 0,
        },
      }),
    } as Partial<NodeConfig>);
  }

  /** Saves a node with the digest of its program. */
  keep(node: Partial<NodeConfig>): NodeConfig {
    this.#revision += 1;
    const whole = NodeConfig.fromPartial({ ...node, revision: this.#revision } as never);
    const process = this.processes.get(whole.nodeId);
    const program = process?.code ? { digest: JSON.stringify(process) } : undefined;
    if (whole.class === 'source.data.Processor' && whole.source) whole.source.program = program;
    else if (whole.series) whole.series.program = program;
    this.all.set(whole.nodeId, whole);
    return whole;
  }

  child(parentId: string, name: string): NodeConfig | undefined {
    return [...this.all.values()].find(
      (node) => node.parentId === parentId && node.name.toLowerCase() === name.toLowerCase(),
    );
  }

  readonly programNode = (node: NodeConfig | undefined) => ({
    config: node,
    attributes: Buffer.from(JSON.stringify({ name: node?.name })),
  });

  readonly programs: Handlers<typeof ProgramsServiceService> = {
    getProgram: async ({ ownerId, nodeRef }, { caller }): Promise<Program> => {
      const node = this.all.get(nodeRef);
      const process = this.processes.get(nodeRef);
      if (!node || !process || node.ownerId !== scopeOf(caller, ownerId).ownerId) throw notFound();
      const isService = caller.kind === 'service';
      return {
        node: this.programNode(node),
        digest: JSON.stringify(process),
        code: isService ? process.code : '',
        sharedCode: this.sharedCode,
        runMode: process.runMode ?? 'ALL_INPUTS',
        qualityFilter: [...(process.qualityFilter ?? [])],
        hasQualityFilter: process.qualityFilter !== undefined,
        secondaryInputs: process.secondaryInputs ?? 'INTERPOLATED',
        aggregateInputs: process.aggregateInputs ?? 'PARTIAL',
        timezone: 'Etc/UTC',
        timezoneAdjustForDst: false,
        location: undefined,
        source: this.programNode(this.all.get(node.sourceId)),
        workspace: this.programNode(this.all.get(node.workspaceId)),
      };
    },
    resolvePaths: async ({ ownerId, nodeRef, paths, grants }, { caller }) => {
      const node = this.all.get(nodeRef);
      if (!node || node.ownerId !== scopeOf(caller, ownerId).ownerId) throw notFound();
      const isProcessor = node.class === 'source.data.Processor';
      return {
        paths: paths.map(({ path, many }): ResolvedPath => {
          const known = (found: NodeConfig | undefined, isOutput = false): ResolvedPath =>
            found
              ? { nodes: [this.programNode(found)], failure: '', mayDeclare: false, isOutput }
              : {
                  nodes: [],
                  failure: `no node '${path}'`,
                  mayDeclare: isProcessor && !path.includes('/'),
                  isOutput: false,
                };
          const id = /^\{([0-9a-f]{24})\}$/.exec(path)?.[1];
          const byId = this.all.get(id ?? '');
          if (id)
            return known(
              byId && (byId.ownerId === node.ownerId || (this.keysAreGood && grants.length > 0)) ? byId : undefined,
              byId?.parentId === nodeRef,
            );
          if (many) {
            const matching = [...this.all.values()].filter(
              (child) => child.parentId === node.parentId && new RegExp(path).test(child.name),
            );
            return { nodes: matching.map(this.programNode), failure: '', mayDeclare: false, isOutput: false };
          }
          const own = isProcessor ? this.child(node.nodeId, path) : undefined;
          return own ? known(own, true) : known(this.child(node.parentId, path));
        }),
      };
    },
  };

  readonly ratingHandlers: Handlers<typeof RatingsServiceService> = {
    getRating: async ({ nodeId }, { caller }) => {
      serviceCaller(caller);
      const rating = this.ratings.get(nodeId);
      if (!rating) throw notFound();
      return rating;
    },
  };

  readonly nodes: Partial<Handlers<typeof NodesServiceService>> = {
    resolveNodes: async ({ nodeRefs, ownerId, skipsMissing }, { caller }) => ({
      nodes: nodeRefs.flatMap((ref) => {
        const node = this.all.get(ref);
        if (node?.ownerId === scopeOf(caller, ownerId).ownerId) return node;
        if (skipsMissing) return [];
        throw notFound();
      }),
    }),
    ensureParameters: async ({ sourceId, columns }, { caller }) => {
      serviceCaller(caller);
      const parent = this.all.get(sourceId);
      if (!parent) throw notFound();
      return {
        parameters: columns.map(({ name, dataType }) => {
          const known = this.child(sourceId, name);
          if (known) return known;
          this.ensured.push(`${name} ${dataType}`);
          const valueType =
            dataType === 'TEXT'
              ? ValueType.VALUE_TYPE_TEXT
              : dataType === 'TIME'
                ? ValueType.VALUE_TYPE_TIME
                : ValueType.VALUE_TYPE_NUMBER;
          return this.make('point.NumberPoint', { name, parent, valueType });
        }),
      };
    },
  };
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

/** The service on real servers, its peers faked behind real gRPC. */
export async function startService(options: { loops?: number } = {}) {
  const [pg, nats] = await Promise.all([migratedDatabase('processing'), testNats()]);
  const database = new Database({
    url: pg.url,
    schema: 'processing',
    applicationName: 'test',
    rehearsesTransactions: true,
    maxConnections: 16,
  });
  const bus = await Bus.open({ url: nats.url, prefix: nats.prefix, name: 'test', partitions: 1, log });
  const relay = new OutboxRelay({ database, bus, log });
  const peers = new FakeNodes();
  const historic = new FakeHistoric(peers.all);
  const sandbox = new FakeSandbox();
  const clock: { now: number | undefined } = { now: undefined };
  const now = () => clock.now ?? Date.now();
  const [verifier, signer] = [new CallerVerifier(SECRET), new CallerSigner(SECRET)];
  const owners = {
    getQualitySettings: async () => ({
      ...DEFAULT_QUALITY,
      excluded: [...DEFAULT_QUALITY.excluded],
      codes: DEFAULT_QUALITY.codes.map((code) => ({ ...code, sourceQuality: [...code.sourceQuality] })),
    }),
  };
  const peerServer = await new GrpcServerBuilder({ verifier, log })
    .add(NodesServiceService, peers.nodes as Handlers<typeof NodesServiceService>)
    .add(ProgramsServiceService, peers.programs)
    .add(RatingsServiceService, peers.ratingHandlers)
    .add(HistoricServiceService, historic.handlers)
    .add(OwnersServiceService, owners as unknown as Handlers<typeof OwnersServiceService>)
    .listen({ host: '127.0.0.1', port: 0 });
  const address = `127.0.0.1:${peerServer.port}`;
  const clients = {
    nodes: createGrpcClient(NodesServiceService, address),
    programs: createGrpcClient(ProgramsServiceService, address),
    ratings: createGrpcClient(RatingsServiceService, address),
    owners: createGrpcClient(OwnersServiceService, address),
    historic: createGrpcClient(HistoricServiceService, address),
  };
  const start = () =>
    startProcessing({
      database,
      bus,
      signer,
      ...clients,
      sandbox,
      converters: new Map(),
      loops: options.loops ?? 2,
      logger: log,
      now,
    });
  let processing = start();
  const server = await new GrpcServerBuilder({ verifier, log })
    .add(ProcessingServiceService, processingHandlers(processing.handlers))
    .listen({ host: '127.0.0.1', port: 0 });
  const client = createGrpcClient(ProcessingServiceService, `127.0.0.1:${server.port}`);

  const events: EventRecorded[] = [];
  const attempts: AttemptEnded[] = [];
  const recomputed: SeriesRecomputed[] = [];
  bus.readDomain('events-recorded', async (messages) => {
    for (const { data } of messages) events.push(EventRecorded.decode(data));
  });
  bus.readDomain('alarms-attempts', async (messages) => {
    for (const { data } of messages) attempts.push(AttemptEnded.decode(data));
  });
  bus.watch(
    'historic.series.recomputed.v1',
    (data) => recomputed.push(SeriesRecomputed.decode(data)),
    () => {},
  );

  const publish = async (subject: string, data: Uint8Array) =>
    void (await bus.publish(subject, data, { msgId: newObjectId() }));
  // The log has an end, which the store may not have reached.
  await publish('ingest.0', Buffer.from('a batch'));
  const applied = (batch: Partial<BatchApplied>) =>
    publish('applied.0', AppliedGroup.encode(AppliedGroup.fromPartial({ batches: [batch] as never })).finish());
  const touched = (touches: Parameters<typeof historic.applied>[0]) =>
    applied({ series: [...touches].map(([nodeId, own]) => ({ nodeId, touches: own })) as never });
  historic.applied = touched;
  /**
   * Returns whether there is nothing to read, validate, compute or report; programs that are suspended or put off
   * aside.
   */
  const isRead = async () => {
    const [appliedLag, domain] = [await bus.lag('APPLIED'), await bus.lag('DOMAIN')];
    const readers = ['nodes', 'accounts', 'recomputed'].map((name) => `processing-${name}`);
    const all = [...readers, 'processing-rating-nodes', 'events-recorded', 'alarms-attempts'];
    const isApplied = ['processing-0', 'processing-ratings-0'].every((name) => appliedLag[name] === 0);
    return isApplied && all.every((name) => domain[name] === 0);
  };
  /**
   * A step that could not be made on a busy machine is put off for a moment, which a clock that stands still never reaches. It may have been put
   * off while the clock of a test before was the machine's.
   */
  const passMoment = async (nowMs: number) =>
    void (await database.query(
      `UPDATE computed SET retry_time = least(retry_time, moment), check_time = least(check_time, moment)
       FROM to_timestamp($1::float8 / 1000) AS moment
       WHERE greatest(retry_time, check_time) BETWEEN moment + interval '1 microsecond' AND moment + interval '5 seconds'
         OR greatest(retry_time, check_time) BETWEEN now() - interval '1 hour' AND now() + interval '5 seconds'`,
      [nowMs],
    ));
  const ends = async () => [await bus.lastSequence('APPLIED'), await bus.lastSequence('DOMAIN')].join();
  const idle = () =>
    until(async () => {
      if (clock.now !== undefined) await passMoment(clock.now);
      const before = await ends();
      if (!(await isRead())) return false;
      const { rows } = await database.query<{ n: number }>(
        `SELECT (SELECT count(*) FROM outbox) + (SELECT count(*) FROM marks WHERE forgets IS NULL) + (SELECT count(*) FROM rating_marks JOIN ratings USING (node_id) WHERE plan_version IS NOT NULL) + (SELECT count(*) FROM computed
             WHERE (needs_check AND check_time <= to_timestamp($1::float8 / 1000)) OR (is_enabled AND plan_version IS NOT NULL AND (due OR (phase IS NOT NULL AND suspended_until IS NULL))
               AND owner_id NOT IN (SELECT owner_id FROM accounts WHERE is_disabled))) AS n`,
        // The clock of the test counts: while it stands still, a check that the machine's clock has made due never comes.
        [now()],
      );
      // A message that has come meanwhile may have been read, and be the work of a loop by now.
      return rows[0]?.n === 0 && (await ends()) === before;
    });
  const changed = async (...nodes: NodeConfig[]) => {
    for (const node of nodes)
      await publish(
        'nodes.node.changed.v1',
        NodeChanged.encode(NodeChanged.fromPartial({ node, timeMs: now() })).finish(),
      );
  };

  return {
    peers,
    historic,
    sandbox,
    database,
    bus,
    clock,
    idle,
    events,
    recomputed,
    /** Saves a node and waits until all that follows is done. */
    save: async (...nodes: NodeConfig[]) => {
      await changed(...nodes);
      await idle();
    },
    changed,
    /** Writes records of inputs, and waits until all that follows is done. */
    write: async (
      nodeId: string,
      records: readonly (readonly [number, Stored['value'] | null, number?])[],
      waits = true,
    ) => {
      historic.put(nodeId, records);
      await touched(
        new Map([
          [
            nodeId,
            touchesOf(
              records.map(([timeMs]) => timeMs).sort((a, b) => a - b),
              false,
            ),
          ],
        ]),
      );
      if (waits) await idle();
    },
    touched,
    applied,
    deleteHistory: async (node: NodeConfig, timeMs = Date.now()) => {
      historic.of(node.nodeId).clear();
      await applied({ seriesDeletes: [{ nodeId: node.nodeId, ownerId: node.ownerId, timeMs }] as never });
      await idle();
    },
    remove: async ({ nodeId, ownerId, sourceId }: NodeConfig) => {
      peers.all.delete(nodeId);
      const message = NodesDeleted.fromPartial({ ownerId, nodes: [{ nodeId, sourceId }], timeMs: now() });
      await publish('nodes.node.deleted.v1', NodesDeleted.encode(message).finish());
      await idle();
    },
    accountChanged: async (ownerId: string, status: string) => {
      await publish('nodes.account.changed.v1', AccountChanged.encode({ ownerId, status }).finish());
      await idle();
    },
    seriesRecomputed: async ({ nodeId, ownerId }: NodeConfig, newsFromMs?: number) => {
      await publish(
        'historic.series.recomputed.v1',
        SeriesRecomputed.encode({ nodeId, ownerId, timeMs: now(), newsFromMs }).finish(),
      );
      await idle();
    },
    /** Returns what was reported to the processAlarm, in order. */
    announced: ({ nodeId }: NodeConfig) =>
      attempts.filter((attempt) => attempt.nodeId === nodeId).map(({ failure }) => failure),
    messages: ({ nodeId }: NodeConfig) =>
      events.filter((event) => event.nodeId === nodeId).map(({ message }) => message),
    test: async (node: NodeConfig, body: object, by: ApiCaller = caller(node.ownerId)) => {
      const request = { nodeRef: node.nodeId, body: Buffer.from(JSON.stringify(body)) };
      const { json } = await client.testProgram(request, { token: await signer.sign(by), timeoutMs: HANGS_AFTER_MS });
      return JSON.parse(json.toString());
    },
    acquire: async (node: NodeConfig, by: ApiCaller = caller(node.ownerId)) => {
      await client.acquire({ isRecorded: false, nodeRef: node.nodeId }, { token: await signer.sign(by) });
      await idle();
    },
    computation: async (node: NodeConfig, by: ApiCaller = caller(node.ownerId)) => {
      const { json } = await client.getComputation({ nodeRef: node.nodeId }, { token: await signer.sign(by) });
      return JSON.parse(json.toString());
    },
    /** Ends all loops and begins again, as another process would. */
    restart: async () => {
      // A message that a reader has in hand is given to the next one only after a while.
      await until(async () => (await bus.lag('APPLIED'))['processing-0'] === 0);
      await processing.stop();
      processing = start();
    },
    close: async () => {
      await processing.stop();
      client.close();
      for (const client of Object.values(clients)) client.close();
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
