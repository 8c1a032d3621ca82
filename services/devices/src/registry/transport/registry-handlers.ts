import { serviceCaller } from '@catchment/access';
import type { DeviceRegistration, DevicesServiceService } from '@catchment/contracts/devices';
import { type Handlers, jsonAnswer } from '@catchment/grpc';
import { parseAttr, selectAttributes } from '@catchment/query';
import { formatIsoMs } from '@catchment/time';
import type { ShownDevice } from '../domain/device.ts';
import { deviceView } from '../domain/device-view.ts';
import { commandDevice } from '../usecases/device-commands.ts';
import { listDevices } from '../usecases/list-devices.ts';
import type { Registration } from '../usecases/ports.ts';
import { createDevice, deleteDevice, getDevice, type RegistryDeps, updateDevice } from '../usecases/registry.ts';
import { listRegistrations, releaseKey } from '../usecases/release-key.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Serves devices, their commands, and registrations of keys. */
export function registryHandlers(deps: RegistryDeps) {
  const view = (device: ShownDevice, attr: string) => {
    const document = deviceView(device, deps.namespace);
    return JSON.stringify(attr === '' ? document : selectAttributes(document, parseAttr(attr)));
  };
  return {
    createDevice: async ({ body }, call) => {
      const { device, ...once } = await createDevice(deps, body, call);
      return jsonAnswer({ ...deviceView(device, deps.namespace), ...once });
    },
    updateDevice: async (request, call) =>
      jsonAnswer(deviceView(await updateDevice(deps, request, call), deps.namespace)),
    getDevice: async ({ deviceId, attr }, call) => ({
      json: Buffer.from(view(await getDevice(deps, deviceId, call), attr)),
    }),
    deleteDevice: async ({ deviceId }, call) => {
      await deleteDevice(deps, deviceId, call);
      return {};
    },
    commandDevice: async (request, call) => {
      const { commandId, name, createdMs, arguments: given } = await commandDevice(deps, request, call);
      return jsonAnswer({ _id: commandId, command: name, ...given, createdTime: formatIsoMs(createdMs) });
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
  } satisfies Partial<Handlers<typeof DevicesServiceService>>;
}

const toRegistration = (registration: Registration): DeviceRegistration => ({
  deviceId: registration.deviceId,
  ownerId: registration.ownerId,
  createdMs: registration.createdMs,
  hasSecret: registration.hasSecret,
  isConnected: registration.isConnected,
  lastConnectedMs: registration.lastConnectedMs ?? 0,
});
