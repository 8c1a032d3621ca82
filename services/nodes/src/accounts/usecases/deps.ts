import type { NodeDeps } from '../../nodes/usecases/deps.ts';
import type { PeopleDeps } from '../../people/usecases/deps.ts';

export type AccountsDeps = NodeDeps & PeopleDeps;
