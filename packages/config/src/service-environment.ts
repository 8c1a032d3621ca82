import { withBackendLogins } from './backend-login.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const STORED: readonly string[] = ['nodes', 'historic', 'alarms', 'events', 'devices', 'processing'];

/** Settings that hold a login or another secret, and whose they are: those of the chart (deploy/chart/catchment/templates/_architecture.tpl). */
const LOGINS: readonly { readonly settings: RegExp; readonly services: readonly string[] }[] = [
  { settings: /^(DATABASE|NATS)_(URL|USER|PASSWORD)$/, services: STORED },
  { settings: /^INFLUX_SHARDS$|^INFLUX(_[A-Z0-9]+)?_(URL|USER|PASSWORD)$/, services: ['historic'] },
  { settings: /^SMTP_(URL|USER|PASSWORD)$|^SMS_(URL|USER|PASSWORD|HEADERS|BODY)$/, services: ['nodes'] },
  { settings: /^KAFKA_(USERNAME|PASSWORD)$/, services: ['events'] },
  { settings: /^SMS_INCOMING_/, services: ['gateway'] },
  { settings: /^SERVICE_TOKEN_SECRET$/, services: [...STORED, 'gateway', 'render'] },
  // The start alone uses these.
  { settings: /^POSTGRES_URL$|^MODEM_SECRET$/, services: [] },
];

/** `ALARMS__GRPC_PORT` is a setting for one service of a process. */
const OF_ONE_SERVICE = /^([A-Z]+)__(.+)$/;

/** Returns the name of a setting that holds for one service alone, and wins over the setting for all. */
export const settingOf = (service: string, setting: string): string => `${service.toUpperCase()}__${setting}`;

/**
 * Returns an environment without the logins of others.
 * @param services absent: without any
 */
export function ownLogins(env: Environment, ...services: readonly string[]): Record<string, string | undefined> {
  const isOwn = (name: string): boolean => {
    const [, owner, setting = name] = OF_ONE_SERVICE.exec(name) ?? [];
    const readers = owner === undefined ? services : services.filter((service) => service.toUpperCase() === owner);
    return LOGINS.every(
      (login) => !login.settings.test(setting) || readers.some((reader) => login.services.includes(reader)),
    );
  };
  return Object.fromEntries(Object.entries(env).filter(([name]) => isOwn(name)));
}

/**
 * Returns the settings of one service of a process: those for all, those for it alone in their place, and the logins that it uses, put into
 * the addresses of their servers.
 */
export function serviceEnvironment(env: Environment, service: string): Environment {
  const shared: Record<string, string | undefined> = {};
  const settings: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(env)) {
    const [, owner, setting] = OF_ONE_SERVICE.exec(name) ?? [];
    if (setting === undefined) shared[name] = value;
    else if (owner === service.toUpperCase()) settings[setting] = value;
  }
  return Object.freeze(withBackendLogins(ownLogins({ ...shared, ...settings }, service)));
}
