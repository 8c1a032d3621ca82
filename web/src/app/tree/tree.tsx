import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { nodeAddress } from '../../data/addresses.ts';
import { mayLieIn } from '../../data/containment.ts';
import { levels, openLevel, ROOT, readOn } from '../../data/levels.ts';
import { rememberNode } from '../../data/recent.ts';
import { isAdministrator, may } from '../../data/rights.ts';
import { start as session } from '../../data/session.ts';
import { Button } from '../../ui/button.tsx';
import { ContextMenu } from '../../ui/context-menu.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { useVirtualRows } from '../../ui/table/virtual-rows.ts';
import { words } from '../../words/index.ts';
import { askedAction } from './asked-action.tsx';
import { NONE, rangeTo, toggled, topmost } from './chosen.ts';
import type { NodeAction } from './dialogs.tsx';
import { itemsOf, itemsOfSeveral } from './items.ts';
import { closeNode, openNode, openNodes, restoreOpenNodes, reveal } from './open-nodes.ts';
import { rename } from './rename.ts';
import { type NodeRow, type Row, rowsOf, treeMove } from './rows.ts';
import { type TreeActs, TreeRow } from './tree-row.tsx';

const ROW = 32;

/** Tells what can be dropped on what: never into itself, and never where its class may not lie. */
const mayDrop = (dragged: readonly NodeRow[], target: NodeRow): boolean =>
  dragged.length > 0 &&
  may('CONFIGURE', target.node) &&
  dragged.every(
    ({ path, node, parentId }) =>
      target.path !== path &&
      !target.path.startsWith(`${path}/`) &&
      target.node._id !== parentId &&
      node.parentId !== undefined &&
      may('CONFIGURE', node) &&
      mayLieIn(node._class, target.node._class),
  );

const ask = (action: NodeAction): void => {
  askedAction.value = action;
};

