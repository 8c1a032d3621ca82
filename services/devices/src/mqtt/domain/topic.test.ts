import { destinationOf, isCommandFilter } from './topic.ts';

test.each([
  ['io/svc/source/soap-laugh-corn', { kind: 'key', key: 'soap-laugh-corn', name: 'data' }],
  ['io/svc/source/soap-laugh-corn/mill/level.csv', { kind: 'key', key: 'soap-laugh-corn', name: 'mill/level.csv' }],
  ['cs/v1/data/cr300/1234', { kind: 'own', name: 'cs/v1/data/cr300/1234' }],
  ['spBv1.0/Mills/NBIRTH/Gate', { kind: 'sparkplug', group: 'Mills', type: 'NBIRTH', node: 'Gate', device: '' }],
  ['spBv1.0/Mills/DDATA/Gate/Pump', { kind: 'sparkplug', group: 'Mills', type: 'DDATA', node: 'Gate', device: 'Pump' }],
  ['$SYS/broker/connection/field/state', { kind: 'broker' }],
  ['spBv1.0/Mills', { kind: 'own', name: 'spBv1.0/Mills' }],
  ['io/svc/source/', undefined],
  ['', undefined],
  ['a/+/b', undefined],
  ['a/#', undefined],
])('%s', (topic, destination) => {
  expect(destinationOf(topic, 'io.svc')).toEqual(destination);
});

test.each([
  ['spBv1.0/Mills/NCMD/Gate', true],
  ['spBv1.0/Mills/NCMD/Gate/#', true],
  ['spBv1.0/Mills/DCMD/Gate/+', true],
  ['spBv1.0/+/NCMD/Gate', false],
  ['spBv1.0/Mills/NDATA/Gate', false],
  ['#', false],
])('%s asks for commands: %s', (filter, isCommand) => {
  expect(isCommandFilter(filter)).toBe(isCommand);
});
