import type { Bus } from '@catchment/bus';
import { BatchApplied } from '@catchment/contracts/ingest';
import type { AppliedSummary } from '../domain/applied-summary.ts';

/** Room in a message for the broker's headers. */
const HEADER_BYTES = 4 * 1024;

/** Tells what reached the store. Long texts that do not fit are left to be taken from the store. */
export function appliedPublisher(bus: Bus) {
  return async (summary: AppliedSummary, partition: number, sequence: number): Promise<BatchApplied> => {
    let message = summary.toMessage(partition, sequence);
    let data = BatchApplied.encode(message).finish();
    if (data.byteLength > bus.maxPayloadBytes - HEADER_BYTES) {
      message = summary.toMessage(partition, sequence, false);
      data = BatchApplied.encode(message).finish();
    }
    await bus.publish(`applied.${partition}`, data, { msgId: `applied-${partition}-${sequence}` });
    return message;
  };
}
