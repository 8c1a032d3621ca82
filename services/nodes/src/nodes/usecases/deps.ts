import type { ClassNames } from '../../body/domain/class-names.ts';
import type { StoreDeps } from '../../changes/usecases/deps.ts';

export type NodeDeps = StoreDeps & { readonly names: ClassNames };
