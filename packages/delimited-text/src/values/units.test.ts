import { unitsIn } from './units.ts';

test.each<[label: string, units: string]>([
  ['Field (nT)', 'nT'],
  ['Field (T)', 'T'],
  // A label of an Italian city's air quality, where GT means «ground truth».
  ['CO(GT)', ''],
  ['NO2(GT)', ''],
])('the label %j names the units %j', (label, units) => {
  expect(unitsIn(label)).toBe(units);
});
