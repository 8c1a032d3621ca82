import type { ComponentChildren } from 'preact';
import { Button } from './button.tsx';

type AnswersProps = {
  /** This problem stands in the way; empty for none. */
  readonly problem?: string;
  readonly main: string;
  readonly look?: 'main' | 'danger';
  /** The form of the dialog is sent where absent. */
  readonly onMain?: () => unknown;
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  readonly cancel?: string;
  readonly onCancel?: () => void;
  /** The careful answer has the focus. */
  readonly isCancelFirst?: boolean;
  readonly children?: ComponentChildren;
};

/** Shows how a dialog can be answered: what is asked, and leaving things as they are. */
export function DialogAnswers(props: AnswersProps) {
  const { problem = '', main, look = 'main', onMain, isBusy = false, isDisabled = false, onCancel } = props;
  return (
    <>
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <p class="buttons">
        <Button
          look={look}
          isBusy={isBusy}
          disabled={isDisabled}
          {...(onMain ? { onClick: onMain } : { type: 'submit' as const })}
        >
          {main}
        </Button>
        {onCancel && (
          <Button autofocus={props.isCancelFirst} disabled={isBusy} onClick={onCancel}>
            {props.cancel}
          </Button>
        )}
        {props.children}
      </p>
    </>
  );
}
