import { serviceCaller } from '@catchment/access';
import type { DeviceRegistration, DevicesServiceService, GetContactResponse } from '@catchment/contracts/devices';
import type { Handlers } from '@catchment/grpc';
import { parseAttr, selectAttributes } from '@catchment/query';
import { formatIsoMs } from '@catchment/time';
import type { Acquisitions } from '../acquisition/index.ts';
import {
  abandonFile,
  beginFile,
  beginImport,
  type Contact,
  cancelImport,
  type FileWorker,
  finishFile,
  finishImport,
  getImport,
  type HandOverDeps,
  importView,
  listedImport,
  listImports,
  writeFileSegment,
} from '../files/index.ts';
import { takeUplink, type UplinkDeps } from '../lorawan/index.ts';
import { previewParser } from '../reading/index.ts';
import {
  commandDevice,
  createDevice,
  deleteDevice,
  deviceView,
  getDevice,
  listDevices,
  listRegistrations,
  type Registration,
  type RegistryDeps,
  releaseKey,
  type ShownDevice,
  updateDevice,
} from '../registry/index.ts';
import { type RemoteDeps, type RemoteSession, readRemote, startRemote, stopRemote } from '../remote/index.ts';
import { type Stations, takeSamples } from '../stations/index.ts';
import { beginPush, type PushDeps } from '../uploads/index.ts';

/** A file that takes longer is answered before it is read; most clients wait half a minute. */
const FILE_WAIT_MS = 20_000;
const JSON_TYPE = 'application/json; charset=utf-8';

export function devicesHandlers(
  deps: RegistryDeps & HandOverDeps,
  worker: Pick<FileWorker, 'wake' | 'outcome'>,
  acquisitions: Pick<Acquisitions, 'acquire'>,
  remote: RemoteDeps & { readonly host: string },
  uploads: PushDeps,
  { uplinks, stations }: { readonly uplinks: UplinkDeps; readonly stations: Stations },
): Handlers<typeof DevicesServiceService> {
  const view = (device: ShownDevice, attr: string) => {
    const document = deviceView(device, deps.namespace);
    return JSON.stringify(attr === '' ? document : selectAttributes(document, parseAttr(attr)));
  };
  return {
    beginFile: (request, call) => beginFile(deps, request, call),
    writeFileSegment: async (request, call) => {
      await writeFileSegment(deps, request, call);
      return {};
    },
    finishFile: async (request, call) => {
      await finishFile(deps, request, call);
      worker.wake();
      // A pushed file is answered as soon as it is kept.
      if (call.caller.kind === 'service') return { report: undefined };
      return { report: await worker.outcome(request.fileId, FILE_WAIT_MS, call.signal) };
    },
    abandonFile: async (request, call) => {
      await abandonFile(deps, request, call);
      return {};
    },
    beginPush: (request, call) => beginPush(uploads, request, call),
    takeUplink: async ({ event, ...request }, { caller, signal }) => {
      serviceCaller(caller, 'gateway');
      await takeUplink(uplinks, { ...request, event: event || undefined }, signal);
      return {};
    },
    admitUplink: async (login, { caller }) => {
      serviceCaller(caller, 'gateway');
      const { source } = await uplinks.door.admit({ ...login, transport: 'LorawanUpload' });
      return { ownerId: source.ownerId };
    },
    takeSamples: async (request, { caller, signal }) => {
      serviceCaller(caller, 'gateway');
      await takeSamples(stations, request, signal);
      return {};
    },
    previewParser: async (request, call) => json(await previewParser(deps, request, call)),
    beginImport: (request, call) => beginImport(deps, request, call),
    finishImport: async (request, call) => {
      const begun = await finishImport(deps, request, call);
      worker.wake();
      return json(importView(begun));
    },
    listImports: async (_request, call) => json((await listImports(deps, call)).map(listedImport)),
    getImport: async ({ importId }, call) => json(importView(await getImport(deps, importId, call))),
    cancelImport: async ({ importId }, call) => json(importView(await cancelImport(deps, importId, call))),
    acquire: async ({ nodeRef }, call) => {
      await acquisitions.acquire(nodeRef, call);
      return {};
    },
    getContact: async ({ ownerId, sourceId }, { caller }) => {
      serviceCaller(caller, 'nodes');
      return contactMessage(await deps.store.contactOf(ownerId, sourceId));
    },
    createDevice: async ({ body }, call) => {
      const { device, ...once } = await createDevice(deps, body, call);
      return json({ ...deviceView(device, deps.namespace), ...once });
    },
    updateDevice: async (request, call) => json(deviceView(await updateDevice(deps, request, call), deps.namespace)),
    getDevice: async ({ deviceId, attr }, call) => ({
      json: Buffer.from(view(await getDevice(deps, deviceId, call), attr)),
    }),
    deleteDevice: async ({ deviceId }, call) => {
      await deleteDevice(deps, deviceId, call);
      return {};
    },
    commandDevice: async (request, call) => {
      const { commandId, name, createdMs, arguments: given } = await commandDevice(deps, request, call);
      return json({ _id: commandId, command: name, ...given, createdTime: formatIsoMs(createdMs) });
    },
    startRemote: async (request, call) => json(remoteView(await startRemote(remote, request, call), remote.host)),
    readRemote: async ({ nodeRef }, call) => {
      const session = await readRemote(remote, nodeRef, call);
      return json(session ? remoteView(session, remote.host) : { state: 'CLOSED' });
    },
    stopRemote: async ({ nodeRef }, call) => {
      await stopRemote(remote, nodeRef, call);
      return {};
    },
    listRegistrations: async ({ deviceKey }, call) => {
      serviceCaller(call.caller);
      return { registrations: (await listRegistrations(deps, deviceKey)).map(toRegistration) };
    },
    releaseKey: async (request, call) => {
      serviceCaller(call.caller);
      const registrations = await releaseKey(deps, request);
      call.log.info(request, 'device key released');
      return { registrations: registrations.map(toRegistration) };
    },
    listDevices: async function* (request, call) {
      const { revision, batches } = await listDevices(deps, request, call);
      let opening = { contentType: JSON_TYPE, revision };
      let text = '[';
      for await (const batch of batches) {
        for (const device of batch) text += `${text === '[' || text === '' ? '' : ','}${view(device, request.attr)}`;
        yield { data: Buffer.from(text), ...opening };
        opening = { contentType: '', revision: '' };
        text = ',';
      }
      yield { data: Buffer.from(text === ',' ? ']' : `${text}]`), ...opening };
    },
  };
}

const remoteView = ({ state, port, cidr, endsMs, username }: RemoteSession, host: string) => ({
  ...{ state, host, port, cidr, username },
  endTime: formatIsoMs(endsMs),
});

const contactMessage = ({ status, lastFile, ...contact }: Contact): GetContactResponse => {
  const { report, refusal } = lastFile?.outcome ?? {};
  return {
    ...contact,
    status: status ?? '',
    device: contact.device,
    lastFile: lastFile && {
      ...{ fileName: lastFile.fileName, timeMs: lastFile.timeMs, sizeBytes: lastFile.sizeBytes, report },
      ...{ reason: refusal?.reason ?? '', message: refusal?.message ?? '' },
    },
  };
};

const json = (document: object) => ({ json: Buffer.from(JSON.stringify(document)) });

const toRegistration = (one: Registration): DeviceRegistration => ({
  deviceId: one.deviceId,
  ownerId: one.ownerId,
  createdMs: one.createdMs,
  hasSecret: one.hasSecret,
  isConnected: one.isConnected,
  lastConnectedMs: one.lastConnectedMs ?? 0,
});
