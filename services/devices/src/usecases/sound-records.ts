import type { OpenedText, TextRecord } from '@catchment/delimited-text';
import { DomainError } from '@catchment/errors';
import { isOfArchive } from './archive/members.ts';

/**
 * The records of a text up to the place that nothing can be read from: a line without an end. What comes
 * before it is right, and is stored.
 * @param brokenOff told why it ends there
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
