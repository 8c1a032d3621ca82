import type { ApiCaller } from '@catchment/access';
// A running devices service with its real stores.
import { Bus } from '@catchment/bus';
import { DevicesServiceService } from '@catchment/contracts/devices';
import { EventRecorded } from '@catchment/contracts/events';
import type { NodeConfig } from '@catchment/contracts/nodes';
import { NodeChanged, NodesDeleted } from '@catchment/contracts/nodes-messages';
import { CallerSigner, createGrpcClient, type GrpcClient, type GrpcServer } from '@catchment/grpc';
import { newObjectId } from '@catchment/ids';
import { openService, type Started, startService } from '@catchment/service';
import { createLogger } from '@catchment/telemetry';
import { type TestDatabase, type TestNats, testDatabase, testNats, until } from '@catchment/testkit';
import type {
  CollectFiles,
  FileTransport,
  LoggerDriver,
  PipeTransport,
} from '../src/acquisition/usecases/session-ports.ts';
import { config } from '../src/config.ts';
import { type StartedDevices, startDevices } from '../src/start-devices.ts';
import { caller, FakeHistoric, FakeNodes, newKey, SECRET, serveFakes, sourceNode, workspaceNode } from './fakes.ts';

const log = createLogger('test', { level: 'silent' });
const signer = new CallerSigner(SECRET);
export const nodes = new FakeNodes();
export const historic = new FakeHistoric();
export const events: EventRecorded[] = [];
export let database: TestDatabase;
let nats: TestNats;
export let bus: Bus;
let fakes: GrpcServer;
export let env: NodeJS.ProcessEnv;
export let main: Replica;
const noDrivers = () => ({
  files: [] as FileTransport[],
  pipes: [] as PipeTransport[],
  loggers: [] as LoggerDriver[],
  collect: (async () => {}) as CollectFiles,
});
/** Sessions are made of these drivers: a test puts its own in. */
export const drivers = noDrivers();

type Replica = Started &
  StartedDevices & {
    stop(): Promise<void>;
    client: GrpcClient<typeof DevicesServiceService>;
    scout: number;
    callback: number;
  };

export async function startReplica(over: NodeJS.ProcessEnv = {}): Promise<Replica> {
  const started = await startService(
    openService(config, (scope) => startDevices(scope, drivers)),
    { ...env, ...over },
    { log },
  );
  const { ports } = started;
  const client = createGrpcClient(DevicesServiceService, `127.0.0.1:${started.grpcPort}`);
  const stop = async () => {
    client.close();
    await started.stop();
  };
  return {
    ...started,
    ports,
    stop,
    client,
    scout: ports.Scout?.[0] ?? 0,
    callback: ports.TcpCallback?.[0] ?? 0,
  };
}

/** Starts the service, for the tests of one file. */
export function useDevices(): void {
  beforeAll(async () => {
    [database, nats] = await Promise.all([testDatabase(), testNats()]);
    fakes = await serveFakes(nodes, historic, log);
    env = {
      GRPC_PORT: '0',
      HEALTH_PORT: '0',
      SCOUT_PORT: '0',
      MQTT_PORT: '0',
      CALLBACK_PORT: '0',
      SERVICE_TOKEN_SECRET: SECRET,
      NATS_URL: nats.url,
      NATS_PREFIX: nats.prefix,
      INGEST_PARTITIONS: '1',
      DATABASE_URL: database.url,
      REHEARSE_TRANSACTIONS: 'true',
      NODES_ADDRESS: `127.0.0.1:${fakes.port}`,
      HISTORIC_ADDRESS: `127.0.0.1:${fakes.port}`,
      EGRESS_ALLOWED_RANGES: '127.0.0.0/8',
      PROCESSING_ADDRESS: `127.0.0.1:${fakes.port}`,
      WASPMOTE_PORT: '0',
      // A machine that stands still for a moment does not end those who are about to speak.
      SCOUT_IDENT_SECONDS: '60',
      SCOUT_MAX_FAILURES: '10000',
    };
    bus = await Bus.open({ url: nats.url, prefix: nats.prefix, name: 'test', partitions: 1, log });
    bus.readDomain('events-recorded', async (messages) => {
      for (const message of messages) events.push(EventRecorded.decode(message.data));
    });
    main = await startReplica();
  });
  afterAll(async () => {
    await main.stop();
    await fakes.close();
    await bus.close();
    await Promise.all([database.drop(), nats.drop()]);
    // The next file may run in the same process.
    events.length = 0;
    Object.assign(drivers, noDrivers());
  });
  afterEach(() => {
    historic.failure = undefined;
    historic.gate = undefined;
  });
}

