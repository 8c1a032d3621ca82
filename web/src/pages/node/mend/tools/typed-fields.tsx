import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { times } from '../../../../data/times.ts';
import type { Coding } from '../coding.ts';
import { say } from '../words.ts';

/** docs/reference/limits.md. */
const LONGEST_TEXT = 10_000;

/** Reads a number with a comma or a point; NaN for none. */
export const numberOf = (text: string): number =>
  text.trim() === '' ? Number.NaN : Number(text.trim().replace(',', '.'));

type NumberFieldProps = {
  readonly label: string;
  readonly value: string;
  readonly unit?: string;
  readonly onValue: (text: string) => void;
};

/** A number that is typed. */
export function NumberField({ label, value, unit = '', onValue }: NumberFieldProps) {
  return (
    <label class="mend-field">
      <span>{unit === '' ? label : `${label} (${unit})`}</span>
      <input
        type="text"
        inputMode="decimal"
        class="field"
        size={9}
        value={value}
        aria-invalid={value !== '' && !Number.isFinite(numberOf(value))}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </label>
  );
}

/** Reads what is typed or chosen as a value: a time is that of the person's clock. NaN: it is none yet. */
export function typedValue(typed: string, coding: Coding): number {
  if (coding.kind === 'number') return numberOf(typed);
  if (coding.kind === 'text') return typed === '' ? Number.NaN : coding.numberOf(typed);
  const clock = Date.parse(`${typed}Z`);
  return Number.isNaN(clock) ? clock : times().zone.instant(clock);
}

export type NamedValue = { readonly name: string; readonly value: number | string };

type ValueFieldProps = {
  readonly coding: Coding;
  /** The values have names; they are offered. */
  readonly states: readonly NamedValue[];
  readonly value: string;
  readonly onValue: (text: string) => void;
};

/** Takes a text, a time, or one of the values that have names. */
export function ValueField({ coding, states, value, onValue }: ValueFieldProps) {
  const text = say();
  const id = useId();
  const onInput = (event: { readonly currentTarget: { readonly value: string } }) => onValue(event.currentTarget.value);
  const shared = { id, class: 'field', value, onInput } as const;
  return (
    <div class="mend-field is-wide">
      <label for={id}>{text.value}</label>
      {states.length > 0 ? (
        <select {...shared}>
          <option value="" />
          {states.map((state) => (
            <option key={state.name} value={state.value}>{`${state.name} (${state.value})`}</option>
          ))}
        </select>
      ) : coding.kind === 'time' ? (
        <input {...shared} type="datetime-local" step="1" />
      ) : (
        <input {...shared} type="text" dir="auto" maxLength={LONGEST_TEXT} />
      )}
    </div>
  );
}

/** A form that is opened is typed into: the menu that it was opened by has the focus otherwise. */
export function useFirstFocus() {
  const room = useRef<HTMLFormElement>(null);
  // The focus comes before the form is seen: what is typed at once goes into it, from its first letter on.
  useLayoutEffect(() => room.current?.querySelector<HTMLElement>('input, select, textarea')?.focus(), []);
  return room;
}
