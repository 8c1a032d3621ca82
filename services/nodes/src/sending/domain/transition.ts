import type { StateRecord } from '@catchment/contracts/common';
import { ALARM_TYPES, type AlarmType } from '@catchment/query';
import type { StoredState } from '@catchment/states';

/** An event of the alarms service says this. */
export type AlarmEvent = {
  readonly eventId: string;
  readonly nodeId: string;
  readonly eventType: string;
  /** NONE, ACTIVE, ACKNOWLEDGED, CLEARED. */
  readonly alarmState: string;
  /** When it happened: of a state the time of the record, Unix ms. */
  readonly timeMs: number;
  readonly username: string;
  readonly message: string;
  /** The condition has changed this; where a release of alarms does not send it, the text says it. */
  readonly transition?: TransitionFields | undefined;
};
type StateField = { readonly stateId: string };
type TransitionFields = {
  readonly alarmType: string;
  readonly alarmStateTo: string;
  readonly stateFrom?: StateField | undefined;
  readonly stateTo?: StateField | undefined;
  /** This record has brought the state; where a release of alarms does not send it, the store has it. */
  readonly record?: StateRecord | undefined;
};

/** This has happened to the states or to an alarm of a node. */
export type Transition =
  | { readonly kind: 'state'; readonly from: StoredState | undefined; readonly to: StoredState | undefined }
  | { readonly kind: 'alarm'; readonly alarmType: AlarmType; readonly isRaised: boolean };

const STATE_CHANGED = 'State changed from ';
const BETWEEN = ' to ';
/** Stands for no state in texts. */
export const NO_STATE = 'NONE';

/**
 * The texts of alarms begin like this, for a release that reports them by their texts alone
 * (docs/reference/alarms.md#events-and-texts).
 */
const BEGINNINGS: Readonly<Record<string, AlarmType>> = {
  Communications: 'communicationsAlarm',
  Configuration: 'configurationAlarm',
  Control: 'controlAlarm',
  Data: 'dataAlarm',
  No: 'outdatedAlarm',
  Up: 'outdatedAlarm',
  'Overload:': 'overloadAlarm',
  Overload: 'overloadAlarm',
  Process: 'processAlarm',
  Quality: 'qualityAlarm',
};

/** Returns whether an event may be about a transition at all: what people do, and what is only reported, is not. */
export const isAboutTransition = ({ transition, eventType, alarmState, username, message }: AlarmEvent): boolean =>
  transition !== undefined ||
  (username === 'System' &&
    (eventType === 'STATE' ? message.startsWith(STATE_CHANGED) : alarmState === 'ACTIVE' || alarmState === 'CLEARED'));

/**
 * Returns what has happened by an event. The event of an alarm that was switched off has another text, which is none of
 * these.
 * @param states of the node, as they are now
 * @returns undefined where it says nothing that still makes sense: the states are others since
 */
export function transitionOf(event: AlarmEvent, states: readonly StoredState[]): Transition | undefined {
  if (!isAboutTransition(event)) return undefined;
  if (event.transition) return announcedTransition(event.transition, states);
  if (event.eventType === 'STATE') return stateTransition(event.message.slice(STATE_CHANGED.length), states);
  const alarmType = BEGINNINGS[event.message.split(' ', 1)[0] ?? ''];
  return alarmType === undefined ? undefined : { kind: 'alarm', alarmType, isRaised: event.alarmState === 'ACTIVE' };
}

function announcedTransition(
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

/** Names of states may have ` to ` in them: of all places where it may be divided, the one counts that has a state on both sides. */
function stateTransition(names: string, states: readonly StoredState[]): Transition | undefined {
  const known = new Map<string, StoredState | undefined>(states.map((state) => [state.name, state]));
  if (!known.has(NO_STATE)) known.set(NO_STATE, undefined);
  for (let at = names.indexOf(BETWEEN); at >= 0; at = names.indexOf(BETWEEN, at + 1)) {
    const [from, to] = [names.slice(0, at), names.slice(at + BETWEEN.length)];
    if (known.has(from) && known.has(to)) return { kind: 'state', from: known.get(from), to: known.get(to) };
  }
  return undefined;
}
