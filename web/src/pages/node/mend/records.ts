/** No quality code. */
export const NO_QUALITY = -1;

/** One series has its records in columns, ascending by time, each time once. */
export type Records = {
  /** Unix milliseconds. */
  readonly times: Float64Array;
  /** NaN stands for a record without a value. */
  readonly values: Float64Array;
  /** `NO_QUALITY`: none. */
  readonly qualities: Int32Array;
  /** The key is in Unix milliseconds; records without a note are left out. */
  readonly notes: ReadonlyMap<number, string>;
};

/** Work has the wanted records. Rows stay in their places: what is deleted is marked, what is added comes in between. */
export type Work = Records & {
  /** 1: to be deleted. */
  readonly gone: Uint8Array;
  /** The loaded records have this place; −1: added here. */
  readonly origin: Int32Array;
};

/** A cell is one record of a series; null stands for no value. */
export type Cell = { readonly value: number | null; readonly quality: number; readonly note: string | undefined };

export type Row = Cell & { readonly ms: number };

export const workOf = (base: Records): Work => ({
  ...base,
  gone: new Uint8Array(base.times.length),
  origin: Int32Array.from(base.times, (_, i) => i),
});

/** @param rows ascending by time */
export function recordsOf(rows: readonly Row[]): Records {
  const notes = new Map<number, string>();
  for (const { ms, note } of rows) if (note !== undefined) notes.set(ms, note);
  return {
    times: Float64Array.from(rows, ({ ms }) => ms),
    values: Float64Array.from(rows, ({ value }) => value ?? Number.NaN),
    qualities: Int32Array.from(rows, ({ quality }) => quality),
    notes,
  };
}

export function cellAt({ times, values, qualities, notes }: Records, i: number): Cell {
  const value = values[i]!;
  return { value: Number.isNaN(value) ? null : value, quality: qualities[i]!, note: notes.get(times[i]!) };
}

/** Returns the first place whose time is not before an instant. */
export function placeOf(times: Float64Array, ms: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the place of a time; −1: there is no record. */
export function indexOf(times: Float64Array, ms: number): number {
  const place = placeOf(times, ms);
  return times[place] === ms ? place : -1;
}

export const isSameValue = (a: number, b: number): boolean => a === b || (Number.isNaN(a) && Number.isNaN(b));

export const isSameRecord = (a: Records, i: number, b: Records, j: number): boolean =>
  isSameValue(a.values[i]!, b.values[j]!) &&
  a.qualities[i] === b.qualities[j] &&
  a.notes.get(a.times[i]!) === b.notes.get(b.times[j]!);
