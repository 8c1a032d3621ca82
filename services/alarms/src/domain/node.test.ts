import { NodeConfig, ValueType } from '@catchment/contracts/nodes';
import { alarmsDifferently, matchesDifferently, toNode } from './node.ts';

const NUMBER = { valueType: ValueType.VALUE_TYPE_NUMBER, statesType: 'RANGE', multiplier: 1 };
const HIGH = { stateId: 'high', name: 'HIGH', threshold: 10, occurrences: 1, isAlarm: false };
const NORMAL = { stateId: 'normal', name: 'NORMAL', occurrences: 1 };

/** docs/reference/states.md#updates-of-states: each attribute that decides which state a value is in, though the ids stay. */
test.each<[string, object, object, boolean, boolean]>([
  ['nothing', {}, {}, false, false],
  ['a threshold', {}, { threshold: 11 }, true, false],
  ['a text', {}, { threshold: undefined, textThreshold: '/b/' }, true, false],
  ['how many records in a row', {}, { occurrences: 2 }, true, false],
  ['a name', {}, { name: 'TOP' }, true, false],
  ['an id', {}, { stateId: 'top' }, true, false],
  ['whether it is an alarm', {}, { isAlarm: true }, false, true],
  ['hysteresis', { hysteresis: 1 }, {}, true, false],
  ['a multiplier', { multiplier: 2 }, {}, true, false],
  ['an offset', { offset: 2 }, {}, true, false],
  ['an equation', { equation: 'x^2' }, {}, true, false],
  ['DISCRETE for RANGE', { statesType: 'DISCRETE' }, {}, true, false],
  ['the order of states', { isReversed: true }, {}, true, false],
  ['texts and category', {}, { messageAway: 'm', messageTowards: 't', categoryId: 'c' }, false, false],
])('a change of %s is judged where it decides', (_what, change, high, isMatch, isAlarm) => {
  const rulesOf = ({ isReversed, ...series }: { isReversed?: boolean }, state: object) => {
    const states = [NORMAL, { ...HIGH, ...state }];
    const config = { series: { ...NUMBER, ...series, states: isReversed ? states.reverse() : states } };
    return toNode(NodeConfig.fromPartial(config)).rules;
  };
  const [before, after] = [rulesOf({}, {}), rulesOf(change, high)];
  expect([matchesDifferently(before, after), alarmsDifferently(before, after)]).toEqual([isMatch, isAlarm]);
});
