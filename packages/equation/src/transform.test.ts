import { seedOf } from '@catchment/testkit/amount';
import { equationProblem, transformOf } from './index.ts';

const by = (equation: string) => transformOf({ multiplier: 7, offset: 7, equation });
const seed = seedOf('EQUATION_SEED');

test.each<[equation: string, raw: number, shown: number]>([
  ['x', 2.5, 2.5],
  ['-x^2', 3, -9],
  ['(-x)^2', 3, 9],
  ['2^-x', 2, 0.25],
  ['2^-x*3', 2, 0.75],
  ['x^2^3', 2, 256],
  ['-x^-2', 2, -0.25],
  ['2^3^-x', 0, 2],
  ['--x', 2, 2],
  ['4-x-1', 2, 1],
  ['12/x/3', 2, 2],
  ['12/x*3', 2, 18],
  ['2+3*x', 2, 8],
  ['(2+3)*x', 2, 10],
  ['(x - 32) * 5 / 9', 212, 100],
  ['.5*x + 1e2', 4, 102],
  ['abs(x)', -4, 4],
  ['sqrt(x)', 9, 3],
  ['exp(ln(x))', 1, 1],
  ['log10(x)', 1_000, 3],
  ['sin(x)+cos(x)+tan(x)', 0, 1],
  ['min(x, 3, 1+1)', 5, 2],
  ['max(x, -x)', -5, 5],
  ['pow(x, 3)', 2, 8],
  ['6.1078*10^(7.5*x/(x+237.3))', 0, 6.1078],
  ['5', 1, 5],
])('%s of %d is %d', (equation, raw, shown) => {
  expect(equationProblem(equation)).toBeUndefined();
  expect(by(equation).apply(raw)).toBeCloseTo(shown, 12);
});

test.each([
  ['', 'is empty'],
  [' ', 'is empty'],
  ['y', "'y' means nothing at character 1"],
  ['x + X', "'X' means nothing at character 5"],
  ['x x', 'is not one expression'],
  ['x, 1', 'cannot be read at character 2'],
  ['x;', 'cannot be read at character 2'],
  ['x,', 'cannot be read at character 2'],
  ['1()', 'cannot be read at character 3'],
  ['min(x,,1)', 'cannot be read at character 7'],
  ['min(x,1,)', 'cannot be read at character 9'],
  ['(x, 1)', 'is not one expression'],
  ['2x', 'cannot be read at character 2'],
  ['(x', 'cannot be read at character 3'],
  ['x)', 'cannot be read at character 2'],
  ['x +', 'cannot be read at character 4'],
  ['x ** 2', 'cannot be read at character 4'],
  ['x % 2', 'cannot be read at character 3'],
  ['+x', 'cannot be read at character 1'],
  ['!x', 'cannot be read at character 1'],
  ['x ? 1 : 2', 'cannot be read at character 3'],
  ['x = 1', 'cannot be read at character 3'],
  ["'a'", 'cannot be read at character 1'],
  ['true', "'true' means nothing at character 1"],
  ['this', 'is not one expression'],
  ['[x]', 'cannot be read at character 1'],
  ['x.constructor', 'is not one expression'],
  ['x["a"]', 'cannot be read at character 2'],
  ['constructor(x)', "'constructor' is no function at character 1"],
  ['log(x)', "'log' is no function at character 1"],
  ['x(1)', "'x' is no function at character 1"],
  ['(x)(1)', "'x' is no function at character 2"],
  ['abs', "'abs' means nothing at character 1"],
  ['abs()', 'cannot be read at character 5'],
  ['1 + abs(x, 1)', 'abs takes 1 argument at character 5'],
  ['min(x)', 'min takes at least 2 arguments at character 1'],
  ['pow(x)', 'pow takes 2 arguments at character 1'],
  ['pow(x,1,2)', 'pow takes 2 arguments at character 1'],
  ['1e999', "'1e999' means nothing at character 1"],
  [`x${'+1'.repeat(500)}`, 'has more than 1000 characters'],
  [`${'('.repeat(51)}x${')'.repeat(51)}`, 'has more than 50 parentheses in one another at character 51'],
])('%s is no equation', (equation, problem) => {
  expect(equationProblem(equation)).toMatch(/^must be one expression of x with .*: /);
  expect(equationProblem(equation)).toContain(problem);
});

test.each([
  ['nested parentheses', `${'('.repeat(50)}x${')'.repeat(50)}`],
  ['many terms', `x${'+1'.repeat(499)}`],
  ['many minuses', `${'-'.repeat(998)}x`],
  ['many powers', `x${'^x'.repeat(499)}`],
  ['many powers of minus', `x${'^-x'.repeat(333)}`],
  ['many arguments', `min(x${',1'.repeat(497)})`],
])('an equation of %s is computed', (_what, equation) => {
  expect(equationProblem(equation)).toBeUndefined();
  expect(by(equation).apply(1)).toBeGreaterThan(0);
});

