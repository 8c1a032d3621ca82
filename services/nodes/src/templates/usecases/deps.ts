import type { NodeDeps } from '../../nodes/index.ts';

export type TemplateDeps = NodeDeps & {
  /** How long the answer to a change of a template waits for its instances; default 5 s. */
  readonly answerWaitMs?: number;
};
