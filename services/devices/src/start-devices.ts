import { randomUUID } from 'node:crypto';
import { DevicesServiceService } from '@catchment/contracts/devices';
import { LISTENERS, type TransportName } from '@catchment/contracts/transports';
import { Egress } from '@catchment/egress';
import { unavailable } from '@catchment/errors';
import { listWork, slotsFor } from '@catchment/fair-queue';
import { admitted, type Handlers } from '@catchment/grpc';
import { watchNodes } from '@catchment/node-replica';
import type { ScopeOf } from '@catchment/service';
import { type Drivers, FinalFailure, openAcquisition } from './acquisition/index.ts';
import type { config } from './config.ts';
import { downloads } from './downloads/index.ts';
import { FileWorker, fileHandlers } from './files/index.ts';
import { openFollowing } from './following/index.ts';
import { FailedIdents, MessageMemory } from './listening/index.ts';
import { loggerDrivers } from './loggers/index.ts';
import { sweepUplinks, uplinkHandlers } from './lorawan/index.ts';
import { modbusDriver } from './modbus/index.ts';
import { openModems } from './modems/index.ts';
import { pgStore } from './pg-store.ts';
import { convertFiles, previewHandlers } from './reading/index.ts';
import { receivers } from './receivers.ts';
import { registryHandlers, SecretHasher } from './registry/index.ts';
import { openRemote } from './remote/index.ts';
import { PushedRecords, pushedWrites } from './schedules/index.ts';
import { historicClient, nodesClient, PushSources, processingClient } from './sources/index.ts';
import { Stations, sampleHandlers } from './stations/index.ts';
import { attachFile, attachmentsClient, openUploads, pushHandlers, UploadAdmission } from './uploads/index.ts';

export type StartedDevices = {
  /** Transports listen on these; Scouts plain, then with TLS where it is configured. */
  readonly ports: Readonly<Partial<Record<TransportName, readonly number[]>>>;
};

/** This many lists run at a time; modems and files have the other connections. */
const LISTS = 4;
/** A sample takes a tenth of a second of a processor, and some MiB. */
const PREVIEWS = 2;
/** This many segments of files, 512 KiB each, are stored at a time. */
const SEGMENTS = 32;

const noExpressions = async (): Promise<string> => {
  throw new FinalFailure('Expressions in addresses are not available: PROCESSING_ADDRESS is not set');
};

const noDecoders = () => Promise.reject(unavailable('PEER_UNAVAILABLE'));

type Scope = ScopeOf<typeof config>;

/**
 * Wires the rooms, each with those below it alone, and serves; everything is closed by the scope, modems first.
 * @param given drivers of a test, which come first
 */