test('without an equation the multiplier comes first; with one both take no effect', () => {
  expect(transformOf({ multiplier: 2, offset: 3, equation: '' }).apply(5)).toBe(13);
  expect(transformOf({ multiplier: 2, offset: 3, equation: 'x/2' }).apply(5)).toBe(2.5);
});

test.each(['1/x', 'ln(x)', 'x^0.5*0+sqrt(x-1)', 'exp(x+1000)'])('%s of 0 is no value', (equation) => {
  expect(by(equation).apply(0)).toBeNaN();
});

test('what has no value gets none', () => {
  expect([by('5').apply(Number.NaN), by('x^0').apply(Number.NaN), by('min(x,1)').apply(Number.NaN)]).toEqual([
    Number.NaN,
    Number.NaN,
    Number.NaN,
  ]);
});

test('an equation that cannot be read leaves no value', () => {
  expect(by('future(x)').apply(1)).toBeNaN();
  expect(by('future(x)').linear).toBeUndefined();
});

test.each<[string, [slope: number, intercept: number] | undefined]>([
  ['x', [1, 0]],
  ['-x', [-1, 0]],
  ['2*x+3', [2, 3]],
  ['(x-32)*5/9', [5 / 9, -160 / 9]],
  ['10-x/4', [-0.25, 10]],
  ['sqrt(4)*(x+1)', [2, 2]],
  ['x*0', [0, 0]],
  ['5', undefined],
  ['1/x', undefined],
  ['x+x', undefined],
  ['x*x', undefined],
  ['x^1', undefined],
  ['abs(x)', undefined],
  ['x/0', undefined],
  ['x*1e308*1e308', undefined],
])('%s has a slope and an intercept: %j', (equation, expected) => {
  const { linear } = by(equation);
  expect(linear && [linear.slope, linear.intercept]).toEqual(expected?.map((value) => expect.closeTo(value, 12)));
});

test('equal transforms have equal keys', () => {
  const key = (multiplier: number, offset: number, equation = '') => transformOf({ multiplier, offset, equation }).key;
  expect(key(1, 2)).toBe(key(1, 2));
  expect(new Set([key(1, 2), key(2, 1), key(1, 2, 'x'), key(1, 2, 'x+1')]).size).toBe(4);
  expect(key(1, 2, 'x')).toBe(key(3, 4, 'x'));
});

/** Makes a random expression as a text and as JavaScript, both with as many parentheses as chance will have. */
function randomExpression(random: () => number, depth: number): { text: string; js: string } {
  const operand = () => randomExpression(random, depth - 1);
  const pick = <T>(...of: T[]): T => of[Math.floor(random() * of.length)] as T;
  const kind = depth === 0 ? pick('x', 'number') : pick('x', 'number', 'minus', 'binary', 'binary', 'binary', 'call');
  if (kind === 'x') return { text: 'x', js: 'x' };
  if (kind === 'number') {
    const number = String(Math.round(random() * 100) / 8);
    return { text: number, js: number };
  }
  if (kind === 'minus') {
    const of = operand();
    return { text: `-(${of.text})`, js: `(-(${of.js}))` };
  }
  if (kind === 'call') {
    const [name, count] = pick(['abs', 1], ['sqrt', 1], ['exp', 1], ['min', 3], ['max', 2], ['pow', 2]) as [
      string,
      number,
    ];
    const of = Array.from({ length: count }, operand);
    const call = (which: 'text' | 'js') => of.map((part) => part[which]).join(',');
    return { text: `${name}(${call('text')})`, js: `Math.${name}(${call('js')})` };
  }
  const operator = pick('+', '-', '*', '/', '^');
  const [left, right] = [operand(), operand()];
  const js = operator === '^' ? `((${left.js})**(${right.js}))` : `((${left.js})${operator}(${right.js}))`;
  return { text: `(${left.text})${operator}(${right.text})`, js };
}

test(`random expressions are what JavaScript makes of them (seed ${seed})`, () => {
  let state = seed;
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  for (let n = 0; n < 2_000; n += 1) {
    const { text, js } = randomExpression(random, 4);
    if (text.length > 1_000) continue;
    const reference = new Function('x', `return ${js}`) as (x: number) => number;
    for (const x of [-2, 0, 0.5, 3, 1e6]) {
      const expected = reference(x);
      const got = by(text).apply(x);
      if (!Object.is(got, Number.isFinite(expected) ? expected : Number.NaN))
        throw new Error(`seed ${seed}: ${text} of ${x} is ${got}, not ${expected}`);
    }
    const { linear } = by(text);
    const value = by(text).apply(3);
    if (linear && !Number.isNaN(value)) {
      const error = Math.abs(linear.slope * 3 + linear.intercept - value);
      const bound = (linear.steps + 4) * 2 ** -52 * (linear.slopeBound * 3 + linear.interceptBound);
      if (error > bound) throw new Error(`seed ${seed}: ${text} is off by ${error}, more than ${bound}`);
    }
  }
});
