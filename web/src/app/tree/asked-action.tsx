import { signal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { nodeAddress } from '../../data/addresses.ts';
import { ROOT, rereadLevel } from '../../data/tree/levels.ts';
import { type NodeAction, NodeDialog } from './dialogs.tsx';
import { openNode } from './open-nodes.ts';

/** The tree or the palette asks for this to be done with a node. */
export const askedAction = signal<NodeAction | undefined>(undefined);

/** Shows the dialog of the action; it is once on the page. */
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
