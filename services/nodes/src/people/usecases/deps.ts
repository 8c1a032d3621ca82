import type { StoreDeps } from '../../changes/index.ts';
import type { PersonLinks } from '../domain/person-link.ts';

export type PeopleDeps = StoreDeps & {
  readonly links: PersonLinks;
  /** Waits; given by tests. */
  readonly pause?: (ms: number) => Promise<unknown>;
};

export type SignInDeps = PeopleDeps & {
  /** People with these e-mails operate the installation (docs/reference/operator.md); absent: nobody. */
  readonly operators?: ReadonlySet<string>;
  /** A session may be without use for at most this long. */
  readonly sessionIdleMs: number;
  /** A session lives at most this long, used or not. */
  readonly sessionMaxMs: number;
};
