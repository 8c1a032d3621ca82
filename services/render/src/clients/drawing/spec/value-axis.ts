import { scale } from 'vega';

export type ValueTick = { readonly v: number; readonly label: string };
export type ValueAxis = {
  readonly domain: readonly [number, number];
  readonly ticks: readonly ValueTick[];
  /** Set where positions stand for states. */
  readonly states?: readonly string[];
};

/** Beyond this the span of two values leaves the range of doubles. */
const LARGEST = 8e307;
const SMALLEST = 1e-290;
/** Share of the size of values below which their differences do not count. */
const FLAT = 1e-12;
/** Labels leave plain notation outside of this. */
const PLAIN_MAX = 1e9;
const PLAIN_MIN = 1e-6;

type LinearScale = {
  domain(): [number, number];
  domain(values: readonly number[]): LinearScale;
  nice(count: number): LinearScale;
  ticks(count: number): number[];
  tickFormat(count: number): (value: number) => string;
};

/**
 * A linear axis around the values, ends on round numbers.
 * @param values NaN are skipped; none at all gives 0 … 1
 * @param includeZero bars stand on zero
 */
export function valueAxis(values: Iterable<number>, maxTicks: number, includeZero: boolean): ValueAxis {
  const [low, high] = padded(extent(values, includeZero));
  const linear = (scale('linear') as () => LinearScale)().domain([low, high]).nice(maxTicks);
  const [from, to] = linear.domain();
  const ticks = linear.ticks(maxTicks);
  const largest = Math.max(Math.abs(from), Math.abs(to));
  const plain = largest < PLAIN_MAX && to - from > PLAIN_MIN;
  const label = plain ? linear.tickFormat(maxTicks) : scientific;
  return { domain: [from, to], ticks: ticks.map((v) => ({ v, label: label(v) })) };
}

/** One position per state, the first at the bottom. */
export function stateAxis(names: readonly string[]): ValueAxis {
  return {
    domain: [-0.5, Math.max(names.length, 1) - 0.5],
    ticks: names.map((label, v) => ({ v, label })),
    states: names,
  };
}

function extent(values: Iterable<number>, includeZero: boolean): [number, number] {
  let low = includeZero ? 0 : Number.POSITIVE_INFINITY;
  let high = includeZero ? 0 : Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [Math.max(low, -LARGEST), Math.min(high, LARGEST)] : [0, 1];
}

/**
 * A flat line lies in the middle of a range that suits its size. Values that differ in their last digits only, or hardly
 * from zero, are flat: ticks between them could not be computed.
 */
function padded([low, high]: [number, number]): [number, number] {
  const largest = Math.max(Math.abs(low), Math.abs(high));
  if (largest < SMALLEST) return [0, 1];
  if (high - low > largest * FLAT) return [low, high];
  return [low - largest * 0.1, high + largest * 0.1];
}

/** `1.5e+12`, without the noise of binary fractions. */
const scientific = (value: number): string => Number(value.toPrecision(9)).toExponential();
