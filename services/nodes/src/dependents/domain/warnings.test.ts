import { boundedWarnings, linkWarning, MAX_WARNINGS, pathWarning } from './warnings.ts';

const node = (nodeId: string) => ({ nodeId, name: nodeId.toUpperCase() });

test.each([
  ['a path that leads on is no news', [node('a')], [node('a')], undefined],
  ['a pattern that finds more is no news', [node('a')], [node('a'), node('b')], undefined],
  ['a path that leads nowhere', [node('a')], [], "the program's path 'p' leads to no node any more"],
  ['a path that leads elsewhere', [node('a')], [node('b')], "the program's path 'p' names another node now: 'B'"],
  [
    'a pattern that finds fewer',
    [node('a'), node('b'), node('c')],
    [node('b')],
    "the program's pattern 'p' matches 2 nodes fewer",
  ],
])('%s', (_what, before, after, expected) => expect(pathWarning('p', before, after)).toBe(expected));

test.each([
  ['dashboard', "a link of the dashboard, 'Level', lies in another Workspace now"],
  ['parameter', "the input of the rating, 'Level', lies in another Workspace now"],
])('a %s', (kind, expected) => expect(linkWarning(kind, 'Level')).toBe(expected));

test('an answer names a hundred and counts the rest', () => {
  const all = Array.from({ length: MAX_WARNINGS + 7 }, (_, i) => ({ nodeId: `${i}`, path: `${i}`, message: 'm' }));
  expect(boundedWarnings(all).at(-1)).toEqual({ message: '7 more nodes no longer work as before' });
  expect(boundedWarnings(all.slice(0, MAX_WARNINGS))).toHaveLength(MAX_WARNINGS);
});
