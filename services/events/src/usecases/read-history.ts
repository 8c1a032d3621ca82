import { type Caller, scopeOf, serviceCaller } from '@catchment/access';
import type { AcquisitionEvent, AlarmAt } from '@catchment/contracts/events';
import { invalid } from '@catchment/errors';
import type { ActivePeriod, EventsDeps } from './ports.ts';

const MAX_NODES = 1_000;
const MAX_ACQUISITIONS = 200;

type History = Pick<EventsDeps, 'events'>;

/** Counts the events of a period that raise an alarm, by type, most first. @throws DomainError permission_denied */
export const countAlarmEvents = (
  { events }: History,
  caller: Caller,
  period: ActivePeriod,
): Promise<readonly { readonly eventType: string; readonly count: number }[]> =>
  events.countActive({ ...period, ownerId: scopeOf(serviceCaller(caller, 'gateway'), period.ownerId).ownerId });

/** Returns the alarms of nodes that were not cleared at a time, Unix ms. @throws DomainError permission_denied, invalid_argument */
export async function getAlarmsAt(
  { events }: History,
  caller: Caller,
  {
    ownerId,
    nodeIds,
    timeMs,
  }: { readonly ownerId: string; readonly nodeIds: readonly string[]; readonly timeMs: number },
): Promise<AlarmAt[]> {
  serviceCaller(caller);
  if (nodeIds.length > MAX_NODES) throw invalid('TOO_MANY_NODES', `nodeIds: must be at most ${MAX_NODES}`);
  return events.alarmsAt(ownerId, nodeIds, timeMs);
}

/** Returns the newest contacts of a source, newest first. @throws DomainError permission_denied, invalid_argument */
export async function getAcquisitionEvents(
  { events }: History,
  caller: Caller,
  { ownerId, nodeId, limit }: { readonly ownerId: string; readonly nodeId: string; readonly limit: number },
): Promise<AcquisitionEvent[]> {
  serviceCaller(caller, 'nodes');
  if (limit > MAX_ACQUISITIONS) throw invalid('INVALID_ARGUMENT', `limit: must be at most ${MAX_ACQUISITIONS}`);
  return events.acquisitionsOf(ownerId, nodeId, limit);
}
