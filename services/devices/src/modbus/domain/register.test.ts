import { blocksOf } from './read-plan.ts';
import { bytesOf, type Register, type RegisterType, valueIn } from './register.ts';

const register = (more: Partial<Register> = {}): Register => ({
  series: `s${more.address ?? 0}`,
  table: 'HOLDING',
  address: 0,
  type: 'UINT16',
  wordOrder: 'BIG',
  ...more,
});

test.each<[RegisterType, string, number]>([
  ['BOOLEAN', '0000', 0],
  ['BOOLEAN', '0100', 1],
  ['UINT16', 'fffe', 65_534],
  ['INT16', 'fffe', -2],
  ['UINT32', '00010002', 65_538],
  ['INT32', 'fffffffe', -2],
  ['UINT64', '0000000100000002', 4_294_967_298],
  ['INT64', 'fffffffffffffffe', -2],
  // 12.5 and -0.1 as IEEE 754 has them.
  ['FLOAT32', '41480000', 12.5],
  ['FLOAT64', 'bfb999999999999a', -0.1],
])('%s: %s is %d, also with the registers the other way round', (type, hex, value) => {
  const bytes = Buffer.from(hex, 'hex');
  expect(valueIn(register({ type }), bytes)).toBe(value);
  const words = hex.match(/.{4}/g) ?? [];
  const turned = Buffer.from(words.toReversed().join(''), 'hex');
  expect(valueIn(register({ type, wordOrder: 'LITTLE' }), turned)).toBe(value);
  if (type === 'BOOLEAN') return;
  expect(bytesOf(register({ type }), value)).toEqual(bytes);
  expect(bytesOf(register({ type, wordOrder: 'LITTLE' }), value)).toEqual(turned);
});

test('what is no number is no value', () => {
  expect(valueIn(register({ type: 'FLOAT32' }), Buffer.from('7fc00000', 'hex'))).toBeUndefined();
  expect(valueIn(register({ type: 'FLOAT64' }), Buffer.from('7ff0000000000000', 'hex'))).toBeUndefined();
});

test.each<[RegisterType, number]>([
  ['UINT16', -1],
  ['UINT16', 1.5],
  ['INT16', 32_768],
  ['UINT32', 2 ** 32],
  ['INT64', 2 ** 60],
  ['BOOLEAN', 2],
  ['FLOAT32', 1e39],
])('%s cannot be %d', (type, value) => {
  expect(() => bytesOf(register({ type }), value)).toThrow(RangeError);
});

const shown = (registers: readonly Register[]) =>
  blocksOf(registers).map(({ table, start, count, registers: of }) => [table, start, count, of.length]);

test('neighbours are read together, gaps are not read', () => {
  const registers = [
    register({ address: 7 }),
    register({ address: 0 }),
    register({ address: 1, type: 'FLOAT32' }),
    register({ address: 3 }),
    register({ address: 5, table: 'COIL', type: 'BOOLEAN' }),
    register({ address: 6, table: 'COIL', type: 'BOOLEAN' }),
  ];
  expect(shown(registers)).toEqual([
    ['COIL', 5, 2, 2],
    ['HOLDING', 0, 4, 3],
    ['HOLDING', 7, 1, 1],
  ]);
});

test('entries may share registers', () => {
  expect(shown([register({ address: 0, type: 'UINT32' }), register({ address: 1, series: 'low' })])).toEqual([
    ['HOLDING', 0, 2, 2],
  ]);
});

test('a request has 125 registers or 2 000 bits at the most', () => {
  const words = Array.from({ length: 500 }, (_, n) => register({ address: 2 * n, type: 'UINT32' }));
  expect(shown(words).map(([, , count]) => count)).toEqual([124, 124, 124, 124, 124, 124, 124, 124, 8]);
  const bits = Array.from({ length: 2_001 }, (_, n) => register({ address: n, table: 'COIL', type: 'BOOLEAN' }));
  expect(shown(bits).map(([, , count]) => count)).toEqual([2_000, 1]);
});
