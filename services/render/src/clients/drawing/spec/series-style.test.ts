import { readChartSettings } from '../../../domain/chart-settings.ts';
import { styleOf } from './series-style.ts';

const style = (given: Record<string, unknown>, index = 0) => styleOf(readChartSettings(given, 'VALUE'), index);

test.each([
  ['a line alone', {}, { width: 2, dash: [] }],
  ['a thin line is thick enough for its colour', { lineWidth: 1 }, { width: 2 }],
  ['dashes are those of the line', { lineStyle: 'SHORTDOT', lineWidth: 3 }, { width: 3, dash: [3, 3] }],
  ['markers, as the line has them', { markerSize: 4, markerType: 'TRIANGLE' }, { width: 2, marker: 'triangle-up' }],
  ['a marker where the line is hidden', { lineWidth: 0 }, { width: 0, marker: 'circle' }],
])('the legend shows %s', (_what, given, expected) => {
  expect(style(given).sign).toEqual({ dash: [], ...expected });
});

test('a record that no line reaches is shown by the width of the line, unless every record has a marker', () => {
  expect(style({ lineWidth: 4 })).toMatchObject({ marker: undefined, lonely: { size: { value: 36 } } });
  expect(style({ lineWidth: 4, markerSize: 1 })).toMatchObject({ marker: { size: { value: 4 } }, lonely: undefined });
  expect(style({ lineWidth: 0 })).toMatchObject({ line: undefined, marker: undefined, lonely: undefined });
});

test('a line whose automatic colour comes again has a dash of its own', () => {
  const lines = Array.from({ length: 60 }, (_, index) => style({}, index));
  expect(new Set(lines.map(({ color, sign }) => `${color} ${sign.dash}`)).size).toBe(60);
});
