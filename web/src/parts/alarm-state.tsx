import type { Alarm } from '../data/alarms/alarms.ts';
import { Icon } from '../ui/icon.tsx';
import { words } from '../words/index.ts';

/** Shows the state of an alarm: a colour, a sign, and a word that says the same. */
export function AlarmState({ state }: { readonly state: Alarm['alarmState'] }) {
  return (
    <span class={`alarm-state is-${state.toLowerCase()}`}>
      <Icon name={state === 'ACTIVE' ? 'bell' : 'check'} />
      {words.value.alarms[state]}
    </span>
  );
}
