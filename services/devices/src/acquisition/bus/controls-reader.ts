import { type Bus, type BusMessage, decoded } from '@catchment/bus';
import { ControlChanged } from '@catchment/contracts/nodes-messages';
import type { ControlSet, PendingControl } from '../../schedules/index.ts';
import { type TakeControlDeps, takeControl } from '../usecases/take-control.ts';

/** Takes values of control parameters; a message may come twice. */
export const controlReader = (bus: Pick<Bus, 'readDomain'>, deps: TakeControlDeps): { stop(): Promise<void> } =>
  bus.readDomain('devices-controls', async (messages) => {
    for (const message of messages) await takeControl(deps, controlOf(message));
  });

function controlOf(message: BusMessage): ControlSet {
  const { value, family, username: _, ...control } = decoded(ControlChanged, message);
  return {
    ...control,
    family: family as PendingControl['family'],
    value: value === '' ? null : (JSON.parse(value) as number | string),
  };
}
