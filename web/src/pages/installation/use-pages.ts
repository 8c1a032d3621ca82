import { useEffect, useState } from 'preact/hooks';

type Page<T, P> = { readonly items: readonly T[]; readonly next: P | null };

export type Pages<T> = {
  readonly items: readonly T[] | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  readonly more: () => void;
  readonly again: () => void;
};

/** Reads a list that comes page by page; all of it is read anew when an input changes, or when it is asked for again. */
export function usePages<T, P>(
  read: (after: P | undefined, signal: AbortSignal) => Promise<Page<T, P>>,
  inputs: readonly unknown[],
): Pages<T> {
  const [pages, setPages] = useState<{ readonly items: readonly T[]; readonly next: P | null }>();
  const [error, setError] = useState<unknown>();
  const [asked, setAsked] = useState<{ readonly after: P | undefined; readonly attempt: number }>();
  const [isLoading, setLoading] = useState(true);
  useEffect(() => setAsked({ after: undefined, attempt: 0 }), inputs);
  useEffect(() => {
    if (!asked) return;
    const stop = new AbortController();
    setLoading(true);
    setError(undefined);
    read(asked.after, stop.signal)
      .then(({ items, next }) => {
        if (stop.signal.aborted) return;
        setPages((before) => ({
          items: asked.after === undefined ? items : [...(before?.items ?? []), ...items],
          next,
        }));
      })
      .catch((problem: unknown) => !stop.signal.aborted && setError(problem))
      .finally(() => !stop.signal.aborted && setLoading(false));
    return () => stop.abort();
  }, [asked]);
  const next = pages?.next ?? null;
  return {
    items: pages?.items,
    error,
    isLoading,
    hasMore: next !== null,
    more: () => next !== null && setAsked({ after: next, attempt: 0 }),
    again: () => setAsked((before) => ({ after: undefined, attempt: (before?.attempt ?? 0) + 1 })),
  };
}
