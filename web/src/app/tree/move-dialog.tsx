import { useState } from 'preact/hooks';
import { moveNode } from '../../data/nodes/changes.ts';
import { mayLieIn } from '../../data/tree/containment.ts';
import { ROOT, rereadLevel } from '../../data/tree/levels.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogAnswers } from '../../ui/dialog-answers.tsx';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import { Names, said } from './names.tsx';
import { oneAfterTheOther } from './one-after-the-other.ts';
import { openNode } from './open-nodes.ts';
import { type Place, PlacePicker } from './place-picker.tsx';
import type { NodeRow } from './rows.ts';
import { useExtent } from './use-extent.ts';

type MoveDialogProps = {
  readonly rows: readonly NodeRow[];
  readonly into: Place | undefined;
  readonly onClose: () => void;
};

/** Asks where nodes go, and says what goes along. It can be taken back. */
export function MoveDialog({ rows, into, onClose }: MoveDialogProps) {
  const { tree, ui } = words.value;
  const [place, setPlace] = useState(into);
  const [problem, setProblem] = useState('');
  const { value: extent, error } = useExtent(rows);
  const move = async () => {
    if (place === undefined) {
      setProblem(tree.whereNone);
      return;
    }
    setProblem('');
    try {
      let broken = 0;
      const act = async ({ node }: NodeRow) => {
        broken += (await moveNode(node._id, place._id)).warnings?.length ?? 0;
      };
      const { done, refused } = await oneAfterTheOther(rows, act, () => {});
      openNode(place._id);
      for (const nodeId of new Set([place._id, ...rows.map(({ parentId }) => parentId)])) void rereadLevel(nodeId);
      const text = said(
        done,
        (name) => tree.moved(name, place.name),
        (count) => tree.severalMoved(count, place.name),
      );
      toast(broken === 0 ? text : `${text} ${tree.renameWarnings(broken)}`, {
        action: { label: ui.undo, run: () => moveBack(done, place._id) },
      });
      for (const refusal of refused) toast(`${refusal.row.node.name}: ${refusal.text}`, { isBad: true });
      onClose();
    } catch (failure) {
      setProblem(errorText(failure));
    }
  };
  const title = place
    ? said(
        rows,
        (name) => tree.moveQuestion(name, place.name),
        (count) => tree.moveSeveralQuestion(count, place.name),
      )
    : said(rows, tree.moveTitle, tree.moveSeveralTitle);
  return (
    <Dialog title={title} onClose={onClose} closeText={ui.close}>
      <div class="form">
        {into === undefined && (
          <PlacePicker
            chosen={place}
            isFit={(where) => rows.every(({ node }) => mayLieIn(node._class, where))}
            onChoose={setPlace}
          />
        )}
        <Names rows={rows} />
        <p aria-live="polite">
          {error !== undefined
            ? tree.countFailed
            : extent === undefined
              ? tree.counting
              : extent.count === 0
                ? tree.belowNone
                : tree.below(extent.count)}
        </p>
        <p class="hint">{tree.otherWorkspace}</p>
        <DialogAnswers problem={problem} main={tree.moveButton} onMain={move} cancel={ui.cancel} onCancel={onClose} />
      </div>
    </Dialog>
  );
}

async function moveBack(rows: readonly NodeRow[], from: string): Promise<void> {
  try {
    for (const { node, parentId } of rows) if (parentId !== ROOT) await moveNode(node._id, parentId);
  } catch (failure) {
    toast(errorText(failure), { isBad: true });
  }
  for (const nodeId of new Set([from, ...rows.map(({ parentId }) => parentId)])) void rereadLevel(nodeId);
}
