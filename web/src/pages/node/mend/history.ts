import type { Work } from './records.ts';
import type { Mask } from './selections.ts';

/** A step has records as they are to be, and which of them are chosen. */
export type Step = { readonly work: Work; readonly mask: Mask };
export type History = { readonly past: readonly Step[]; readonly now: Step; readonly future: readonly Step[] };

/** Steps that can be taken back: columns that a step leaves alone are shared, so that one of 50 000 records has about 0.4 MB. */
const MOST_STEPS = 50;

export const begun = (now: Step): History => ({ past: [], now, future: [] });

export const did = ({ past, now }: History, next: Step): History => ({
  past: [...past, now].slice(-MOST_STEPS),
  now: next,
  future: [],
});

/** Choosing is no step of its own. */
export const chose = (history: History, mask: Mask): History => ({ ...history, now: { ...history.now, mask } });

export function undid(history: History): History {
  const before = history.past.at(-1);
  if (!before) return history;
  return { past: history.past.slice(0, -1), now: before, future: [history.now, ...history.future] };
}

export function redid(history: History): History {
  const [next, ...future] = history.future;
  return next ? { past: [...history.past, history.now], now: next, future } : history;
}
