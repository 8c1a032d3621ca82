import { readable } from './readable.ts';

test.each([
  ['tiles[0].config.maximum: must be above minimum', 'MAXIMUM: must be above minimum'],
  ['tiles[12].links[0].nodeId: must be the id of a parameter', 'NODEID: must be the id of a parameter'],
  ['tiles[3].label: must be a text of 0 to 120 characters', 'LABEL: must be a text of 0 to 120 characters'],
  ['name: must be unique', 'name: must be unique'],
])('%s', (message, expected) => {
  expect(readable({ message }, (name) => name.toUpperCase())).toBe(expected);
});
