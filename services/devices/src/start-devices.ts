import { randomUUID } from 'node:crypto';
import { DevicesServiceService } from '@catchment/contracts/devices';
import type { TransportName } from '@catchment/contracts/transports';
import { Egress } from '@catchment/egress';
import { unavailable } from '@catchment/errors';
import { gathered, listWork, placesFor } from '@catchment/fair-queue';
import { admitted } from '@catchment/grpc';
import { followNodes, watchNodes } from '@catchment/node-replica';
import type { ScopeOf } from '@catchment/service';
import { type Drivers, FinalFailure, openAcquisition } from './acquisition/index.ts';
import type { config } from './config.ts';
import { downloads } from './downloads/index.ts';
import { FileWorker } from './files/index.ts';
import { followNode, reconcileAtStart, sourceFollower } from './following/index.ts';
import { Admission, FailedIdents, MessageMemory, Turns } from './listening/index.ts';
import { loggerDrivers } from './loggers/index.ts';
import { sweepUplinks } from './lorawan/index.ts';
import { modbusDriver } from './modbus/index.ts';
import { ModemServer, modemTransports, pipeTransports } from './modems/index.ts';
import { mqtt } from './mqtt/index.ts';
import { pgStore } from './pg-store.ts';
import { convertFiles } from './reading/index.ts';
import { type AckedSeq, type EndedConnection, releaseModems, SecretHasher } from './registry/index.ts';
import { RemoteGates } from './remote/index.ts';
import {
  type FileWrites,
  historicClient,
  nodesClient,
  PushSources,
  processingClient,
  WriteQueue,
  type WriteToSource,
} from './sources/index.ts';
import { Stations, tcpServer } from './stations/index.ts';
import { devicesHandlers } from './transport/devices-handlers.ts';
import { attachFile, attachmentsClient, openUploads, UploadDoor } from './uploads/index.ts';
export type StartedDevices = {
  /** Transports listen on these; Scouts plain, then with TLS where it is configured. */
  readonly ports: Readonly<Partial<Record<TransportName, readonly number[]>>>;
};

/** Well above what a refusal costs: a derivation and two lookups. */
const REFUSAL_MS = 250;
/** At a time; modems and files have the other connections. */
const LISTS = 4;
/** A sample takes a tenth of a second of a processor, and some MiB. */
const PREVIEWS = 2;
/** However many modems come at once, few are at the database. Each waits for as long as one keeps its connection. */
const MODEMS = { atOnce: 8, maxWaiting: 1_000_000, maxWaitingEach: 1_000_000 } as const;
/** Rows of modems that are written together, and those that wait meanwhile: some for each modem that a process can have. */
const ROWS = { batch: { items: 1_000 }, waiting: { items: 1_000_000, reason: 'DATABASE_BUSY' } } as const;
/** Segments of files, 512 KiB each, that are being stored at a time. */
const SEGMENTS = 32;

const noExpressions = async (): Promise<string> => {
  throw new FinalFailure('Expressions in addresses are not available: PROCESSING_ADDRESS is not set');
};

type Scope = ScopeOf<typeof config>;

