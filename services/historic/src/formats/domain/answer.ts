import type { QueryOptions } from '../../columns/index.ts';
import type { ColumnTable } from './column-table.ts';
import type { ShownHead } from './jts-text.ts';

/** The series was measured at the Location above its node. */
export type Site = {
  readonly nodeId: string;
  readonly name: string;
  /** '' = none. */
  readonly customId: string;
  /** Degrees; absent = unknown. */
  readonly coordinates?: { readonly latitude: number; readonly longitude: number };
};

/** An answer in any form is made from this. */
export type Answer = {
  readonly table: ColumnTable;
  readonly head: ShownHead;
  readonly query: QueryOptions;
  /** Each column has a site; empty for forms that name none. */
  readonly sites: readonly Site[];
  readonly nowMs: number;
};

/** Texts and bytes of an answer are written when they are asked for. */
export type Pieces = Generator<string | Uint8Array>;
