import { useEffect, useState } from 'preact/hooks';

/** What is typed into a dialog outlives its closing and a reload, for as long as the tab lives. @returns it, what sets it, and what forgets it */
export function useKept<T extends object>(key: string, initial: T) {
  const [value, setValue] = useState<T>(() => {
    try {
      return { ...initial, ...JSON.parse(sessionStorage.getItem(key) ?? '{}') };
    } catch {
      return initial;
    }
  });
  const [isForgotten, setForgotten] = useState(false);
  useEffect(() => {
    try {
      if (isForgotten) sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, JSON.stringify(value));
    } catch {
      // Without storage it lasts as long as the dialog.
    }
  }, [value, isForgotten]);
  const change = (part: Partial<T>) => setValue((before) => ({ ...before, ...part }));
  return [value, change, () => setForgotten(true)] as const;
}
