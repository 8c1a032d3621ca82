import type { ApiCaller } from '@catchment/access';
import { isCharted, pictureOf, pictureReferences, pictureSourceOf } from './report-pictures.ts';
import { placesOf, shownBelow } from './report-places.ts';

const at = (nodeId: string, name: string) => ({ nodeId, class: name });
const LINE = [
  at('gauge', 'source.data.TextParser'),
  at('inner', 'location.Location'),
  at('outer', 'location.Location'),
  at('site', 'Workspace'),
];

test.each([
  ['the nearest Location counts', LINE, { location: 'inner', source: 'gauge', workspace: 'site' }],
  ['a Report beside its source has none', LINE.slice(1), { location: 'inner', source: undefined, workspace: 'site' }],
  ['a Report of a Workspace has neither', LINE.slice(3), { location: undefined, source: undefined, workspace: 'site' }],
])('places that a template names: %s', (_what, line, expected) => {
  expect(placesOf(line)).toEqual(expected);
});

const LINK = { nodeId: 'p' };
test.each([
  ['a Report without elements and links', [], [], 'inner'],
  ['a Report with elements', [{}], [], undefined],
  ['a Report with links', [], [LINK], undefined],
])('%s shows parameters below: %j, %j: %s', (_what, elements, links, expected) => {
  expect(shownBelow(placesOf(LINE), elements, links)).toBe(expected);
});

test('a Report without a Location above it shows what its Workspace has', () => {
  expect(shownBelow(placesOf(LINE.slice(3)), [], [])).toBe('site');
});

test('pictures are named by ids and customIds, in rows too, each once', () => {
  const id = 'a'.repeat(24);
  const elements = [
    { source: id },
    { source: '@gate' },
    { elements: [{ source: id }, { source: '@inner' }] },
    { source: 'https://example.org/a.png' },
    { source: 5 },
    'text',
    null,
  ];
  expect(pictureReferences(elements)).toEqual([id, '@gate', '@inner']);
});

const reader = (permissions: readonly string[]): ApiCaller => ({
  kind: 'api',
  ownerId: 'o',
  userId: 'u',
  username: 'ada@example.org',
  permission: 'READ_ONLY',
  accessLevel: 'ACCOUNT',
  rights: { grants: [{ permissions, workspaceIds: ['w'] }] },
});

test.each([
  ['an attachment is its own picture', 'Attachment', 'newest', ['ATTACHMENT_READ'], 'n'],
  ['another node has its newest attachment', 'location.Location', 'newest', ['ATTACHMENT_READ'], 'newest'],
  ['a node without attachments has none', 'location.Location', null, ['ATTACHMENT_READ'], ''],
  ['who may not read attachments gets none', 'Attachment', 'newest', ['VIEW'], ''],
])('the picture of a node: %s', (_what, name, newestAttachmentId, permissions, expected) => {
  const node = { nodeId: 'n', class: name, workspaceId: 'w', newestAttachmentId };
  expect(pictureOf(node, reader(permissions))).toBe(expected);
});

test.each([
  ['a chart', 'chart.HistoricChart', true],
  ['a number', 'point.NumberPoint', true],
  ['a text', 'point.TextPoint', true],
  ['a place', 'location.Location', false],
])('%s has a drawn picture: %s is %s', (_what, name, expected) => {
  expect(isCharted(name)).toBe(expected);
});

test.each([
  ['an attachment source gives its own pictures', 'source.attachment.AttachmentSource', {}, 'n'],
  ['a Location gives those of its image source', 'location.Location', { imageSourceId: 'camera' }, 'camera'],
  ['a Location without an image source gives none', 'location.Location', {}, undefined],
  ['a parameter gives none', 'point.NumberPoint', { imageSourceId: 'camera' }, undefined],
])('%s', (_what, name, config, expected) => {
  expect(pictureSourceOf({ nodeId: 'n', class: name, config })).toBe(expected);
});
