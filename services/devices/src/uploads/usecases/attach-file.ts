import { DomainError, type ErrorKind, type Reason } from '@catchment/errors';
import { type FileKind, fileReport } from '../../reading/index.ts';
import { shownName } from '../../sources/index.ts';
/** The attachments of nodes. */
export type Attachments = {
  /**
   * Makes an attachment of a source.
   * @throws DomainError not_found (the source is gone), invalid_argument, failed_precondition, resource_exhausted DAILY_LIMIT: the file will
   *   never be one; unavailable
   */
  add(
    of: { readonly sourceId: string; readonly ownerId: string },
    file: { readonly fileName: string; readonly size: number; readonly bytes: AsyncIterable<Uint8Array> },
    signal: AbortSignal,
  ): Promise<void>;
};

const REFUSALS: ReadonlySet<ErrorKind> = new Set(['invalid_argument', 'failed_precondition', 'too_large']);
/** Nodes reports this reason. */
const DAILY_LIMIT = 'DAILY_LIMIT' satisfies Reason;

/** A file of an attachment source becomes an attachment as it is (docs/reference/attachments.md). */
export const attachFile =
  (attachments: Attachments): FileKind =>
  async (_historic, { source, fileName, bytes, recordsDone, progress, signal }) => {
    const report = { ...fileReport([], { series: 0, firstFailure: '' }), files: 1 };
    const done = { outcome: { report }, events: [] };
    if (recordsDone > 0) return done;
    try {
      const of = { sourceId: source._id, ownerId: source.ownerId };
      await attachments.add(of, { fileName, size: bytes.size, bytes: bytes.range(0, bytes.size) }, signal);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const { kind, reason, message } = error;
      const isReported = reason === DAILY_LIMIT;
      if (!isReported && !REFUSALS.has(kind)) throw error;
      const events = isReported ? [] : [{ level: 'WARNING' as const, message: `${shownName(fileName)}: ${message}` }];
      return { outcome: { refusal: { kind, reason, message } }, events };
    }
    // Whoever goes on with the file makes no second one.
    await progress(1);
    return done;
  };
