import type { ClassNames } from '../../body/domain/class-names.ts';
import type { StoreDeps } from '../../changes/index.ts';

export type NodeDeps = StoreDeps & { readonly names: ClassNames };
