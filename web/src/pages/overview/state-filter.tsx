import type { SiteState } from '../../maps/sites-map.ts';
import { words } from '../../words/index.ts';
import type { PlaceRow } from './rows.ts';
import { StateSign, stateText } from './state-sign.tsx';

type StateFilterProps = {
  readonly rows: readonly PlaceRow[];
  readonly chosen: SiteState | undefined;
  readonly onChoose: (state: SiteState | undefined) => void;
};

const STATES: readonly SiteState[] = ['ACTIVE', 'ACKNOWLEDGED', 'NORMAL'];

/** Shows how many places are in each state; a click shows one state alone. */
export function StateFilter({ rows, chosen, onChoose }: StateFilterProps) {
  const { overview } = words.value;
  const count = (state: SiteState) => rows.filter((row) => row.state === state).length;
  return (
    <fieldset class="states">
      <legend class="unseen">{overview.filter}</legend>
      <button type="button" class="chip" aria-pressed={chosen === undefined} onClick={() => onChoose(undefined)}>
        {overview.all}
        <span class="number">{rows.length}</span>
      </button>
      {STATES.map((state) => (
        <button
          key={state}
          type="button"
          class="chip"
          aria-pressed={chosen === state}
          onClick={() => onChoose(chosen === state ? undefined : state)}
        >
          <StateSign state={state} />
          {stateText(state)}
          <span class="number">{count(state)}</span>
        </button>
      ))}
    </fieldset>
  );
}
