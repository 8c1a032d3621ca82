import type { DeviceSource } from '../../registry/index.ts';
import { controlClass, controlDocument, type PendingControl } from '../../schedules/index.ts';
import type { SourceEvent, WriteToSource } from '../../sources/index.ts';
import type { Store } from './ports.ts';

export type ControlDeps = { readonly store: Pick<Store, 'transaction'>; readonly write: WriteToSource };

/**
 * A value was sent, or refused (docs/reference/parameters.md#control-parameters): its record is written first, so that
 * what is reported has happened.
 * @param failure why the logger refused it; empty: it is done
 * @throws DomainError of historic
 */
export async function endControl(
  { store, write }: ControlDeps,
  {
    source,
    control,
    failure,
    timeMs,
  }: { source: DeviceSource; control: PendingControl; failure: string; timeMs: number },
): Promise<void> {
  const { nodeId, revision, name } = control;
  if (failure === '') await write(source, controlDocument(control, timeMs), `control '${name}'`);
  const parameter = { ...source, sourceId: nodeId, sourceClass: controlClass(control) };
  const event: SourceEvent = {
    source: parameter,
    level: 'INFO',
    eventType: 'CONTROL',
    timeMs,
    message: `Control '${name}' completed`,
  };
  await store.transaction(async (tx) => {
    // A newer value waits for its own end.
    await tx.endControl(nodeId, revision);
    await tx.reportOfSource(source, {
      events: failure === '' ? [event] : [],
      attempts: [{ kind: 'CONTROL', nodeId, failure, timeMs }],
      controls: [{ nodeId, revision, failure, timeMs }],
    });
  });
}
