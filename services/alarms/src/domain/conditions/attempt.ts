import { EVENT_MESSAGE_MAX } from '@catchment/query';
import { type Finding, OVER, raised } from './finding.ts';

/** A service tries to do one of these with a node. */
export const ATTEMPTS = ['session', 'configuration', 'control', 'run', 'files'] as const;
export type AttemptKind = (typeof ATTEMPTS)[number];

/** The outcome; an empty `failure` means that it succeeded, or that there is nothing to do any more. */
export type Attempted<K extends AttemptKind = AttemptKind> = {
  readonly kind: K;
  readonly failure: string;
  readonly timeMs: number;
};

/** @param what has failed, as the event says it: `Communications` */
export const attemptFinding =
  (what: string) =>
  ({ failure }: Attempted): Finding =>
    failure === '' ? OVER : raised(`${what} failed: ${failure}`.slice(0, EVENT_MESSAGE_MAX));
