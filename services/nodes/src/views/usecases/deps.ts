import type { Columns } from '@catchment/query';
import type { NodeDeps } from '../../nodes/index.ts';
import type { FileLinking } from './file-url.ts';

export type ViewDeps = NodeDeps & {
  /** Links to files. */
  readonly files: FileLinking;
};

export type ListDeps = ViewDeps & { readonly columns: Columns };
