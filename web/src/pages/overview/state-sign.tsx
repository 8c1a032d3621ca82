import type { SiteState } from '../../maps/sites-map.ts';
import { words } from '../../words/index.ts';

export function stateText(state: SiteState): string {
  const { overview } = words.value;
  return { ACTIVE: overview.active, ACKNOWLEDGED: overview.acknowledged, NORMAL: overview.normal }[state];
}

const SIGNS: Readonly<Record<SiteState, string>> = {
  ACTIVE: 'M8 3v6M8 12v.4',
  ACKNOWLEDGED: 'M3.4 8.4 6.6 11.6 12.6 5',
  NORMAL: '',
};

/** Shows the mark of a place as the map has it: a colour and a sign. */
export const StateSign = ({ state }: { readonly state: SiteState }) => (
  <span class={`site is-small is-${state.toLowerCase()}`}>
    {SIGNS[state] !== '' && (
      <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
        <path d={SIGNS[state]} />
      </svg>
    )}
  </span>
);
