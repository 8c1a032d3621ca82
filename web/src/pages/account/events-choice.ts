// A test holds this against data/event-filter.ts: shared, it would be one more small file of every page with events.
export const LEVELS = ['DEBUG', 'INFO', 'WARNING', 'ERROR'] as const;
export const TYPES = ['ACQUISITION', 'CONFIGURATION', 'STATE', 'NOTIFICATION', 'CONTROL', 'SECURITY'] as const;

/** A webhook gets these events: all, those that are chosen, or what a filter of the API takes. */
export type EventsChoice = {
  readonly kind: 'all' | 'some' | 'own';
  readonly levels: readonly string[];
  readonly types: readonly string[];
  readonly ofAlarms: boolean;
  readonly filter: string;
};

export const ALL_EVENTS: EventsChoice = { kind: 'all', levels: [], types: [], ofAlarms: false, filter: '' };

export const filterOf = ({ kind, filter, ...choice }: EventsChoice): string =>
  kind === 'all' ? '' : kind === 'own' ? filter.trim() : criteriaOf(choice);

function criteriaOf({ levels, types, ofAlarms }: Pick<EventsChoice, 'levels' | 'types' | 'ofAlarms'>): string {
  const some = (name: string, values: readonly string[]) =>
    values.length === 0 ? [[]] : values.map((value) => [`${name}($eq:${value})`]);
  const alarms = ofAlarms ? ['alarmState($ne:NONE)'] : [];
  return some('level', levels)
    .flatMap((level) => some('eventType', types).map((type) => [...level, ...type, ...alarms].join(',')))
    .filter(Boolean)
    .join('|');
}

/** Returns the choice that makes this filter, where there is one; a filter that somebody has written otherwise stays as it is. */
export function choiceOf(filter: string): EventsChoice {
  if (filter === '') return ALL_EVENTS;
  const named = (all: readonly string[], name: string) =>
    all.filter((value) => filter.includes(`${name}($eq:${value})`));
  const choice: EventsChoice = {
    kind: 'some',
    filter,
    levels: named(LEVELS, 'level'),
    types: named(TYPES, 'eventType'),
    ofAlarms: filter.includes('alarmState($ne:NONE)'),
  };
  return filterOf(choice) === filter ? choice : { ...ALL_EVENTS, kind: 'own', filter };
}
