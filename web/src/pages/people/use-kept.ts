import { useRef, useState } from 'preact/hooks';

/**
 * What is typed into a dialog outlives its closing and a reload, for as long as the tab lives: not what was typed over something that is another now.
 * @returns it, what sets it, and what forgets it
 */
export function useKept<T extends object>(key: string, initial: T) {
  const [base] = useState(initial);
  const [value, setValue] = useState<T>(() => {
    try {
      const kept = JSON.parse(sessionStorage.getItem(key) ?? '{}');
      return isSame(kept.base, base) ? kept.value : base;
    } catch {
      return base;
    }
  });
  const newest = useRef(value);
  const keep = (text: string | undefined) => {
    try {
      if (text === undefined) sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, text);
    } catch {
      // Without storage it lasts as long as the dialog.
    }
  };
  const change = (part: Partial<T>) => {
    const after = { ...newest.current, ...part };
    newest.current = after;
    setValue(after);
    // At once: the dialog, or the page, may be gone before an effect runs.
    keep(isSame(after, base) ? undefined : JSON.stringify({ base, value: after }));
  };
  const forget = () => keep(undefined);
  return [value, change, forget] as const;
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
