import { useEffect, useState } from 'preact/hooks';
import { dataAddress } from '../live/page-address.ts';
import { getJson } from '../live/requests.ts';
import { usePage } from './page-context.ts';

export type Answer<T> = { readonly value?: T; readonly hasFailed: boolean; readonly again: () => void };

/** Returns what an address answers. It asks once `isWanted` and again with each revision; the last answer stays until the next has come. */
export function useAnswer<T>(url: string, revision: string, isWanted: boolean): Answer<T> {
  const [answer, setAnswer] = useState<{ readonly value?: T; readonly hasFailed: boolean }>({ hasFailed: false });
  const [attempt, setAttempt] = useState(0);
  const { ask = getJson } = usePage();
  useEffect(() => {
    if (!isWanted) return;
    const stop = new AbortController();
    ask<T>(dataAddress(url), stop.signal).then(
      (value) => setAnswer({ value, hasFailed: false }),
      () => {
        if (!stop.signal.aborted) setAnswer((known) => ({ ...known, hasFailed: true }));
      },
    );
    return () => stop.abort();
  }, [url, revision, isWanted, attempt]);
  return { ...answer, again: () => setAttempt((n) => n + 1) };
}
