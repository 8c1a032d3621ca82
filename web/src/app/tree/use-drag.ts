import { useState } from 'preact/hooks';
import { may } from '../../data/session/rights.ts';
import { mayLieIn } from '../../data/tree/containment.ts';
import { askedAction } from './asked-action.tsx';
import type { NodeRow } from './rows.ts';
import type { TreeActs } from './tree-row.tsx';

type DragParts = {
  /** Returns the rows that are dragged with one. */
  readonly meant: (row: NodeRow) => readonly NodeRow[];
  readonly letGo: () => void;
};

/** Drags nodes to where they may lie; who drops them is asked before they are moved. */
export function useDrag({ meant, letGo }: DragParts) {
  const [dragged, setDragged] = useState<readonly NodeRow[]>([]);
  const [target, setTarget] = useState<string>();
  const acts: Pick<TreeActs, 'drag' | 'over' | 'drop'> = {
    drag: (row) => setDragged(row === undefined ? [] : meant(row)),
    over: (row) => {
      const isFit = mayDrop(dragged, row);
      setTarget(isFit ? row.key : undefined);
      return isFit;
    },
    drop: (row) => {
      const { _id, _class, name } = row.node;
      if (mayDrop(dragged, row)) askedAction.value = { kind: 'move', rows: dragged, into: { _id, _class, name } };
      setTarget(undefined);
      setDragged([]);
      letGo();
    },
  };
  return { target, acts };
}

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
