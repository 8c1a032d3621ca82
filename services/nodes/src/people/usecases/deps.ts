import type { StoreDeps } from '../../changes/index.ts';
import type { PersonLinks } from '../domain/person-link.ts';

export type PeopleDeps = StoreDeps & {
  readonly links: PersonLinks;
  /** Waits; given by tests. */
  readonly pause?: (ms: number) => Promise<unknown>;
};

export type SignInDeps = PeopleDeps & {
  /** E-mails of the people who operate the installation (docs/reference/operator.md); absent: nobody. */
  readonly operators?: ReadonlySet<string>;
  /** Longest time without use of a session. */
  readonly sessionIdleMs: number;
  /** Longest life of a session, used or not. */
  readonly sessionMaxMs: number;
};
