import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

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

/** A field with its label, its hint, and what is wrong with it. */
export function Field({ label, hint, problem, children }: FieldProps) {
  const id = useId();
  return (
    <div class="device-field">
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

/** One of a few. */
export function Choices<T extends string>(props: {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [T, string])[];
  readonly onChange: (value: T) => void;
}) {
  return (
    <fieldset class="switch device-choice" aria-label={props.label}>
      {props.options.map(([key, text]) => (
        <button key={key} type="button" aria-pressed={key === props.value} onClick={() => props.onChange(key)}>
          {text}
        </button>
      ))}
    </fieldset>
  );
}
