import { call, nodePath } from '../requests/call.ts';
import { type Row, readInside } from './records.ts';

/** This many records are annotated at a time, and an annotation is at most this long (docs/reference/limits.md). */
export const MOST_ANNOTATED = 1_000;
export const LONGEST_NOTE = 500;
/** A write that takes longer is read when the chart is read next. */
const READABLE_WITHIN_S = 20;

/** Somebody has written to the same records meanwhile. */
export class NotesChanged extends Error {}

/** Reads the records of a range; one record more than can be annotated shows that the range is too long. */
export const recordsIn = (
  nodeId: string,
  range: { readonly start: number; readonly end: number },
  signal: AbortSignal,
): Promise<readonly Row[]> => readInside(nodeId, range, MOST_ANNOTATED + 1, signal);

const notesOf = (rows: readonly Row[]): string => JSON.stringify(rows.map(({ ms, note = null }) => [ms, note]));

/**
 * Writes an annotation to records as they were seen; an empty one takes theirs away. Values and qualities stay, and a record that has gone
 * meanwhile does not come back.
 * @throws NotesChanged where their annotations, or which records there are, have changed since they were read
 */
export async function annotate(nodeId: string, seen: readonly Row[], text: string): Promise<void> {
  const range = { start: seen[0]!.ms, end: seen.at(-1)!.ms };
  const now = await recordsIn(nodeId, range, AbortSignal.timeout(60_000));
  if (notesOf(now) !== notesOf(seen)) throw new NotesChanged();
  const a = text === '' ? null : text;
  const { write } = await call<{ readonly write?: string }>('PUT', `${nodePath(nodeId)}/historic`, {
    query: { writeMode: 'MERGE_UPDATE_EXISTING' },
    body: {
      docType: 'jts',
      version: '1.0',
      data: seen.map(({ ms }) => ({ ts: new Date(ms).toISOString(), f: { 0: { a } } })),
    },
  });
  // The next read has it.
  if (write !== undefined)
    await call('GET', `/writes/${encodeURIComponent(write)}`, { query: { wait: READABLE_WITHIN_S } });
}
