import { signal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { nodeAddress } from '../../data/addresses.ts';
import { ROOT, rereadLevel } from '../../data/levels.ts';
import { type NodeAction, NodeDialog } from './dialogs.tsx';
import { openNode } from './open-nodes.ts';

/** What is to be done with a node, asked for by the tree or the palette. */
export const askedAction = signal<NodeAction | undefined>(undefined);

/** Its dialog: once on the page. */
export function AskedAction() {
  const { route } = useLocation();
  const action = askedAction.value;
  if (action === undefined) return null;
  return (
    <NodeDialog
      action={action}
      onClose={() => {
        askedAction.value = undefined;
      }}
      onMade={(made, parentId) => {
        if (parentId !== undefined) openNode(parentId);
        void rereadLevel(parentId ?? ROOT);
        route(nodeAddress(made, 'settings'));
      }}
    />
  );
}
