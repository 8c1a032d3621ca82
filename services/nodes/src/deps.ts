import type { Database } from '@catchment/pg';
import type { Logger } from '@catchment/telemetry';
import type { ClassNames } from './classes/domain/node-class.ts';
import type { PersonLinks } from './people/domain/person-link.ts';
import type { FileLinking } from './views/domain/file-view.ts';

/** What the use cases work with. */
export type Deps = {
  readonly database: Database;
  readonly names: ClassNames;
  readonly links: PersonLinks;
  /** Links to files. */
  readonly files: FileLinking;
  /** For what fails without failing its request. */
  readonly log: Pick<Logger, 'warn'>;
  /** Unix ms. */
  readonly now: () => number;
  /** Waits; given by tests. */
  readonly pause?: (ms: number) => Promise<unknown>;
  /** How long the answer to a change of a template waits for its instances; default 5 s. */
  readonly answerWaitMs?: number;
};
