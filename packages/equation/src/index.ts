export type { Linear } from './compile.ts';
export {
  equationProblem,
  essenceOf,
  type Transform,
  type TransformAttributes,
  transformOf,
  UNTRANSFORMED,
} from './transform.ts';
