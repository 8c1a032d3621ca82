import { useLocation } from 'preact-iso';
import { overviewAddress } from '../../data/addresses.ts';
import { deleteNode, type Extent } from '../../data/changes.ts';
import { className } from '../../data/classes.ts';
import { runJob } from '../../data/jobs.ts';
import { rereadLevel } from '../../data/levels.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Busy } from '../../ui/notes.tsx';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import type { NodeRow } from './rows.ts';
import { useExtent } from './use-extent.ts';

const MOST_SHOWN = 5;

/** Names what is lost before a node is deleted for good. The deletion goes on when the dialog is left. */
export function DeleteDialog({ row, onClose }: { readonly row: NodeRow; readonly onClose: () => void }) {
  const { tree, ui } = words.value;
  const { node, parentId } = row;
  const { path, route } = useLocation();
  const { value: extent, error, again } = useExtent(row);
  const remove = () => {
    onClose();
    // A page of what is being deleted would tell of its end only.
    if (path.includes(`/n/${node._id}/`)) route(overviewAddress());
    void runJob(tree.deleting(node.name), () => deleteNode(node._id)).then(
      () => {
        void rereadLevel(parentId);
        toast(tree.deleted(node.name));
      },
      (failure) => toast(errorText(failure), { isBad: true }),
    );
  };
  return (
    <Dialog title={tree.deleteTitle(node.name)} onClose={onClose} closeText={ui.close}>
      <div class="form">
        {error !== undefined ? (
          <p class="problem">
            {tree.countFailed} <Button onClick={again}>{ui.again}</Button>
          </p>
        ) : extent === undefined ? (
          <Busy text={tree.counting} />
        ) : (
          <Lost row={row} extent={extent} />
        )}
        <p class="buttons">
          <Button look="danger" disabled={extent === undefined} onClick={remove}>
            {tree.deleteButton((extent?.count ?? 0) + 1)}
          </Button>
          <Button autofocus onClick={onClose}>
            {ui.cancel}
          </Button>
        </p>
      </div>
    </Dialog>
  );
}

function Lost({ row: { node }, extent }: { readonly row: NodeRow; readonly extent: Extent }) {
  const { tree } = words.value;
  const kinds = new Map<string, number>();
  for (const [name, count] of [[node._class, 1] as const, ...extent.below])
    kinds.set(className(name), (kinds.get(className(name)) ?? 0) + count);
  const { shownBy } = extent;
  return (
    <>
      <p>{tree.deleteLost}</p>
      <ul class="bullets">
        {[...kinds].map(([kind, count]) => (
          <li key={kind}>{tree.deleteNodes(count, kind)}</li>
        ))}
        <li>{tree.deleteRecords}</li>
      </ul>
      {shownBy.length > 0 && (
        <>
          <p>{tree.deleteShown(shownBy.length)}</p>
          <ul class="bullets">
            {shownBy.slice(0, MOST_SHOWN).map(({ _id, name }) => (
              <li key={_id}>
                <bdi>{name}</bdi>
              </li>
            ))}
            {shownBy.length > MOST_SHOWN && <li>…</li>}
          </ul>
        </>
      )}
    </>
  );
}
