import { useId } from 'preact/hooks';
import { change, draft } from './draft.ts';
import { Position } from './position.tsx';
import { Where } from './where.tsx';
import { say } from './words.ts';
import { Zone } from './zone.tsx';

/** Asks where it is, what it is called, and what time its clock has. */
export function PlaceStep() {
  const text = say();
  const d = draft();
  const name = useId();
  return (
    <div class="form station-form">
      <Where />
      <div>
        <label for={name} class="station-label">
          {d.parent?.isPlace ? text.sourceName : text.name}
        </label>
        <input
          id={name}
          value={d.name}
          maxLength={120}
          autocomplete="off"
          dir="auto"
          aria-describedby={`${name}-hint`}
          onInput={(event) => change({ name: event.currentTarget.value })}
        />
        <p id={`${name}-hint`} class="hint">
          {d.parent?.isPlace ? text.sourceNameHint : text.nameHint}
        </p>
      </div>
      {!d.parent?.isPlace && <Position />}
      <Zone />
    </div>
  );
}