export async function startDevices(scope: Scope, given: Partial<Drivers> = {}): Promise<StartedDevices> {
  const { config, log, defer, database, bus, signer, peers } = scope;
  const { classNamespace: namespace } = config;
  const now = Date.now;
  const instanceId = randomUUID();
  const address = {
    host: config.scoutPublicHost ?? config.scout.host,
    port: config.scout.port ?? LISTENERS.scout.port,
  };

  const store = pgStore(database, namespace);
  const nodes = nodesClient(peers.nodes, signer);
  const historic = historicClient(peers.historic, signer);
  const processing = peers.processing && processingClient(peers.processing, signer);
  const pushSources = new PushSources(nodes);
  watchNodes(bus, pushSources);

  const pushed = new PushedRecords({ store, now });
  const pushes = pushedWrites({ historic, pushed, log });
  const kinds = {
    'source.attachment.AttachmentSource': attachFile(attachmentsClient(peers, signer)),
    ...(processing && { 'source.data.Converter': convertFiles(processing.convert) }),
  };
  const files = new FileWorker({ store, historic, kinds, log, now });
  const wake = () => files.wake();
  const { sessions, sessionsPerAccount } = config;
  const acquisitions = openAcquisition({
    store,
    nodes,
    pushed,
    instanceId,
    sessions,
    sessionsPerAccount,
    log,
    now,
    write: historic.writeInSession,
    wakeFiles: wake,
  });
  const memory = new MessageMemory();
  const modems = openModems(config, {
    store,
    memory,
    instanceId,
    log,
    now,
    write: pushes.write,
    connected: ({ device: { deviceId }, sources }) =>
      void acquisitions.deviceConnected(deviceId, sources).catch((err: unknown) => {
        log.warn({ err, deviceId }, 'sources of a device could not be queued');
      }),
  });
  const remote = openRemote(config.remote, {
    store,
    nodes,
    instanceId,
    log,
    now,
    modems: modems.server,
    inUse: acquisitions.remoteUse,
    onChange: modems.onChange,
  });
  const stations = new Stations({ pushSources, historic: pushes.files, store, log, now });
  const uploadAdmission = new UploadAdmission({
    pushSources,
    store,
    failures: new FailedIdents(config.uploads, now),
    log,
    now,
  });
  const following = openFollowing({ bus, nodes, store, address, acquisitions, log, now });
  defer(() => following.stop());

  // Modems, however many come, do not hold up people, nor people modems.
  const secrets = new SecretHasher();
  const decode = processing?.decode ?? noDecoders;
  const take = { nodes, store, wake, now };
  const handlers: Handlers<typeof DevicesServiceService> = {
    ...registryHandlers({ store, nodes, secrets, namespace, address, now }),
    ...fileHandlers({ store, nodes, now }, files),
    ...previewHandlers({ nodes, now }),
    ...acquisitions.handlers,
    ...remote.handlers,
    ...pushHandlers({ ...take, uploadAdmission }),
    ...uplinkHandlers({ uploadAdmission, historic: pushes.files, store, decode, now }),
    ...sampleHandlers(stations),
  };
  await scope.serve((server) => server.add(DevicesServiceService, admittedCalls(handlers)));
  files.start();
  // Files stop before the server does, whose calls wait for them.
  defer(() => files.stop());

  const egress = new Egress({ allowed: config.egressRanges });
  const fetches = downloads({ store, egress, renderUrl: processing?.renderUrl ?? noExpressions, now });
  const parameters = { of: nodes.seriesOf, activate: nodes.activate };
  const spoken = loggerDrivers({ egress, parameters, pakBus: config.pakBus });
  await acquisitions.start({
    files: [...(given.files ?? []), ...fetches.files],
    pipes: [...(given.pipes ?? []), ...modems.pipes, ...spoken.pipes],
    loggers: [...(given.loggers ?? []), ...spoken.loggers, modbusDriver()],
    collect: given.collect ?? fetches.collect,
  });
  defer(() => acquisitions.stop());
  const controls = acquisitions.readControls(bus);
  defer(() => controls.stop());
  const uplinkSweep = sweepUplinks({ store, log });
  defer(() => uplinkSweep.stop());

  await modems.server.start();
  defer(() => modems.server.close());
  defer(() => remote.close());
  const { fileSettings } = nodes;
  const received = {
    store,
    write: pushes.write,
    historic: pushes.files,
    memory,
    pushSources,
    fileSettings,
    stations,
    wake,
  };
  const ports: Partial<Record<TransportName, readonly number[]>> = {};
  const pushing = receivers(config, { ...received, replicas: replicasOn(bus), namespace, log, now });
  for (const { name, open } of [...modems.transports, ...pushing]) {
    const opened = await open();
    defer(() => opened.close());
    ports[name] = opened.ports;
  }
  const uploads = await openUploads(config.uploads, { uploadAdmission, take, log, random: Math.random });
  defer(() => uploads.close());
  return { ports: { ...ports, ...uploads.ports } };
}

/** Lists, segments and previews wait apart from each other, and from all other calls. */
function admittedCalls(handlers: Handlers<typeof DevicesServiceService>) {
  const lists = slotsFor('TOO_MANY_LISTS', LISTS);
  const segments = slotsFor('TOO_MANY_SEGMENTS', SEGMENTS);
  const previews = slotsFor('TOO_MANY_PREVIEWS', PREVIEWS);
  const listed = admitted(DevicesServiceService, handlers, lists, { listDevices: (asked) => listWork(asked) });
  const stored = admitted(DevicesServiceService, listed, segments, { writeFileSegment: 1 });
  return admitted(DevicesServiceService, stored, previews, { previewParser: 1 });
}

/** Replicas of this service say this to each other. */
const replicasOn = (bus: Scope['bus']) => ({
  say: (subject: string, text: string) => bus.say(`now.devices.${subject}`, Buffer.from(text)),
  hear: (subject: string, heard: (text: string) => void) =>
    bus.watch(
      `now.devices.${subject}`,
      (data) => heard(Buffer.from(data).toString()),
      () => {},
    ),
});
