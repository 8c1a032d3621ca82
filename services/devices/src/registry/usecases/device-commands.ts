import { apiCaller, checkModify, checkPermission } from '@catchment/access';
import { DomainError, notFound } from '@catchment/errors';
import { newObjectId } from '@catchment/ids';
import type { JsonObject } from '@catchment/json-body';
import type { DeviceSource, ShownDevice } from '../domain/device.ts';
import { type CommandName, commandMessage, type DeviceCommand, readCommand } from '../domain/device-command.ts';
import { jsonObjectOf } from '../domain/new-device.ts';
import type { Store } from './ports.ts';
import { getDevice, type RegistryDeps } from './registry.ts';

type Call = Parameters<typeof getDevice>[2];

const WAITING_MAX = 20;
/** These commands change the device for longer than the moment. */
const NEEDS_CONFIGURE: ReadonlySet<CommandName> = new Set(['RESET', 'UPDATE_SOFTWARE']);

/**
 * POST /devices/:id/commands sends a Scout its command at once where it is connected, else at its next connection.
 * @throws DomainError permission_denied, not_found, invalid_argument, resource_exhausted
 */
export async function commandDevice(
  deps: RegistryDeps,
  { deviceId: reference, body }: { readonly deviceId: string; readonly body: Uint8Array },
  call: Call,
): Promise<DeviceCommand> {
  const caller = apiCaller(call.caller);
  checkModify(caller);
  const device = await getDevice(deps, reference, call);
  const wanted = readCommand(jsonObjectOf(body));
  checkPermission(caller, device.workspaceId ?? '', NEEDS_CONFIGURE.has(wanted.name) ? 'CONFIGURE' : 'CONTROL');
  if (device.deviceClass !== 'ScoutDevice')
    throw new DomainError('failed_precondition', 'NO_COMMANDS', 'id: only a ScoutDevice takes commands');
  const createdMs = deps.now();
  const { deviceId, ownerId } = device;
  const command = { commandId: newObjectId(createdMs), deviceId, ...wanted, username: caller.username, createdMs };
  await deps.store.transaction(async (tx) => {
    if (!(await tx.lockDevice(ownerId, deviceId))) throw notFound();
    if ((await tx.waitingCommands(deviceId)).length >= WAITING_MAX)
      throw new DomainError(
        'resource_exhausted',
        'TOO_MANY_COMMANDS',
        `At most ${WAITING_MAX} commands may wait for a device`,
      );
    await tx.insertCommand(command);
    await tx.notifyDevice(deviceId);
  });
  return command;
}

/** Returns the messages of the commands that wait for a device, which its connection sends now. */
export async function pendingCommands(
  { store, now }: { readonly store: Pick<Store, 'takeCommands'>; readonly now: () => number },
  { deviceId, connectionId }: { readonly deviceId: string; readonly connectionId: string },
): Promise<JsonObject[]> {
  const commands = await store.takeCommands(deviceId, connectionId, now());
  return commands.map((command) => commandMessage(command, now()));
}

/** A device has answered a command. The answer is reported once: a second answer finds nothing. */
export async function settleCommand(
  { store, now }: { readonly store: Store; readonly now: () => number },
  answer: {
    readonly device: ShownDevice;
    readonly source: DeviceSource | undefined;
    readonly commandId: string;
    /** Absent: it was done. */
    readonly failure: string | undefined;
  },
): Promise<void> {
  const { device, source, commandId, failure } = answer;
  await store.transaction(async (tx) => {
    const command = await tx.takeCommand(device.deviceId, commandId);
    if (!command || !source) return;
    const what = `command ${command.name}`;
    await tx.recordEvents([
      {
        source,
        timeMs: now(),
        username: command.username,
        ...(failure === undefined
          ? { level: 'INFO', message: `Device ${device.deviceKey} completed ${what}` }
          : { level: 'WARNING', message: `Device ${device.deviceKey} refused ${what}: ${failure}` }),
      },
    ]);
  });
}
