import { FileReport } from '@catchment/contracts/devices';
import type { FileOutcome } from '../../reading/index.ts';

/** Returns an outcome as an earlier version has stored it: its report may have fewer counts. */
export const storedOutcome = (stored: FileOutcome): FileOutcome =>
  stored.report ? { ...stored, report: FileReport.fromPartial(stored.report) } : stored;
