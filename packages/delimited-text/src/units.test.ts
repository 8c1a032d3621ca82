import { unitsIn } from './units.ts';

test.each<[label: string, units: string]>([
  ['Field (nT)', 'nT'],
  ['Field (T)', 'T'],
  // Of the air quality of an Italian city: «ground truth».
  ['CO(GT)', ''],
  ['NO2(GT)', ''],
])('the label %j names the units %j', (label, units) => {
  expect(unitsIn(label)).toBe(units);
});
