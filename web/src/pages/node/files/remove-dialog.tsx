import { useState } from 'preact/hooks';
import type { Attachment } from '../../../data/nodes/attachments.ts';
import { deleteNode } from '../../../data/nodes/changes.ts';
import { isGone } from '../../../data/requests/failures.ts';
import { say } from '../../../parts/files/words.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { DialogAnswers } from '../../../ui/dialog-answers.tsx';
import { toast } from '../../../ui/toast.tsx';
import { errorText } from '../../../words/error-text.ts';
import { words } from '../../../words/index.ts';

type RemoveDialogProps = { readonly files: readonly Attachment[]; readonly onClose: (isDone: boolean) => void };
const SHOWN = 8;

/** Asks before files go for good. */
export function RemoveDialog({ files, onClose }: RemoveDialogProps) {
  const { remove } = say();
  const { ui } = words.value;
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const count = files.length;
  const run = async () => {
    setBusy(true);
    let done = 0;
    try {
      for (const { _id } of files) {
        // A file that somebody else has deleted meanwhile is gone as well.
        await deleteNode(_id).catch((error: unknown) => {
          if (!isGone(error)) throw error;
        });
        done += 1;
      }
      toast(remove.done(count));
      onClose(true);
    } catch (error) {
      setProblem([count > 1 && remove.some(done, count), errorText(error)].filter(Boolean).join(' '));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={remove.title(count)}
      onClose={isBusy ? undefined : () => onClose(problem !== '')}
      closeText={ui.close}
    >
      <ul class="file-names">
        {files.slice(0, SHOWN).map(({ _id, name }) => (
          <li key={_id}>
            <bdi>{name}</bdi>
          </li>
        ))}
        {count > SHOWN && <li>…</li>}
      </ul>
      <p>{count === 1 ? remove.text : remove.textMany}</p>
      <DialogAnswers
        problem={problem}
        isBusy={isBusy}
        main={remove.yes(count)}
        look={'danger' as const}
        onMain={run}
        cancel={ui.cancel}
        onCancel={() => onClose(problem !== '')}
        isCancelFirst={true}
      />
    </Dialog>
  );
}
