import { useMemo, useState } from 'preact/hooks';
import { numberText, valueOrNone } from '../../../../data/records/values.ts';
import { Switch } from '../../../../ui/switch.tsx';
import { Grid } from '../grid.tsx';
import type { Mask } from '../selections.ts';
import { say } from '../words.ts';
import type { DeskState } from './use-desk.ts';

const SHOWS = ['all', 'changed', 'chosen'] as const;
type Show = (typeof SHOWS)[number];

/** Draws the records as rows: all of them, those that have changed or those that are chosen. */
export function RecordList({ desk }: { readonly desk: DeskState }) {
  const text = say();
  const { node, coding, changes, mask, isNumber } = desk;
  const [show, setShow] = useState<Show>('all');
  const places = useMemo(
    () => (show === 'all' ? undefined : show === 'changed' ? changes.places : Int32Array.from(placesOf(mask))),
    [show, show === 'changed' && changes, show === 'chosen' && mask],
  );
  return (
    <>
      <Switch
        class="mend-show"
        label={text.show}
        value={show}
        options={SHOWS.map((view) => [view, text.shows[view]])}
        onChange={setShow}
      />
      <Grid
        base={desk.base}
        work={desk.work}
        mask={mask}
        places={places}
        qualities={desk.qualities}
        valueText={(value) => (isNumber ? numberText(value, null) : valueOrNone(node, coding.valueOf(value)))}
        isNumber={isNumber}
        onMask={desk.choose}
        onKey={(key) => {
          if (key !== 'Delete' || !desk.mayEdit || desk.chosen === 0) return false;
          desk.act({ kind: 'delete' });
          return true;
        }}
      />
    </>
  );
}

function* placesOf(mask: Mask): Generator<number> {
  for (let i = 0; i < mask.length; i += 1) if (mask[i]) yield i;
}
