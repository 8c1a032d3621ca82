import { contrast, isDark, LINES, readableOn, TEXTS } from './readable-color.ts';

test('contrasts are those of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBe(21);
  expect(contrast('#777777', 'rgb(255, 255, 255)')).toBeCloseTo(4.48, 2);
  expect(contrast('red', '#ffffff')).toBeNaN();
});

test.each([
  '#2f7ed8',
  '#0d233a',
  '#8bbc21',
  '#910000',
  '#1aadce',
  '#492970',
  '#f28f43',
  '#ffffff',
  '#000000',
  '#ffff00',
])('%s is seen on every ground', (color) => {
  for (const ground of ['#ffffff', 'rgb(19, 36, 42)', '#0b0f11', '#e3effc', '#4a1c2c', '#808080', '#b3211b'])
    for (const least of [LINES, TEXTS])
      expect(contrast(readableOn(color, ground, least), ground)).toBeGreaterThanOrEqual(least);
});

test('what is seen already is left as it was chosen', () => {
  expect(readableOn('#910000', '#ffffff', LINES)).toBe('#910000');
  expect(readableOn('tomato', '#ffffff', LINES)).toBe('tomato');
  expect(isDark('rgb(19, 36, 42)')).toBe(true);
  expect(isDark('transparent')).toBe(false);
});
