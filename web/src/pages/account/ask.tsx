import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogAnswers } from '../../ui/dialog-answers.tsx';
import { words } from '../../words/index.ts';
import { useSaving } from './use-saving.ts';
import { say } from './words.ts';

type AskProps = {
  readonly title: string;
  readonly text: string;
  readonly main: string;
  readonly look?: 'main' | 'danger';
  readonly run: () => Promise<unknown>;
  readonly other?: { readonly label: string; readonly run: () => Promise<unknown> };
  /** Puts the change of somebody else into words. */
  readonly theirs?: (theirs: unknown) => string;
  readonly onClose: () => void;
};

/** A question before something that cannot be taken back. */
export function Ask({ title, text, main, look = 'danger', run, other, theirs = () => '', onClose }: AskProps) {
  const { ui } = words.value;
  const saving = useSaving<unknown>([], theirs, say().changedFirst);
  const go = (work: () => Promise<unknown>) => () =>
    saving.run(async () => {
      await work();
      onClose();
    });
  return (
    <Dialog title={title} onClose={onClose} closeText={ui.close}>
      <p>{text}</p>
      <DialogAnswers
        problem={saving.problem}
        isBusy={saving.isBusy}
        look={look}
        main={main}
        onMain={go(run)}
        isCancelFirst={look === 'danger'}
        cancel={ui.cancel}
        onCancel={onClose}
      >
        {other && (
          <Button disabled={saving.isBusy} onClick={go(other.run)}>
            {other.label}
          </Button>
        )}
      </DialogAnswers>
    </Dialog>
  );
}
