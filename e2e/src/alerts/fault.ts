import { setTimeout as delay } from 'node:timers/promises';
import type { PrometheusAlert } from '@catchment/testkit';
import type { Scene } from './scene.ts';

/** Something goes wrong for real, and must be reported. */
export type Fault = {
  readonly name: string;
  readonly what: string;
  /** These alerts fire while it lasts. */
  readonly alerts: readonly string[];
  /** These fire because of what is made up for once it is repaired. */
  readonly afterwards?: readonly string[];
  /** Its alerts fire without it, from the start. */
  readonly isThere?: boolean;
  /** @returns repairs it */
  cause(scene: Scene): Promise<() => unknown>;
};

/** Seconds pass from the fault until the alert fired, and from the repair until it was gone; undefined: it was not seen. */
export type Outcome = { readonly alert: string; readonly fired?: number; readonly resolved?: number };

export type Limits = { readonly quietMs: number; readonly firesMs: number; readonly resolvesMs: number };

const LOOK_EVERY_MS = 500;

const firing = async ({ prometheus }: Scene): Promise<PrometheusAlert[]> =>
  (await prometheus.alerts().catch(() => [])).filter(({ state }) => state === 'firing');

/** Causes a fault, waits for its alerts, repairs it, waits until they are gone. */
export async function runFault(
  scene: Scene,
  fault: Fault,
  limits: Limits,
  { say, signal }: { say: (line: string) => void; signal: AbortSignal },
): Promise<Outcome[]> {
  const { alerts, afterwards = [] } = fault;
  const all = [...alerts, ...afterwards];
  if (!fault.isThere) await look({ scene, signal }, limits.quietMs, (names) => all.every((name) => !names.has(name)));
  const fired = new Map<string, number>();
  const resolved = new Map<string, number>();
  const beganMs = performance.now();
  const since = (ms: number) => Math.round((performance.now() - ms) / 100) / 10;
  const note = (names: ReadonlySet<string>) => {
    for (const name of all)
      if (names.has(name) && !fired.has(name)) {
        fired.set(name, since(beganMs));
        say(`  ${name} fires after ${fired.get(name)} s`);
      }
  };
  const repair = await fault.cause(scene);
  try {
    await look({ scene, signal }, limits.firesMs, (names) => {
      note(names);
      return alerts.every((name) => fired.has(name));
    });
  } finally {
    await repair();
  }
  const repairedMs = performance.now();
  if (afterwards.length > 0)
    await look({ scene, signal }, limits.firesMs, (names) => {
      note(names);
      return afterwards.every((name) => fired.has(name));
    });
  await look({ scene, signal }, limits.resolvesMs, (names) => {
    for (const name of fired.keys()) {
      if (names.has(name)) resolved.delete(name);
      else if (!resolved.has(name)) resolved.set(name, since(repairedMs));
    }
    return [...fired.keys()].every((name) => !names.has(name));
  });
  const still = new Set((await firing(scene)).map(({ labels }) => labels.alertname));
  return all.map((alert) => ({
    alert,
    ...(fired.has(alert) && { fired: fired.get(alert) as number }),
    ...(resolved.has(alert) && !still.has(alert) && { resolved: resolved.get(alert) as number }),
  }));
}

/** Looks until it is as wanted, the time is over, or somebody ends it. */
async function look(
  { scene, signal }: { scene: Scene; signal: AbortSignal },
  limitMs: number,
  isWanted: (names: ReadonlySet<string>) => boolean,
): Promise<void> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const now = await firing(scene);
    for (const { labels, annotations } of now) checkTexts(labels.alertname ?? '', annotations);
    if (isWanted(new Set(now.map(({ labels }) => labels.alertname ?? '')))) return;
    if (performance.now() > deadline || signal.aborted) return;
    await delay(LOOK_EVERY_MS);
  }
}

/** @throws Error for a text that names a label or a function that there is not */
function checkTexts(alert: string, annotations: PrometheusAlert['annotations']): void {
  const wrong = Object.values(annotations).find((text) => /<error|no value|\{\{/.test(text));
  if (wrong !== undefined) throw new Error(`${alert} cannot say what it wants to: ${wrong}`);
}
