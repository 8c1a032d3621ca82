/** See docs/reference/states.md#state-attributes. */
export const STATES_TYPES = ['RANGE', 'DISCRETE'] as const;
export type StatesType = (typeof STATES_TYPES)[number];

export const NOTIFY_MODES = ['NEVER', 'ALWAYS', 'AWAY_FROM_NORMAL', 'TOWARDS_NORMAL'] as const;
export type NotifyMode = (typeof NOTIFY_MODES)[number];

/** The state between the low and the high states of a RANGE has this reserved name. */
export const NORMAL = 'NORMAL';

/**
 * Matching and evaluation need this of a state. The contracts' `StateConfig` fits. A RANGE has low states, NORMAL and
 * high states in ascending order of their thresholds; DISCRETE has any order.
 */
export interface State {
  readonly stateId: string;
  readonly name: string;
  /** Absent on NORMAL and on text states. In the unit of the transformed value. */
  readonly threshold?: number | undefined;
  /** Text states only: contained text, or a regular expression between slashes. */
  readonly textThreshold?: string | undefined;
  /** This many records in a row must agree, 1-15. */
  readonly occurrences: number;
  readonly isAlarm: boolean;
  /** New records that match statelessly get it if they have no quality code of their own. */
  readonly qualityCode?: number | undefined;
}

/** The states of one series. The contracts' `SeriesConfig` fits; a `statesType` other than the two means no states. */
export interface StatesConfig<S extends State = State> {
  readonly statesType: string;
  readonly states: readonly S[];
  /** RANGE only, 0 or above. */
  readonly hysteresis: number;
}

/** An evaluation can need this many records of history, the new one included: the largest `occurrences`. */
export const MAX_OCCURRENCES = 15;

/** -1 for low states, 1 for high ones, 0 for NORMAL; the side is the position relative to NORMAL in the list. */
export const sideOf = (index: number, normalIndex: number): -1 | 0 | 1 =>
  index === normalIndex ? 0 : index < normalIndex ? -1 : 1;

/** Index of NORMAL. Lists are validated to have it; one without is read as if NORMAL came before all its states. */
export const normalIndexOf = (states: readonly State[]): number => states.findIndex(({ name }) => name === NORMAL);

/** True when `value` lies at the threshold or on its far side, seen from NORMAL, less `slack`. */
export function isAtOrBeyond(state: State, side: -1 | 1, value: number, slack = 0): boolean {
  if (state.threshold === undefined) return false;
  return side > 0 ? value >= state.threshold - slack : value <= state.threshold + slack;
}
