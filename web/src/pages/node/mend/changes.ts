import { clean } from './actions.ts';
import { type Coding, NUMBERS, type Value } from './coding.ts';
import { isSameRecord, isSameValue, NO_QUALITY, type Records, type Work } from './records.ts';

export const SAME = 0;
export const ADDED = 1;
export const CHANGED = 2;
export const DELETED = 3;
export type Kind = typeof SAME | typeof ADDED | typeof CHANGED | typeof DELETED;

export type Changes = {
  /** These rows of the work are not as they were loaded. */
  readonly places: Int32Array;
  readonly added: number;
  readonly changed: number;
  readonly deleted: number;
};

/** Stored values become those that are shown by this (docs/reference/parameters.md): value = stored × multiplier + offset. */
export type Transform = { readonly multiplier: number; readonly offset: number };

/** A request has this many records: few enough to be made between two frames. A write takes 50 000 (docs/reference/limits.md). */
const PART = 5_000;

/** Tells what becomes of a row. A record of which nothing is left is deleted. */
export function kindAt(base: Records, work: Work, i: number): Kind {
  const from = work.origin[i]!;
  const isNothing =
    Number.isNaN(work.values[i]!) && work.qualities[i] === NO_QUALITY && !work.notes.has(work.times[i]!);
  if (from < 0) return work.gone[i] || isNothing ? SAME : ADDED;
  if (work.gone[i]) return DELETED;
  if (isSameRecord(base, from, work, i)) return SAME;
  return isNothing ? DELETED : CHANGED;
}

export function changesOf(base: Records, work: Work): Changes {
  const places = new Int32Array(work.times.length);
  const counts = [0, 0, 0, 0];
  let count = 0;
  for (let i = 0; i < places.length; i += 1) {
    const kind = kindAt(base, work, i);
    if (kind === SAME) continue;
    counts[kind]! += 1;
    places[count] = i;
    count += 1;
  }
  return {
    places: places.slice(0, count),
    added: counts[ADDED]!,
    changed: counts[CHANGED]!,
    deleted: counts[DELETED]!,
  };
}

export type Part = { readonly places: Int32Array; readonly startMs: number; readonly endMs: number };

/** Returns the requests of a save, in the order of time. */
export function partsOf({ times }: Work, { places }: Changes, size = PART): readonly Part[] {
  const parts: Part[] = [];
  for (let from = 0; from < places.length; from += size) {
    const portion = places.subarray(from, from + size);
    parts.push({ places: portion, startMs: times[portion[0]!]!, endMs: times[portion.at(-1)!]! });
  }
  return parts;
}

type Field = { v?: Value; q?: number | null; a?: string | null };

/**
 * Makes the records of a part for a write that changes only what it names (MERGE_UPDATE_EXISTING); null deletes. `was` says what they are
 * now: where that is no longer so, nothing of the part is written.
 */
export function documentOf(
  base: Records,
  work: Work,
  { places }: Part,
  { multiplier, offset }: Transform,
  coding: Coding = NUMBERS,
) {
  const data = Array.from(places, (i) => {
    const ms = work.times[i]!;
    return { ts: new Date(ms).toISOString(), f: { 0: fieldAt(i, ms) } };
  });
  const was = Array.from(places).flatMap((i) => {
    const from = work.origin[i]!;
    return from < 0 ? [] : [{ ts: new Date(work.times[i]!).toISOString(), f: { 0: recordAt(from) } }];
  });
  return { docType: 'jts', version: '1.0', was, data };

  function recordAt(from: number): Field {
    const [value, quality, note] = [base.values[from]!, base.qualities[from]!, base.notes.get(base.times[from]!)];
    return {
      ...(!Number.isNaN(value) && { v: coding.valueOf(value) }),
      ...(quality !== NO_QUALITY && { q: quality }),
      ...(note !== undefined && { a: note }),
    };
  }

  function fieldAt(i: number, ms: number): Field | null {
    if (kindAt(base, work, i) === DELETED) return null;
    const from = work.origin[i]!;
    const [value, quality, note] = [work.values[i]!, work.qualities[i]!, work.notes.get(ms)];
    const isNew = from < 0;
    const field: Field = {};
    if (isNew ? !Number.isNaN(value) : !isSameValue(value, base.values[from]!))
      field.v =
        Number.isNaN(value) || (multiplier === 1 && offset === 0)
          ? coding.valueOf(value)
          : clean((value - offset) / multiplier);
    if (isNew ? quality !== NO_QUALITY : quality !== base.qualities[from])
      field.q = quality === NO_QUALITY ? null : quality;
    if (isNew ? note !== undefined : note !== base.notes.get(ms)) field.a = note ?? null;
    return field;
  }
}

/** A transform and back again leaves values as near as this. */
const NEAR = 1e-9;

/** Finds the times of those changes of a part that the store does not have. */
export function missingOf(
  base: Records,
  work: Work,
  changes: Changes,
  now: Records,
  { kind }: Coding = NUMBERS,
): readonly number[] {
  const missing: number[] = [];
  let at = 0;
  for (const i of changes.places) {
    const ms = work.times[i]!;
    while (at < now.times.length && now.times[at]! < ms) at += 1;
    const isThere = now.times[at] === ms;
    const isDeleted = kindAt(base, work, i) === DELETED;
    if (isDeleted ? isThere : !isThere || !isStored(work, i, now, at, kind === 'number' ? NEAR : 0)) missing.push(ms);
  }
  return missing;
}

function isStored(work: Work, i: number, now: Records, j: number, near: number): boolean {
  const [a, b] = [work.values[i]!, now.values[j]!];
  const isNear = isSameValue(a, b) || Math.abs(a - b) <= near * Math.max(Math.abs(a), Math.abs(b));
  return (
    isNear && work.qualities[i] === now.qualities[j] && work.notes.get(work.times[i]!) === now.notes.get(work.times[i]!)
  );
}
