import type { RefObject } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { levels, ROOT, readOn } from '../../data/tree/levels.ts';
import { useVirtualRows } from '../../ui/table/virtual-rows.ts';
import { openNodes, restoreOpenNodes, reveal } from './open-nodes.ts';
import { rowsOf } from './rows.ts';

/** A row's height in pixels. */
export const ROW = 32;

/**
 * Holds the rows of the levels that are open, which of them are drawn, and the active one.
 * @param current the node of the page, which is revealed
 */
export function useRows(scroller: RefObject<HTMLElement | null>, current: string | undefined) {
  const [active, setActive] = useState<string>();
  const all = levels.value;
  const open = openNodes.value;
  const rows = useMemo(() => rowsOf(all, open), [all, open]);
  const virtual = useVirtualRows(scroller, rows.length, ROW, 0);
  useEffect(restoreOpenNodes, []);
  useEffect(() => {
    if (current === undefined) return;
    setActive(current);
    // The page of a node reports that it cannot be read.
    void reveal(current).catch(() => undefined);
  }, [current]);
  // A level goes on by itself when its end is seen.
  const seen = virtual.items.flatMap(({ index }) => {
    const row = rows[index];
    return row?.kind === 'more' ? [row] : [];
  });
  useEffect(() => {
    for (const row of seen) void readOn(row.parentId);
  }, [seen.map((row) => `${row.key} ${row.shown}`).join()]);

  // Keys act on the first row while there is no other one.
  const at = Math.max(
    0,
    rows.findIndex(({ key }) => key === active),
  );
  const go = (index: number) => {
    // A row that is on its way cannot be stood on.
    if (rows[index]!.kind === 'loading') return;
    setActive(rows[index]!.key);
    virtual.scrollTo(index);
  };
  return { rows, virtual, root: all.get(ROOT), current, at, setActive, go };
}
