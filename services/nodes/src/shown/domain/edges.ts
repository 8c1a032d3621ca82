/** A value is stored before multiplier and offset. A Time is `{"$millis": n}`, coordinates are [latitude, longitude]. */
export type RawValue = number | string | { readonly $millis: number } | readonly [number, number];

/** One record having a value. */
export type SeriesRecord = { readonly ms: number; readonly value: RawValue; readonly quality: number | null };

/** A node shows these records of its series (docs/reference/parameters.md#attributes). */
export const EDGES = ['current', 'previous', 'oldest'] as const;
export type Edge = (typeof EDGES)[number];

/** null = the series has none. */
export type Edges = Readonly<Record<Edge, SeriesRecord | null>>;

export const NO_EDGES: Edges = { current: null, previous: null, oldest: null };
