import { CloneDialog } from './clone-dialog.tsx';
import { CreateDialog } from './create-dialog.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { MoveDialog } from './move-dialog.tsx';
import type { Place } from './place-picker.tsx';
import type { NodeRow } from './rows.ts';

/** An action concerns a node; one that creates without a node makes a Workspace. */
export type NodeAction =
  | { readonly kind: 'create'; readonly row?: NodeRow }
  | { readonly kind: 'clone'; readonly row: NodeRow }
  | { readonly kind: 'delete'; readonly rows: readonly NodeRow[] }
  | { readonly kind: 'move'; readonly rows: readonly NodeRow[]; readonly into?: Place };

type NodeDialogProps = {
  readonly action: NodeAction;
  readonly onClose: () => void;
  readonly onMade: (id: string, parentId: string | undefined) => void;
};

export function NodeDialog({ action, onClose, onMade }: NodeDialogProps) {
  switch (action.kind) {
    case 'create':
      return <CreateDialog parent={action.row} onClose={onClose} onMade={onMade} />;
    case 'clone':
      return <CloneDialog row={action.row} onClose={onClose} />;
    case 'move':
      return <MoveDialog rows={action.rows} into={action.into} onClose={onClose} />;
    case 'delete':
      return <DeleteDialog rows={action.rows} onClose={onClose} />;
  }
}
