import { useState } from 'preact/hooks';
import { Button } from '../../../../ui/button.tsx';
import type { Coding } from '../coding.ts';
import type { Rule } from '../selections.ts';
import { say } from '../words.ts';
import { NumberField, numberOf, typedValue, useFirstFocus, ValueField } from './typed-fields.tsx';

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
