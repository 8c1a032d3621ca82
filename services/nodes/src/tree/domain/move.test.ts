import { checkMove, templateOfMove } from './move.ts';

const GROUP = { nodeId: 'g', class: 'Group', parentId: 'w' };
const LOCATION = { nodeId: 'l', class: 'location.Location', parentId: 'g' };
const SOURCE = { nodeId: 's', class: 'source.data.Jts', parentId: 'l' };
const PARAMETER = { nodeId: 'p', class: 'point.NumberPoint', parentId: 's' };
const W = { nodeId: 'w', kind: 'workspace' } as const;
const OTHER_GROUP = { nodeId: 'h', kind: 'group' } as const;
const OTHER_LOCATION = { nodeId: 'k', kind: 'location' } as const;

test.each([
  ['a Group with all below it into another Group', [GROUP, LOCATION, SOURCE, PARAMETER], [W, OTHER_GROUP]],
  ['a source into another Location', [SOURCE, PARAMETER], [W, OTHER_LOCATION]],
])('%s may move', (_what, branch, line) => {
  expect(() => checkMove(branch[0]!, branch, line)).not.toThrow();
});

test.each([
  ['a Workspace', [{ nodeId: 'v', class: 'Workspace', parentId: null }], [W], /^id: .*cannot be moved/],
  ['the root of the templates', [{ nodeId: 't', class: 'Templates', parentId: null }], [W], /^id: .*cannot be moved/],
  ['a parameter', [PARAMETER], [W, OTHER_LOCATION], /^id: a parameter cannot leave its data source/],
  [
    'a node under itself',
    [GROUP],
    [W, { nodeId: 'g', kind: 'group' } as const],
    /^parentId: must not be the node itself/,
  ],
  [
    'a node under what lies below it',
    [GROUP, LOCATION],
    [W, { nodeId: 'g', kind: 'group' } as const, { nodeId: 'l', kind: 'location' } as const],
    /^parentId: must not be the node itself or lie below it/,
  ],
  ['a Group whose Location would lie in a Location', [GROUP, LOCATION], [W, OTHER_LOCATION], /^parentId: /],
])('%s may not move', (_what, branch, line, message) => {
  expect(() => checkMove(branch[0]!, branch, line)).toThrow(
    expect.objectContaining({ kind: 'invalid_argument', message: expect.stringMatching(message) }),
  );
});

const NODE = { nodeId: 'n', instanceId: null };
const INSTANCE = { nodeId: 'n', instanceId: 'n' };

test.each([
  ['outside of templates', NODE, undefined, undefined, 'Group', undefined],
  ['as a whole instance, outside of templates', INSTANCE, undefined, undefined, 'Group', undefined],
  ['within its template', NODE, 't', 't', 'Group', 't'],
])('a node may move %s', (_what, node, from, to, parentClass, templateId) => {
  expect(templateOfMove(node, { from, to, parentClass })).toBe(templateId);
});

test.each([
  ['into a template', NODE, undefined, 't', 'Group', /^parentId: .*clone it/],
  ['out of its template', NODE, 't', undefined, 'Group', /^parentId: .*clone it/],
  ['into another template', NODE, 't', 'u', 'Group', /^parentId: .*clone it/],
  ['among the templates', NODE, undefined, undefined, 'Templates', /^parentId: .*clone it/],
  ['out of its instance', { nodeId: 'n', instanceId: 'i' }, undefined, undefined, 'Group', /^id: the node follows/],
])('a node may not move %s', (_what, node, from, to, parentClass, message) => {
  expect(() => templateOfMove(node, { from, to, parentClass })).toThrow(
    expect.objectContaining({ kind: 'invalid_argument', message: expect.stringMatching(message) }),
  );
});
