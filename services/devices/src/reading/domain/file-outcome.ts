import type { FileReport } from '@catchment/contracts/devices';
import type { ErrorKind, Reason } from '@catchment/errors';
import type { SourceEvent } from '../../sources/index.ts';
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

/** A file whose name matches nothing of its source has this reason. */
export const IGNORED = 'FILE_IGNORED' satisfies Reason;

export type FileEvent = Pick<SourceEvent, 'level' | 'message' | 'username' | 'eventType'>;
export type Processed = {
  readonly outcome: FileOutcome;
  readonly events: readonly FileEvent[];
  /** The latest record has this time, Unix ms; absent: there is none. */
  readonly latestMs?: number;
};
