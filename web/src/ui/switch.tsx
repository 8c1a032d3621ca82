type SwitchProps<T extends string> = {
  readonly label: string;
  readonly value: string | undefined;
  readonly options: readonly (readonly [T, string])[];
  readonly onChange: (value: T) => void;
  readonly isDisabled?: boolean;
  readonly class?: string;
};

/** Shows a row of buttons, of which one is pressed. */
export function Switch<T extends string>({ label, value, options, onChange, isDisabled, ...more }: SwitchProps<T>) {
  return (
    <fieldset class={`switch ${more.class ?? ''}`.trim()} aria-label={label} disabled={isDisabled}>
      {options.map(([key, text]) => (
        <button key={key} type="button" aria-pressed={key === value} onClick={() => onChange(key)}>
          {text}
        </button>
      ))}
    </fieldset>
  );
}
