import { type Repeated, repeat } from '@catchment/service';
import type { Logger } from '@catchment/telemetry';
import type { ShardTable } from './ports.ts';

const LOOK_EVERY_MS = 1_000;
/** There may be other shards after this long without news. */
const KNOWN_FOR_MS = 10_000;

/**
 * Knows whether there are other shards than `default`, which costs each write and read a look at the map. Every replica hears of the first one
 * within a second or two, and nothing is put there for 30 s (`activate`).
 */
export class ShardRegistry {
  readonly #looking: Repeated;
  #hasOthers: boolean;
  #askedMs = performance.now();

  private constructor(table: ShardTable, log: Pick<Logger, 'warn'>, hasOthers: boolean, isConfigured: boolean) {
    this.#hasOthers = hasOthers;
    this.#looking = repeat(
      async () => {
        const askedMs = performance.now();
        this.#hasOthers = isConfigured || (await table.hasAny());
        this.#askedMs = askedMs;
        if (this.#hasOthers) await table.activate();
      },
      { everyMs: LOOK_EVERY_MS, failed: 'the map of shards could not be read, trying again', log },
    );
  }

  /** @param names of the shards in the settings, without `default` */
  static async open(
    table: ShardTable,
    names: readonly string[],
    log: Pick<Logger, 'warn'>,
  ): Promise<{ readonly registry: ShardRegistry; readonly numbers: ReadonlyMap<string, number> }> {
    const isConfigured = names.length > 0;
    const numbers = isConfigured ? await table.register(names) : new Map<string, number>();
    // Shards that are known need not wait for the next round.
    if (isConfigured) await table.activate();
    const hasOthers = isConfigured || (await table.hasAny());
    return { registry: new ShardRegistry(table, log, hasOthers, isConfigured), numbers };
  }

  /** Returns what is known: where PostgreSQL is away, reads and writes go on as they did. */
  get hasOthers(): boolean {
    return this.#hasOthers;
  }

  /** Returns true also where the answer is old, for callers that would otherwise write to the wrong shard. */
  get mayHaveOthers(): boolean {
    return this.#hasOthers || performance.now() - this.#askedMs > KNOWN_FOR_MS;
  }

  stop(): Promise<void> {
    return this.#looking.stop();
  }
}
