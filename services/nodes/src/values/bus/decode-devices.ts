import { type BusMessage, decoded } from '@catchment/bus';
import { ControlEnded, SourceChanged } from '@catchment/contracts/devices';
import type { DevicesMessage } from '../domain/session.ts';

const AT_REST = 'REST';

/** A message of the devices service by its subject; none for subjects that nodes show nothing of. */
export function decodeDevices(message: Pick<BusMessage, 'subject' | 'data'>): DevicesMessage[] {
  const { subject } = message;
  if (subject === 'devices.source.changed.v1') return [sessionOf(decoded(SourceChanged, message))];
  if (subject === 'devices.control.ended.v1') return [{ kind: 'control', ...decoded(ControlEnded, message) }];
  return [];
}

const sessionOf = (changed: SourceChanged): DevicesMessage => {
  const { sessionAttempts: attempts, sessionSuccesses: successes, lastRecordCount: recordCount, ...rest } = changed;
  const status = changed.status === AT_REST ? null : changed.status;
  return { kind: 'session', ...rest, status, attempts, successes, recordCount };
};
