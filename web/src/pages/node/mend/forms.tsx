import { useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { LONGEST_NOTE } from '../../../data/records/annotations.ts';
import type { Qualities } from '../../../data/records/quality.ts';
import { times } from '../../../data/times.ts';
import { Button } from '../../../ui/button.tsx';
import type { Action } from './actions.ts';
import type { Coding } from './coding.ts';
import { parsedLines, type Refused } from './lines.ts';
import { NO_QUALITY, type Row } from './records.ts';
import type { Rule } from './selections.ts';
import { say } from './words.ts';

export type ActionForm = 'set' | 'offset' | 'scale' | 'drift' | 'quality' | 'note';
export type Tool =
  | { readonly kind: 'action'; readonly of: ActionForm }
  | { readonly kind: 'rule'; readonly of: Rule['kind'] }
  | { readonly kind: 'add' };

const LARGEST_QUALITY = 65_535;
/** docs/reference/limits.md. */
const LONGEST_TEXT = 10_000;

/** Reads a number with a comma or a point; NaN for none. */
const numberOf = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text.trim().replace(',', '.')));

type NumberFieldProps = {
  readonly label: string;
  readonly value: string;
  readonly unit?: string;
  readonly onValue: (text: string) => void;
};

function NumberField({ label, value, unit = '', onValue }: NumberFieldProps) {
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
function typedValue(typed: string, coding: Coding): number {
  if (coding.kind === 'number') return numberOf(typed);
  if (coding.kind === 'text') return typed === '' ? Number.NaN : coding.numberOf(typed);
  const clock = Date.parse(`${typed}Z`);
  return Number.isNaN(clock) ? clock : times().zone.instant(clock);
}

type ValueFieldProps = Pick<ActionProps, 'coding' | 'states'> & {
  readonly value: string;
  readonly onValue: (text: string) => void;
};

/** A text, a time, or one of the values that have names. */
function ValueField({ coding, states, value, onValue }: ValueFieldProps) {
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

type ActionProps = {
  readonly of: ActionForm;
  readonly unit: string;
  readonly coding: Coding;
  /** Values that have names; they are offered. */
  readonly states: readonly { readonly name: string; readonly value: number | string }[];
  readonly qualities: Qualities | undefined;
  readonly isReady: boolean;
  readonly onAct: (action: Action) => void;
  readonly onClose: () => void;
};

/** A form that is opened is typed into: the menu that it was opened by has the focus otherwise. */
function useFirstFocus() {
  const room = useRef<HTMLFormElement>(null);
  // The focus comes before the form is seen: what is typed at once goes into it, from its first letter on.
  useLayoutEffect(() => room.current?.querySelector<HTMLElement>('input, select, textarea')?.focus(), []);
  return room;
}

/** Draws the fields for a change of the chosen records. */
export function ActionFields({ of, unit, coding, states, qualities, isReady, onAct, onClose }: ActionProps) {
  const text = say();
  const room = useFirstFocus();
  const [first, setFirst] = useState(of === 'drift' ? '0' : '');
  const [second, setSecond] = useState('');
  const [code, setCode] = useState(String(NO_QUALITY));
  const action = actionOf();
  const isTyped =
    of === 'quality' ? code === 'other' && first !== '' : first !== '' && (of !== 'drift' || second !== '');

  function actionOf(): Action | undefined {
    const [a, b] = [numberOf(first), numberOf(second)];
    switch (of) {
      case 'drift':
        return Number.isFinite(a) && Number.isFinite(b) ? { kind: 'drift', start: a, end: b } : undefined;
      case 'quality': {
        const chosen = code === 'other' ? a : Number(code);
        const isCode = chosen === NO_QUALITY ? code !== 'other' : Number.isInteger(chosen) && chosen >= 0;
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
      {of === 'note' ? (
        <label class="mend-field is-wide">
          <span>{text.note}</span>
          <input
            type="text"
            class="field"
            dir="auto"
            maxLength={LONGEST_NOTE}
            value={first}
            onInput={(event) => setFirst(event.currentTarget.value)}
          />
        </label>
      ) : of === 'quality' ? (
        <>
          <label class="mend-field">
            <span>{text.quality}</span>
            <select class="field" value={code} onChange={(event) => setCode(event.currentTarget.value)}>
              <option value={NO_QUALITY}>{text.noQuality}</option>
              {qualities?.codes.map((code) => (
                <option key={code.code} value={code.code}>{`${code.name} (${code.code})`}</option>
              ))}
              <option value="other">{text.otherQuality}</option>
            </select>
          </label>
          {code === 'other' && <NumberField label={text.code} value={first} onValue={setFirst} />}
        </>
      ) : of === 'set' && (coding.kind !== 'number' || states.length > 0) ? (
        <ValueField coding={coding} states={states} value={first} onValue={setFirst} />
      ) : of === 'drift' ? (
        <>
          <NumberField label={text.driftStart} unit={unit} value={first} onValue={setFirst} />
          <NumberField label={text.driftEnd} unit={unit} value={second} onValue={setSecond} />
        </>
      ) : (
        <NumberField
          label={{ set: text.value, offset: text.offset, scale: text.factor }[of]}
          unit={of === 'scale' ? '' : unit}
          value={first}
          onValue={setFirst}
        />
      )}
      <Button look="main" type="submit" disabled={!action || !isReady}>
        {text.apply}
      </Button>
      <Button onClick={onClose}>{text.cancel}</Button>
      <p class="mend-says" role="status">
        {!isReady
          ? text.chooseFirst
          : isTyped && !action
            ? of === 'quality'
              ? text.wrongCode
              : coding.kind === 'time'
                ? text.wrongTime
                : text.wrongNumber
            : of === 'drift'
              ? text.driftHint
              : of === 'note'
                ? text.noteHint
                : ''}
      </p>
    </form>
  );
}

const UNITS = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const;

type RuleProps = {
  readonly of: Rule['kind'];
  readonly unit: string;
  readonly coding: Coding;
  readonly onFind: (rule: Rule) => void;
  readonly onClose: () => void;
};

/** Draws the fields of a rule that finds records. */
export function RuleFields({ of, unit, coding, onFind, onClose }: RuleProps) {
  const text = say();
  const room = useFirstFocus();
  const [amount, setAmount] = useState('');
  const [span, setUnit] = useState<keyof typeof UNITS>('hours');
  const isTime = of === 'gap' || of === 'persistence';
  const number = of === 'is' ? typedValue(amount, coding) : numberOf(amount);
  const isRight = Number.isFinite(number) && (of === 'above' || of === 'below' || number >= 0 || of === 'is');
  return (
    <form
      ref={room}
      class="mend-tool"
      aria-label={text.rules[of]}
      onSubmit={(event) => {
        event.preventDefault();
        if (isRight) onFind(isTime ? { kind: of, ms: number * UNITS[span] } : { kind: of, limit: number });
      }}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      {of === 'is' ? (
        <ValueField coding={coding} states={[]} value={amount} onValue={setAmount} />
      ) : (
        <NumberField
          label={isTime ? text.forAtLeast : text.limit}
          unit={isTime ? '' : of === 'rate' ? `${unit} ${text.perHour}`.trim() : unit}
          value={amount}
          onValue={setAmount}
        />
      )}
      {isTime && (
        <select
          class="field"
          aria-label={text.forAtLeast}
          value={span}
          onChange={(event) => setUnit(event.currentTarget.value as keyof typeof UNITS)}
        >
          {(Object.keys(UNITS) as (keyof typeof UNITS)[]).map((key) => (
            <option key={key} value={key}>
              {text.units[key]}
            </option>
          ))}
        </select>
      )}
      <Button look="main" type="submit" disabled={!isRight}>
        {text.find}
      </Button>
      <Button onClick={onClose}>{text.cancel}</Button>
      <p class="mend-says" role="status">
        {text.rules[of]}
      </p>
    </form>
  );
}

/** At most this many wrong lines are named; the number of the others follows. */
const MOST_SAID = 5;

type AddProps = {
  readonly range: { readonly start: number; readonly end: number };
  readonly most: number;
  readonly onAdd: (rows: readonly Row[]) => void;
  readonly onClose: () => void;
};

/** Records that are typed or pasted. */
export function AddFields({ range, most, onAdd, onClose }: AddProps) {
  const text = say();
  const room = useFirstFocus();
  const { zone } = times();
  const [typed, setTyped] = useState('');
  const { rows, refused } = useMemo(
    () => parsedLines(typed, zone, { ...range, longestNote: LONGEST_NOTE }),
    [typed, zone, range.start, range.end],
  );
  const isTooMany = rows.length > most;
  const isReady = rows.length > 0 && refused.length === 0 && !isTooMany;
  return (
    <form
      ref={room}
      class="mend-tool is-add"
      aria-label={text.add}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) onAdd(rows);
      }}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <label class="mend-field is-wide">
        <span>{text.lines}</span>
        <textarea
          class="field"
          rows={4}
          value={typed}
          placeholder={text.addExample}
          spellcheck={false}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </label>
      <p class="mend-says soft">{`${text.addHint} ${text.addZone(zone.name)}`}</p>
      <div class="mend-says" role="status">
        {isTooMany && <p>{text.addTooMany(most)}</p>}
        {refused.slice(0, MOST_SAID).map((refusal: Refused) => (
          <p key={refusal.line} class="problem">{`${text.line(refusal.line)}${text.refusedLines[refusal.reason]}`}</p>
        ))}
        {refused.length > MOST_SAID && <p>{text.moreLines(refused.length - MOST_SAID)}</p>}
      </div>
      <div class="mend-buttons">
        <Button look="main" type="submit" disabled={!isReady}>
          {text.addCount(rows.length)}
        </Button>
        <Button onClick={onClose}>{text.cancel}</Button>
      </div>
    </form>
  );
}