/** Wires the service and serves; everything is closed by the scope, modems first. */
export async function startDevices(scope: Scope, given: Partial<Drivers> = {}): Promise<StartedDevices> {
  const { config, log, defer, database, bus, signer, peers } = scope;
  const nodes = nodesClient(peers.nodes, signer);
  const historic = historicClient(peers.historic, signer);
  const now = Date.now;
  const address = { host: config.scoutPublicHost ?? config.scout.host, port: config.scout.port ?? 4331 };
  const store = pgStore(database, config.classNamespace);
  const instanceId = randomUUID();
  const queue = new WriteQueue({ write: historic.write, log });
  const write: WriteToSource = async (source, ...document) => {
    await queue.write(source, ...document);
    acquisitions.delivered(source.sourceId);
  };
  /** Writes of what devices and stations push. */
  const pushes: FileWrites = {
    ...historic,
    writeFile: async (one, signal) => {
      const rows = await historic.writeFile(one, signal);
      acquisitions.delivered(one.source._id);
      return rows;
    },
  };
  const memory = new MessageMemory();
  const modems = new ModemServer({
    ...{ store, write, log, now, instanceId, memory },
    saveAcked: gathered<AckedSeq>((acked) => store.saveAckedSeqs(acked).then(() => []), ROWS),
    release: gathered<EndedConnection>((ended) => releaseModems({ store, now }, ended).then(() => []), ROWS),
    turns: new Turns(MODEMS),
    secrets: new SecretHasher(),
    admission: new Admission(config),
    failedIdents: new FailedIdents(config, now),
    refusalMs: REFUSAL_MS,
    identLimitMs: config.identLimitMs,
    connected: ({ device: { deviceId }, sources }) =>
      void acquisitions.deviceConnected(deviceId, sources).catch((err: unknown) => {
        log.warn({ err, deviceId }, 'sources of a device could not be queued');
      }),
    changed: () => void gates?.refresh(),
  });
  const { ports: remotePorts, host: remoteHost, publicHost } = config.remote;
  const gates =
    remotePorts &&
    new RemoteGates({
      ...{ store, modems, instanceId, log, now },
      host: remoteHost,
      ports: remotePorts,
      inUse: (session, isConnected) => acquisitions.remoteUse(session, isConnected),
    });
  const attachments = attachmentsClient(peers, signer);
  const processing = peers.processing && processingClient(peers.processing, signer);
  const kinds = {
    'source.attachment.AttachmentSource': attachFile(attachments),
    ...(processing && { 'source.data.Converter': convertFiles(processing.convert) }),
  };
  const files = new FileWorker({ store, historic, kinds, log, now });
  const pushSources = new PushSources(nodes);
  watchNodes(bus, pushSources);
  const egress = new Egress({ allowed: config.egressRanges });
  const fetches = downloads({ store, egress, renderUrl: processing?.renderUrl ?? noExpressions, now });
  const parameters = { of: nodes.seriesOf, activate: nodes.activate };
  const spoken = loggerDrivers({ egress, parameters, pakBus: config.pakBus });
  // Drivers that a test gives come first.
  const drivers: Drivers = {
    files: [...(given.files ?? []), ...fetches.files],
    pipes: [...(given.pipes ?? []), ...pipeTransports(modems), ...spoken.pipes],
    loggers: [...(given.loggers ?? []), ...spoken.loggers, modbusDriver()],
    collect: given.collect ?? fetches.collect,
  };
  const acquisitions = openAcquisition({
    ...{ store, nodes, drivers, log, now, instanceId, write: historic.writeInSession, wakeFiles: () => files.wake() },
    ...{ sessions: config.sessions, sessionsPerAccount: config.sessionsPerAccount },
  });
  const stations = new Stations({ pushSources, historic: pushes, store, log, now });
  const followDeps = { store, address, acquisitions, log, now };
  const reader = followNodes(bus, 'devices-nodes', sourceFollower(followDeps));
  defer(() => reader.stop());
  const stopping = new AbortController();
  const follow = (node: Parameters<typeof followNode>[1]) => followNode(followDeps, node);
  const reconciling = reconcileAtStart({ store, deviceSources: nodes.deviceSources, follow, log }, stopping.signal);
  defer(async () => {
    stopping.abort();
    await reconciling;
  });

  // Modems, however many come, do not hold up people, nor people modems.
  const registry = { store, nodes, secrets: new SecretHasher(), namespace: config.classNamespace, address, now };
  const take = { nodes, store, wake: () => files.wake(), now };
  const failures = new FailedIdents(config.uploads, now);
  const door = new UploadDoor({ pushSources, store, failures, log, now });
  const decode = processing?.decode ?? (() => Promise.reject(unavailable('PEER_UNAVAILABLE')));
  const messages = { uplinks: { door, historic: pushes, store, decode, now }, stations };
  const lists = placesFor('TOO_MANY_LISTS', LISTS);
  const previews = placesFor('TOO_MANY_PREVIEWS', PREVIEWS);
  const segments = placesFor('TOO_MANY_SEGMENTS', SEGMENTS);
  const remote = { store, nodes, isOn: gates !== undefined, host: publicHost, now };
  const calls = devicesHandlers(registry, files, acquisitions, remote, { ...take, door }, messages);
  const handlers = admitted(DevicesServiceService, calls, lists, { listDevices: (asked) => listWork(asked) });
  const stored = admitted(DevicesServiceService, handlers, segments, { writeFileSegment: 1 });
  const previewed = admitted(DevicesServiceService, stored, previews, { previewParser: 1 });
  await scope.serve((server) => server.add(DevicesServiceService, previewed));
  files.start();
  // Before the server: its calls wait for files.
  defer(() => files.stop());

  await acquisitions.start();
  defer(() => acquisitions.stop());
  const controls = acquisitions.readControls(bus);
  defer(() => controls.stop());

  const replicas = {
    say: (subject: string, text: string) => bus.say(`now.devices.${subject}`, Buffer.from(text)),
    hear: (subject: string, heard: (text: string) => void) =>
      bus.watch(
        `now.devices.${subject}`,
        (data) => heard(Buffer.from(data).toString()),
        () => {},
      ),
  };
  await modems.start();
  defer(() => modems.close());
  if (gates) defer(() => gates.close());
  const uplinkSweep = sweepUplinks({ store, log });
  defer(() => uplinkSweep.stop());
  const messagesOf = { write, historic: pushes, fileSettings: nodes.fileSettings, wake: () => files.wake() };
  const transports = [
    ...modemTransports(modems, config),
    mqtt(config.mqtt, {
      ...{ namespace: config.classNamespace, store, replicas, memory, pushSources, log, now },
      ...messagesOf,
    }),
    tcpServer(config.stations, { stations, log, now }),
  ];
  const ports: Partial<Record<TransportName, readonly number[]>> = {};
  for (const { name, open } of transports) {
    const opened = await open();
    defer(() => opened.close());
    ports[name] = opened.ports;
  }
  const uploads = await openUploads(config.uploads, { door, take, log, random: Math.random });
  defer(() => uploads.close());
  return { ports: { ...ports, ...uploads.ports } };
}
