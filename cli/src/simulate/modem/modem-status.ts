import { readingAt } from '../station/readings.ts';

/** When a modem sends its status, and what is in it. Reports are a sign of life too, but the status series want their values. */
export class ModemStatus {
  readonly #startedMs: number;
  #lastMs = Number.NEGATIVE_INFINITY;
  #intervalMs = 600_000;

  constructor(startedMs: number) {
    this.#startedMs = startedMs;
  }

  /** A new connection begins with a status. */
  welcomed(intervalSeconds: unknown): void {
    this.#lastMs = Number.NEGATIVE_INFINITY;
    if (typeof intervalSeconds === 'number') this.#intervalMs = intervalSeconds * 1_000;
  }

  /** A simulated modem uses nothing of its configuration but the status interval. */
  configured(config: unknown): void {
    const schedule = (config as { schedule?: { statusIntervalSeconds?: unknown } } | undefined)?.schedule;
    if (typeof schedule?.statusIntervalSeconds === 'number') this.#intervalMs = schedule.statusIntervalSeconds * 1_000;
  }

  /** Returns the message to send now; undefined before its time. */
  due(nowMs: number): Readonly<Record<string, unknown>> | undefined {
    if (nowMs - this.#lastMs < this.#intervalMs) return undefined;
    this.#lastMs = nowMs;
    const { battery } = readingAt(nowMs, 0);
    const uptime = Math.round((nowMs - this.#startedMs) / 1_000);
    return { type: 'status', time: new Date(nowMs).toISOString(), signal: -71, supply: battery, uptime };
  }
}
