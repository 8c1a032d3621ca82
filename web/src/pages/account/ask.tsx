import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogAnswers } from '../../ui/dialog-answers.tsx';
import { words } from '../../words/index.ts';
import { useSaving } from './use-saving.ts';

type AskProps = {
  readonly title: string;
  readonly text: string;
  readonly main: string;
  readonly look?: 'main' | 'danger';
  readonly run: () => Promise<unknown>;
  readonly other?: { readonly label: string; readonly run: () => Promise<unknown> };
  readonly onClose: () => void;
};

/** A question before something that cannot be taken back. */
export function Ask({ title, text, main, look = 'danger', run, other, onClose }: AskProps) {
  const { ui } = words.value;
  const saving = useSaving([]);
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
