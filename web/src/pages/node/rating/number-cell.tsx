import { useState } from 'preact/hooks';
import { numberOf } from '../../../ui/form/numbers.ts';
import type { Cell } from './curve.ts';

type NumberCellProps = {
  readonly value: Cell;
  readonly label: string;
  readonly isReadOnly: boolean;
  readonly isWrong: boolean;
  readonly describedBy?: string | undefined;
  readonly onChange: (value: Cell) => void;
};

/** Shows a number as it was typed for as long as it means the value; what is none stays, for the server to refuse. */
export function NumberCell({ value, label, isReadOnly, isWrong, describedBy, onChange }: NumberCellProps) {
  const [typed, setTyped] = useState('');
  const text = readCell(typed) === value ? typed : value === null || value === undefined ? '' : String(value);
  return (
    <input
      type="text"
      inputMode="decimal"
      autocomplete="off"
      aria-label={label}
      aria-invalid={isWrong || typeof value === 'string'}
      aria-describedby={describedBy}
      disabled={isReadOnly}
      value={text}
      onInput={(event) => {
        setTyped(event.currentTarget.value);
        onChange(readCell(event.currentTarget.value));
      }}
    />
  );
}

const readCell = (text: string): Cell => (text.trim() === '' ? null : (numberOf(text) ?? text));
