import { decimalText, roundHalfEven, toDecimalPlaces } from './round-decimal.ts';

/** Returns the exact decimal expansion of a finite double ≥ 0: a double has at most 1074 decimals. */
function exactDigits(value: number): { digits: bigint; places: number } {
  let places = 0;
  let scaled = value;
  // Doubling is exact: count how many make it an integer, then value = n / 2^k = n * 5^k / 10^k.
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    places += 1;
  }
  return { digits: BigInt(scaled) * 5n ** BigInt(places), places };
}

function reference(value: number, places: number): number {
  const exact = exactDigits(Math.abs(value));
  if (exact.places <= places) return value === 0 ? 0 : value;
  const unit = 10n ** BigInt(exact.places - places);
  const [whole, rest] = [exact.digits / unit, exact.digits % unit];
  const isUp = rest * 2n > unit || (rest * 2n === unit && whole % 2n === 1n);
  const magnitude = Number(decimalText(isUp ? whole + 1n : whole, places));
  return value < 0 && magnitude !== 0 ? -magnitude : magnitude;
}

/** The numbers are pseudo-random, the same in every run (mulberry32). */
function randoms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

test('agrees with exact decimals over random values and places', () => {
  const random = randoms(7);
  for (let n = 0; n < 5_000; n += 1) {
    const value = (random() - 0.5) * 10 ** Math.floor(random() * 14 - 4);
    const places = Math.floor(random() * 9);
    expect([value, places, roundHalfEven(value, places)]).toEqual([value, places, reference(value, places)]);
  }
});

test('agrees with exact decimals on and beside ties', () => {
  const random = randoms(11);
  for (let n = 0; n < 5_000; n += 1) {
    const places = Math.floor(random() * 5);
    const tie = (Math.floor(random() * 100_000) + 0.5) / 10 ** places;
    for (const value of [tie, -tie, tie * (1 + Number.EPSILON), tie * (1 - Number.EPSILON)]) {
      expect([value, places, roundHalfEven(value, places)]).toEqual([value, places, reference(value, places)]);
    }
  }
});

test.each([
  [5e-324, 3, 0],
  [1.7976931348623157e308, 2, 1.7976931348623157e308],
  [-0, 2, 0],
  [0.1 + 0.2, 1, 0.3],
  [1e22 + 0.5, 0, 1e22],
  [Number.NaN, 1, Number.NaN],
  [Number.NEGATIVE_INFINITY, 1, Number.NEGATIVE_INFINITY],
])('%d to %d places is %d', (value, places, expected) => {
  expect(Object.is(roundHalfEven(value, places), expected)).toBe(true);
});

test.each([
  [1234.5, 0, 1234n],
  [1235.5, 0, 1236n],
  [1234, -2, 12n],
  [1250, -2, 12n],
  [1350, -2, 14n],
  [0.1, 20, 10000000000000000555n],
])('%d times 10^%d is %s', (value, places, expected) => {
  expect(toDecimalPlaces(value, places)).toBe(expected);
});
