export { formatNumber, type NumberPattern, parseNumberPattern, roundToPattern } from './number-pattern.ts';
