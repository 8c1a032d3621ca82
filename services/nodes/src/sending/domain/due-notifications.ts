import { NORMAL, type NotifyMode, type StoredState } from '@catchment/states';

/** AWAY: an alarm is raised, a state becomes active; TOWARDS: it is over. */
export type Direction = 'AWAY' | 'TOWARDS';

/** A transition makes this notification due. */
export type DueNotification = {
  readonly direction: Direction;
  readonly categoryId: string;
  /** The custom text, which may hold expressions; empty = the usual text. */
  readonly message: string;
};

/** These settings say who hears of a state or alarm. */
type Notifying = {
  readonly notify: NotifyMode;
  readonly categoryId: string | null;
  readonly messageAway: string;
  readonly messageTowards: string;
};

const DIRECTIONS: Readonly<Record<NotifyMode, readonly Direction[]>> = {
  NEVER: [],
  AWAY_FROM_NORMAL: ['AWAY'],
  TOWARDS_NORMAL: ['TOWARDS'],
  ALWAYS: ['AWAY', 'TOWARDS'],
};

/**
 * Returns what the raising or clearing of an alarm other than stateAlarm makes due
 * (docs/reference/notifications.md#when-a-notification-is-due).
 */
export const dueOf = (subject: Notifying | undefined, direction: Direction): DueNotification[] =>
  subject?.categoryId && DIRECTIONS[subject.notify].includes(direction)
    ? [
        {
          direction,
          categoryId: subject.categoryId,
          message: direction === 'AWAY' ? subject.messageAway : subject.messageTowards,
        },
      ]
    : [];

/**
 * Returns what a change of state makes due (docs/reference/notifications.md#when-a-notification-is-due): the state that
 * is left, then the state that is entered. Within one side of a RANGE only one of the two counts: further out the
 * entered state, on the way back the left one.
 * @param from undefined = no state, as is `to`
 */
export function dueByStates(
  statesType: string,
  states: readonly StoredState[],
  from: StoredState | undefined,
  to: StoredState | undefined,
): DueNotification[] {
  if (from?._id === to?._id) return [];
  const way = statesType === 'RANGE' && from && to ? wayWithinSide(states, from, to) : undefined;
  return [...(way === 'further' ? [] : dueOf(from, 'TOWARDS')), ...(way === 'nearer' ? [] : dueOf(to, 'AWAY'))];
}

/** Returns how a step goes that stays on one side of NORMAL; undefined for any other step. */
function wayWithinSide(
  states: readonly StoredState[],
  from: StoredState,
  to: StoredState,
): 'further' | 'nearer' | undefined {
  const normal = states.findIndex(({ name }) => name === NORMAL);
  const [before, after] = [from, to].map(({ _id }) => states.findIndex((state) => state._id === _id) - normal) as [
    number,
    number,
  ];
  if (before * after <= 0) return undefined;
  return Math.abs(after) > Math.abs(before) ? 'further' : 'nearer';
}
