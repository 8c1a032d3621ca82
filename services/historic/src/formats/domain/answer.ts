import type { QueryOptions } from '../../columns/index.ts';
import type { ColumnTable } from './column-table.ts';
import type { ShownHead } from './jts-text.ts';

/** The Location above the node of a series, where it was measured. */
export type Site = {
  readonly nodeId: string;
  readonly name: string;
  /** '' = none. */
  readonly customId: string;
  /** Degrees; absent = unknown. */
  readonly coordinates?: { readonly latitude: number; readonly longitude: number };
};

/** All that an answer is made from in any form. */
export type Answer = {
  readonly table: ColumnTable;
  readonly head: ShownHead;
  readonly query: QueryOptions;
  /** The site of each column; empty for forms that name none. */
  readonly sites: readonly Site[];
  readonly nowMs: number;
};

/** Texts and bytes of an answer; each is written when it is asked for. */
export type Pieces = Generator<string | Uint8Array>;
