import { useId } from 'preact/hooks';
import { isKnown } from '../../format/zone.ts';
import { say } from '../../parts/files/words.ts';

type ZoneFieldProps = {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly mayBeEmpty?: boolean;
  readonly onValue: (zone: string) => void;
};

/** Asks for a time zone by its name. */
export function ZoneField({ label, hint, value, mayBeEmpty = false, onValue }: ZoneFieldProps) {
  const { form } = say();
  const id = useId();
  const isGood = (mayBeEmpty && value === '') || isKnown(value);
  return (
    <div>
      <label for={id}>
        <span>{label}</span>
      </label>
      <input
        id={id}
        list={`${id}-zones`}
        autocomplete="off"
        spellcheck={false}
        value={value}
        aria-describedby={`${id}-hint`}
        aria-invalid={!isGood || undefined}
        onInput={(event) => onValue(event.currentTarget.value.trim())}
      />
      <datalist id={`${id}-zones`}>
        {['Etc/UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <p id={`${id}-hint`} class={isGood ? 'hint' : 'problem'}>
        {isGood ? hint : form.zoneWrong}
      </p>
    </div>
  );
}
