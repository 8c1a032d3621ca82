import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ownLogins } from '@catchment/config';
import { parseAllDocuments } from 'yaml';
import { ROOT } from './paths.ts';
import { SERVICES } from './service-table.ts';

type Container = {
  readonly env?: readonly { readonly name: string; readonly valueFrom?: { secretKeyRef?: unknown } }[];
};
type Resource = {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: { readonly template: { readonly spec: { readonly containers: readonly Container[] } } };
} | null;

/** Returns what the chart gives each service from Secrets, with everything switched on. */
async function secretsOfChart(): Promise<Map<string, readonly string[]>> {
  const text = await readFile(path.join(ROOT, 'deploy/check/golden/everything.yaml'), 'utf8');
  const resources = parseAllDocuments(text).map((document) => document.toJS() as Resource);
  return new Map(
    resources.flatMap((resource) => {
      if (resource?.kind !== 'Deployment') return [];
      const env = resource.spec.template.spec.containers.flatMap((container) => container.env ?? []);
      const secrets = env.filter(({ valueFrom }) => valueFrom?.secretKeyRef).map(({ name }) => name);
      return [[resource.metadata.name.replace(/^.*-/, ''), secrets] as const];
    }),
  );
}

test('a service gets the logins that the chart gives it, and no others', async () => {
  const chart = await secretsOfChart();
  expect([...chart.keys()].sort()).toEqual([...SERVICES].sort());
  const all = Object.fromEntries([...chart.values()].flat().map((name) => [name, 'secret']));
  for (const service of SERVICES)
    expect([service, Object.keys(ownLogins(all, service)).sort()]).toEqual([
      service,
      [...(chart.get(service) ?? [])].sort(),
    ]);
});

test.each(['DATABASE', 'NATS', 'INFLUX', 'INFLUX_NORTH', 'SMTP', 'SMS'])(
  'the address of %s goes with its login',
  (backend) => {
    const env = { [`${backend}_URL`]: 'x', [`${backend}_USER`]: 'x', [`${backend}_PASSWORD`]: 'x' };
    for (const service of SERVICES) expect([0, 3]).toContain(Object.keys(ownLogins(env, service)).length);
  },
);

test('the logins of the start itself go to nobody, other settings to everybody', () => {
  const env = {
    POSTGRES_URL: 'postgres://u:p@h/x',
    MODEM_SECRET: 'x',
    LOG_LEVEL: 'debug',
    SMTP_INTAKE_DOMAIN: 'x',
    SMS_FROM: 'x',
  };
  for (const services of [...SERVICES.map((service) => [service]), []])
    expect(ownLogins(env, ...services)).toEqual({ LOG_LEVEL: 'debug', SMTP_INTAKE_DOMAIN: 'x', SMS_FROM: 'x' });
});
