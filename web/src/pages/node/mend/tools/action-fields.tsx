import { useState } from 'preact/hooks';
import { LONGEST_NOTE } from '../../../../data/records/annotations.ts';
import type { Qualities } from '../../../../data/records/quality.ts';
import { Button } from '../../../../ui/button.tsx';
import type { Action } from '../actions.ts';
import type { Coding } from '../coding.ts';
import { NO_QUALITY } from '../records.ts';
import { say } from '../words.ts';
import type { ActionForm } from './tool.ts';
import { type NamedValue, NumberField, numberOf, typedValue, useFirstFocus, ValueField } from './typed-fields.tsx';

const LARGEST_QUALITY = 65_535;
/** A code is typed, and chosen in no list. */
const OTHER = 'other';

type ActionProps = {
  readonly of: ActionForm;
  readonly unit: string;
  readonly coding: Coding;
  /** The values have names; they are offered. */
  readonly states: readonly NamedValue[];
  readonly qualities: Qualities | undefined;
  readonly isReady: boolean;
  readonly onAct: (action: Action) => void;
  readonly onClose: () => void;
};

/** What is typed, as it is typed. */
type Typed = { readonly first: string; readonly second: string; readonly code: string };

/** Draws the fields for a change of the chosen records. */
export function ActionFields({ of, unit, coding, states, qualities, isReady, onAct, onClose }: ActionProps) {
  const text = say();
  const room = useFirstFocus();
  const [typed, setTyped] = useState<Typed>({ first: of === 'drift' ? '0' : '', second: '', code: String(NO_QUALITY) });
  const action = actionOf(of, typed, coding);
  return (
    <form
      ref={room}
      class="mend-tool"
      aria-label={text.actions[of]}
      onSubmit={(event) => {
        event.preventDefault();
        if (action && isReady) onAct(action);
      }}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <Inputs
        of={of}
        unit={unit}
        coding={coding}
        states={states}
        qualities={qualities}
        typed={typed}
        onTyped={(part) => setTyped((before) => ({ ...before, ...part }))}
      />
      <Button look="main" type="submit" disabled={!action || !isReady}>
        {text.apply}
      </Button>
      <Button onClick={onClose}>{text.cancel}</Button>
      <p class="mend-says" role="status">
        {!isReady ? text.chooseFirst : isTyped(of, typed) && !action ? wrongText(of, coding) : hintOf(of)}
      </p>
    </form>
  );
}

/** Reads a change out of what is typed; undefined while it is none. */
function actionOf(of: ActionForm, { first, second, code }: Typed, coding: Coding): Action | undefined {
  const [a, b] = [numberOf(first), numberOf(second)];
  switch (of) {
    case 'drift':
      return Number.isFinite(a) && Number.isFinite(b) ? { kind: 'drift', start: a, end: b } : undefined;
    case 'quality': {
      const chosen = code === OTHER ? a : Number(code);
      const isCode = chosen === NO_QUALITY ? code !== OTHER : Number.isInteger(chosen) && chosen >= 0;
      return isCode && chosen <= LARGEST_QUALITY ? { kind: 'quality', code: chosen } : undefined;
    }
    case 'note':
      return { kind: 'note', text: first };
    case 'set': {
      const to = typedValue(first, coding);
      return Number.isFinite(to) ? { kind: of, by: to } : undefined;
    }
    default:
      return Number.isFinite(a) ? { kind: of, by: a } : undefined;
  }
}

const isTyped = (of: ActionForm, { first, second, code }: Typed): boolean =>
  of === 'quality' ? code === OTHER && first !== '' : first !== '' && (of !== 'drift' || second !== '');

function wrongText(of: ActionForm, coding: Coding): string {
  const text = say();
  return of === 'quality' ? text.wrongCode : coding.kind === 'time' ? text.wrongTime : text.wrongNumber;
}

const hintOf = (of: ActionForm): string => (of === 'drift' ? say().driftHint : of === 'note' ? say().noteHint : '');

type InputsProps = Pick<ActionProps, 'of' | 'unit' | 'coding' | 'states' | 'qualities'> & {
  readonly typed: Typed;
  readonly onTyped: (part: Partial<Typed>) => void;
};

function Inputs({ of, unit, coding, states, qualities, typed, onTyped }: InputsProps) {
  const text = say();
  const { first } = typed;
  const onFirst = (first: string) => onTyped({ first });
  switch (of) {
    case 'note':
      return (
        <label class="mend-field is-wide">
          <span>{text.note}</span>
          <input
            type="text"
            class="field"
            dir="auto"
            maxLength={LONGEST_NOTE}
            value={first}
            onInput={(event) => onFirst(event.currentTarget.value)}
          />
        </label>
      );
    case 'quality':
      return (
        <>
          <label class="mend-field">
            <span>{text.quality}</span>
            <select class="field" value={typed.code} onChange={(event) => onTyped({ code: event.currentTarget.value })}>
              <option value={NO_QUALITY}>{text.noQuality}</option>
              {qualities?.codes.map((code) => (
                <option key={code.code} value={code.code}>{`${code.name} (${code.code})`}</option>
              ))}
              <option value={OTHER}>{text.otherQuality}</option>
            </select>
          </label>
          {typed.code === OTHER && <NumberField label={text.code} value={first} onValue={onFirst} />}
        </>
      );
    case 'drift':
      return (
        <>
          <NumberField label={text.driftStart} unit={unit} value={first} onValue={onFirst} />
          <NumberField
            label={text.driftEnd}
            unit={unit}
            value={typed.second}
            onValue={(second) => onTyped({ second })}
          />
        </>
      );
    default:
      return of === 'set' && (coding.kind !== 'number' || states.length > 0) ? (
        <ValueField coding={coding} states={states} value={first} onValue={onFirst} />
      ) : (
        <NumberField
          label={{ set: text.value, offset: text.offset, scale: text.factor }[of]}
          unit={of === 'scale' ? '' : unit}
          value={first}
          onValue={onFirst}
        />
      );
  }
}
