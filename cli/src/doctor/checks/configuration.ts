import { type Finding, ok, problem, unknown } from '@catchment/bus';
import type { Environment, Installation } from '../installation.ts';
import type { Check } from '../run-checks.ts';
import type { ServiceRules, serviceRules } from '../service-rules.ts';

/** All services must have these alike, where they have them. */
const ALIKE = [
  'SERVICE_TOKEN_SECRET',
  'INGEST_PARTITIONS',
  'STREAM_REPLICAS',
  'CLASS_NAMESPACE',
  'NATS_URL',
  'DATABASE_URL',
];

/** Checks the settings of each service by its own rules; and whether they fit together. */
export const configuration = ({ settings }: Installation, rules: ReturnType<typeof serviceRules>): Check => ({
  about: 'configuration',
  advice: 'Run "catchment doctor" from the image or the folder of the version that is installed.',
  look: async ({ signal }) => {
    if (settings.size === 0)
      return [
        unknown(
          'configuration',
          'the settings of the services are not known here',
          'Run it in a container of a service, or give --settings with a folder for each service.',
        ),
      ];
    return [...ownRules(await rules(signal)), ...unlike(settings)];
  },
});

const ownRules = (rules: readonly ServiceRules[]): Finding[] =>
  rules.flatMap(({ service, problems }) => {
    const about = `configuration of ${service}`;
    if (problems.length === 0) return [ok(about, 'every setting is readable')];
    const advice = `services/${service}/README.md lists its settings: ${service} does not start before this is right.`;
    return problems.map((text) => problem(about, text, advice));
  });

/** Values are compared, and never shown: some are secrets. */
export function unlike(settings: ReadonlyMap<string, Environment>): Finding[] {
  return ALIKE.flatMap((name) => {
    const having = [...settings].filter(([, values]) => values[name]);
    const values = new Set(having.map(([, settings]) => settings[name]));
    if (values.size < 2) return [];
    const names = having.map(([service]) => service).join(', ');
    return [problem('configuration', `${name} is not the same for ${names}`, `Give all of them the same ${name}.`)];
  });
}
