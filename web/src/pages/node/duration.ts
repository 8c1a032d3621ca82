const STEPS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** Writes "3 h 20 min": the two largest parts. */
export function durationText(ms: number, locale: string): string {
  const parts: string[] = [];
  let rest = ms;
  for (const [unit, length] of STEPS) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0 && parts.length < 2) parts.push(partText(count, unit, locale));
  }
  return parts.join(' ') || partText(0, 'second', locale);
}

const partText = (count: number, unit: string, locale: string): string =>
  count.toLocaleString(locale, { style: 'unit', unit, unitDisplay: 'short' });
