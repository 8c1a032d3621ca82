import type { OpenedText, TextRecord } from '@catchment/delimited-text';
import { DomainError } from '@catchment/errors';
import { isOfArchive } from './archive/members.ts';

/**
 * Reads the records of a text up to the place that nothing can be read from: a line without an end. The records before
 * it are right, and are stored.
 * @param brokenOff is called with the reason why it ends there
 * @throws DomainError where nothing was read before it, and for what is at fault around the text
 */
export async function* soundRecords(
  text: OpenedText,
  brokenOff?: (reason: string) => void,
): AsyncGenerator<TextRecord> {
  try {
    yield* text.records();
  } catch (error) {
    const isOfText = error instanceof DomainError && error.kind === 'invalid_argument' && !isOfArchive(error);
    if (!isOfText || text.report.parsed === 0) throw error;
    brokenOff?.(error.message);
  }
}
