import type { BusOptions } from '@catchment/bus';
import { type EnvReader, envReader } from '@catchment/config';
import type { Database } from '@catchment/pg';
import { type CommonSettings, commonSettings } from './common-settings.ts';
import type { StartScope } from './start.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a service uses of what every service is made of. */
export type Uses = {
  /** Names of the services that it calls: `NODES_ADDRESS` says where one listens that is not in the same process. */
  readonly peers: readonly string[];
  /** Services without which it does less. */
  readonly optionalPeers?: readonly string[];
  /** false: it answers no calls of other services. */
  readonly server?: boolean;
  /** Where its health server listens without `HEALTH_PORT`; absent: that must be set. */
  readonly healthPort?: number;
  readonly bus?: {
    /** Settings of the bus that other services have not. */
    readonly options?: (read: EnvReader) => Partial<BusOptions>;
  };
  readonly database?: {
    /** Folder of the SQL files. */
    readonly migrations: string;
    readonly connections: (read: EnvReader) => number;
    /** Whether messages leave by an outbox. */
    readonly outbox?: boolean;
    /** Runs once the schema is up to date, before the service takes part in anything. */
    readonly prepare?: (scope: StartScope & { readonly database: Database }) => Promise<void>;
  };
};

/** What a service is called, what it uses, and all its settings. */
export type ServiceConfig<U extends Uses, Settings> = {
  readonly name: string;
  readonly uses: U;
  /**
   * All settings of the service.
   * @param hosted names of the services of the same process, whose addresses need not be known
   * @throws ConfigError with every bad variable
   */
  read(env: Environment, hosted?: ReadonlySet<string>): Readonly<CommonSettings<U> & Settings>;
};

/** @param definition.settings its own, besides those of what it uses; problems are the reader's to collect */
export function serviceConfig<const U extends Uses, Settings extends object>(definition: {
  readonly name: string;
  readonly uses: U;
  readonly settings: (read: EnvReader, env: Environment) => Settings;
}): ServiceConfig<U, Settings> {
  const { name, uses, settings } = definition;
  const none: ReadonlySet<string> = new Set();
  return {
    name,
    uses,
    read: (env, hosted = none) => {
      const read = envReader(env);
      const common = commonSettings(read, name, uses, (peer) => hosted.has(peer));
      const config = { ...common, ...settings(read, env) };
      read.done();
      return Object.freeze(config) as unknown as CommonSettings<U> & Settings;
    },
  };
}
