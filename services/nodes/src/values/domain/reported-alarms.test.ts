import { nodesInOtherState, type StoredState } from './reported-alarms.ts';

test.each<[string, StoredState | undefined, string[]]>([
  ['of which nothing is stored', undefined, ['n']],
  ['of which alarms alone were reported', { stateId: null, revision: 0 }, ['n']],
  ['that was in another one', { stateId: 'low', revision: 4 }, ['n']],
  ['that was in none', { stateId: '', revision: 4 }, ['n']],
  ['that was in it before', { stateId: 'high', revision: 4 }, []],
  ['of which something newer is stored', { stateId: 'low', revision: 6 }, []],
  ['of which this report is stored', { stateId: 'high', revision: 5 }, []],
])('a report of a state, about a node %s', (_what, stored, changed) => {
  const known = new Map(stored ? [['n', stored]] : []);
  expect(nodesInOtherState(known, [{ nodeId: 'n', ownerId: 'o', stateId: 'high', revision: 5 }])).toEqual(changed);
});
