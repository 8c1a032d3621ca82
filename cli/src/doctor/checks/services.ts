import { type Finding, ok, problem, unknown } from '@catchment/bus';
import { REMOTE_LIMITS, textWithin } from '@catchment/egress';
import { createGrpcClient } from '@catchment/grpc';
import type { Installation } from '../installation.ts';
import type { Check } from '../run-checks.ts';

type Readiness = { readonly ready: boolean; readonly checks: Readonly<Record<string, string>> };

/** Asks every service whether it is ready, or at least answers where the others call it. */
export function services({ services: known }: Installation): Check[] {
  if (known.length === 0) {
    const advice = 'Give NODES_ADDRESS, HISTORIC_ADDRESS … as the services have them.';
    return [
      {
        about: 'services',
        advice,
        look: async () => [unknown('services', 'their addresses are not set here', advice)],
      },
    ];
  }
  return known.map(({ name, readyUrl, address }) => ({
    about: name,
    advice: `Look whether ${name} runs, at its log, and at the network between here and ${readyUrl ? new URL(readyUrl).host : address}.`,
    look: async ({ ms, signal }) =>
      readyUrl === undefined ? answers(name, address as string, ms) : ready(name, readyUrl, signal),
  }));
}

async function ready(name: string, url: string, signal: AbortSignal): Promise<Finding[]> {
  const response = await fetch(url, { signal });
  const text = await textWithin(response.body, REMOTE_LIMITS.reply);
  if (response.ok) return [ok(name, 'is ready')];
  return [readinessFinding(name, text)];
}

/** @param text what it answered beside 503 */
export function readinessFinding(name: string, text: string): Finding {
  const { checks = {} } = (text.startsWith('{') ? JSON.parse(text) : {}) as Partial<Readiness>;
  const { service, ...dependencies } = checks;
  const away = Object.entries(dependencies).filter(([, state]) => state !== 'ok');
  if (away.length > 0) {
    const names = away.map(([dependency]) => dependency).join(', ');
    return problem(
      name,
      `is not ready: it does not reach ${names}`,
      `Repair ${names} first; the services come back by themselves.`,
    );
  }
  return problem(
    name,
    `is not ready${service ? ` (${service})` : ''}`,
    `Wait a minute; then look at the log of ${name}.`,
  );
}

async function answers(name: string, address: string, ms: number): Promise<Finding[]> {
  const client = createGrpcClient({}, address);
  try {
    await client.waitForReady(ms);
    return [ok(name, `answers at ${address}`)];
  } catch {
    throw new Error(`does not answer at ${address}`);
  } finally {
    client.close();
  }
}
