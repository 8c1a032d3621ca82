import type { StateRecord } from '@catchment/contracts/common';
import { ALARM_TYPES, type AlarmType } from '@catchment/query';
import type { StoredState } from '@catchment/states';

/** An event of the alarms service says this. */
export type AlarmEvent = {
  readonly eventId: string;
  readonly nodeId: string;
  readonly eventType: string;
  /** The transition happened then, in Unix ms; for a state it is the time of the record. */
  readonly timeMs: number;
  readonly message: string;
  /** The condition has changed this; undefined of what people do, and of what is only reported. */
  readonly transition?: TransitionFields | undefined;
};
type StateField = { readonly stateId: string };
type TransitionFields = {
  readonly alarmType: string;
  readonly alarmStateTo: string;
  readonly stateFrom?: StateField | undefined;
  readonly stateTo?: StateField | undefined;
  /** This record has brought the state; undefined for a long text, which the store has. */
  readonly record?: StateRecord | undefined;
};

/** This has happened to the states or to an alarm of a node. */
export type Transition =
  | { readonly kind: 'state'; readonly from: StoredState | undefined; readonly to: StoredState | undefined }
  | { readonly kind: 'alarm'; readonly alarmType: AlarmType; readonly isRaised: boolean };

/** Stands for no state in texts. */
export const NO_STATE = 'NONE';

/**
 * Returns what has happened by a transition.
 * @param states of the node, as they are now
 * @returns undefined where it says nothing that still makes sense: the states are others since
 */
export function transitionOf(
  { alarmType, alarmStateTo, stateFrom, stateTo }: TransitionFields,
  states: readonly StoredState[],
): Transition | undefined {
  if (alarmType !== 'stateAlarm')
    return isAlarmType(alarmType) ? { kind: 'alarm', alarmType, isRaised: alarmStateTo === 'ACTIVE' } : undefined;
  const [from, to] = [stateFrom, stateTo].map((side) => side && states.find(({ _id }) => _id === side.stateId));
  const isGone = (stateFrom && !from) || (stateTo && !to);
  return isGone ? undefined : { kind: 'state', from, to };
}

const isAlarmType = (name: string): name is AlarmType => (ALARM_TYPES as readonly string[]).includes(name);
