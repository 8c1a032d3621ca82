import { type EnvReader, envReader } from '@catchment/config';
import { type CommonSettings, commonSettings } from './common-settings.ts';
import type { Uses } from './uses.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Names a service, what it uses, and all its settings. */
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
