import { closeNode, openNode } from './open-nodes.ts';
import { treeMove } from './rows.ts';
import { ROW } from './use-rows.ts';
import type { TreeState } from './use-tree.ts';

/** Does what a key means in the tree. */
export function pressed(event: KeyboardEvent, tree: TreeState): void {
  const room = tree.scroller.current;
  if (room === null || event.target !== room) return;
  const page = Math.max(1, Math.floor(room.clientHeight / ROW) - 1);
  const move = treeMove(event, tree.rows, tree.at, page);
  if (move === undefined || (move.kind === 'release' && tree.chosen.keys.size === 0)) return;
  event.preventDefault();
  event.stopPropagation();
  const row = tree.rows[move.index]!;
  if (move.kind === 'go') {
    tree.letGo();
    tree.go(move.index);
  } else if (move.kind === 'extend') {
    tree.chooseTo(move.index);
    tree.go(move.index);
  } else if (move.kind === 'walk') tree.go(move.index);
  else if (move.kind === 'release') tree.letGo();
  else if (move.kind === 'enter') tree.enter(row);
  else if (row.kind !== 'node') return;
  else if (move.kind === 'open') openNode(row.node._id);
  else if (move.kind === 'close') closeNode(row.node._id);
  else if (move.kind === 'toggle') tree.chooseMore(row);
  else if (move.kind === 'menu') tree.openMenu(row);
  else if (move.kind === 'delete' && tree.meant(row).length > 1) tree.startSeveral('delete', tree.meant(row));
  else tree.start(row, move.kind);
}
