import { newKey, type Range, readable, readWhole, writeChanges } from '../../../data/records/mend.ts';
import { isOvertaken, isWrong } from '../../../data/requests/failures.ts';
import { type Changes, changesOf, documentOf, missingOf, type Part, partsOf, type Transform } from './changes.ts';
import type { Coding } from './coding.ts';
import { rebased } from './conflict.ts';
import { NO_QUALITY, type Records, recordsOf, type Work } from './records.ts';

type RefusedPart = {
  readonly startMs: number;
  readonly endMs: number;
  readonly count: number;
  /** Undefined: it was not sent. */
  readonly error: unknown;
};

export type Result = {
  readonly written: number;
  readonly refused: readonly RefusedPart[];
  /** Records of these times were taken, and are not stored as they were sent. */
  readonly missing: readonly number[];
  /** Somebody else has changed records since they were compared: nothing of their part was written, nor anything after it. */
  readonly isOvertaken: boolean;
  /** The server has these records now, and this is left to be saved over them; undefined: they could not be read again. */
  readonly after: { readonly base: Records; readonly work: Work } | undefined;
};

/** Reads the records of a range as the server has them. */
export async function loaded(
  nodeId: string,
  range: Range,
  coding: Coding,
  signal: AbortSignal,
  onRead?: (count: number) => void,
): Promise<Records> {
  const rows = await readWhole(nodeId, range, signal, onRead);
  return recordsOf(
    rows.map((row) => ({ ...row, value: coding.numberOf(row.value), quality: row.quality ?? NO_QUALITY })),
  );
}

type Parts = {
  readonly nodeId: string;
  readonly range: Range;
  readonly base: Records;
  readonly work: Work;
  readonly transform: Transform;
  readonly coding: Coding;
  readonly onSent: (count: number) => void;
  readonly onCheck: () => void;
};

/**
 * Writes the changes part by part. A part that is wrong is refused as a whole and the next one goes on; after any other failure, such as a role that was lost
 * or records that somebody else has changed, nothing more is sent. What is stored is read again and compared, since a limit drops records that were taken.
 */
export async function save({ nodeId, range, base, work, transform, coding, onSent, onCheck }: Parts): Promise<Result> {
  const changes = changesOf(base, work);
  const refused: RefusedPart[] = [];
  const taken: number[] = [];
  let lastWrite: string | undefined;
  let isOver = false;
  let passed: { readonly part: Part; readonly error: unknown } | undefined;
  const refuse = ({ startMs, endMs, places }: Part, error: unknown) =>
    refused.push({ startMs, endMs, count: places.length, error });
  for (const part of partsOf(work, changes)) {
    if (isOver) {
      refuse(part, undefined);
      continue;
    }
    try {
      lastWrite = (await writeChanges(nodeId, documentOf(base, work, part, transform, coding), newKey())) ?? lastWrite;
      for (const place of part.places) taken.push(place);
      onSent(taken.length);
    } catch (error) {
      isOver = !isWrong(error);
      if (isOvertaken(error)) passed = { part, error };
      else refuse(part, error);
    }
  }
  onCheck();
  try {
    if (lastWrite !== undefined) await readable(lastWrite);
    const now = await loaded(nodeId, range, coding, AbortSignal.timeout(120_000));
    // An answer may have been lost: what was sent again is refused by its own records, and stored.
    for (const place of passed?.part.places ?? []) taken.push(place);
    const missing = missingOf(base, work, sentOf(changes, taken), now, coding);
    // A record that was sent and is stored differs no more; what somebody else wrote in this moment stays theirs.
    const lost = new Set(missing);
    const stored = new Set(taken.map((place) => work.times[place]!).filter((ms) => !lost.has(ms)));
    const { work: left, conflicts } = rebased(base, work, now, (ms) => !stored.has(ms));
    // The server may have taken a part, and found records changed when its turn came.
    const isPassed =
      passed?.part.places.some((place) => lost.has(work.times[place]!)) || conflicts.some(({ ms }) => lost.has(ms));
    const after = { base: now, work: left };
    return { written: taken.length - missing.length, refused, missing, isOvertaken: isPassed, after };
  } catch {
    if (passed) refuse(passed.part, passed.error);
    return { written: taken.length, refused, missing: [], isOvertaken: passed !== undefined, after: undefined };
  }
}

const sentOf = (changes: Changes, taken: readonly number[]): Changes => ({
  ...changes,
  places: Int32Array.from(taken),
});
