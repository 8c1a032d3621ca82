import { useState } from 'preact/hooks';
import { moveNode } from '../../data/changes.ts';
import { mayLieIn } from '../../data/containment.ts';
import { ROOT, rereadLevel } from '../../data/levels.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import { openNode } from './open-nodes.ts';
import { type Place, PlacePicker } from './place-picker.tsx';
import type { NodeRow } from './rows.ts';
import { useExtent } from './use-extent.ts';

type MoveDialogProps = { readonly row: NodeRow; readonly into: Place | undefined; readonly onClose: () => void };

/** Asks where a node goes, and says what goes along. It can be taken back. */
export function MoveDialog({ row, into, onClose }: MoveDialogProps) {
  const { tree, ui } = words.value;
  const { node, parentId } = row;
  const [place, setPlace] = useState(into);
  const [problem, setProblem] = useState('');
  const { value: extent, error } = useExtent(row);
  const move = async () => {
    if (place === undefined) {
      setProblem(tree.whereNone);
      return;
    }
    setProblem('');
    try {
      const { warnings = [] } = await moveNode(node._id, place._id);
      openNode(place._id);
      for (const one of [parentId, place._id]) void rereadLevel(one);
      const said = tree.moved(node.name, place.name);
      toast(warnings.length === 0 ? said : `${said} ${tree.renameWarnings(warnings.length)}`, {
        action: { label: ui.undo, run: () => moveBack(node._id, parentId, place._id) },
      });
      onClose();
    } catch (failure) {
      setProblem(errorText(failure));
    }
  };
  return (
    <Dialog
      title={place ? tree.moveQuestion(node.name, place.name) : tree.moveTitle(node.name)}
      onClose={onClose}
      closeText={ui.close}
    >
      <div class="form">
        {into === undefined && (
          <PlacePicker chosen={place} isFit={(name) => mayLieIn(node._class, name)} onChoose={setPlace} />
        )}
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
        {problem !== '' && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <p class="buttons">
          <Button look="main" onClick={move}>
            {tree.moveButton}
          </Button>
          <Button onClick={onClose}>{ui.cancel}</Button>
        </p>
      </div>
    </Dialog>
  );
}

async function moveBack(id: string, to: string, from: string): Promise<void> {
  try {
    if (to !== ROOT) await moveNode(id, to);
    for (const one of [to, from]) void rereadLevel(one);
  } catch (failure) {
    toast(errorText(failure), { isBad: true });
  }
}
