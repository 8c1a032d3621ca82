import { useId } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { change, draft, type TimePart, timeOf } from './draft.ts';
import { say } from './words.ts';

/** This many columns are offered by name; of more, those of the time are among the first. */
const MOST = 200;

/** Asks which columns make the time, and how it is written. */
export function Time() {
  const text = say();
  const d = draft();
  const id = useId();
  const parts = timeOf(d);
  const count = Math.min(d.proposal?.parser.columns?.length ?? 0, MOST);
  const nameOf = (index: number) => d.labels[index] || text.column(index + 1);
  const set = (time: readonly TimePart[]) => change({ time });
  const put = (n: number, part: Partial<TimePart>) =>
    set(parts.map((other, i) => (i === n ? { ...other, ...part } : other)));
  return (
    <fieldset class="station-time">
      <legend class="station-label">{text.time}</legend>
      {parts.map(({ column, field, format }, n) => (
        <div key={n} class="station-line">
          <select
            class="field"
            aria-label={text.timeColumn}
            value={column}
            onChange={(event) => put(n, { column: Number(event.currentTarget.value) })}
          >
            {Array.from({ length: Math.max(count, column + 1) }, (_, index) => (
              <option key={index} value={index}>
                {nameOf(index)}
              </option>
            ))}
          </select>
          {n > 0 && (
            <select
              class="field"
              aria-label={text.timeField}
              value={field}
              onChange={(event) => put(n, { field: event.currentTarget.value as TimePart['field'], format: '' })}
            >
              {(['TIME', 'TIMEZONE'] as const).map((kind) => (
                <option key={kind} value={kind}>
                  {text.timeFields[kind]}
                </option>
              ))}
            </select>
          )}
          {field === 'TIME' && (
            <input
              class="field"
              aria-label={text.timeFormat}
              aria-describedby={id}
              placeholder={text.timeFormat}
              spellcheck={false}
              value={format}
              onInput={(event) => put(n, { format: event.currentTarget.value })}
            />
          )}
          {parts.length > 1 && (
            <Button
              icon="close"
              look="bare"
              aria-label={text.timeRemove(nameOf(column))}
              onClick={() => set(parts.filter((_, i) => i !== n))}
            />
          )}
        </div>
      ))}
      <p id={id} class="hint">
        {text.timeFormatHint}
      </p>
      {parts.length > 0 && parts.length < 3 && (
        <Button
          look="bare"
          icon="plus"
          onClick={() => {
            const free = Array.from({ length: count }, (_, index) => index).find(
              (index) => !parts.some(({ column }) => column === index),
            );
            if (free !== undefined) set([...parts, { column: free, field: 'TIME', format: '' }]);
          }}
        >
          {text.timeAdd}
        </Button>
      )}
    </fieldset>
  );
}
