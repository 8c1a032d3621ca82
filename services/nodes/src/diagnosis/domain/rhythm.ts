/** Contacts within this time belong together: a file is acquired, read and stored. */
const TOGETHER_MS = 60_000;
/** This many contacts are shown, and make the rhythm. */
const CONTACTS_MAX = 32;
const GAPS_MIN = 3;
/** A source is late after this many of its usual intervals, and some time for what is on its way. */
const LATE_AFTER = 2;
const SLACK_MS = 120_000;

/** Returns times of contacts, newest first, without those that belong to a later one. Unix ms. */
export function contactsOf(timesMs: readonly number[]): number[] {
  const contacts: number[] = [];
  let reachedMs = Number.POSITIVE_INFINITY;
  for (const timeMs of [...timesMs].sort((a, b) => b - a)) {
    if (reachedMs - timeMs > TOGETHER_MS) contacts.push(timeMs);
    reachedMs = timeMs;
    if (contacts.length > CONTACTS_MAX) break;
  }
  return contacts.slice(0, CONTACTS_MAX);
}

/** Returns the usual time between two contacts: the median of the gaps; undefined = there are too few. */
export function usualGapMs(contacts: readonly number[]): number | undefined {
  const gaps = contacts.slice(1).map((timeMs, index) => (contacts[index] ?? 0) - timeMs);
  if (gaps.length < GAPS_MIN) return undefined;
  const sorted = gaps.sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] =
    sorted.length % 2 === 1 ? [sorted[middle], sorted[middle]] : sorted.slice(middle - 1, middle + 1);
  return Math.round((low + high) / 2);
}

export const isLate = (silentMs: number, usualMs: number): boolean => silentMs > LATE_AFTER * usualMs + SLACK_MS;
