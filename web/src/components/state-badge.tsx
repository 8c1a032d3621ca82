import { Icon } from '../ui/icon.tsx';

export function StateBadge({ state }: { readonly state: { readonly name: string; readonly isAlarm: boolean } }) {
  return (
    <span class={state.isAlarm ? 'state is-alarm' : 'state'}>
      {state.isAlarm && <Icon name="warning" />}
      <bdi>{state.name}</bdi>
    </span>
  );
}
