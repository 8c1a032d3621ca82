import type { TemplateDeps } from '../../templates/usecases/deps.ts';
import type { ListDeps } from '../../views/usecases/deps.ts';

export type TreeDeps = ListDeps & TemplateDeps;
