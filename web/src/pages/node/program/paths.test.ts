import { pathTo, searchedIn } from './paths.ts';

const HERE = { names: ['Rivers', 'Dead Run', 'Logger'] };
const node = (path: string, name = path.split('/').at(-1) ?? '') => ({ _id: '5e1b6a2f8c3d4e5f60718293', path, name });

test.each([
  ['beside the program, whatever the case, by its name', node('hydro/rivers/Dead Run/Logger/Air'), 'Air'],
  ['elsewhere from the Workspace down', node('hydro/Rivers/Mill/Logger/Air'), '/Rivers/Mill/Logger/Air'],
  ['above from the Workspace down', node('hydro/Rivers/Dead Run'), '/Rivers/Dead Run'],
  ['with a slash in its name by its id', node('hydro/Rivers/Dead Run/Logger/m/s', 'm/s'), '{5e1b6a2f8c3d4e5f60718293}'],
  ['with a quotation mark by its id', node("hydro/Rivers/Dead Run/Logger/O'Neil"), '{5e1b6a2f8c3d4e5f60718293}'],
  [
    'with what separates an aggregate by its id',
    node('hydro/Rivers/Dead Run/Logger/a;b'),
    '{5e1b6a2f8c3d4e5f60718293}',
  ],
])('a node is named %s', (_what, found, expected) => {
  expect(pathTo(found, HERE)).toBe(expected);
});

test.each([
  ['Air', 'Air'],
  ['/Rivers/Mill/ga', 'ga'],
  ['../Other/', ''],
  ['{@stage', 'stage'],
  ['Air;AVER', 'Air'],
])('of «%s» «%s» is searched for', (typed, expected) => {
  expect(searchedIn(typed)).toBe(expected);
});
