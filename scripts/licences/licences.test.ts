import { imagePackages, type Lock } from './image-packages.ts';
import { licenceOf, refused } from './refused.ts';

const lock: Lock = {
  packages: {
    '': { dependencies: { tool: '1' } },
    'node_modules/tool': { version: '1.0.0', license: 'GPL-3.0-only' },
    'node_modules/@us/service': { link: true, resolved: 'services/one' },
    'services/one': { dependencies: { a: '1', '@us/shared': '*' } },
    'node_modules/@us/shared': { link: true, resolved: 'packages/shared' },
    'packages/shared': { dependencies: { c: '1' }, optionalDependencies: { fast: '1' } },
    'packages/testkit': { dependencies: { tool: '1' } },
    e2e: { dependencies: { tool: '1' } },
    web: { dependencies: { a: '1' } },
    'node_modules/a': { version: '1.0.0', license: 'MIT', dependencies: { b: '2' } },
    'node_modules/a/node_modules/b': { version: '2.0.0', license: 'ISC' },
    'node_modules/b': { version: '1.0.0', license: 'GPL-3.0-only' },
    'node_modules/c': { version: '3.0.0', license: '(MIT OR GPL-3.0-only)', peerDependencies: { a: '1' } },
    'node_modules/fast': { version: '1.0.0' },
  },
};

test('the image has what its workspaces need, and nothing of development', () => {
  expect(imagePackages(lock).map(({ name, version }) => `${name}@${version}`)).toEqual([
    'a@1.0.0',
    'b@2.0.0',
    'c@3.0.0',
    'fast@1.0.0',
  ]);
});

test.each([
  ['MIT', []],
  ['(MIT OR GPL-3.0-only)', []],
  ['MIT AND OFL-1.1', []],
  ['(MIT OR EUPL-1.1+)', []],
  ['GPL-3.0-only', ['x@1 is under GPL-3.0-only']],
  ['MIT AND GPL-2.0-only', ['x@1 is under MIT AND GPL-2.0-only']],
  ['SEE LICENSE IN LICENSE.md', ['x@1 is under SEE LICENSE IN LICENSE.md']],
  ['UNLICENSED', ['x@1 is under UNLICENSED']],
  [undefined, ['x@1 names no licence']],
])('a package under %s', (licence, problems) => {
  expect(refused([{ name: 'x', version: '1', licence }])).toEqual(problems);
});

test('an exception is for packages of its name only', () => {
  const libvips = { version: '1', licence: 'LGPL-3.0-or-later' };
  expect(refused([{ name: '@img/sharp-libvips-linux-x64', ...libvips }])).toEqual([]);
  expect(refused([{ name: 'other', ...libvips }])).toEqual(['other@1 is under LGPL-3.0-or-later']);
  expect(licenceOf({ name: 'ssh2', version: '1', licence: undefined })).toBe('MIT');
});
