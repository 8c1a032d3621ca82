import { useState } from 'preact/hooks';
import { cloneNode } from '../../data/nodes/changes.ts';
import { runJob } from '../../data/transfers/jobs.ts';
import { mayLieIn } from '../../data/tree/containment.ts';
import { ROOT, rereadLevel } from '../../data/tree/levels.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogAnswers } from '../../ui/dialog-answers.tsx';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import { type Place, PlacePicker } from './place-picker.tsx';
import type { NodeRow } from './rows.ts';
import { useExtent } from './use-extent.ts';

/** Copies a node with all below it, beside itself or elsewhere; it goes on when the dialog is left. */
export function CloneDialog({ row, onClose }: { readonly row: NodeRow; readonly onClose: () => void }) {
  const { tree, ui } = words.value;
  const { node, parentId } = row;
  const [place, setPlace] = useState<Place>();
  const [name, setName] = useState(node.name);
  const [problem, setProblem] = useState('');
  const { value: extent } = useExtent([row]);
  const into = place?._id ?? (parentId === ROOT ? undefined : parentId);
  const clone = async () => {
    setProblem('');
    try {
      await runJob(tree.cloning(node.name), () => cloneNode(node._id, into, name.trim()), {
        nodeId: into ?? node._id,
      });
      void rereadLevel(into ?? ROOT);
      toast(tree.cloned(node.name));
      onClose();
    } catch (failure) {
      setProblem(errorText(failure));
    }
  };
  return (
    <Dialog title={tree.cloneTitle(node.name)} onClose={onClose} closeText={ui.close}>
      <div class="form">
        <label>
          <span>{tree.name}</span>
          <input value={name} dir="auto" onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        {parentId !== ROOT && (
          <PlacePicker chosen={place} isFit={(kind) => mayLieIn(node._class, kind)} onChoose={setPlace} />
        )}
        {parentId !== ROOT && place === undefined && <p class="hint">{`${tree.where}: ${tree.whereSame}`}</p>}
        <p aria-live="polite">
          {extent === undefined ? tree.counting : extent.count === 0 ? tree.belowNone : tree.below(extent.count)}
        </p>
        <p class="hint">{tree.cloneHint}</p>
        <DialogAnswers problem={problem} main={tree.cloneButton} onMain={clone} cancel={ui.cancel} onCancel={onClose} />
      </div>
    </Dialog>
  );
}
