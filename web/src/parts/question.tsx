import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../ui/dialog.tsx';
import { DialogAnswers } from '../ui/dialog-answers.tsx';
import { toast } from '../ui/toast.tsx';
import { errorText } from '../words/error-text.ts';
import { words } from '../words/index.ts';

export type QuestionProps = {
  readonly title: string;
  /** Names the loss. */
  readonly children: ComponentChildren;
  readonly main: string;
  readonly said: string;
  readonly work: () => Promise<unknown>;
  /** Something stands in the way, which the text names. */
  readonly isBarred?: boolean;
  /** Writes the text of a refusal; absent, it is that of any error. */
  readonly problemText?: (error: unknown) => string;
  readonly onClose: () => void;
  readonly onDone?: () => void;
};

/** Asks before something that cannot be taken back, and does it. A refusal stands in the question. */
export function Question({
  title,
  children,
  main,
  said,
  work,
  isBarred = false,
  problemText = errorText,
  onClose,
  onDone,
}: QuestionProps) {
  const { ui } = words.value;
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const answer = async () => {
    setBusy(true);
    setProblem('');
    try {
      await work();
      toast(said);
      onClose();
      onDone?.();
    } catch (error) {
      setProblem(problemText(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={isBusy ? undefined : onClose} closeText={ui.close}>
      <div class="form">
        {children}
        <DialogAnswers
          problem={problem}
          isBusy={isBusy}
          main={main}
          cancel={ui.cancel}
          onCancel={onClose}
          isDisabled={isBarred}
          look="danger"
          onMain={() => !isBarred && answer()}
          isCancelFirst
        />
      </div>
    </Dialog>
  );
}
