import { placeOf, type Work } from './records.ts';

/** Each chosen row has 1. */
export type Mask = Uint8Array;

/** A corner of a lasso has an instant, and a value in the units of the series. */
export type Corner = { readonly ms: number; readonly value: number };

export type Rule =
  | { readonly kind: 'above' | 'below'; readonly limit: number }
  /** The value is this one. */
  | { readonly kind: 'is'; readonly limit: number }
  /** Changes faster than this, in units an hour. */
  | { readonly kind: 'rate'; readonly limit: number }
  /** Stands out from both neighbours to the same side by more than this. */
  | { readonly kind: 'spike'; readonly limit: number }
  /** Lies at an end of a time without values that is longer than this. */
  | { readonly kind: 'gap'; readonly ms: number }
  /** The value stays the same for longer than this. */
  | { readonly kind: 'persistence'; readonly ms: number };

/** Rows are put to those that are chosen already in one of these ways. */
export type Joining = 'replace' | 'add' | 'remove' | 'among';

const HOUR_MS = 3_600_000;

export const nothing = ({ times }: Pick<Work, 'times'>): Mask => new Uint8Array(times.length);

export const everything = ({ gone }: Work): Mask => gone.map((is) => 1 - is);

/** A deleted record stays as it is. */
export const inverted = ({ gone }: Work, mask: Mask): Mask => mask.map((is, i) => (gone[i] ? 0 : 1 - is));

export function countOf(mask: Mask): number {
  let count = 0;
  for (let i = 0; i < mask.length; i += 1) count += mask[i]!;
  return count;
}

/** Returns the records from an instant to another one, both included. */
export function between(work: Work, startMs: number, endMs: number): Mask {
  const mask = nothing(work);
  for (let i = placeOf(work.times, startMs); i < mask.length && work.times[i]! <= endMs; i += 1)
    mask[i] = 1 - work.gone[i]!;
  return mask;
}

/** Returns the record that is nearest to an instant; nothing where there is none within a distance. */
export function nearest(work: Work, ms: number, withinMs: number): Mask {
  const mask = nothing(work);
  const after = placeOf(work.times, ms);
  let best = -1;
  for (let i = after - 1, found = 0; i >= 0 && found === 0; i -= 1)
    if (!work.gone[i]) {
      best = i;
      found = 1;
    }
  for (let i = after, found = 0; i < mask.length && found === 0; i += 1)
    if (!work.gone[i]) {
      if (best < 0 || work.times[i]! - ms < ms - work.times[best]!) best = i;
      found = 1;
    }
  if (best >= 0 && Math.abs(work.times[best]! - ms) <= withinMs) mask[best] = 1;
  return mask;
}

/**
 * Returns the records with a value inside of a line that is drawn by hand, closed from its last corner to its first. Each edge turns round
 * what lies above it: a record below an odd number of edges is inside.
 */
export function lassoed(work: Work, corners: readonly Corner[]): Mask {
  const mask = nothing(work);
  const { times, values, gone } = work;
  for (const [n, to] of corners.entries()) {
    const from = corners[(n + corners.length - 1) % corners.length]!;
    const [left, right] = from.ms <= to.ms ? [from, to] : [to, from];
    const slope = (right.value - left.value) / (right.ms - left.ms);
    // The right end belongs to the next edge.
    for (let i = placeOf(times, left.ms); i < times.length && times[i]! < right.ms; i += 1)
      if (values[i]! < left.value + slope * (times[i]! - left.ms)) mask[i]! ^= 1;
  }
  for (let i = 0; i < mask.length; i += 1) if (gone[i]) mask[i] = 0;
  return mask;
}

/** Returns the records that a rule finds. Those without a value, and those that are deleted, are passed over as if they were not there. */
export function found(work: Work, rule: Rule): Mask {
  const mask = nothing(work);
  const { times, values, gone } = work;
  const places = new Int32Array(times.length);
  let count = 0;
  for (let i = 0; i < times.length; i += 1)
    if (!gone[i] && !Number.isNaN(values[i]!)) {
      places[count] = i;
      count += 1;
    }
  const value = (n: number) => values[places[n]!]!;
  const time = (n: number) => times[places[n]!]!;
  const mark = (n: number) => {
    mask[places[n]!] = 1;
  };
  let runStart = 0;
  for (let n = 0; n < count; n += 1) {
    switch (rule.kind) {
      case 'above':
        if (value(n) > rule.limit) mark(n);
        break;
      case 'below':
        if (value(n) < rule.limit) mark(n);
        break;
      case 'is':
        if (value(n) === rule.limit) mark(n);
        break;
      case 'rate':
        if (n > 0 && (Math.abs(value(n) - value(n - 1)) * HOUR_MS) / (time(n) - time(n - 1)) > rule.limit) mark(n);
        break;
      case 'spike': {
        if (n === 0 || n === count - 1) break;
        const [before, after] = [value(n) - value(n - 1), value(n) - value(n + 1)];
        if (before * after > 0 && Math.min(Math.abs(before), Math.abs(after)) > rule.limit) mark(n);
        break;
      }
      case 'gap':
        if (n === 0 || time(n) - time(n - 1) <= rule.ms) break;
        mark(n - 1);
        mark(n);
        break;
      case 'persistence':
        if (n + 1 < count && value(n + 1) === value(n)) break;
        if (time(n) - time(runStart) > rule.ms) for (let k = runStart; k <= n; k += 1) mark(k);
        runStart = n + 1;
        break;
    }
  }
  return mask;
}

export function joined(before: Mask, found: Mask, how: Joining): Mask {
  switch (how) {
    case 'replace':
      return found;
    case 'add':
      return before.map((is, i) => is | found[i]!);
    case 'remove':
      return before.map((is, i) => is & (1 - found[i]!));
    case 'among':
      return before.map((is, i) => is & found[i]!);
  }
}
