import type { Queryable } from '@catchment/pg';
import type { Cause, StoreDeps } from '../../changes/index.ts';
import type { ClassNames } from '../../domain/body/class-names.ts';

export type NodeDeps = StoreDeps & { readonly names: ClassNames };

/** A change of nodes of one account has a transaction, says who makes it and when, and what messages about it need. */
export type NodeChange = { readonly tx: Queryable; readonly deps: Pick<NodeDeps, 'names'>; readonly cause: Cause };
