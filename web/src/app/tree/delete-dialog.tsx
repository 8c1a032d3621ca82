import { useLocation } from 'preact-iso';
import { overviewAddress } from '../../data/addresses.ts';
import { deleteNode, type Extent } from '../../data/nodes/changes.ts';
import { className } from '../../data/nodes/classes.ts';
import { runJob } from '../../data/transfers/jobs.ts';
import { rereadLevel } from '../../data/tree/levels.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogAnswers } from '../../ui/dialog-answers.tsx';
import { Busy } from '../../ui/notes.tsx';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import { Names, said } from './names.tsx';
import { oneAfterTheOther } from './one-after-the-other.ts';
import type { NodeRow } from './rows.ts';
import { useExtent } from './use-extent.ts';

const MOST_SHOWN = 5;

type DeleteDialogProps = { readonly rows: readonly NodeRow[]; readonly onClose: () => void };

/** Names what is lost before nodes are deleted for good. The deletion goes on when the dialog is left. */
export function DeleteDialog({ rows, onClose }: DeleteDialogProps) {
  const { tree, ui } = words.value;
  const { path, route } = useLocation();
  const { value: extent, error, again } = useExtent(rows);
  const remove = () => {
    onClose();
    // A page of a node that is being deleted would show only its end.
    if (rows.some(({ node }) => path.includes(`/n/${node._id}/`))) route(overviewAddress());
    const ids = rows.map(({ node }) => node._id);
    const act = (progress: (part: number) => void) =>
      oneAfterTheOther(rows, ({ node }) => deleteNode(node._id), progress);
    void runJob(said(rows, tree.deleting, tree.deletingSeveral), act, {
      goneId: ids.at(-1)!,
      nodeId: ids.at(-1)!,
    }).then(
      ({ done, refused }) => {
        for (const parentId of new Set(rows.map((row) => row.parentId))) void rereadLevel(parentId);
        toast(said(done, tree.deleted, tree.severalDeleted));
        for (const { row, text } of refused.slice(0, MOST_SHOWN)) toast(`${row.node.name}: ${text}`, { isBad: true });
      },
      (failure) => toast(errorText(failure), { isBad: true }),
    );
  };
  return (
    <Dialog title={said(rows, tree.deleteTitle, tree.deleteSeveralTitle)} onClose={onClose} closeText={ui.close}>
      <div class="form">
        {error !== undefined ? (
          <p class="problem">
            {tree.countFailed} <Button onClick={again}>{ui.again}</Button>
          </p>
        ) : extent === undefined ? (
          <Busy text={tree.counting} />
        ) : (
          <Lost rows={rows} extent={extent} />
        )}
        <DialogAnswers
          look="danger"
          main={tree.deleteButton((extent?.count ?? 0) + rows.length)}
          isDisabled={extent === undefined}
          onMain={remove}
          cancel={ui.cancel}
          onCancel={onClose}
          isCancelFirst
        />
      </div>
    </Dialog>
  );
}

function Lost({ rows, extent }: { readonly rows: readonly NodeRow[]; readonly extent: Extent }) {
  const { tree } = words.value;
  const kinds = new Map<string, number>();
  for (const [name, count] of [...rows.map(({ node }) => [node._class, 1] as const), ...extent.below])
    kinds.set(className(name), (kinds.get(className(name)) ?? 0) + count);
  const { shownBy } = extent;
  return (
    <>
      <Names rows={rows} />
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
