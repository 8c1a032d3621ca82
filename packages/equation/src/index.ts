export type { Linear } from './compile.ts';
export { type Between, directionOf, straight, turning } from './direction.ts';
export { lastIndexAtOrBelow, ratedByPolynomial, ratedByTable } from './rating.ts';
export {
  equationProblem,
  essenceOf,
  type Transform,
  type TransformAttributes,
  transformOf,
  UNTRANSFORMED,
} from './transform.ts';
