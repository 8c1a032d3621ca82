import type { NodeDeps } from '../../nodes/index.ts';

export type TemplateDeps = NodeDeps & {
  /** A template's change waits at most this long for its instances; default 5 s. */
  readonly answerWaitMs?: number;
};
