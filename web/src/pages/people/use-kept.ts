import { useRef, useState } from 'preact/hooks';
import { keepTab, readTab } from '../../ui/tab-storage.ts';

/**
 * Typed text outlives the closing of its dialog and a reload, for as long as the tab lives. It is dropped where it was typed over something that is another now.
 * @returns it, what sets it, what forgets it, and what puts it over another beginning
 */
export function useKept<T extends object>(key: string, initial: T) {
  const [base, setBase] = useState(initial);
  const [value, setValue] = useState<T>(() => {
    const kept = readTab(key) as { readonly base: T; readonly value: T } | undefined;
    return kept && isSame(kept.base, base) ? kept.value : base;
  });
  const newest = useRef(value);
  const keep = (over: T, after: T) => {
    newest.current = after;
    setValue(after);
    // The draft is kept at once: the dialog, or the page, may be gone before an effect runs.
    keepTab(key, isSame(after, over) ? undefined : { base: over, value: after });
  };
  const change = (part: Partial<T>) => keep(base, { ...newest.current, ...part });
  const rebase = (over: T, after: T) => {
    setBase(over);
    keep(over, after);
  };
  const forget = () => keepTab(key, undefined);
  return [value, change, forget, rebase] as const;
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
