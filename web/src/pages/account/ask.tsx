import type { ComponentChildren } from 'preact';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogAnswers } from '../../ui/dialog-answers.tsx';
import { words } from '../../words/index.ts';
import { useSaving } from './use-saving.ts';
import { say } from './words.ts';

type AskProps<T> = {
  readonly title: string;
  /** Names the loss. */
  readonly children: ComponentChildren;
  readonly main: string;
  readonly look?: 'main' | 'danger';
  readonly run: () => Promise<unknown>;
  readonly other?: { readonly label: string; readonly run: () => Promise<unknown> };
  /** Puts the change of somebody else into words. */
  readonly theirs?: (theirs: T | undefined) => string;
  readonly onClose: () => void;
};

/** Asks a question before something that cannot be taken back. */
export function Ask<T>({ title, children, main, look = 'danger', run, other, theirs, onClose }: AskProps<T>) {
  const { ui } = words.value;
  const saving = useSaving<T>([], theirs, say().changedFirst);
  const go = (work: () => Promise<unknown>) => () =>
    saving.run(async () => {
      await work();
      onClose();
    });
  return (
    <Dialog title={title} onClose={onClose} closeText={ui.close}>
      {children}
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
