import { isStorable, MAX_RECORD_MS, MIN_RECORD_MS } from '../../../series/index.ts';
import { LineError } from './line-value.ts';

export const PRECISIONS = ['ns', 'us', 'ms', 's', 'm', 'h'] as const;
export type Precision = (typeof PRECISIONS)[number];

/** A time has Unix ms, rounded down, and the part below a millisecond in the units of the line. */
export type Instant = { readonly ms: number; readonly below: number };

/** This many digits of a time are below a millisecond. */
const BELOW: Readonly<Record<Precision, number>> = { ns: 6, us: 3, ms: 0, s: 0, m: 0, h: 0 };
const MS: Readonly<Record<Precision, number>> = { ns: 1, us: 1, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
/** The largest number of 64 bits has this many digits. */
const TIME = /^(-?)(\d{1,19})$/;

/** @throws LineError */
export function parseInstant(text: string, precision: Precision): Instant {
  const [, sign = '', digits = ''] = TIME.exec(text) ?? [];
  if (digits === '') throw new LineError('bad timestamp');
  const below = BELOW[precision];
  const whole = Number(digits.slice(0, digits.length - below) || '0') * MS[precision];
  const rest = below === 0 ? 0 : Number(digits.slice(-below));
  const isBefore = sign === '-' && rest > 0;
  const ms = sign === '-' ? (isBefore ? -whole - 1 : 0 - whole) : whole;
  if (!isStorable(ms)) throw new LineError(`time outside range ${MIN_RECORD_MS} - ${MAX_RECORD_MS} (milliseconds)`);
  return { ms, below: isBefore ? 10 ** below - rest : rest };
}
