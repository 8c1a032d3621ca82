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
