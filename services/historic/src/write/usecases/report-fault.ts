import { serviceCaller } from '@catchment/access';
import type { TellFaultRequest } from '@catchment/contracts/historic';
import { NotifyOn, WriteMode } from '@catchment/contracts/ingest';
import { invalid } from '@catchment/errors';
import { isDataSource } from '../../series/index.ts';
import { acquisitionEntry } from './log-entries.ts';
import { appendTo, factsOf, type WriteCall, type WriteDeps, writer } from './write-deps.ts';

/**
 * Raises the dataAlarm of a data source (docs/reference/alarms.md#conditions) by an entry of the log, so that it is in order
 * with the source's writes. Stores nothing.
 * @throws DomainError permission_denied for callers other than services, not_found, invalid_argument, unavailable
 */
export async function reportFault(deps: WriteDeps, request: TellFaultRequest, call: WriteCall): Promise<void> {
  serviceCaller(call.caller);
  const { sourceId, ownerId, fault } = request;
  if (fault === '') throw invalid('INVALID_ARGUMENT', 'fault: must not be empty');
  const source = await deps.catalogue.resolve(sourceId, writer(call, ownerId));
  if (!isDataSource(source)) throw invalid('NODE_KIND', 'node: must be a data source');
  const facts = {
    ...factsOf(deps, call),
    writeMode: WriteMode.WRITE_MODE_DISCARD,
    notifyOn: NotifyOn.NOTIFY_ON_ALL_NEWER,
  };
  const contact = { isSource: true, rows: 0, parameters: 0, origin: '', fault };
  await appendTo(deps, source.nodeId, [acquisitionEntry(source, contact, facts)], call);
}
