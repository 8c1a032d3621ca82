import * as eventFilter from '../../data/events/event-filter.ts';
import { ALL_EVENTS, choiceOf, filterOf, LEVELS, TYPES } from './events-choice.ts';

test.each([
  '',
  'level($eq:WARNING)|level($eq:ERROR)',
  'eventType($eq:STATE)',
  'level($eq:ERROR),eventType($eq:ACQUISITION)|level($eq:ERROR),eventType($eq:STATE)',
  'alarmState($ne:NONE)',
  'level($eq:INFO),alarmState($ne:NONE)',
])('%j is read as a choice, and made of it again', (filter) => {
  expect(choiceOf(filter).kind).toBe(filter === '' ? 'all' : 'some');
  expect(filterOf(choiceOf(filter))).toBe(filter);
});

test.each(['level($gt:INFO)', 'nodeId($eq:@gauge)', 'level($eq:ERROR)|eventType($eq:STATE)', 'level($eq:NOISE)'])(
  '%j stays as it was written',
  (filter) => {
    expect(choiceOf(filter)).toMatchObject({ kind: 'own', filter });
    expect(filterOf(choiceOf(filter))).toBe(filter);
  },
);

test('all events have no filter, whatever was chosen before', () => {
  expect(filterOf({ ...ALL_EVENTS, levels: ['ERROR'] })).toBe('');
});

test('a choice makes the filter by which the page of events asks for the same', () => {
  expect([LEVELS, TYPES]).toEqual([eventFilter.LEVELS, eventFilter.TYPES]);
  for (const levels of [[], ['ERROR'], [...LEVELS]])
    for (const types of [[], ['STATE'], [...TYPES]])
      for (const ofAlarms of [false, true])
        expect(filterOf({ ...ALL_EVENTS, kind: 'some', levels, types, ofAlarms })).toBe(
          eventFilter.criteriaOf({ levels, types, ofAlarms }),
        );
});
