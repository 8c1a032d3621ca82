import { paletteColor } from '@catchment/dashboard-view';
import { dashOf, roundsOf } from './dashes.ts';

test('forty series of ten colours are forty lines that can be distinguished', () => {
  const series = Array.from({ length: 40 }, (_, i) => ({ color: paletteColor(i), type: 'LINE' as const }));
  const rounds = roundsOf(series);
  expect(rounds).toEqual(series.map((_, i) => Math.floor(i / 10)));
  const looks = series.map(({ color }, i) => `${color} ${dashOf(rounds[i]!, 1.75)}`);
  expect(new Set(looks).size).toBe(40);
});

test('a chosen colour that comes again is another line too; columns stay what they are', () => {
  const red = { color: '#ff0000', type: 'LINE' as const };
  expect(roundsOf([red, { ...red, type: 'COLUMN' }, { ...red, color: '#00ff00' }, red])).toEqual([0, 0, 0, 1]);
  expect(dashOf(0, 2)).toEqual([]);
  expect(dashOf(1, 2)).toEqual([8, 6]);
});
