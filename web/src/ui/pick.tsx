import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';

type PickProps = {
  readonly label: string;
  /** This text stands there as long as nothing is chosen. */
  readonly none: string;
  /** Each with its text. */
  readonly options: readonly (readonly [string, string])[];
  readonly main: string;
  /** Called with the chosen one. */
  readonly onPick: (value: string) => unknown;
  /** It has the focus once it is there: somebody has asked for it. */
  readonly isFocused?: boolean;
};

/** Offers many things, and a button that does something with the chosen one: arrows, which change a list that is closed, only choose. */
export function Pick({ label, none, options, main, onPick, isFocused = false }: PickProps) {
  const id = useId();
  const field = useRef<HTMLSelectElement>(null);
  const [chosen, setChosen] = useState('');
  useLayoutEffect(() => {
    if (isFocused) field.current!.focus();
  }, []);
  const value = options.some(([key]) => key === chosen) ? chosen : '';
  return (
    <span class="pick">
      <label class="unseen" for={id}>
        {label}
      </label>
      <select id={id} ref={field} value={value} onChange={(event) => setChosen(event.currentTarget.value)}>
        <option value="">{none}</option>
        {options.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
      <Button
        onClick={() => {
          if (value === '') return field.current!.focus();
          setChosen('');
          return onPick(value);
        }}
      >
        {main}
      </Button>
    </span>
  );
}
