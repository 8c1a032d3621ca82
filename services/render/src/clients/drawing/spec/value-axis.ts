import { LARGEST_DRAWN } from '@catchment/dashboard-view';
import { scale } from 'vega';
import { type AxisSettings, PLAIN_AXIS } from '../../../domain/chart.ts';

type ValueTick = { readonly v: number; readonly label: string };
export type ValueAxis = {
  readonly type?: 'log';
  readonly domain: readonly [number, number];
  readonly ticks: readonly ValueTick[];
  /** Set where positions stand for states. */
  readonly states?: readonly string[];
};

const SMALLEST = 1e-290;
/** Differences of values below this share of their size do not count. */
const FLAT = 1e-12;
/** Labels leave plain notation outside of this. */
const PLAIN_MAX = 1e9;
const PLAIN_MIN = 1e-6;

/** More ticks than this at `tickInterval` would be a grey area. */
const MAX_TICKS = 200;

type ContinuousScale = {
  domain(): [number, number];
  domain(values: readonly number[]): ContinuousScale;
  nice(count?: number): ContinuousScale;
  ticks(count: number): number[];
  tickFormat(count: number): (value: number) => string;
};

/**
 * Makes an axis around the values that ends on round numbers, or has the ends of its settings.
 * @param values NaN are skipped, as is what has no logarithm; none at all gives 0 … 1, or 1 … 10
 * @param includeZero bars stand on zero
 */
export function valueAxis(
  values: Iterable<number>,
  maxTicks: number,
  includeZero: boolean,
  settings: Pick<AxisSettings, 'range' | 'minimum' | 'maximum' | 'tickInterval'> = PLAIN_AXIS,
): ValueAxis {
  if (settings.range === 'LOGARITHMIC') return logAxis(values, maxTicks);
  const { minimum, maximum } = settings;
  const isFixed =
    settings.range === 'LINEAR_FIXED' && minimum !== undefined && maximum !== undefined && minimum < maximum;
  const ends = isFixed ? [minimum, maximum] : padded(extent(values, includeZero));
  const fitted = (scale('linear') as () => ContinuousScale)().domain(ends);
  const linear = isFixed ? fitted : fitted.nice(maxTicks);
  const [from, to] = linear.domain();
  const given = multiples(from, to, settings.tickInterval);
  const ticks = given ?? linear.ticks(maxTicks);
  const largest = Math.max(Math.abs(from), Math.abs(to));
  const plain = largest < PLAIN_MAX && to - from > PLAIN_MIN;
  const step = Math.abs((ticks[1] ?? to) - (ticks[0] ?? from));
  const label = !plain ? scientificBy(step, largest) : given ? plainNumber : linear.tickFormat(maxTicks);
  return { domain: [from, to], ticks: ticks.map((v) => ({ v, label: label(v) })) };
}

/** undefined where there is no interval, or one that suits a far smaller range. */
function multiples(from: number, to: number, interval: number | undefined): number[] | undefined {
  if (interval === undefined || interval <= 0 || (to - from) / interval > MAX_TICKS) return undefined;
  const first = Math.ceil(from / interval - FLAT);
  const count = Math.floor(to / interval + FLAT) - first + 1;
  return Array.from({ length: Math.max(count, 0) }, (_, n) => (first + n) * interval);
}

/** Whole powers of ten at both ends; a label each, and between them where few are shown. */
function logAxis(values: Iterable<number>, maxTicks: number): ValueAxis {
  const positive: number[] = [];
  for (const value of values) if (value > 0) positive.push(value);
  const [low, high] = positive.length > 0 ? extent(positive, false) : [1, 10];
  const ends = low < high ? [low, high] : [low / 2, high * 2];
  const log = (scale('log') as () => ContinuousScale)().domain(ends).nice();
  const domain = log.domain();
  const decades = Math.round(Math.log10(domain[1] / domain[0]));
  const exponent = Math.round(Math.log10(domain[0]));
  const step = Math.max(1, Math.ceil(decades / maxTicks));
  const within = decades * 3 <= maxTicks ? [1, 2, 5] : [1];
  const ticks = Array.from({ length: Math.floor(decades / step) + 1 }, (_, n) => exponent + n * step)
    .flatMap((power) => within.map((factor) => Number(`${factor}e${power}`)))
    .filter((v) => v <= domain[1] * (1 + FLAT));
  const isPlain = domain[0] >= PLAIN_MIN && domain[1] <= PLAIN_MAX;
  return { type: 'log', domain, ticks: ticks.map((v) => ({ v, label: isPlain ? plainNumber(v) : scientific(v) })) };
}

/** Each state has a position, the first at the bottom. */
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
  return low <= high ? [Math.max(low, -LARGEST_DRAWN), Math.min(high, LARGEST_DRAWN)] : [0, 1];
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

/** Writes the minus sign that the labels of other axes have. */
const plainNumber = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: 12 }).replace('-', '\u2212');

/** Binary fractions have no meaning beyond this many digits. */
const SURE_DIGITS = 9;
const MOST_DIGITS = 17;

/** `1.5e+12`, without the noise of binary fractions, and with so many digits that neighbours differ. */
function scientificBy(step: number, largest: number): (value: number) => string {
  const needed = Math.floor(Math.log10(largest)) - Math.floor(Math.log10(step)) + 2;
  const digits = step > 0 && largest > 0 ? Math.min(Math.max(needed, SURE_DIGITS), MOST_DIGITS) : SURE_DIGITS;
  return (value) => Number(value.toPrecision(digits)).toExponential();
}
const scientific = scientificBy(0, 0);
