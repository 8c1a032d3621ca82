import { indexOf, NO_QUALITY, type Records, type Row, type Work } from './records.ts';
import type { Mask } from './selections.ts';

export type Action =
  | { readonly kind: 'set' | 'offset' | 'scale'; readonly by: number }
  /** Grows from one offset at the first chosen record to another one at the last. */
  | { readonly kind: 'drift'; readonly start: number; readonly end: number }
  | { readonly kind: 'interpolate' | 'delete' | 'revert' }
  /** `NO_QUALITY` removes it. */
  | { readonly kind: 'quality'; readonly code: number }
  /** Empty removes it. */
  | { readonly kind: 'note'; readonly text: string };

export type Outcome = {
  readonly work: Work;
  /** The action left out chosen records, such as those without a value. */
  readonly left: number;
};

/** Results of arithmetic keep this many digits: 1.1 + 0.2 is 1.3. */
const DIGITS = 12;

/** Rounds away the noise of binary arithmetic. */
export function clean(value: number): number {
  if (value === 0 || !Number.isFinite(value)) return value;
  const decimals = DIGITS - 1 - Math.floor(Math.log10(Math.abs(value)));
  if (decimals < 0) return value;
  // Powers of ten are exact up to 22.
  if (decimals > 22) return Number(value.toPrecision(DIGITS));
  const factor = 10 ** decimals;
  return Math.round(value * factor) / factor;
}

/** Does something to the chosen records; `base` is what was loaded. */
export function acted(base: Records, work: Work, mask: Mask, action: Action): Outcome {
  switch (action.kind) {
    case 'set':
      return valued(work, mask, () => action.by);
    case 'offset':
      return valued(work, mask, (i) => clean(work.values[i]! + action.by));
    case 'scale':
      return valued(work, mask, (i) => clean(work.values[i]! * action.by));
    case 'drift':
      return drifted(work, mask, action.start, action.end);
    case 'interpolate':
      return interpolated(work, mask);
    case 'delete':
      return { work: { ...work, gone: work.gone.map((is, i) => is | mask[i]!) }, left: 0 };
    case 'revert':
      return { work: reverted(base, work, mask), left: 0 };
    case 'quality':
      return {
        work: { ...work, qualities: work.qualities.map((code, i) => (isMeant(work, mask, i) ? action.code : code)) },
        left: 0,
      };
    case 'note':
      return { work: { ...work, notes: noted(work, mask, action.text.trim()) }, left: 0 };
  }
}

const isMeant = ({ gone }: Work, mask: Mask, i: number): boolean => mask[i] === 1 && gone[i] === 0;

/** A value stays as it was where the result is no finite number: a sum with a missing value, a product that is too large. */
function valued(work: Work, mask: Mask, to: (i: number) => number): Outcome {
  let left = 0;
  const values = work.values.slice();
  for (let i = 0; i < values.length; i += 1) {
    if (!isMeant(work, mask, i)) continue;
    const value = to(i);
    if (Number.isFinite(value)) values[i] = value;
    else left += 1;
  }
  return { work: { ...work, values }, left };
}

/** A single record gets the offset of the end. */
function drifted(work: Work, mask: Mask, start: number, end: number): Outcome {
  const { times, values } = work;
  let first = -1;
  let last = -1;
  for (let i = 0; i < times.length; i += 1)
    if (isMeant(work, mask, i)) {
      if (first < 0) first = i;
      last = i;
    }
  if (first < 0) return { work, left: 0 };
  const [from, span] = [times[first]!, times[last]! - times[first]!];
  return valued(work, mask, (i) =>
    clean(values[i]! + (span === 0 ? end : start + ((end - start) * (times[i]! - from)) / span)),
  );
}

/**
 * Puts values on the line from the last value before each run of chosen records to the first one after it; a run at an end of the range has
 * no line.
 */
function interpolated(work: Work, mask: Mask): Outcome {
  const { times } = work;
  const values = work.values.slice();
  let left = 0;
  let before = -1;
  let run: number[] = [];
  const fill = (after: number) => {
    if (before < 0 || after < 0) left += run.length;
    else {
      const slope = (work.values[after]! - work.values[before]!) / (times[after]! - times[before]!);
      for (const i of run) values[i] = clean(work.values[before]! + slope * (times[i]! - times[before]!));
    }
    run = [];
  };
  for (let i = 0; i < times.length; i += 1) {
    if (work.gone[i]) continue;
    if (mask[i]) run.push(i);
    else if (!Number.isNaN(work.values[i]!)) {
      if (run.length > 0) fill(i);
      before = i;
    }
  }
  if (run.length > 0) fill(-1);
  return { work: { ...work, values }, left };
}

/** Returns the records as they were loaded; what was added here goes. */
function reverted(base: Records, work: Work, mask: Mask): Work {
  const [values, qualities, gone] = [work.values.slice(), work.qualities.slice(), work.gone.slice()];
  const notes = new Map(work.notes);
  for (let i = 0; i < values.length; i += 1) {
    if (!mask[i]) continue;
    const from = work.origin[i]!;
    if (from < 0) {
      gone[i] = 1;
      continue;
    }
    gone[i] = 0;
    values[i] = base.values[from]!;
    qualities[i] = base.qualities[from]!;
    const note = base.notes.get(work.times[i]!);
    if (note === undefined) notes.delete(work.times[i]!);
    else notes.set(work.times[i]!, note);
  }
  return { ...work, values, qualities, gone, notes };
}

function noted(work: Work, mask: Mask, text: string): ReadonlyMap<number, string> {
  const notes = new Map(work.notes);
  for (let i = 0; i < work.times.length; i += 1) {
    if (!isMeant(work, mask, i)) continue;
    if (text === '') notes.delete(work.times[i]!);
    else notes.set(work.times[i]!, text);
  }
  return notes;
}

/**
 * Adds records, which are chosen then. Where there is a record already it gets the value, and keeps its quality and note where none is
 * given.
 * @param rows ascending by time, each time once
 */
export function added(work: Work, rows: readonly Row[]): { readonly work: Work; readonly mask: Mask } {
  const fresh = rows.filter(({ ms }) => indexOf(work.times, ms) < 0);
  const length = work.times.length + fresh.length;
  const next = {
    times: new Float64Array(length),
    values: new Float64Array(length),
    qualities: new Int32Array(length),
    gone: new Uint8Array(length),
    origin: new Int32Array(length).fill(-1),
    notes: new Map(work.notes),
  };
  const mask = new Uint8Array(length);
  const byTime = new Map(rows.map((row) => [row.ms, row]));
  let [mine, other] = [0, 0];
  for (let i = 0; i < length; i += 1) {
    const ms = Math.min(work.times[mine] ?? Number.POSITIVE_INFINITY, fresh[other]?.ms ?? Number.POSITIVE_INFINITY);
    const given = byTime.get(ms);
    const isOwn = work.times[mine] === ms;
    next.times[i] = ms;
    next.values[i] = given?.value ?? (isOwn ? work.values[mine]! : Number.NaN);
    const known = isOwn ? work.qualities[mine]! : NO_QUALITY;
    next.qualities[i] = given && given.quality !== NO_QUALITY ? given.quality : known;
    next.gone[i] = given || !isOwn ? 0 : work.gone[mine]!;
    if (isOwn) next.origin[i] = work.origin[mine]!;
    if (given) {
      mask[i] = 1;
      if (given.note !== undefined) next.notes.set(ms, given.note);
    }
    if (isOwn) mine += 1;
    else other += 1;
  }
  return { work: next, mask };
}
