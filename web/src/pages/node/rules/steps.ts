/** Returns the 1, 2 or 5 of a power of ten that is nearest above: 0.03 leads to 0.05. */
export function niceStep(least: number): number {
  if (!(least > 0) || !Number.isFinite(least)) return 1;
  const power = 10 ** Math.floor(Math.log10(least));
  const times = [1, 2, 5, 10].find((step) => step * power >= least * (1 - 1e-9)) ?? 10;
  return rounded(times * power, power);
}

/** Returns the multiple of a step that is nearest, without the dust of binary numbers. */
export const rounded = (value: number, step: number): number => {
  const digits = Math.min(Math.max(-Math.floor(Math.log10(step) + 1e-9), 0), 20);
  return Number((Math.round(value / step) * step).toFixed(digits));
};
