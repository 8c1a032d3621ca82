const STORED: readonly string[] = ['nodes', 'historic', 'alarms', 'events', 'devices', 'processing'];

/** Settings that hold a login or another secret, and whose they are: those of the chart (deploy/chart/catchment/templates/_architecture.tpl). */
const LOGINS: readonly { readonly settings: RegExp; readonly services: readonly string[] }[] = [
  { settings: /^(DATABASE|NATS)_(URL|USER|PASSWORD)$/, services: STORED },
  { settings: /^INFLUX_SHARDS$|^INFLUX(_[A-Z0-9]+)?_(URL|USER|PASSWORD)$/, services: ['historic'] },
  { settings: /^SMTP_(URL|USER|PASSWORD)$|^SMS_(URL|USER|PASSWORD|HEADERS|BODY)$/, services: ['nodes'] },
  { settings: /^KAFKA_(USERNAME|PASSWORD)$/, services: ['events'] },
  { settings: /^SMS_INCOMING_/, services: ['gateway'] },
  { settings: /^SERVICE_TOKEN_SECRET$/, services: [...STORED, 'gateway', 'render'] },
  // Of the start itself.
  { settings: /^POSTGRES_URL$|^MODEM_SECRET$/, services: [] },
];

/** An environment without the logins of others. @param service absent: without any */
export function ownLogins(env: NodeJS.ProcessEnv, service?: string): NodeJS.ProcessEnv {
  const isOwn = (name: string) =>
    LOGINS.every(
      ({ settings, services }) => !settings.test(name) || (service !== undefined && services.includes(service)),
    );
  return Object.fromEntries(Object.entries(env).filter(([name]) => isOwn(name)));
}
