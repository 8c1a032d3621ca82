import type { TemplateDeps } from '../../templates/index.ts';
import type { ListDeps } from '../../views/index.ts';

export type TreeDeps = ListDeps & TemplateDeps;
