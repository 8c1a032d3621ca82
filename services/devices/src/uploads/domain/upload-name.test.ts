import { absolutePath, baseName, isTemporary } from './upload-name.ts';

test.each([
  ['a.csv', 'a.csv'],
  ['/data/2024/a b.csv', 'a b.csv'],
  ['C:\\logs\\a.csv', 'a.csv'],
  ['a\u0000\n.csv', 'a.csv'],
  ['/', undefined],
  ['data/..', undefined],
  ['', undefined],
])('%j has the name %j', (path, name) => {
  expect(baseName(path)).toBe(name);
});

test.each([
  ['/', 'a', '/a'],
  ['/a/b', '../c', '/a/c'],
  ['/a', '/x//y/.', '/x/y'],
  ['/', '../../..', '/'],
])('in %s, %s is %s', (folder, path, whole) => {
  expect(absolutePath(folder, path)).toBe(whole);
});

test.each(['a.csv.tmp', '.a.csv.x7', 'a.dat.PART', 'a.filepart', 'CR1000.$$$', '~a'])(
  '%s is a name for a while',
  (name) => {
    expect(isTemporary(name)).toBe(true);
  },
);
test.each(['a.csv', 'partial.csv', 'news.dat', 'begin'])('%s is a name to stay', (name) => {
  expect(isTemporary(name)).toBe(false);
});
