import type { Ended } from '../tools/run.ts';

/** Something that is tried. */
export type Step = { readonly what: string; readonly run: () => Promise<Ended> };
export type Place = {
  readonly url: string;
  readonly key: string;
  readonly readerKey: string;
  /** Of another account. */
  readonly otherKey: string;
  /** Of properties that are tried against the server. */
  readonly examples: string;
};
