import { FileReport } from '@catchment/contracts/devices';
import type { ErrorKind } from '@catchment/errors';
import type { RefusedLines } from './refused-lines.ts';

/** A file ended like this: all that can be read of it is in the log, or nothing can. */
export type FileOutcome = (
  | { readonly report: FileReport; readonly refusal?: never }
  | { readonly refusal: Refusal; readonly report?: never }
) & {
  /** An import of text has them. */
  readonly refused?: RefusedLines;
};

type Refusal = { readonly kind: ErrorKind; readonly reason: string; readonly message: string };

/** An outcome as an earlier version has stored it: its report may have fewer counts. */
export const storedOutcome = (stored: FileOutcome): FileOutcome =>
  stored.report ? { ...stored, report: FileReport.fromPartial(stored.report) } : stored;
