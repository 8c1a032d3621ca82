import { randomInt, randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { ApiCaller } from '@catchment/access';
import { HistoricServiceService, type WriteRequest } from '@catchment/contracts/historic';
import { FileSource, NodeConfig, NodesServiceService, type TransportSettings } from '@catchment/contracts/nodes';
import { ProcessingServiceService } from '@catchment/contracts/processing';
import { SecurityServiceService } from '@catchment/contracts/security';
import { type SettingsOf, type TransportName, transportSettings } from '@catchment/contracts/transports';
import { DomainError, notFound, notPermitted } from '@catchment/errors';
import { type CallContext, CallerVerifier, GrpcServerBuilder, type Handlers } from '@catchment/grpc';
import { newObjectId } from '@catchment/ids';
import { parseJsonBody } from '@catchment/json-body';
import type { Logger } from '@catchment/telemetry';
import { fakeHandlers, until } from '@catchment/testkit';

export const SECRET = 'a-secret-of-the-tests-of-32-letters!';

/** Returns a source of files, as its session knows it. */
export const sessionSource = () => ({
  sourceId: newObjectId(),
  ownerId: newObjectId(),
  workspaceId: newObjectId(),
  sourceClass: 'source.data.TextParser',
  name: 'Source',
  attributes: {},
});

/** Stands for the nodes service: finds nodes by reference, checks account and workspace, and lists sources for the start. */
export class FakeNodes {
  readonly nodes: NodeConfig[] = [];
  /** Sources that receive by MQTT. The key is their push key. */
  readonly mqtt = new Map<string, { source: NodeConfig; settings: Partial<SettingsOf<'Mqtt'>> }>();
  /** Sources of other push transports, by `<transport> <key>`. */
  readonly pushes = new Map<string, { source: NodeConfig; settings: TransportSettings }>();
  /** Files of a source are read by these attributes. */
  readonly files = new Map<string, Partial<FileSource>>();
  /** A TcpClient leads to this port; the key is the source. */
  readonly loggers = new Map<string, { readonly port: number; readonly attributes?: object }>();
  /** A source has these parameters; the key is the source. */
  readonly series = new Map<string, { readonly series: string; isActive: boolean }[]>();
  isAway = false;
  /** These nodes are closed to every caller. */
  readonly closed: string[] = [];

  security(): Handlers<typeof SecurityServiceService> {
    const { closed } = this;
    return fakeHandlers(SecurityServiceService, {
      listClosedNodes: async function* () {
        yield { nodeIds: [...closed] };
      },
    });
  }

  handlers(): Handlers<typeof NodesServiceService> {
    const nodes = this.nodes;
    return fakeHandlers(NodesServiceService, {
      resolveNodes: async ({ nodeRefs, skipsMissing }, { caller }: CallContext) => ({
        nodes: nodeRefs.flatMap((ref) => {
          const owned = nodes.filter((node) => caller.kind === 'api' && node.ownerId === caller.ownerId);
          const found = owned.find((node) => node.nodeId === ref.toLowerCase() || `@${node.customId}` === ref);
          if (!found && skipsMissing) return [];
          if (!found) throw notFound();
          const allowed = caller.kind === 'api' ? caller.workspaceIds : undefined;
          if (allowed && !allowed.includes(found.workspaceId)) throw notPermitted();
          return found;
        }),
      }),
      findPushSource: async ({ transport, key }) => {
        const push = this.pushes.get(`${transport} ${key}`);
        if (push) {
          const { nodeId: sourceId, revision } = push.source;
          return { source: push.source, transport: { sourceId, revision, settings: push.settings } };
        }
        const found = this.mqtt.get(key);
        if (this.isAway) throw new DomainError('unavailable', 'PEER_UNAVAILABLE', 'nodes is away');
        if (!found) throw notFound();
        const { source } = found;
        const settings = transportSettings('Mqtt', { key, authentication: 'NONE', ...found.settings });
        return { source, transport: { sourceId: source.nodeId, revision: source.revision, settings } };
      },
      listDeviceSources: async function* () {
        for (const node of nodes)
          if (node.source && (node.source.transportClass !== 'None' || node.source.scheduleType !== 'NONE')) yield node;
      },
      getAcquisition: async ({ sourceId }) => {
        const byKey = [...this.mqtt.values(), ...this.pushes.values()].map(({ source }) => source);
        const source = [...nodes, ...byKey].find((node) => node.nodeId === sourceId);
        if (!source?.source) throw notFound();
        const { ownerId, workspaceId, revision } = source;
        const logger = this.loggers.get(sourceId);
        const to = logger ? { host: '127.0.0.1', port: logger.port } : { host: 'data.example', port: 21 };
        const settings = transportSettings(source.source.transportClass as TransportName, to);
        const of = { sourceId, ownerId, workspaceId, class: source.class, timezone: 'Etc/UTC' };
        const files = FileSource.fromPartial({ ...of, ...this.files.get(sourceId) });
        return {
          source,
          transport: { sourceId, revision, settings },
          files,
          attributes: JSON.stringify({ retryAttempts: 0, ...logger?.attributes }),
        };
      },
      getSource: async ({ sourceId }) => {
        const source = nodes.find((node) => node.nodeId === sourceId);
        if (!source) throw notFound();
        const parameters = (this.series.get(sourceId) ?? []).map(({ series, isActive }) =>
          NodeConfig.fromPartial({ class: 'point.NumberPoint', isActive, series: { seriesKey: series } }),
        );
        return { source, parameters };
      },
      activateParameters: async ({ sourceId, activeSeries, inactiveSeries }) => {
        for (const written of this.series.get(sourceId) ?? []) {
          if (activeSeries.includes(written.series)) written.isActive = true;
          if (inactiveSeries.includes(written.series)) written.isActive = false;
        }
        return {};
      },
    });
  }
}

/** Stands for the historic service: keeps records by timestamp, as the store does. */
export class FakeHistoric {
  readonly writes: WriteRequest[] = [];
  /** `<source>/<series>/<ts>` → value. */
  readonly records = new Map<string, unknown>();
  attempts = 0;
  /** The data of these sources were at fault. */
  readonly faults: { readonly sourceId: string; readonly fault: string }[] = [];
  /** Thrown instead of writing. */
  failure: DomainError | undefined;
  /** The answer waits for this, after the records are there. */
  gate: Promise<void> | undefined;

  handlers(): Handlers<typeof HistoricServiceService> {
    return fakeHandlers(HistoricServiceService, {
      tellFault: async ({ sourceId, fault }) => {
        this.faults.push({ sourceId, fault });
        return {};
      },
      write: async (request) => {
        this.attempts += 1;
        if (this.failure) throw this.failure;
        const document = parseJsonBody(request.body) as {
          header: { columns: Record<string, { series: string }> };
          data: { ts: string; f: Record<string, { v: unknown }> }[];
        };
        this.writes.push(request);
        for (const { ts, f } of document.data) {
          for (const [index, { v }] of Object.entries(f)) {
            this.records.set(`${request.nodeRef}/${document.header.columns[index]?.series}/${ts}`, v);
          }
        }
        await this.gate;
        return { rows: document.data.length, parts: [] };
      },
    });
  }
}

/** Runners of processing decode a payload as its bytes and convert a file as its text. */
const processing = () =>
  fakeHandlers(ProcessingServiceService, {
    decodePayload: async ({ decoder, payload }) => {
      if (decoder === 'bad') throw new DomainError('failed_precondition', 'DECODER_FAILED', 'decoder: unknown port');
      return { json: JSON.stringify({ first: payload[0] }) };
    },
    convert: async function* ({ converterId, file }) {
      if (converterId !== 'c') throw notFound();
      const header = { columns: { 0: { name: 'size', series: 'size', dataType: 'NUMBER' } } };
      const data = [{ ts: file.toString(), f: { 0: { v: file.length } } }];
      yield { json: JSON.stringify({ docType: 'jts', version: '1.0', header, data }) };
    },
  });

export const serveFakes = (nodes: FakeNodes, historic: FakeHistoric, log: Logger) =>
  new GrpcServerBuilder({ verifier: new CallerVerifier(SECRET), log })
    .add(NodesServiceService, nodes.handlers())
    .add(SecurityServiceService, nodes.security())
    .add(HistoricServiceService, historic.handlers())
    .add(ProcessingServiceService, processing())
    .listen({ host: '127.0.0.1', port: 0 });

/** Makes an API caller of a new account. */
export const caller = (over: Partial<ApiCaller> = {}): ApiCaller => ({
  kind: 'api',
  ownerId: newObjectId(),
  userId: newObjectId(),
  username: 'somebody@example.com',
  permission: 'MODIFY',
  accessLevel: 'ACCOUNT',
  ...over,
});

export const newKey = (): string =>
  String(randomInt(100_000_000_000, 281_000_000_000_000)).padStart(12, '1').slice(0, 12);

const NODE: NodeConfig = {
  nodeId: '',
  ownerId: '',
  workspaceId: '',
  parentId: '',
  class: '',
  name: '',
  customId: '',
  sourceId: '',
  path: '',
  revision: 1,
  isActive: true,
  series: undefined,
  source: undefined,
  alarms: [],
  sharedCodeDigest: '',
};

export function workspaceNode(ownerId: string, over: Partial<NodeConfig> = {}): NodeConfig {
  const nodeId = newObjectId();
  return { ...NODE, nodeId, ownerId, workspaceId: nodeId, sourceId: nodeId, class: 'Workspace', name: 'Ws', ...over };
}

export function sourceNode(
  workspace: NodeConfig,
  deviceKey: string,
  over: Partial<NodeConfig> & { isEnabled?: boolean; scheduleType?: string; transport?: string } = {},
): NodeConfig {
  const nodeId = newObjectId();
  const { isEnabled = true, scheduleType = 'SERVER', transport = deviceKey ? 'Scout' : 'None', ...node } = over;
  return {
    ...NODE,
    nodeId,
    sourceId: nodeId,
    ownerId: workspace.ownerId,
    workspaceId: workspace.nodeId,
    parentId: workspace.nodeId,
    class: 'source.data.Jts',
    name: 'Modem',
    source: {
      isEnabled,
      timezone: 'Etc/UTC',
      timezoneAdjustForDst: false,
      quietMaxSeconds: 86_400,
      scheduleType,
      transportClass: transport,
      deviceKey,
      writeMode: '',
      program: undefined,
      intervalSeconds: 3_600,
      intervalOffsetSeconds: 0,
      retryAttempts: 3,
      retryDelaySeconds: 900,
      followers: [],
      lineSeries: '',
    },
    ...node,
  };
}

export type Received = Record<string, unknown> & { type: string };

/** This hand-written modem sends raw bytes and receives messages. */
export class TestModem {
  readonly received: Received[] = [];
  readonly socket: Socket;
  isClosed = false;
  #text = '';

  constructor(port: number) {
    this.socket = connect({ host: '127.0.0.1', port });
    this.socket.on('error', () => {});
    this.socket.on('close', () => {
      this.isClosed = true;
    });
    this.socket.on('data', (chunk) => {
      const lines = (this.#text + chunk.toString()).split('\n');
      this.#text = lines.pop() ?? '';
      for (const line of lines) this.received.push(JSON.parse(line) as Received);
    });
  }

  send(message: unknown): void {
    this.socket.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  }

  ident(deviceKey: string, over: Record<string, unknown> = {}): this {
    this.send({ type: 'ident', deviceKey, session: randomUUID(), software: { appVersion: '2.1' }, ...over });
    return this;
  }

  data(seq: number, ts: string, value: number, over: Record<string, unknown> = {}): void {
    this.send({ type: 'data', seq, jts: jts(ts, value), ...over });
  }

  /** Returns the next message that fits, from all that came so far. */
  next(type: string, fits: Record<string, unknown> = {}): Promise<Received> {
    const find = () =>
      this.received.find(
        (occurrence) =>
          occurrence.type === type && Object.entries(fits).every(([name, value]) => occurrence[name] === value),
      );
    return until(find, {
      what: `${type} ${JSON.stringify(fits)}, got ${JSON.stringify(this.received)}`,
    });
  }

  closed(): Promise<unknown> {
    return until(() => this.isClosed, { what: 'the server closes the connection' });
  }

  end(): void {
    this.socket.destroy();
  }
}

export const jts = (ts: string, value: number) => ({
  docType: 'jts',
  version: '1.0',
  header: { columns: { 0: { name: 'Level', series: 'Level', dataType: 'NUMBER' } } },
  data: [{ ts, f: { 0: { v: value } } }],
});
