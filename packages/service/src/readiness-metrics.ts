import { atMostEvery, gauge } from '@catchment/telemetry';
import type { Readiness } from './readiness.ts';

const LOOK_EVERY_MS = 5_000;

const dependencyUp = gauge({
  name: 'catchment_dependency_up',
  help: 'Whether a dependency of this process answers its check: 1 or 0.',
  labels: ['dependency'],
});
const ready = gauge({ name: 'catchment_ready', help: 'Whether this process takes work: 1 or 0.' });

/** Publishes at each scrape what `/readyz` says. @returns ends it */
export function reportReadiness(readiness: Readiness): () => void {
  const report = atMostEvery(LOOK_EVERY_MS, () => readiness.report());
  const ends = [
    dependencyUp.from(async () => {
      const { service, ...dependencies } = (await report()).checks;
      return Object.entries(dependencies).map(
        ([dependency, outcome]) => [{ dependency }, outcome === 'ok' ? 1 : 0] as const,
      );
    }),
    ready.from(async () => ((await report()).ready ? 1 : 0)),
  ];
  return () => {
    for (const end of ends) end();
  };
}
