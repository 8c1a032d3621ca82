import type { ComponentChildren, ComponentProps } from 'preact';
import { Dialog } from '../ui/dialog.tsx';
import { DialogAnswers } from '../ui/dialog-answers.tsx';
import { words } from '../words/index.ts';

type FormDialogProps = Pick<ComponentProps<typeof DialogAnswers>, 'problem' | 'main' | 'look' | 'isDisabled'> & {
  readonly title: string;
  /** The dialog stays while what was typed is on its way, until the answer is there. */
  readonly isBusy: boolean;
  readonly class?: string;
  readonly onSend: () => unknown;
  readonly onClose: () => void;
  /** Absent: as it is closed. */
  readonly onCancel?: () => void;
  /** Further answers. */
  readonly answers?: ComponentChildren;
  readonly children: ComponentChildren;
};

/** Shows a dialog that is a form: Enter sends it, once at a time. */
export function FormDialog(props: FormDialogProps) {
  const { title, isBusy, class: more = '', onSend, onClose, onCancel = onClose, answers, children, ...shown } = props;
  const { ui } = words.value;
  return (
    <Dialog title={title} onClose={isBusy ? undefined : onClose} closeText={ui.close}>
      <form
        class={`form ${more}`}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy && !props.isDisabled) void onSend();
        }}
      >
        {children}
        <DialogAnswers {...shown} isBusy={isBusy} cancel={ui.cancel} onCancel={onCancel}>
          {answers}
        </DialogAnswers>
      </form>
    </Dialog>
  );
}
