import type { StoreDeps } from '../../changes/index.ts';
import type { ClassNames } from '../../domain/body/class-names.ts';

export type NodeDeps = StoreDeps & { readonly names: ClassNames };
