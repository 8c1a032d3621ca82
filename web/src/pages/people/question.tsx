import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogAnswers } from '../../ui/dialog-answers.tsx';
import { toast } from '../../ui/toast.tsx';
import { words } from '../../words/index.ts';
import { problemText } from './problem-text.ts';

type QuestionProps = {
  readonly title: string;
  /** Names the loss. */
  readonly children: ComponentChildren;
  readonly main: string;
  readonly said: string;
  readonly work: () => Promise<unknown>;
  /** The answer where it is not there any more. */
  readonly gone?: string;
  readonly onClose: () => void;
  readonly onDone?: () => void;
};

/** Asks before something that cannot be taken back, and does it. A refusal stands in the question. */
export function Question({ title, children, main, said, work, gone, onClose, onDone }: QuestionProps) {
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
      setProblem(problemText(error, gone));
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
          look="danger"
          onMain={answer}
          isCancelFirst
        />
      </div>
    </Dialog>
  );
}

/** The first of many, and how many more there are. */
export function Some({ items, more }: { readonly items: readonly string[]; readonly more: (count: number) => string }) {
  const MOST = 8;
  const left = items.length - MOST;
  return (
    <ul class="bullets">
      {items.slice(0, left > 0 ? MOST - 1 : MOST).map((item) => (
        <li key={item} dir="auto">
          {item}
        </li>
      ))}
      {left > 0 && <li>{more(left + 1)}</li>}
    </ul>
  );
}
