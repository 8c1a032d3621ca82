const view = new DataView(new ArrayBuffer(8));

/**
 * Returns round(magnitude × 10^places) of the exact binary value, half to even. `magnitude` ≥ 0 and finite; `places` may be
 * negative.
 */
export function toDecimalPlaces(magnitude: number, places: number): bigint {
  view.setFloat64(0, magnitude);
  const bits = view.getBigUint64(0);
  const biased = Number(bits >> 52n) & 0x7ff;
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  const significand = biased === 0 ? fraction : fraction | (1n << 52n);
  const exponent = (biased === 0 ? 1 : biased) - 1075;
  let numerator = significand;
  let denominator = 1n;
  if (exponent >= 0) numerator <<= BigInt(exponent);
  else denominator <<= BigInt(-exponent);
  if (places >= 0) numerator *= 10n ** BigInt(places);
  else denominator *= 10n ** BigInt(-places);
  const quotient = numerator / denominator;
  const twice = 2n * (numerator % denominator);
  const isUp = twice > denominator || (twice === denominator && (quotient & 1n) === 1n);
  return isUp ? quotient + 1n : quotient;
}

/** `12345n` with 2 places is `123.45`. */
export function decimalText(scaled: bigint, places: number): string {
  const digits = scaled.toString().padStart(places + 1, '0');
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

const POWERS = Array.from({ length: 16 }, (_, n) => 10 ** n);

/**
 * `value` rounded to `places` decimals, half to even on the exact value; -0 becomes 0. A number that is not finite
 * stays as it is.
 */
export function roundHalfEven(value: number, places: number): number {
  if (Number.isInteger(value)) return value + 0;
  if (!Number.isFinite(value)) return value;
  const power = POWERS[places];
  const magnitude = Math.abs(value);
  if (power !== undefined && magnitude < 1e6) {
    const scaled = magnitude * power;
    if (scaled < 2 ** 50) {
      const nearest = Math.round(scaled);
      // The product is off by less than this; only near a tie does that matter.
      const toTie = Math.abs(Math.abs(scaled - Math.floor(scaled)) - 0.5);
      if (toTie > scaled * 2 ** -51 + 2 ** -60) return signed(nearest / power, value);
    }
  }
  if (places > 400) return value;
  return signed(Number(decimalText(toDecimalPlaces(magnitude, places), places)), value);
}

const signed = (magnitude: number, like: number): number => (like < 0 && magnitude !== 0 ? -magnitude : magnitude);
