/** Remembers where a chart has been: back and forward, as in a browser. */
export type ZoomHistory<T> = { readonly past: readonly T[]; readonly now: T; readonly future: readonly T[] };

const MOST = 50;

export const begun = <T>(now: T): ZoomHistory<T> => ({ past: [], now, future: [] });

/** Goes to a new place; what was taken back is forgotten. */
export function went<T>(history: ZoomHistory<T>, now: T, isSame: (a: T, b: T) => boolean): ZoomHistory<T> {
  if (isSame(history.now, now)) return history;
  return { past: [...history.past, history.now].slice(-MOST), now, future: [] };
}

export function back<T>({ past, now, future }: ZoomHistory<T>): ZoomHistory<T> | undefined {
  const before = past.at(-1);
  return before === undefined ? undefined : { past: past.slice(0, -1), now: before, future: [now, ...future] };
}

export function forward<T>({ past, now, future }: ZoomHistory<T>): ZoomHistory<T> | undefined {
  const [next, ...rest] = future;
  return next === undefined ? undefined : { past: [...past, now], now: next, future: rest };
}
