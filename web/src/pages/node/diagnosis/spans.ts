const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;
type SpanUnit = 'day' | 'hour' | 'minute' | 'second';
type Forms = Readonly<Record<SpanUnit, (count: number) => string>>;

/** Writes a span in the largest unit of which there are two at least, in the words of a language. */
export function spanText(seconds: number, forms: Forms): string {
  const [unit, size] = UNITS.find(([, unit]) => seconds >= 2 * unit) ?? (['second', 1] as const);
  return forms[unit](Math.max(0, Math.round(seconds / size)));
}
