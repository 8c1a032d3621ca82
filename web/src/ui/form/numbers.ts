/** Reads a number as people write it, with a comma or a point; undefined: it is none. */
export function numberOf(text: string): number | undefined {
  const plain = text.trim().replace('−', '-');
  const point = /^[-+]?\d*,\d+$/.test(plain) ? plain.replace(',', '.') : plain;
  if (!/^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(point)) return undefined;
  const value = Number(point);
  return Number.isFinite(value) ? value : undefined;
}

const UNITS: readonly (readonly [RegExp, string])[] = [
  [/Seconds$/, 's'],
  [/Days$/, 'd'],
  [/Ms$/, 'ms'],
  [/Percent$|Opacity$/, '%'],
];

/** Returns the unit that the name of an attribute contains. */
export const unitOf = (name: string): string => UNITS.find(([ending]) => ending.test(name))?.[1] ?? '';

const PARTS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;

/** Writes 5400 s as "1 h 30 min"; empty where it would say the same. */
export function longTime(seconds: number): string {
  if (!Number.isInteger(seconds) || seconds < 60) return '';
  let left = seconds;
  const parts: string[] = [];
  for (const [size, unit] of PARTS) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(`${count}\u00a0${unit}`);
  }
  return parts.join(' ');
}
