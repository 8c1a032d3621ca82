const DAY = 86_400_000;

/** docs/reference/charts.md#automatic-aggregation */
const INTERVALS: readonly (readonly [string, number])[] = [
  ...([1, 2, 5, 10, 15, 30] as const).map((n) => [`${n}S`, n * 1_000] as const),
  ...([1, 2, 5, 10, 15, 30] as const).map((n) => [`${n}M`, n * 60_000] as const),
  ...([1, 2, 3, 6, 12] as const).map((n) => [`${n}H`, n * 3_600_000] as const),
  ['1D', DAY],
  ['2D', 2 * DAY],
  ['1W', 7 * DAY],
  ['1MO', 30.44 * DAY],
  ['3MO', 91.3 * DAY],
  ['1Y', 365.25 * DAY],
];

const baseOf = (interval: string, ms: number): string =>
  ms < 7 * DAY ? 'D' : interval === '1W' ? 'W' : interval === '1MO' ? 'MO' : 'Y';

/** Returns the smallest interval of which at most `most` fit into a span, and where it begins. */
export function intervalFor(spanMs: number, most: number): { readonly interval: string; readonly baseTime: string } {
  const [interval, ms] = INTERVALS.find(([, length]) => spanMs / length <= most) ?? INTERVALS.at(-1)!;
  return { interval, baseTime: baseOf(interval, ms) };
}
