import { useEffect, useState } from 'preact/hooks';

export type Asked<T> = {
  /** The last answer stays while the next is asked for. */
  readonly value?: T;
  readonly error?: unknown;
  readonly isLoading: boolean;
  readonly again: () => void;
};

/** Returns what a call answers. It asks again when one of `inputs` changes; an answer that has been overtaken is left out. */
export function useAsked<T>(ask: (signal: AbortSignal) => Promise<T>, inputs: readonly unknown[]): Asked<T> {
  const [state, setState] = useState<{ value?: T; error?: unknown; isLoading: boolean }>({ isLoading: true });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    setState(({ value }) => ({ ...(value !== undefined && { value }), isLoading: true }));
    ask(stop.signal).then(
      (value) => {
        if (!stop.signal.aborted) setState({ value, isLoading: false });
      },
      (error: unknown) => {
        if (!stop.signal.aborted)
          setState(({ value }) => ({ ...(value !== undefined && { value }), error, isLoading: false }));
      },
    );
    return () => stop.abort();
  }, [...inputs, attempt]);
  return { ...state, again: () => setAttempt((n) => n + 1) };
}
