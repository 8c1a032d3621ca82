import { errorText } from './error-text.ts';

test.each([
  ['a message', new Error('no room'), 'no room'],
  ['no error at all', 'no room', 'no room'],
  [
    'what failed first, then what failed behind it',
    new SuppressedError(new Error('later'), new Error('first')),
    'first\nlater',
  ],
  [
    'one within the other',
    new SuppressedError(new Error('last'), new SuppressedError(new Error('later'), new Error('first'))),
    'first\nlater\nlast',
  ],
  ['attempts without a word of their own', new AggregateError([new Error('one'), new Error('other')]), 'one\nother'],
  ['attempts with one', new AggregateError([new Error('one')], 'both failed'), 'both failed'],
])('reports %s', (_what, error, text) => expect(errorText(error)).toBe(text));
