import type { NodeDeps } from '../../nodes/index.ts';
import type { PeopleDeps } from '../../people/index.ts';

export type AccountsDeps = NodeDeps & PeopleDeps;
