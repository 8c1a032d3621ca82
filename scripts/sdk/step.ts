import type { Ended } from '../tools/run.ts';

/** Something that is tried. */
export type Step = { readonly what: string; readonly run: () => Promise<Ended> };
export type Place = {
  readonly url: string;
  readonly key: string;
  readonly readerKey: string;
  /** API key of another account. */
  readonly otherKey: string;
  /** This many examples of each property are tried against the server. */
  readonly examples: string;
};
