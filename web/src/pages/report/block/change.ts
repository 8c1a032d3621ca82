import type { Block } from '../../../data/pages/reports.ts';

/** Changes attributes of a block; one that is undefined is taken away. Changes about the same are one step back. */
export type Change = (changes: { readonly [K in keyof Block]?: Block[K] | undefined }, about: string) => void;