export const changed = (node: NodeConfig) =>
  bus.publish('nodes.node.changed.v1', NodeChanged.encode({ created: false, node, timeMs: 1, username: '' }).finish(), {
    msgId: newObjectId(),
  });

export const deleted = (...gone: NodeConfig[]) =>
  bus.publish(
    'nodes.node.deleted.v1',
    NodesDeleted.encode({
      ownerId: gone[0]?.ownerId ?? '',
      timeMs: 1,
      nodes: gone.map((node) => ({
        nodeId: node.nodeId,
        class: node.class,
        workspaceId: node.workspaceId,
        sourceId: node.nodeId,
      })),
    }).finish(),
    { msgId: newObjectId() },
  );

export async function list(
  who: ApiCaller,
  request: { attr?: string; filter?: string; sort?: string; limit?: number; skip?: number } = {},
) {
  const token = await signer.sign(who);
  let text = '';
  let revision = '';
  for await (const chunk of main.client.listDevices(
    { attr: '', filter: '', sort: '', skip: 0, ...request },
    { token },
  )) {
    revision ||= chunk.revision;
    text += chunk.data.toString();
  }
  return { devices: JSON.parse(text) as Record<string, never>[], revision };
}

export async function create(who: ApiCaller, body: unknown) {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  const { json } = await main.client.createDevice({ body: bytes }, { token: await signer.sign(who) });
  return JSON.parse(json.toString()) as Record<string, never>;
}

export async function update(who: ApiCaller, deviceId: string, body: unknown) {
  const request = { deviceId, body: Buffer.from(JSON.stringify(body)) };
  const { json } = await main.client.updateDevice(request, { token: await signer.sign(who) });
  return JSON.parse(json.toString()) as Record<string, never>;
}

export const tokenOf = (who: ApiCaller) => signer.sign(who);
/** Signs a token of one of our services. */
export const asService = () => signer.sign({ kind: 'service', service: 'cli' });

export async function get(who: ApiCaller, deviceId: string, attr = '') {
  const { json } = await main.client.getDevice({ deviceId, attr }, { token: await signer.sign(who) });
  return JSON.parse(json.toString()) as Record<string, never>;
}

/** Makes an account with a workspace and a source whose modem is known. */
export async function site(over: Parameters<typeof sourceNode>[2] = {}, secret?: string) {
  const who = caller();
  const workspace = workspaceNode(who.ownerId);
  nodes.nodes.push(workspace);
  const key = newKey();
  if (secret) await create(who, { deviceKey: key, workspaceId: workspace.nodeId, secret });
  const source = sourceNode(workspace, key, over);
  nodes.nodes.push(source);
  await changed(source);
  const device = await until(async () =>
    (await list(who)).devices.find((device) => device.datasourceId === source.nodeId),
  );
  return { who, workspace, key, source, deviceId: String(device._id) };
}

export const isConnected = async (who: ApiCaller, deviceId: string) =>
  (await get(who, deviceId)).isConnected as unknown as boolean;
export const eventsOf = (source: NodeConfig) =>
  events.filter((event) => event.nodeId === source.nodeId).map((event) => event.message);
export const recordsOf = (source: NodeConfig) =>
  [...historic.records.keys()].filter((key) => key.startsWith(source.nodeId));
export const writesOf = (source: NodeConfig) => historic.writes.filter((write) => write.nodeRef === source.nodeId);
