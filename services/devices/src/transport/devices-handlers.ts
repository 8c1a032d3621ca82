import type { DeviceRegistration, DevicesServiceService } from '@catchment/contracts/devices';
import { invalid } from '@catchment/errors';
import { apiCaller, type Handlers, scopeOf, serviceCaller } from '@catchment/grpc';
import { customIdsOf, LIST_MAX, parseAttr, parseFilter, parseSort, selectAttributes } from '@catchment/query';
import type { ShownDevice } from '../domain/device.ts';
import { deviceView } from '../domain/device-view.ts';
import { deviceColumns } from '../store/device-columns.ts';
import { devicesRevision, streamDevices } from '../store/pg-devices.ts';
import type { Registration } from '../store/pg-registrations.ts';
import type { FileWorker } from '../usecases/file-worker.ts';
import { abandonFile, beginFile, finishFile, type HandOverDeps, writeFileSegment } from '../usecases/hand-over-file.ts';
import { closedSources, createDevice, getDevice, type RegistryDeps, updateDevice } from '../usecases/registry.ts';
import { listRegistrations, releaseKey } from '../usecases/release-key.ts';

/** A file that takes longer is answered before it is read; most clients wait half a minute. */
const FILE_WAIT_MS = 20_000;
const JSON_TYPE = 'application/json; charset=utf-8';

export function devicesHandlers(
  deps: RegistryDeps & HandOverDeps,
  worker: Pick<FileWorker, 'look' | 'outcome'>,
): Handlers<typeof DevicesServiceService> {
  const columns = deviceColumns(deps.namespace);
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
      worker.look();
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
    listDevices: async function* ({ attr, filter, sort, limit = LIST_MAX, skip }, call) {
      const within = scopeOf(apiCaller(call.caller));
      if (limit > LIST_MAX) throw invalid('INVALID_ARGUMENT', `limit: must be a whole number from 0 to ${LIST_MAX}`);
      const parsed = parseFilter(filter);
      const nodeIds = await deps.nodes.named(customIdsOf(parsed, columns), call);
      const query = { filter: parsed, sort: parseSort(sort), limit, skip, nodeIds };
      const scope = { ...within, closedSourceIds: await closedSources(deps, within, call) };
      // Compiled before the first chunk: a bad argument must come before it.
      const batches = streamDevices(deps.database, scope, query, columns);
      let opening = { contentType: JSON_TYPE, revision: await devicesRevision(deps.database, scope) };
      let text = '[';
      for await (const batch of batches) {
        for (const device of batch) text += `${text === '[' || text === '' ? '' : ','}${view(device, attr)}`;
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
