/** Lines count from 1. */
export type CodeProblem = { readonly line: number; readonly message: string };

/** A note stands beside a line; lines count from 1. */
export type CodeMark = { readonly line: number; readonly text: string; readonly look: 'value' | 'console' | 'error' };

/** Something is to be completed here. */
export type CodePlace =
  /** A name, as far as it is typed. */
  | { readonly kind: 'name'; readonly typed: string }
  /** The place is after a dot; `of` stands before it. */
  | { readonly kind: 'member'; readonly of: string; readonly typed: string }
  /** The place is within an expression of a text, after `|`. */
  | { readonly kind: 'filter'; readonly typed: string }
  /** The place is in the first argument of a call, a text. */
  | { readonly kind: 'argument'; readonly call: string; readonly typed: string };

export type CodeOption = {
  readonly label: string;
  /** The detail stands beside it in small. */
  readonly detail?: string;
  /** A sentence describes the chosen one. */
  readonly info?: string;
  /** This text is written; absent for the label. */
  readonly text?: string;
};
