import { type Acquisition, after, type ControlSet, newAcquisition, sessionKind } from '../../schedules/index.ts';
import type { AcquisitionNodes } from '../../sources/index.ts';
import { acquiredSource, writtenSource } from '../domain/acquired-source.ts';
import { type ControlDeps, endControl } from './end-control.ts';
import { takeOver } from './follow-acquisition.ts';
import type { Store } from './ports.ts';

export type TakeControlDeps = ControlDeps & {
  readonly store: Pick<Store, 'transaction' | 'isDeviceConnected'>;
  readonly nodes: AcquisitionNodes;
  readonly wake: () => void;
  readonly now: () => number;
};

/**
 * A value of a control parameter was set or taken back (docs/reference/parameters.md#control-parameters). It is sent at once where the
 * logger can be reached, else when it next connects; without a logger it is done.
 */
export async function takeControl(deps: TakeControlDeps, control: ControlSet): Promise<void> {
  const { value } = control;
  if (value === null) return takeBack(deps, control);
  const source = await knownSource(deps, control);
  // It went with its source.
  if (!source) return;
  if (sessionKind(source) === 'NONE') {
    // The record has the time at which the value was set: a message that comes twice writes the record over itself.
    const pending = { ...control, value };
    return endControl(deps, { source: writtenSource(source), control: pending, failure: '', timeMs: control.timeMs });
  }
  const { deviceKey, ownerId, sourceId } = source;
  const isReachable = deviceKey === null || (await deps.store.isDeviceConnected(ownerId, deviceKey));
  await deps.store.transaction(async (tx) => {
    if (!(await tx.saveControl(control)) || !isReachable) return;
    const known = await tx.lockAcquisition(sourceId);
    if (known === undefined || known === 'deleted') return;
    const queued = after(known, 'pending', deps.now());
    if (queued) await tx.saveAcquisition(queued, { shows: true });
  });
  deps.wake();
}

async function takeBack({ store }: TakeControlDeps, control: ControlSet): Promise<void> {
  await store.transaction(async (tx) => {
    if (!(await tx.saveControl(control))) return;
    const { nodeId, timeMs } = control;
    await tx.reportOfSource(control, { attempts: [{ kind: 'CONTROL', nodeId, failure: '', timeMs }] });
  });
}

/** Reads the source as the nodes service has it now: the value may have overtaken a change of its source. */
async function knownSource(
  { nodes, store, now }: TakeControlDeps,
  { ownerId, sourceId }: ControlSet,
): Promise<Acquisition | undefined> {
  const config = (await nodes.acquisition({ ownerId, sourceId }))?.source;
  const source = config && acquiredSource(config);
  if (!source) return undefined;
  await store.transaction((tx) => takeOver(tx, source, now()));
  return newAcquisition(source, now());
}
