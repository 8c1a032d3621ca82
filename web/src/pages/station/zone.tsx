import { useId } from 'preact/hooks';
import { isKnown } from '../../format/zone.ts';
import { Button } from '../../ui/button.tsx';
import { change, deviceZone, draft } from './draft.ts';
import { positionOf } from './make.ts';
import { say } from './words.ts';

/** Returns the zone of the sun at a longitude, as clocks without summer time have it; signs of these names are turned round. */
function zoneByPin(longitude: number): string {
  const hours = Math.round(longitude / 15);
  return hours === 0 ? 'Etc/UTC' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}

/** Asks what time its clock has. */
export function Zone() {
  const text = say();
  const d = draft();
  const id = useId();
  const position = positionOf(d);
  const near = new Map([[deviceZone(), text.zoneDevice]]);
  if (position) near.set(zoneByPin(position.longitude), text.zonePin);
  if (!near.has('Etc/UTC')) near.set('Etc/UTC', 'UTC');
  return (
    <div>
      <label for={id} class="station-label">
        {text.zone}
      </label>
      <input
        id={id}
        list={`${id}-zones`}
        autocomplete="off"
        spellcheck={false}
        value={d.zone}
        aria-describedby={`${id}-hint`}
        aria-invalid={!isKnown(d.zone) || undefined}
        onInput={(event) => change({ zone: event.currentTarget.value.trim() })}
      />
      <datalist id={`${id}-zones`}>
        {['Etc/UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <p class="station-choices">
        {[...near]
          .filter(([zone]) => zone !== d.zone)
          .map(([zone, of]) => (
            <Button key={zone} onClick={() => change({ zone })}>
              {zone === 'Etc/UTC' ? 'UTC' : `${zone} (${of})`}
            </Button>
          ))}
      </p>
      <p id={`${id}-hint`} class={isKnown(d.zone) ? 'hint' : 'problem'}>
        {isKnown(d.zone) ? text.zoneHint : text.zoneWrong}
      </p>
      <label class="check">
        <input
          type="checkbox"
          checked={d.adjustsForDst}
          onChange={(event) => change({ adjustsForDst: event.currentTarget.checked })}
        />
        <span>{text.adjusts}</span>
      </label>
      <p class="hint">{text.adjustsHint}</p>
    </div>
  );
}
