export { countOf } from './count-of.ts';
export { decimalsOf, formatNumber, type NumberPattern, parseNumberPattern, roundToPattern } from './number-pattern.ts';
