import type { Database } from '@catchment/pg';
import type { Logger } from '@catchment/telemetry';
import type { ClassNames } from '../../domain/body/class-names.ts';

/** Dependencies of changes of an account and of most reads. */
export type StoreDeps = {
  readonly database: Database;
  /** Logs what fails without failing its request. */
  readonly log: Pick<Logger, 'warn'>;
  /** Unix ms. */
  readonly now: () => number;
};

/** Changes of an account's entries need these. */
export type EntryDeps = StoreDeps & { readonly names: ClassNames };
