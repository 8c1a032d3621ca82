import type { Database } from '@catchment/pg';
import type { ClassNames } from '../domain/node-class.ts';

/** What the use cases work with. */
export type Deps = {
  readonly database: Database;
  readonly names: ClassNames;
  /** Unix ms. */
  readonly now: () => number;
};
