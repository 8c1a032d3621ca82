import { type Finding, OVER, raised } from './finding.ts';

/** How a run of a rating ended; an empty `failure`: it succeeded. */
export type Run = { readonly kind: 'run'; readonly failure: string; readonly timeMs: number };

export const processFinding = ({ failure }: Run): Finding =>
  failure === '' ? OVER : raised(`Process failed: ${failure}`);
