import { serviceCaller } from '@catchment/access';
import type { DeviceRegistration, DevicesServiceService } from '@catchment/contracts/devices';
import type { Handlers } from '@catchment/grpc';
import { parseAttr, selectAttributes } from '@catchment/query';
import type { ShownDevice } from '../domain/device.ts';
import { deviceView } from '../domain/device-view.ts';
import type { FileWorker } from '../usecases/file-worker.ts';
import { abandonFile, beginFile, finishFile, type HandOverDeps, writeFileSegment } from '../usecases/hand-over-file.ts';
import { listDevices } from '../usecases/list-devices.ts';
import type { Registration } from '../usecases/ports.ts';
import { createDevice, getDevice, type RegistryDeps, updateDevice } from '../usecases/registry.ts';
import { listRegistrations, releaseKey } from '../usecases/release-key.ts';

/** A file that takes longer is answered before it is read; most clients wait half a minute. */
const FILE_WAIT_MS = 20_000;
const JSON_TYPE = 'application/json; charset=utf-8';

export function devicesHandlers(
  deps: RegistryDeps & HandOverDeps,
  worker: Pick<FileWorker, 'wake' | 'outcome'>,
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
      return { report: await worker.outcome(request.fileId, FILE_WAIT_MS, call.signal) };
    },
    abandonFile: async ({ fileId }, call) => {
      await abandonFile(deps, fileId, call);
      return {};
    },
    createDevice: async ({ body }, call) => {
      const { device, ...once } = await createDevice(deps, body, call);
      return json({ ...deviceView(device, deps.namespace), ...once });
    },
    updateDevice: async (request, call) => json(deviceView(await updateDevice(deps, request, call), deps.namespace)),
    getDevice: async ({ deviceId, attr }, call) => ({
      json: Buffer.from(view(await getDevice(deps, deviceId, call), attr)),
    }),
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

const json = (document: object) => ({ json: Buffer.from(JSON.stringify(document)) });

const toRegistration = (one: Registration): DeviceRegistration => ({
  deviceId: one.deviceId,
  ownerId: one.ownerId,
  createdMs: one.createdMs,
  hasSecret: one.hasSecret,
  isConnected: one.isConnected,
  lastConnectedMs: one.lastConnectedMs ?? 0,
});
