import { generateName, nameKey } from './names.ts';

describe('generated names', () => {
  const taken = new Set(['batt', 'batt (2)', 'x'.repeat(120)].map(nameKey));
  test.each([
    ['air_temp', 'air temp'],
    ['a/b;{c}', 'a-b--c-'],
    ['Batt', 'Batt (3)'],
    ['  wind  ', 'wind'],
    ['__', 'Unnamed'],
    ['y'.repeat(130), 'y'.repeat(120)],
    ['X'.repeat(125), `${'X'.repeat(116)} (2)`],
  ])('%s becomes %s', (wanted, name) => expect(generateName(wanted, taken)).toBe(name));
});
