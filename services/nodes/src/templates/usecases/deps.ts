import type { NodeDeps } from '../../nodes/index.ts';

export type TemplateDeps = NodeDeps & {
  /** Longest wait of a template's change for its instances; default 5 s. */
  readonly answerWaitMs?: number;
};
