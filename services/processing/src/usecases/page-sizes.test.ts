import { PageSizes } from './page-sizes.ts';

const program = { planVersion: 'v' };
const PARAMETER = { kind: 'parameter', outputs: [{} as never] } as const;

test('pages begin small, grow while they are quick, and shrink when they are slow', () => {
  const sizes = new PageSizes();
  const learn = (runs: number, tookMs: number) => {
    sizes.learn(program, runs, tookMs);
    return sizes.sizeOf(program, PARAMETER);
  };
  expect(sizes.sizeOf(program, PARAMETER)).toBe(20);
  expect(learn(20, 10)).toBe(200);
  expect(learn(200, 50)).toBe(2_000);
  expect(learn(2_000, 90)).toBe(5_000);
  expect(learn(5_000, 100)).toBe(5_000);
  // A page that was short for want of records says nothing.
  expect(learn(1, 20)).toBe(5_000);
  expect(learn(5_000, 4_000)).toBe(1_250);
  sizes.failed(program);
  expect(sizes.sizeOf(program, PARAMETER)).toBe(156);
});

test('a processor begins with fewer, and never has more records to write than a call takes', () => {
  const sizes = new PageSizes();
  const plan = { kind: 'processor', outputs: Array.from({ length: 100 }, () => ({}) as never) } as const;
  expect(sizes.sizeOf(program, plan)).toBe(2);
  for (let runs = 2; runs < 5_000; runs *= 10) sizes.learn(program, runs, 1);
  expect(sizes.sizeOf(program, plan)).toBe(500);
});
