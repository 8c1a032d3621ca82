// The examples of docs/reference/expressions.md are held against the code.
import { referenceRows } from '@catchment/testkit';
import { MESSAGE_WORK, parseExpressions } from './index.ts';

const NOW = '2024-05-15T10:47:23.456Z';
const OBJECTS = {
  NOW,
  THIS: {
    name: 'Level',
    currentValue: 5.3456,
    states: [{ name: 'LOW' }, { name: 'NORMAL' }, { name: 'HIGH' }],
    metadata: { Installed: '2019' },
  },
};

test.each(referenceRows('expressions.md', '| text | prints |'))('expressions.md: %s', (source, expected) => {
  expect(parseExpressions(source).render(OBJECTS, { nowMs: Date.parse(NOW), work: MESSAGE_WORK })).toBe(expected);
});
