import { useRef, useState } from 'preact/hooks';
import { keepTab, readTab } from '../../ui/tab-storage.ts';

/**
 * What is typed into a dialog outlives its closing and a reload, for as long as the tab lives: not what was typed over something that is another now.
 * @returns it, what sets it, and what forgets it
 */
export function useKept<T extends object>(key: string, initial: T) {
  const [base] = useState(initial);
  const [value, setValue] = useState<T>(() => {
    const kept = readTab(key) as { readonly base: T; readonly value: T } | undefined;
    return kept && isSame(kept.base, base) ? kept.value : base;
  });
  const newest = useRef(value);
  const change = (part: Partial<T>) => {
    const after = { ...newest.current, ...part };
    newest.current = after;
    setValue(after);
    // At once: the dialog, or the page, may be gone before an effect runs.
    keepTab(key, isSame(after, base) ? undefined : { base, value: after });
  };
  const forget = () => keepTab(key, undefined);
  return [value, change, forget] as const;
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
