import { useState } from 'preact/hooks';
import { start } from '../data/session/session.ts';
import { keepTab, readTab } from '../ui/tab-storage.ts';

/** `target` is the id of the thing that the typed text is about, empty for a new one. */
type Kept<T> = { readonly target: string; readonly values: T; readonly isOpen: boolean };

const keyOf = (part: string): string => `account ${start().account.id} ${part}`;

export type Draft<T> = {
  /** The thing with this id is open; undefined: nothing. */
  readonly target: string | undefined;
  readonly values: T;
  readonly open: (target: string, values: T) => void;
  readonly change: (part: Partial<T>) => void;
  /** Keeps what was typed until the same is opened again. */
  readonly close: () => void;
  readonly drop: () => void;
};

/**
 * Keeps the typed text of a dialog: it survives a reload, a lost session, and a dialog that was left. Secrets do not belong into it.
 * @param part names the dialog, apart from all others
 */
export function useDraft<T extends object>(part: string, nothing: T): Draft<T> {
  const [kept, setKept] = useState(() => readTab(keyOf(part)) as Kept<T> | undefined);
  const put = (next: Kept<T> | undefined) => {
    keepTab(keyOf(part), next);
    setKept(next);
  };
  return {
    target: kept?.isOpen ? kept.target : undefined,
    values: kept?.values ?? nothing,
    open: (target, values) =>
      put(kept?.target === target ? { ...kept, isOpen: true } : { target, values, isOpen: true }),
    change: (more) => kept && put({ ...kept, values: { ...kept.values, ...more } }),
    close: () => kept && put({ ...kept, isOpen: false }),
    drop: () => put(undefined),
  };
}
