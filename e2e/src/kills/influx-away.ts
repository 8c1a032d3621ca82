import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@catchment/testkit';
import { whileHung } from '../while-hung.ts';
import { eventsOfStates, type Finding } from './compare.ts';
import type { Scene } from './scene.ts';

const ALARMS_LIMIT_MS = 60_000;
/** The first states of a series need the store once, and a reader that was killed leaves its partition waiting for half a minute. */
const BEGINNING_LIMIT_MS = 60_000;

/**
 * Keeps InfluxDB from answering for so long, under load, once all series have states: those of records that overwrite are reported meanwhile; the others wait for it, and
 * are compared with everything else at the end (docs/architecture.md#the-path-of-a-record).
 */
export async function influxAway(scene: Scene, seconds: number, say: (line: string) => void): Promise<Finding> {
  const { api, levels } = scene;
  const overwriting = levels.filter(({ isPreserving }) => !isPreserving);
  const beganMs = performance.now();
  for (const level of overwriting)
    await until(async () => (await eventsOfStates(api, level)).length > 0, {
      deadlineMs: BEGINNING_LIMIT_MS,
      what: `the first state of ${level.id} is reported`,
    });
  say(`all levels have states ${Math.round((performance.now() - beganMs) / 1_000)} s after the last kill`);
  return await whileHung(scene.installation, 'influx', async () => {
    const before = overwriting.map((level) => level.crossings().length);
    await delay(seconds * 1_000);
    const wanted = overwriting.map((level) => level.crossings());
    const faults: string[] = [];
    for (const [n, level] of overwriting.entries()) {
      const times = wanted[n] ?? [];
      let missing: string[] = [];
      await until(
        async () => {
          const found = new Set((await eventsOfStates(api, level)).map(({ eventTime }) => eventTime));
          missing = times.filter((time) => !found.has(time));
          return missing.length === 0;
        },
        { deadlineMs: ALARMS_LIMIT_MS, everyMs: 1_000 },
      ).catch(({ message }: Error) => faults.push(`${level.id}: ${message}`));
      faults.push(...missing.map((time) => `${time} of ${level.id} was not reported`));
    }
    const crossings = wanted.reduce((sum, times, n) => sum + times.length - (before[n] ?? 0), 0);
    say(`InfluxDB was away for ${seconds} s: ${crossings} crossings, ${faults.length} not reported meanwhile`);
    return { what: 'states without InfluxDB', counts: `${crossings} crossings`, faults };
  });
}
