import { foldedText, wordsOf } from './folded-text.ts';

test.each([
  ['Gage Height', 'gage height'],
  ['Flußpegel Ångström', 'flußpegel angstrom'],
  ['ﬁne ÉTÉ', 'fine ete'],
  ['Прага', 'прага'],
])('%s is compared as %s', (text, folded) => {
  expect(foldedText(text)).toBe(folded);
});

test.each([
  ['dead  gage', ['dead', 'gage']],
  ['Dead Run/Gage', ['dead', 'run', 'gage']],
  ['@site-7', ['site-7']],
  ['gage GAGE', ['gage']],
  [' / ', []],
])('%j is searched for by %j', (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});
