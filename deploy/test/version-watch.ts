import { setTimeout as wait } from 'node:timers/promises';
import type { Release } from './release.ts';

const EVERY_MS = 5_000;
const SCHEMAS = ['nodes', 'historic', 'alarms', 'events', 'devices', 'processing'];

type Look = {
  readonly atMs: number;
  /** PostgreSQL has this many migrations, of all services. */
  readonly migrations: number;
  /** These pods of services are Ready, by tag of their image. */
  readonly ready: ReadonlyMap<string, number>;
};

/** Looks again and again which versions serve and how many migrations the chart's own PostgreSQL has, from its start until `stop`. */
export class VersionWatch {
  readonly #release: Release;
  readonly #looks: Look[] = [];
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  constructor(release: Release) {
    this.#release = release;
    this.#running = this.#run();
  }

  /** Says in a line how long pods of the version before served: at all, and with more migrations than at the beginning. */
  async stop(tag: string): Promise<string> {
    this.#stop.abort();
    await this.#running;
    const others = ({ ready }: Look) => [...ready].some(([version, pods]) => version !== tag && pods > 0);
    const before = this.#looks[0]?.migrations ?? 0;
    const after = this.#looks.at(-1)?.migrations ?? 0;
    const migrated = this.#looks.filter(({ migrations }) => migrations > before && migrations === after);
    const only = migrated.filter((look) => !look.ready.has(tag));
    const both = this.#looks.filter((look) => others(look) && look.ready.has(tag));
    const beside = migrated.filter(others);
    const lines = [`pods of both versions served for ${seconds(both)} s`];
    if (after > before)
      lines.push(
        `migrations ${before} → ${after}, after which pods of the version before served for ${seconds(beside)} s, ${seconds(only)} s of it alone`,
      );
    return lines.join('; ');
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const [migrations, ready] = await Promise.all([this.#migrations(), this.#release.readyByTag()]);
      this.#looks.push({ atMs: Date.now(), migrations, ready });
      await wait(EVERY_MS, undefined, { signal: this.#stop.signal }).catch(() => undefined);
    }
  }

  async #migrations(): Promise<number> {
    const counts = SCHEMAS.map((schema) => `(SELECT count(*) FROM ${schema}.migrations)`);
    return Number(await this.#release.sql(`SELECT ${counts.join(' + ')}`));
  }
}

function seconds(looks: readonly Look[]): string {
  return (((looks.at(-1)?.atMs ?? 0) - (looks[0]?.atMs ?? 0)) / 1_000).toFixed(0);
}
