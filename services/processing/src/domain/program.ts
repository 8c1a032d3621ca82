/** Words of docs/reference/processing-and-ratings.md#process-nodes. */
export type RunMode = 'ALL_INPUTS' | 'ANY_INPUT' | 'SCHEDULE';
export type SecondaryInputs = 'INTERPOLATED' | 'RETAIN';
export type AggregateInputs = 'PARTIAL' | 'COMPLETE';
export type ProgramKind = 'parameter' | 'processor';
/** A rating is a function of ours with one input: no text of a person. */
export type ComputedKind = ProgramKind | 'rating';
/** Types of values; a Location has coordinates. */
export type Family = 'NUMBER' | 'TEXT' | 'TIME' | 'BOOLEAN' | 'COORDINATES';

/** A program's text comes with the shared code of its Workspace, which runs before it. */
export type ProgramText = { readonly kind: ProgramKind; readonly code: string; readonly sharedCode: string };

/** A periodic aggregate of an input reads `Param;TOTAL;D+9H;1D` or `Param;PERCENTILE(90);D;1D`. */
export type InputAggregate = {
  readonly name: string;
  /** Parentheses behind the name have this text. */
  readonly percentile?: string;
  readonly baseTime: string;
  readonly interval: string;
};

/** A program names nodes like this: NODE, NODES, NUMBER, TEXT, TIME, BOOLEAN with a path that is a literal. */
export type Reference = {
  /** The call asserts the node's type. */
  readonly call: 'NODE' | 'NODES' | 'NUMBER' | 'TEXT' | 'TIME' | 'BOOLEAN';
  /** The text is written like this, with its suffix: the key of the reference at run time. */
  readonly text: string;
  readonly path: string;
  readonly aggregate?: InputAggregate;
  /** The lines of the person's code count from 1. */
  readonly line: number;
};

/** The text of a program says this without running it. */
export type Analysis = {
  /** References come in the order of the text; the same call and text come only once. */
  readonly references: readonly Reference[];
  /** AUTH(slug, key). */
  readonly grants: readonly { readonly slug: string; readonly key: string; readonly line: number }[];
  /** Line where the coordinates of LOCATION are read first: then it is an input. */
  readonly locationLine?: number;
};

/** A message for people, with the line in the person's own code where it is known. */
export type ProgramError = { readonly message: string; readonly line?: number };

/** Returns whether a run was ended by its limits of time or memory, as the runner says it. */
export const isLimit = ({ message }: ProgramError): boolean => /^(took longer than |out of memory)/.test(message);

/** `<message> (line <n>)`, docs/reference/processing-and-ratings.md#program-runs. */
export const errorText = ({ message, line }: ProgramError): string =>
  line === undefined ? message : `${message} (line ${line})`;

/** Programs see a value like this: transformed; Time as Unix ms; coordinates as [latitude, longitude]. */
export type Value = number | string | boolean | readonly [number, number];
