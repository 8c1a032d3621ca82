import { useId, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { nodeAddress } from '../../data/addresses.ts';
import { may } from '../../data/session/rights.ts';
import { start as session } from '../../data/session/session.ts';
import { openLevel, readOn } from '../../data/tree/levels.ts';
import { rememberNode } from '../../data/tree/recent.ts';
import { askedAction } from './asked-action.tsx';
import { NONE, rangeTo, toggled, topmost } from './chosen.ts';
import type { NodeAction } from './dialogs.tsx';
import { closeNode, openNode } from './open-nodes.ts';
import { rename } from './rename.ts';
import type { NodeRow, Row } from './rows.ts';
import type { TreeActs } from './tree-row.tsx';
import { useDrag } from './use-drag.ts';
import { useRows } from './use-rows.ts';

export type TreeState = ReturnType<typeof useTree>;

/** Holds what is shown of the tree and what is chosen in it, and acts on its rows. */
export function useTree(onGo: (() => void) | undefined) {
  const { path, route } = useLocation();
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [renaming, setRenaming] = useState<string>();
  const [menu, setMenu] = useState<{ row: NodeRow; at: DOMRect }>();
  const [chosen, setChosen] = useState(NONE);
  const { setActive, go, ...shown } = useRows(scroller, /\/n\/([^/]+)/.exec(path)?.[1]);
  const { rows, at } = shown;
  const letGo = () => setChosen(NONE);
  const chooseTo = (index: number) => setChosen(rangeTo(chosen, rows, rows[at]?.key, index));
  const chooseMore = (row: Row) => setChosen(toggled(chosen, row.key));
  /** Returns the chosen rows where one of them is meant, otherwise the row alone. */
  const meant = (row: NodeRow): readonly NodeRow[] => {
    const several = chosen.keys.has(row.key) ? topmost(rows, chosen) : [];
    return several.length > 1 ? several : [row];
  };
  const enter = (row: Row) => {
    letGo();
    if (row.kind === 'more') void readOn(row.parentId);
    else if (row.kind === 'failed') void openLevel(row.parentId);
    else if (row.kind === 'node') {
      rememberNode({ ...row.node, path: `${session().account.slug}/${row.path}` });
      route(nodeAddress(row.node._id));
      onGo?.();
    }
  };
  const start = (row: NodeRow, kind: NodeAction['kind'] | 'rename') => {
    if (kind !== 'create' && !may('CONFIGURE', row.node)) return;
    if (kind === 'rename') setRenaming(row.key);
    else askedAction.value = kind === 'move' || kind === 'delete' ? { kind, rows: [row] } : { kind, row };
  };
  const startSeveral = (kind: 'move' | 'delete', rows: readonly NodeRow[]) => {
    if (rows.every(({ node }) => may('CONFIGURE', node) && node.parentId !== undefined))
      askedAction.value = { kind, rows };
    letGo();
  };
  const openMenu = (row: NodeRow, box?: DOMRect) => {
    setActive(row.key);
    const element = document.getElementById(`${id}-${rows.indexOf(row)}`);
    setMenu({ row, at: box ?? element?.getBoundingClientRect() ?? new DOMRect() });
  };
  const drag = useDrag({ meant, letGo });
  const acts = useSteady({
    choose: (row, isRange) => {
      setActive(row.key);
      if (isRange) chooseTo(rows.indexOf(row));
      else chooseMore(row);
      scroller.current?.focus();
    },
    enter: (row) => {
      setActive(row.key);
      enter(row);
    },
    toggle: (node) => (node.isOpen ? closeNode(node.key) : openNode(node.key)),
    openMenu,
    rename: async (node, name) => {
      const isDone = name === undefined || (await rename(node.node, name));
      if (!isDone) return false;
      setRenaming(undefined);
      scroller.current?.focus();
      return true;
    },
    ...drag.acts,
  });
  return {
    ...shown,
    id,
    scroller,
    onGo,
    renaming,
    chosen,
    target: drag.target,
    menu,
    closeMenu: () => setMenu(undefined),
    acts,
    go,
    letGo,
    chooseTo,
    chooseMore,
    meant,
    enter,
    start,
    startSeveral,
    openMenu,
  };
}

/** Returns one object for as long as the tree is there, whose functions are those of now. */
function useSteady(now: TreeActs): TreeActs {
  const last = useRef(now);
  last.current = now;
  return useMemo<TreeActs>(
    () => ({
      choose: (row, isRange) => last.current.choose(row, isRange),
      enter: (row) => last.current.enter(row),
      toggle: (row) => last.current.toggle(row),
      openMenu: (row, at) => last.current.openMenu(row, at),
      rename: (row, name) => last.current.rename(row, name),
      drag: (row) => last.current.drag(row),
      over: (row) => last.current.over(row),
      drop: (row) => last.current.drop(row),
    }),
    [],
  );
}
