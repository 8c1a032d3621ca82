import { dealOut, runLoad } from '../loads/load.ts';

const BATCHES = [1_000, 5_000, 10_000];

/**
 * Measures the rate of InfluxDB alone with the same points: raw line protocol, one float field, on 4 connections; the best of three batch
 * sizes.
 * @returns points per second
 */
export async function influxFloor(
  influxUrl: string,
  options: { points: number; series: number },
): Promise<{ pointsPerSecond: number; batch: number }> {
  const { origin, username, password } = new URL(influxUrl);
  const headers = authorization(username, password);
  let best = { pointsPerSecond: 0, batch: 0 };
  for (const batch of BATCHES) {
    const database = `floor_${batch}_${Date.now()}`;
    await statement(origin, headers, `CREATE DATABASE ${database} WITH DURATION INF REPLICATION 1 SHARD DURATION 52w`);
    const bodies = lineProtocol(options.points, options.series, batch);
    const path = `/write?db=${database}&precision=ms`;
    const result = await runLoad(origin, dealOut(bodies, path), { headers, expect: 204 });
    await statement(origin, headers, `DROP DATABASE ${database}`);
    const pointsPerSecond = options.points / result.seconds;
    if (pointsPerSecond > best.pointsPerSecond) best = { pointsPerSecond, batch };
  }
  return best;
}

function lineProtocol(points: number, series: number, batch: number): Buffer[] {
  const bodies: Buffer[] = [];
  const perSeries = Math.ceil(points / series);
  let lines: string[] = [];
  for (let s = 0; s < series; s += 1) {
    const tag = s.toString(16).padStart(24, '5');
    for (let n = 0; n < perSeries && s * perSeries + n < points; n += 1) {
      lines.push(`r,s=${tag} v=${value(n)} ${FIRST_MS + n * STEP_MS}`);
      if (lines.length === batch) {
        bodies.push(Buffer.from(lines.join('\n')));
        lines = [];
      }
    }
  }
  if (lines.length > 0) bodies.push(Buffer.from(lines.join('\n')));
  return bodies;
}

/** All loads have this first record and step: the same points go to InfluxDB directly and through Catchment. */
export const FIRST_MS = Date.UTC(2024, 0, 1);
export const STEP_MS = 60_000;

/** The values change like a sensor's readings, with two decimals. */
export const value = (n: number): number =>
  Math.round((20 + 10 * Math.sin(n / 50) + ((n * 7919) % 100) / 100) * 100) / 100;

export function authorization(username: string, password: string): Record<string, string> {
  if (!username) return {};
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(login).toString('base64')}` };
}

async function statement(origin: string, headers: Record<string, string>, text: string): Promise<void> {
  const answer = await fetch(`${origin}/query`, { method: 'POST', headers, body: new URLSearchParams({ q: text }) });
  if (!answer.ok) throw new Error(`InfluxDB answered ${answer.status} to ${text}`);
}
