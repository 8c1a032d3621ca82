/** States of a program, in the words of docs/reference/processing-and-ratings.md#how-a-series-is-computed. */
export type ComputationState =
  | 'NONE'
  | 'CHECKING'
  | 'REFUSED'
  | 'DISABLED'
  | 'SUSPENDED'
  | 'COMPUTING'
  | 'FAILING'
  | 'RUNNING';

/** A program's state depends on this. */
export type Standing = {
  /** The digest of the program that is wanted; `checkedDigest` is that of the one that was validated last. */
  readonly digest: string;
  readonly checkedDigest?: string;
  readonly isValid: boolean;
  /** Neither the node nor its account is disabled. */
  readonly isEnabled: boolean;
  readonly isSuspended: boolean;
  readonly isComputedAnew: boolean;
  readonly failure: string;
};

/** @param wanted digest of the program that the node has; undefined: it has none */
export function stateOf(program: Standing | undefined, wanted: string | undefined): ComputationState {
  if (wanted === undefined) return 'NONE';
  // A text that was saved a moment ago is on its way.
  if (program?.digest !== wanted || program.checkedDigest !== wanted) return 'CHECKING';
  if (!program.isValid) return 'REFUSED';
  if (!program.isEnabled) return 'DISABLED';
  if (program.isSuspended) return 'SUSPENDED';
  if (program.isComputedAnew) return 'COMPUTING';
  return program.failure === '' ? 'RUNNING' : 'FAILING';
}
