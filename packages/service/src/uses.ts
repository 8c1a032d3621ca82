import type { BusOptions } from '@catchment/bus';
import type { EnvReader } from '@catchment/config';
import type { Database } from '@catchment/pg';
import type { StartScope } from './start.ts';

/** A service uses these parts of what every service is made of. */
export type Uses = {
  /** The service calls these: `NODES_ADDRESS` says where one listens that is not in the same process. */
  readonly peers: readonly string[];
  /** Services without which it does less. */
  readonly optionalPeers?: readonly string[];
  /** false: it answers no calls of other services. */
  readonly server?: boolean;
  /** The health server listens here without `HEALTH_PORT`; absent: that must be set. */
  readonly healthPort?: number;
  readonly bus?: {
    /** Other services do not have these settings of the bus. */
    readonly options?: (read: EnvReader) => Partial<BusOptions>;
  };
  readonly database?: {
    /** Folder of the SQL files. */
    readonly migrations: string;
    readonly connections: (read: EnvReader) => number;
    /** True if messages leave by an outbox. */
    readonly outbox?: boolean;
    /** Runs once the schema is up to date, before the service takes part in anything. */
    readonly prepare?: (scope: StartScope & { readonly database: Database }) => Promise<void>;
  };
};
