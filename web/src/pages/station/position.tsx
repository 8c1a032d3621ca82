import { useId } from 'preact/hooks';
import { Problem } from '../../ui/notes.tsx';
import { words } from '../../words/index.ts';
import { change, draft } from './draft.ts';
import { isPositionWrong } from './make.ts';
import { usePinMap } from './use-pin-map.ts';
import { say } from './words.ts';

/** Asks for the position, by a pin on a map or by numbers. */
export function Position() {
  const text = say();
  const { ui } = words.value;
  const d = draft();
  const id = useId();
  const { host, hasFailed, setFailed } = usePinMap();
  const field = (name: 'latitude' | 'longitude') => (
    <div>
      <label for={`${id}-${name}`} class="station-label">
        {text[name]}
      </label>
      <input
        id={`${id}-${name}`}
        inputMode="decimal"
        autocomplete="off"
        value={d[name]}
        aria-invalid={isPositionWrong(d) || undefined}
        aria-describedby={`${id}-hint`}
        onInput={(event) => change({ [name]: event.currentTarget.value })}
      />
    </div>
  );
  return (
    <div class="station-position">
      {hasFailed ? (
        <Problem text={text.mapFailed} again={() => setFailed(false)} againText={ui.again} />
      ) : (
        <section class="map station-map" aria-label={text.map}>
          <div ref={host} class="map-host" />
        </section>
      )}
      <p id={`${id}-hint`} class={isPositionWrong(d) ? 'problem' : 'hint'}>
        {isPositionWrong(d) ? text.positionWrong : text.mapHint}
      </p>
      <div class="pair">
        {field('latitude')}
        {field('longitude')}
      </div>
    </div>
  );
}