/** All nodes of the account: a level is read when it is opened, and only lines that are seen are drawn. */
export function Tree({ onGo }: { readonly onGo?: () => void }) {
  const { path, route } = useLocation();
  const { tree } = words.value;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<string>();
  const [renaming, setRenaming] = useState<string>();
  const [menu, setMenu] = useState<{ row: NodeRow; at: DOMRect }>();
  const [dragged, setDragged] = useState<readonly NodeRow[]>([]);
  const [chosen, setChosen] = useState(NONE);
  const [target, setTarget] = useState<string>();
  const all = levels.value;
  const open = openNodes.value;
  const rows = useMemo(() => rowsOf(all, open), [all, open]);
  const virtual = useVirtualRows(scroller, rows.length, ROW, 0);
  const current = /\/n\/([^/]+)/.exec(path)?.[1];

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
  /** The chosen rows where one of them is meant, otherwise the row alone. */
  const meant = (row: NodeRow): readonly NodeRow[] => {
    const several = chosen.keys.has(row.key) ? topmost(rows, chosen) : [];
    return several.length > 1 ? several : [row];
  };
  const choose = (row: NodeRow, isRange: boolean) => {
    setActive(row.key);
    setChosen(isRange ? rangeTo(chosen, rows, rows[at]?.key, rows.indexOf(row)) : toggled(chosen, row.key));
    scroller.current?.focus();
  };
  const enter = (row: Row) => {
    setChosen(NONE);
    if (row.kind === 'more') void readOn(row.parentId);
    else if (row.kind === 'failed') void again(row.parentId);
    else if (row.kind === 'node') {
      rememberNode({ ...row.node, path: `${session().account.slug}/${row.path}` });
      route(nodeAddress(row.node._id));
      onGo?.();
    }
  };
  const start = (row: NodeRow, kind: NodeAction['kind'] | 'rename') => {
    if (kind !== 'create' && !may('CONFIGURE', row.node)) return;
    if (kind === 'rename') setRenaming(row.key);
    else if (kind === 'move' || kind === 'delete') ask({ kind, rows: [row] });
    else ask({ kind, row });
  };
  const startSeveral = (kind: 'move' | 'delete', several: readonly NodeRow[]) => {
    if (several.every(({ node }) => may('CONFIGURE', node) && node.parentId !== undefined))
      ask({ kind, rows: several });
    setChosen(NONE);
  };
  const openMenu = (row: NodeRow, box?: DOMRect) => {
    setActive(row.key);
    const element = document.getElementById(`${id}-${rows.indexOf(row)}`);
    setMenu({ row, at: box ?? element?.getBoundingClientRect() ?? new DOMRect() });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const room = scroller.current;
    if (room === null || event.target !== room) return;
    const page = Math.max(1, Math.floor(room.clientHeight / ROW) - 1);
    const move = treeMove(event, rows, at, page);
    if (move === undefined || (move.kind === 'release' && chosen.keys.size === 0)) return;
    event.preventDefault();
    event.stopPropagation();
    const row = rows[move.index]!;
    if (move.kind === 'go') {
      setChosen(NONE);
      go(move.index);
    } else if (move.kind === 'extend') {
      setChosen(rangeTo(chosen, rows, rows[at]?.key, move.index));
      go(move.index);
    } else if (move.kind === 'walk') go(move.index);
    else if (move.kind === 'release') setChosen(NONE);
    else if (move.kind === 'enter') enter(row);
    else if (row.kind !== 'node') return;
    else if (move.kind === 'open') openNode(row.node._id);
    else if (move.kind === 'close') closeNode(row.node._id);
    else if (move.kind === 'toggle') setChosen(toggled(chosen, row.key));
    else if (move.kind === 'menu') openMenu(row);
    else if (move.kind === 'delete' && meant(row).length > 1) startSeveral('delete', meant(row));
    else start(row, move.kind);
  };
  const drop = (row: NodeRow) => {
    if (mayDrop(dragged, row))
      ask({
        kind: 'move',
        rows: dragged,
        into: { _id: row.node._id, _class: row.node._class, name: row.node.name },
      });
    setTarget(undefined);
    setDragged([]);
    setChosen(NONE);
  };
  const now = useRef<TreeActs>(undefined);
  now.current = {
    choose,
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
    drag: (node) => setDragged(node === undefined ? [] : meant(node)),
    over: (node) => {
      const isFit = mayDrop(dragged, node);
      setTarget(isFit ? node.key : undefined);
      return isFit;
    },
    drop,
  };
  const acts = useMemo<TreeActs>(
    () => ({
      choose: (row, isRange) => now.current!.choose(row, isRange),
      enter: (row) => now.current!.enter(row),
      toggle: (row) => now.current!.toggle(row),
      openMenu: (row, at) => now.current!.openMenu(row, at),
      rename: (row, name) => now.current!.rename(row, name),
      drag: (row) => now.current!.drag(row),
      over: (row) => now.current!.over(row),
      drop: (row) => now.current!.drop(row),
    }),
    [],
  );
  // A line that comes into sight takes the element of one that has gone.
  const places = useRef(1);
  places.current = Math.max(places.current, virtual.items.length);
  const root = all.get(ROOT);
  const isEmpty = root !== undefined && !root.isLoading && root.error === undefined && root.children.length === 0;

  return (
    <section class="tree" aria-label={tree.title}>
      <header class="tree-head">
        <h2>{tree.title}</h2>
        {isAdministrator() && (
          <Button
            look="bare"
            icon="plus"
            aria-label={tree.newWorkspace}
            title={tree.newWorkspace}
            onClick={() => ask({ kind: 'create' })}
          />
        )}
      </header>
      {isEmpty ? (
        <EmptyState icon="cube" title={tree.emptyTitle}>
          {isAdministrator() ? tree.emptyAdmin : tree.emptyUser}
        </EmptyState>
      ) : (
        <div
          ref={scroller}
          class="tree-scroll"
          role="treegrid"
          tabIndex={0}
          aria-label={tree.title}
          aria-multiselectable
          aria-activedescendant={virtual.isDrawn(at) && rows[at] !== undefined ? `${id}-${at}` : undefined}
          aria-busy={root === undefined || root.isLoading}
          onKeyDown={onKeyDown}
        >
          <div role="rowgroup" class="tree-rows" style={{ height: `${virtual.height}px` }}>
            {virtual.items.map(({ index, start: top }) => {
              const row = rows[index];
              if (row === undefined) return null;
              return (
                <TreeRow
                  // A field that is typed in stays with its node.
                  key={row.key === renaming ? row.key : index % places.current}
                  id={`${id}-${index}`}
                  row={row}
                  top={top}
                  isActive={index === at}
                  isCurrent={row.key === current}
                  isTarget={row.key === target}
                  isChosen={chosen.keys.has(row.key)}
                  isRenaming={row.key === renaming}
                  acts={acts}
                />
              );
            })}
          </div>
        </div>
      )}
      <p class="unseen" role="status">
        {chosen.keys.size > 0 && `${tree.chosen(chosen.keys.size)}. ${tree.chooseKeys}`}
      </p>
      {menu && (
        <ContextMenu
          label={tree.actions(menu.row.node.name)}
          at={menu.at}
          items={
            meant(menu.row).length > 1
              ? itemsOfSeveral(
                  meant(menu.row),
                  (kind) => startSeveral(kind, meant(menu.row)),
                  () => setChosen(NONE),
                )
              : itemsOf(menu.row, (kind) => start(menu.row, kind), onGo)
          }
          onClose={() => setMenu(undefined)}
        />
      )}
    </section>
  );
}

async function again(parentId: string): Promise<void> {
  await openLevel(parentId);
}
