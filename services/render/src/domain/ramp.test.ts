import { ramp } from './ramp.ts';

/** Relative luminance (WCAG 2.2). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test.each([1, 2, 3, 7, 15, 21])('%i classes have colours of their own, each darker than the one before', (classes) => {
  const colors = ramp(classes);
  expect(new Set(colors).size).toBe(classes);
  const lights = colors.map(luminance);
  expect(lights).toEqual(lights.toSorted((a, b) => b - a));
});

test('few classes are far apart', () => {
  const [first = '', , last = ''] = ramp(3);
  expect((luminance(first) + 0.05) / (luminance(last) + 0.05)).toBeGreaterThan(6);
});
