/** Computes the time before the next try. It doubles, and half of it is random, so that stations do not come back all at once. */
export function backoffMs(failures: number, { first, longest }: { readonly first: number; readonly longest: number }) {
  const fullMs = Math.min(longest, first * 2 ** Math.min(failures, 10));
  return Math.round((fullMs * (1 + Math.random())) / 2);
}
