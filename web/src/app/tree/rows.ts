import type { Child } from '../../data/tree/children.ts';
import type { Level } from '../../data/tree/levels.ts';
import { ROOT } from '../../data/tree/tree-root.ts';

/** A line of the tree shows a node, or what is said of a level. */
export type Row =
  | {
      readonly kind: 'node';
      readonly key: string;
      readonly node: Child;
      readonly parentId: string;
      /** The names run from the Workspace down, parted by `/`: names have none. */
      readonly path: string;
      /** The top level is 1. */
      readonly depth: number;
      readonly isOpen: boolean;
      /** The row has this place among its siblings, from 1; `size` is their number where all are known. */
      readonly position: number;
      readonly size: number;
    }
  | {
      readonly kind: 'more' | 'loading' | 'failed';
      readonly key: string;
      readonly parentId: string;
      readonly depth: number;
      readonly shown: number;
    };
export type NodeRow = Extract<Row, { kind: 'node' }>;

/** Lists the rows of the levels that are open, in the order of the screen. */
export function rowsOf(levels: ReadonlyMap<string, Level>, open: ReadonlySet<string>): readonly Row[] {
  const rows: Row[] = [];
  const add = (parentId: string, above: string, depth: number): void => {
    const level = levels.get(parentId);
    if (level === undefined) {
      rows.push({ kind: 'loading', key: `${parentId} loading`, parentId, depth, shown: 0 });
      return;
    }
    const { children } = level;
    children.forEach((node, i) => {
      const path = above === '' ? node.name : `${above}/${node.name}`;
      const isOpen = open.has(node._id) && node.childCount > 0;
      const size = level.next === undefined ? children.length : -1;
      rows.push({ kind: 'node', key: node._id, node, parentId, path, depth, isOpen, position: i + 1, size });
      if (isOpen) add(node._id, path, depth + 1);
    });
    const about = { parentId, depth, shown: children.length };
    if (level.error !== undefined) rows.push({ kind: 'failed', key: `${parentId} failed`, ...about });
    else if (level.isLoading) rows.push({ kind: 'loading', key: `${parentId} loading`, ...about });
    else if (level.next !== undefined) rows.push({ kind: 'more', key: `${parentId} more`, ...about });
  };
  add(ROOT, '', 1);
  return rows;
}

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;
export type TreeMove =
  | { readonly kind: 'go' | 'walk' | 'extend' | 'toggle'; readonly index: number }
  | { readonly kind: 'release'; readonly index: number }
  | { readonly kind: 'open' | 'close'; readonly index: number }
  | { readonly kind: 'enter' | 'rename' | 'delete' | 'menu' | 'create'; readonly index: number };

/** Tells what a key does in a treegrid (WAI-ARIA Authoring Practices, Treegrid); undefined for nothing. */
export function treeMove(event: Key, rows: readonly Row[], at: number, page: number): TreeMove | undefined {
  if (event.altKey || rows.length === 0) return undefined;
  if (event.ctrlKey || event.metaKey) return withControl(event, rows, at);
  const last = rows.length - 1;
  // Shift and a way to another row choose all on it; a letter is a letter with Shift too.
  const isRange = event.shiftKey && event.key.length > 1;
  const go = (index: number): TreeMove => ({
    kind: isRange ? 'extend' : 'go',
    index: Math.min(Math.max(index, 0), last),
  });
  const row = rows[at];
  switch (event.key) {
    case 'ArrowDown':
    case 'j':
      return go(at + 1);
    case 'ArrowUp':
    case 'k':
      return go(at - 1);
    case 'PageDown':
      return go(at + page);
    case 'PageUp':
      return go(at - page);
    case 'Home':
      return go(0);
    case 'End':
      return go(last);
    case 'ArrowRight':
      if (row?.kind !== 'node' || row.node.childCount === 0) return undefined;
      return row.isOpen ? go(at + 1) : { kind: 'open', index: at };
    case 'ArrowLeft':
      if (row === undefined) return undefined;
      if (row.kind === 'node' && row.isOpen) return { kind: 'close', index: at };
      return row.parentId === ROOT ? undefined : go(rows.findIndex(({ key }) => key === row.parentId));
    case 'Enter':
    case ' ':
      return row && { kind: 'enter', index: at };
    case 'Escape':
      return { kind: 'release', index: at };
    case 'F10':
      return event.shiftKey && row ? { kind: 'menu', index: at } : undefined;
    case 'ContextMenu':
      return row && { kind: 'menu', index: at };
    case 'F2':
      return row && { kind: 'rename', index: at };
    case 'Delete':
      return row && { kind: 'delete', index: at };
    case 'Insert':
      return row && { kind: 'create', index: at };
    default:
      return byLetter(event.key, rows, at);
  }
}

/** The keys walk with Control without letting go of what is chosen, and the space bar chooses one more. */
function withControl({ key, ctrlKey }: Key, rows: readonly Row[], at: number): TreeMove | undefined {
  if (key === ' ' && rows[at]?.kind === 'node') return { kind: 'toggle', index: at };
  const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
  if (!ctrlKey || step === 0) return undefined;
  return { kind: 'walk', index: Math.min(Math.max(at + step, 0), rows.length - 1) };
}

/** A letter goes on to the next name that begins with it; `j` and `k` go on by one, `n` and the like are no letters of the page. */
function byLetter(key: string, rows: readonly Row[], at: number): TreeMove | undefined {
  if (!/^[\p{L}\p{N}]$/u.test(key) || /^[ge]$/.test(key)) return undefined;
  const { length } = rows;
  for (let step = 1; step <= length; step += 1) {
    const index = (at + step + length) % length;
    const row = rows[index]!;
    if (row.kind === 'node' && row.node.name.toLocaleLowerCase().startsWith(key.toLocaleLowerCase()))
      return { kind: 'go', index };
  }
  return undefined;
}
