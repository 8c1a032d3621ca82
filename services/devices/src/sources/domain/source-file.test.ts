import { type FileSource, parserFor } from './source-file.ts';

const OWN = { delimiter: 'TAB' };
const SOURCE: FileSource = { _id: '', ownerId: '', workspaceId: '', parser: OWN };

test.each([
  ['hourly', false, 'Station-HOURLY-7.csv', true],
  ['hourly*.csv', false, 'hourly-7.csv', true],
  ['hourly*.csv', false, 'hourly-7.dat', false],
  ['*', false, '', true],
  ['a.c', false, 'abc', false],
  ['^\\d+\\.csv$', true, '12.csv', true],
  ['^\\d+\\.csv$', true, '12.csv.bak', false],
  ['(?=a)a', true, 'a', false],
  ['^(?:x{0,10}){20}$', true, 'x', true],
  ['^(?:x{0,30}){30}$', true, 'x', false],
] as const)('%j (expression: %p) takes %j: %p', (match, isRegex, name, isTaken) => {
  const take = () => parserFor({ ...SOURCE, files: [{ match, isRegex }] }, name);
  if (isTaken) expect(take()).toBe(OWN);
  else expect(take()).toBeUndefined();
});

test('the first entry that matches has the say, with its own parser where it has one', () => {
  const files = [{ match: 'x' }, { match: 'a', parser: { delimiter: 'PIPE' } }, { match: 'a' }];
  expect(parserFor({ ...SOURCE, files }, 'a.csv')).toEqual({ delimiter: 'PIPE' });
  expect(parserFor({ ...SOURCE, parser: null }, 'a.csv')).toEqual({});
});
