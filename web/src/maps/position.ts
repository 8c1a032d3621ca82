export type Position = { readonly latitude: number; readonly longitude: number };

/** "39.3114° N, 76.7164° W". */
export const positionText = ({ latitude, longitude }: Position): string =>
  `${degrees(latitude, 'N', 'S')}, ${degrees(longitude, 'E', 'W')}`;

const degrees = (value: number, positive: string, negative: string): string =>
  `${Math.abs(value).toFixed(4)}° ${value < 0 ? negative : positive}`;

/** Lines of latitude and longitude lie one of these steps apart, in degrees. */
const STEPS = [30, 15, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001];
const MOST_LINES = 8;

/** Returns lines of a graticule that lie between two edges: few, and at round degrees. */
export function lines(from: number, to: number): { readonly at: readonly number[]; readonly step: number } {
  const step = STEPS.findLast((size) => (to - from) / size <= MOST_LINES) ?? STEPS[0]!;
  const first = Math.ceil(from / step);
  const last = Math.floor(to / step);
  return { at: Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => (first + i) * step), step };
}

export const lineText = (degree: number, step: number, [positive, negative]: readonly [string, string]): string => {
  const digits = Math.max(0, Math.ceil(-Math.log10(step)));
  const text = Math.abs(degree).toFixed(digits);
  return Number(text) === 0 ? '0°' : `${text}° ${degree < 0 ? negative : positive}`;
};
