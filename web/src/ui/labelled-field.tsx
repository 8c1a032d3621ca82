import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** The control of a field carries these attributes: its name, its hint and what is wrong with it. */
type Control = {
  readonly id: string;
  readonly 'aria-describedby': string;
  readonly 'aria-invalid'?: boolean;
};
type FieldProps = {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly problem?: string | undefined;
  readonly children: (control: Control) => ComponentChildren;
};

/** Shows a field with its label, its hint, and what is wrong with it, as the server reports it. */
export function Field({ label, hint, problem, children }: FieldProps) {
  const id = useId();
  return (
    <div class="labelled-field">
      <label for={id}>
        <span>{label}</span>
      </label>
      {children({
        id,
        'aria-describedby': `${id}-problem ${id}-hint`,
        ...(problem !== undefined && { 'aria-invalid': true }),
      })}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <p class="problem" id={`${id}-problem`} role={problem === undefined ? undefined : 'alert'}>
        {problem}
      </p>
    </div>
  );
}
