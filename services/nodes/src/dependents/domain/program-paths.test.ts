import { pathsIn } from './program-paths.ts';

const one = (path: string) => [{ path, many: false }];

test.each([
  ['a path in single quotes', "return NUMBER('Level') * 2", one('Level')],
  ['a path in double quotes', 'return NUMBER("../Gauge/Level")', one('../Gauge/Level')],
  ['a path in backquotes', 'return NUMBER(`/Site/Level`)', one('/Site/Level')],
  ['a path without its aggregate', "NUMBER('rain;TOTAL;D+9H;1D')", one('rain')],
  ['a path in a constant', "const P = 'Level'; return NUMBER(P)", one('Level')],
  ['a pattern of NODES', "NODES ( '../Wells/level.*' )", [{ path: '../Wells/level.*', many: true }]],
  ['an escaped quote', "NODE('O\\'Brien')", one("O'Brien")],
  ['a path that is named twice', "NUMBER('a') + NUMBER('a')", one('a')],
  ['an apostrophe in a comment', "// don't\nreturn NUMBER('Level')", one('Level')],
  ['an empty text', "return ''", []],
])('%s', (_what, code, expected) => expect(pathsIn(code)).toEqual(expected));

test('a program has as many paths as its validation allows', () => {
  const code = Array.from({ length: 300 }, (_, i) => `NUMBER('p${i}')`).join('\n');
  expect(pathsIn(code)).toHaveLength(200);
});
