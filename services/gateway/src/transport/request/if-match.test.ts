import { revisionsIn } from './if-match.ts';

test.each([
  ['nothing', undefined, undefined],
  ['an empty header', '', undefined],
  ['any', '*', undefined],
  ['a revision', '"17"', [17]],
  ['one of several', '"17" , "18"', [17, 18]],
  ['the weak validator of an answer: no revision has it', 'W/"17"', []],
  ['another text: no revision has it', '"abc"', []],
])('%s', (_what, sent, revisions) => {
  expect(revisionsIn(sent)?.revisions).toEqual(revisions);
});

test.each([['17'], ['"17'], ['"1" "2"'], ['*, "1"'], [Array(21).fill('"1"').join(',')]])(
  '%s is refused by name',
  (sent) => {
    expect(() => revisionsIn(sent)).toThrow('If-Match: must be a revision in quotes');
  },
);
