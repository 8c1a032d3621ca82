export type TableActions = {
  /** A page of the keyboard has this many rows. */
  readonly page: number;
  /** The active row; −1: none. */
  readonly at: number;
  readonly count: number;
  readonly moveTo: (index: number) => void;
  readonly pick: (index: number, isRange: boolean) => void;
  readonly pickAll: () => void;
  /** @returns false where nothing was chosen */
  readonly pickNone: () => unknown;
  readonly open: (index: number) => void;
  readonly other: (key: string) => boolean;
};

type Key = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** Does what a key does in a table. @returns whether it does something */
export function tableKeys(event: Key, actions: TableActions): boolean {
  const { at, count, page } = actions;
  if (event.altKey) return false;
  if (event.ctrlKey || event.metaKey) {
    if (event.key.toLowerCase() !== 'a' || count === 0) return false;
    actions.pickAll();
    return true;
  }
  const target = targetOf(event.key, at, count, page);
  if (target !== undefined) {
    if (count === 0) return true;
    actions.moveTo(target);
    if (event.shiftKey && event.key.startsWith('Arrow')) actions.pick(Math.min(Math.max(target, 0), count - 1), true);
    return true;
  }
  if (event.key === ' ') {
    if (at >= 0) actions.pick(at, event.shiftKey);
    return at >= 0;
  }
  if (event.key === 'Enter') {
    if (at >= 0) actions.open(at);
    return at >= 0;
  }
  if (event.key === 'Escape') return Boolean(actions.pickNone());
  return actions.other(event.key);
}

function targetOf(key: string, at: number, count: number, page: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return at + 1;
    case 'ArrowUp':
    case 'k':
      return Math.max(at - 1, 0);
    case 'PageDown':
      return at + page;
    case 'PageUp':
      return at - page;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
