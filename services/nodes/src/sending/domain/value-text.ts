import { formatNumber, parseNumberPattern } from '@catchment/number-format';
import { formatTime } from '@catchment/time';
import type { RawValue } from '../../values/index.ts';
import type { Reader } from './reader.ts';

/** How a parameter shows its values. */
export type ValueFormat = { readonly multiplier: number; readonly offset: number; readonly format: string };

/** A stored value as people read it, without its units: numbers by the parameter's pattern, times by its tokens. */
export function valueText(value: RawValue, { multiplier, offset, format }: ValueFormat, reader: Reader): string {
  if (typeof value === 'number') {
    const number = value * multiplier + offset;
    const pattern = parseNumberPattern(format);
    return pattern ? formatNumber(number, pattern) : String(number);
  }
  if (typeof value === 'string') return value;
  if ('$millis' in value) return formatTime(value.$millis, format || reader.timeFormat, reader.zone);
  return value.join(', ');
}
