import { registersOf, stepsOf, WAYS, wayOf } from './ways.ts';

test('registers are one a line; what is left out is usual', () => {
  expect(registersOf('Level; holding; 10; float32; m\n\nPump;COIL;3;BOOLEAN\nRaw;;7')).toEqual([
    { series: 'Level', table: 'HOLDING', address: 10, type: 'FLOAT32', units: 'm' },
    { series: 'Pump', table: 'COIL', address: 3, type: 'BOOLEAN', units: '' },
    { series: 'Raw', table: 'HOLDING', address: 7, type: 'UINT16', units: '' },
  ]);
});

test.each([
  ['', 1],
  ['Level', 1],
  ['Level;HOLDING;0\nPump;COIL;x', 2],
  [';HOLDING;0', 1],
])('%j is recognized by its line', (text, line) => {
  expect(registersOf(text)).toBe(line);
});

test('a way has the steps that it needs, and each way is there once', () => {
  expect(stepsOf(undefined)).toEqual(['place', 'way', 'review', 'done']);
  expect(stepsOf(wayOf('hand'))).toEqual(['place', 'way', 'file', 'review', 'done']);
  expect(stepsOf(wayOf('ftp'))).toEqual(['place', 'way', 'connection', 'file', 'review', 'done']);
  expect(new Set(WAYS.map(({ key }) => key)).size).toBe(WAYS.length);
});
