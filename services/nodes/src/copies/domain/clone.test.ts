import { mergeMetadata, namedIn, pathInCopy, relativePath, relinkCode } from './clone.ts';

const ID = 'a'.repeat(24);

test('a program names nodes by id, by customId and by absolute paths, not by relative ones', () => {
  const code = `{${ID.toUpperCase()}} + {@rain}; "/Site/Level;AVG"; '/Site/Flow'; "Level"`;
  expect(namedIn(code)).toEqual({ references: [ID, '@rain'], paths: ['/Site/Level', '/Site/Flow'] });
});

test('the text of a copy names the copies; what has none stays as it is', () => {
  const nodeFor = (reference: string) => ({ [ID]: 'b'.repeat(24) })[reference];
  const pathFor = (path: string) => (path === '/Site/Level' ? '/Copy/Level' : undefined);
  const code = `{${ID}} + {@rain} + "/Site/Level;AVG" + "/Other/Flow"`;
  expect(relinkCode(code, nodeFor, pathFor)).toBe(`{${'b'.repeat(24)}} + {@rain} + "/Copy/Level;AVG" + "/Other/Flow"`);
});

test.each([
  ['the root', '/Site', '/Place/Copy'],
  ['a node below it', '/Site/Level', '/Place/Copy/Level'],
  ['a name in another case', '/SITE/Level', '/Place/Copy/Level'],
  ['a node elsewhere', '/Other/Level', undefined],
  ['a name that begins alike', '/Site 2/Level', undefined],
])('a path into a branch leads to its copy: %s', (_what, path, copy) => {
  expect(pathInCopy(path, ['Site'], ['Place', 'Copy'])).toBe(copy);
});

const line = (...names: string[]) => names.map((name) => ({ nodeId: name, name }));

test.each([
  ['beside the root', line('ws', 'site'), line('ws', 'site', 'Level'), { up: 0, down: ['level'] }],
  ['two levels above', line('ws', 'site', 'pump'), line('ws', 'tank'), { up: 2, down: ['tank'] }],
  ['the Workspace', line('ws', 'site'), line('ws'), { up: 1, down: [] }],
  ['another Workspace', line('ws', 'site'), line('other', 'tank'), undefined],
])('a place is relative to the parent of a root: %s', (_what, parent, target, place) => {
  expect(relativePath(parent, target)).toEqual(place);
});

test('metadata of a body take the place of those with the same name', () => {
  const own = [
    { name: 'river', value: 'Alz' },
    { name: 'km', value: 4 },
  ];
  expect(mergeMetadata(own, [{ name: 'km', value: 7 }])).toEqual([own[0], { name: 'km', value: 7 }]);
});
