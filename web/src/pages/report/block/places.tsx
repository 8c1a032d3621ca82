import { AREAS, type Area, type Block } from '../../../data/pages/reports.ts';
import { say } from '../words.ts';
import type { Change } from './change.ts';

/** A block is nowhere beyond this, in points. */
export const FARTHEST = 4_000;

/** Draws the place, in points. */
export function Places({ block, change }: { readonly block: Block; readonly change: Change }) {
  const text = say();
  return (
    <fieldset class="dash-places">
      <legend>{text.place}</legend>
      {(['x', 'y', 'width', 'height'] as const).map((name) => (
        <label key={name}>
          <span>{text[name]}</span>
          <input
            type="number"
            min={0}
            max={FARTHEST}
            step="any"
            value={block[name]}
            onChange={(event) => {
              const given = event.currentTarget.valueAsNumber;
              if (given >= 0 && given <= FARTHEST) change({ [name]: given }, 'place');
              else event.currentTarget.value = String(block[name]);
            }}
          />
        </label>
      ))}
      <label class="report-area">
        <span>{text.area}</span>
        <select value={block.area} onChange={(event) => change({ area: event.currentTarget.value as Area }, 'area')}>
          {AREAS.map((area) => (
            <option key={area} value={area}>
              {text.areas[area]}
            </option>
          ))}
        </select>
      </label>
    </fieldset>
  );
}
