import { askForVersions, type Finding, ok, type ProcessVersion, problem, unknown, warning } from '@catchment/bus';
import { REMOTE_LIMITS, textWithin } from '@catchment/egress';
import type { Installation } from '../installation.ts';
import { type Check, reasonOf } from '../run-checks.ts';

const ABOUT = 'versions';

/**
 * Reports which version each process runs, and what the stores refuse to it: those at the broker are asked there, those
 * of a local installation by their metrics.
 */
export const versions = ({ environment, services }: Installation): Check => ({
  about: ABOUT,
  advice: 'Check NATS_URL, and that NATS runs and is reachable from here.',
  look: async ({ signal }) => {
    const { NATS_URL: url, NATS_PREFIX: prefix = '' } = environment;
    const scraping = services.map(({ metricsUrl }) =>
      metricsUrl === undefined ? [] : scrapedVersion(metricsUrl, signal),
    );
    const scraped = await Promise.all(scraping);
    let reported: readonly ProcessVersion[] = [];
    try {
      if (url) reported = await askForVersions({ url, prefix });
    } catch (error) {
      return [unknown(ABOUT, `the broker does not answer: ${reasonOf(error)}`, 'Repair nats first.')];
    }
    const known = services.map(({ name }) => name);
    const byProcess = new Map(
      [...reported, ...scraped.flat()].map((version) => [`${version.service} ${version.process}`, version]),
    );
    return [...versionFindings([...byProcess.values()], known), ...refusalFindings(reported)];
  },
});

const OF_REASON = { full: 'has no room', silent: 'does not answer', other: 'refuses' } as const;
const STORES = { nats: 'stream', postgresql: '', influxdb: 'shard' } as const;
const ABOUT_WRITES = 'writes';

/**
 * Lists what stores have refused to processes in the last ten minutes: each store and part once, whoever reports it.
 */
export function refusalFindings(processes: readonly ProcessVersion[]): Finding[] {
  const reported = processes.flatMap(({ service, refused = [] }) =>
    refused.map((refusal) => ({ service, ...refusal })),
  );
  if (reported.length === 0)
    return processes.length === 0 ? [] : [ok(ABOUT_WRITES, 'no store has refused any within ten minutes')];
  const causes = Map.groupBy(reported, ({ store, part, reason }) => `${store} ${part} ${reason}`);
  return [...causes.values()].map((those) => {
    const [{ store, part, reason, says }] = those as [(typeof reported)[number]];
    const services = [...new Set(those.map(({ service }) => service))].sort().join(', ');
    const where = part && STORES[store] ? `${store}, ${STORES[store]} ${part},` : store;
    return problem(
      ABOUT_WRITES,
      `${where} ${OF_REASON[reason]} (${says}), reported by ${services}`,
      'Make room, or repair it: docs/operations/runbook/CatchmentWritesRefused.md. It goes on by itself afterwards; this is reported for ten minutes.',
    );
  });
}

/** Returns none for a process that does not answer. */
async function scrapedVersion(metricsUrl: string, signal: AbortSignal): Promise<ProcessVersion[]> {
  // The check of a process that is away reports it.
  const response = await fetch(metricsUrl, { signal }).catch(() => undefined);
  return response?.ok ? versionOnPage(await textWithin(response.body, REMOTE_LIMITS.statistics)) : [];
}

/** @param page metrics as Prometheus has them */
export function versionOnPage(page: string): ProcessVersion[] {
  const [, labels = ''] = /^target_info\{(.*)\} 1$/m.exec(page) ?? [];
  const label = (name: string) => new RegExp(`(?:^|,)${name}="([^"]*)"`).exec(labels)?.[1];
  const [service, version, process] = ['service_name', 'service_version', 'service_instance_id'].map(label);
  return service && version && process ? [{ service, version, process }] : [];
}

/** @param services those of the installation */
export function versionFindings(processes: readonly ProcessVersion[], services: readonly string[]): Finding[] {
  const silent = services.filter((name) => !processes.some(({ service }) => service === name));
  const rest = silent.length === 0 ? '' : `; not reported by ${silent.join(', ')}`;
  const versions = Map.groupBy(processes, ({ version }) => version);
  const [first] = versions.keys();
  if (first === undefined)
    return [
      unknown(
        ABOUT,
        'no process reports which version it runs',
        'Look at their images, or at target_info of their metrics.',
      ),
    ];
  if (versions.size === 1) return [ok(ABOUT, `every process that reports runs ${first} (${processes.length})${rest}`)];
  const shares = [...versions].map(([version, those]) => `${version} (${namesOf(those)})`).sort();
  const says = `${versions.size} versions run: ${shares.join(', ')}${rest}`;
  if (versions.size === 2)
    return [
      warning(
        ABOUT,
        says,
        'While an upgrade runs, or after a roll back, this is right. Otherwise look for pods that were not replaced: kubectl rollout status.',
      ),
    ];
  return [
    warning(
      ABOUT,
      says,
      'A release works beside the one before, and with no other: bring all of them to one version (docs/operations/upgrade.md#versions-beside-each-other).',
    ),
  ];
}

const namesOf = (processes: readonly ProcessVersion[]): string =>
  [...Map.groupBy(processes, ({ service }) => service)]
    .map(([service, those]) => (those.length === 1 ? service : `${those.length} × ${service}`))
    .sort()
    .join(', ');
