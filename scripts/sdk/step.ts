import type { Ended } from '../tools/run.ts';

/** Something that is tried. */
export type Step = { readonly what: string; readonly run: () => Promise<Ended> };
export type Place = {
  readonly url: string;
  readonly key: string;
  readonly readerKey: string;
  /** API key of another account. */
  readonly otherKey: string;
  /** So many examples are tried for each property against the server. */
  readonly examples: string;
};
