import { useMemo, useState } from 'preact/hooks';
import { LONGEST_NOTE } from '../../../../data/records/annotations.ts';
import { times } from '../../../../data/times.ts';
import { Button } from '../../../../ui/button.tsx';
import { parsedLines, type Refused } from '../lines.ts';
import type { Row } from '../records.ts';
import { say } from '../words.ts';
import { useFirstFocus } from './typed-fields.tsx';

/** At most this many wrong lines are named; the number of the others follows. */
const MOST_SAID = 5;

type AddProps = {
  readonly range: { readonly start: number; readonly end: number };
  readonly most: number;
  readonly onAdd: (rows: readonly Row[]) => void;
  readonly onClose: () => void;
};

/** Takes records that are typed or pasted. */
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
