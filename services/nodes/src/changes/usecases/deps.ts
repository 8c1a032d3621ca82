import type { Database } from '@catchment/pg';
import type { Logger } from '@catchment/telemetry';
import type { ClassNames } from '../../domain/body/class-names.ts';

/** What changes of an account and most readings work with. */
export type StoreDeps = {
  readonly database: Database;
  /** For what fails without failing its request. */
  readonly log: Pick<Logger, 'warn'>;
  /** Unix ms. */
  readonly now: () => number;
};

/** What changes of entries of an account work with. */
export type EntryDeps = StoreDeps & { readonly names: ClassNames };
