import { nodeObject } from './node-object.ts';

test('a node has its attributes, the names of its states, and metadata by names that can be written', () => {
  const view = {
    name: 'Level',
    currentStateId: 'b',
    previousStateId: 'gone',
    states: [
      { _id: 'a', name: 'NORMAL' },
      { _id: 'b', name: 'HIGH' },
    ],
    metadata: [{ name: 'Serial no. (2)', value: 'X1' }],
  };
  expect(nodeObject(view, { path: 'acme/Site/Level', currentValueFormatted: '7.3' })).toEqual({
    ...view,
    metadata: { Serialno2: 'X1' },
    _path: 'acme/Site/Level',
    currentValueFormatted: '7.3',
    currentStateName: 'HIGH',
    previousStateName: undefined,
  });
});

test('a node without states or metadata has none', () => {
  expect(nodeObject({ name: 'Site' }, { path: 'acme/Site', currentValueFormatted: '' })).toMatchObject({
    metadata: {},
    currentStateName: undefined,
  });
});

test('the key of a transport cannot be read', () => {
  const view = { name: 'Logger', transport: { _class: 'HttpPush', key: 'otter-maple-river' } };
  expect(JSON.stringify(nodeObject(view, { path: '', currentValueFormatted: '' }))).not.toContain('otter');
});
