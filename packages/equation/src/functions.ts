type Definition = {
  readonly least: number;
  readonly most: number;
  readonly apply: (...values: number[]) => number;
};

const of = (count: number, apply: Definition['apply'], most = count): Definition => ({ least: count, most, apply });

/** docs/reference/parameters.md#transform-equation: ln is the natural logarithm, angles are in radians. */
export const FUNCTIONS = {
  abs: of(1, Math.abs),
  sqrt: of(1, Math.sqrt),
  exp: of(1, Math.exp),
  ln: of(1, Math.log),
  log10: of(1, Math.log10),
  sin: of(1, Math.sin),
  cos: of(1, Math.cos),
  tan: of(1, Math.tan),
  min: of(2, Math.min, Number.POSITIVE_INFINITY),
  max: of(2, Math.max, Number.POSITIVE_INFINITY),
  pow: of(2, Math.pow),
} as const satisfies Readonly<Record<string, Definition>>;
export type FunctionName = keyof typeof FUNCTIONS;
