import { unavailable } from '@catchment/errors';
import { decodeBatch, type LogEntry } from '@catchment/ingest-log';
import { type Repeated, repeat } from '@catchment/service';
import type { Logger } from '@catchment/telemetry';
import { type LogShares, type LogUse, logSharesOf } from '../domain/log-share.ts';
import { ownerAt } from '../domain/shard-assignment.ts';
import type { WriterAssignments } from './ports.ts';
import { seriesIn } from './writer-share.ts';

type LogRoomDeps = {
  readonly isSpread: () => boolean;
  readonly use: () => Promise<LogUse>;
  readonly assignments: Pick<WriterAssignments, 'of'>;
  readonly partitions: number;
  /** Removes messages that only these shards have not read, from those behind `after` on. */
  readonly removeUnneeded: (
    partition: number,
    shards: readonly string[],
    after: number,
    needed: (messages: readonly Message[]) => Promise<ReadonlySet<number>>,
  ) => Promise<{ readonly upTo: number; readonly isMore: boolean }>;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  /** Looks are this far apart: a second unless a test needs more of them. */
  readonly lookEveryMs?: number | undefined;
};

type Message = { readonly sequence: number; readonly data: Uint8Array };

/** The figure by which a write is refused may be so old, too. */
const LOOK_EVERY_MS = 1_000;

/**
 * Keeps room in the ingest log for every shard. A message stays until the writers of all shards have passed it, and one that waits for its
 * InfluxDB passes nothing. So what others have written meanwhile is taken away from behind it; and once its own messages take all that it may
 * have, its writes are refused.
 */
export class LogRoom {
  readonly #deps: LogRoomDeps;
  readonly #looking: Repeated;
  #shares: LogShares = { used: new Map(), searched: [], refused: new Set() };
  /** The search of the log for these shards has come so far, by partition. */
  #search = { shards: '', looked: new Map<number, number>() };

  constructor(deps: LogRoomDeps) {
    this.#deps = deps;
    const { log, lookEveryMs: everyMs = LOOK_EVERY_MS } = deps;
    const failed = 'the room of the ingest log could not be looked after, trying again';
    this.#looking = repeat((stopping) => this.#look(stopping), { everyMs, failed, log });
  }

  /** Returns the part that each shard takes of its room. A shard with 1 or more is over. Nothing without other shards. */
  get used(): ReadonlyMap<string, number> {
    return this.#shares.used;
  }

  /** Shards whose writes are refused. While there are none, nobody need ask where a write goes. */
  get refused(): ReadonlySet<string> {
    return this.#shares.refused;
  }

  /** @throws DomainError unavailable for a write to a shard that has all that it may have of the log */
  check(shards: Iterable<string>): void {
    for (const shard of shards) if (this.#shares.refused.has(shard)) throw unavailable('SHARD_LOG_FULL');
  }

  stop(): Promise<void> {
    return this.#looking.stop();
  }

  /** @returns whether there may be more to search */
  async #look(stopping: AbortSignal): Promise<boolean> {
    const { isSpread, use, log } = this.#deps;
    if (!isSpread()) return false;
    const before = this.#shares.refused;
    this.#shares = logSharesOf(await use());
    const { searched, refused } = this.#shares;
    for (const shard of refused.difference(before)) log.warn({ shard }, 'the log has no room for a shard any more');
    for (const shard of before.difference(refused)) log.info({ shard }, 'the log has room for a shard again');
    return searched.length > 0 && !stopping.aborted && this.#searchLog(searched);
  }

  /** @returns whether there is more to search */
  async #searchLog(shards: readonly string[]): Promise<boolean> {
    const key = shards.join();
    // Other messages are unneeded for other shards.
    if (this.#search.shards !== key) this.#search = { shards: key, looked: new Map() };
    const { looked } = this.#search;
    const rounds = Array.from({ length: this.#deps.partitions }, async (_, partition) => {
      const after = looked.get(partition) ?? 0;
      const needed = (messages: readonly Message[]) => this.#needed(partition, shards, messages);
      const { upTo, isMore } = await this.#deps.removeUnneeded(partition, shards, after, needed);
      looked.set(partition, upTo);
      return isMore;
    });
    return (await Promise.all(rounds)).some(Boolean);
  }

  /** Looks up assignments as a writer does: the boundary of a series lies behind what was taken from the log before that. */
  async #needed(
    partition: number,
    shards: readonly string[],
    messages: readonly Message[],
  ): Promise<ReadonlySet<number>> {
    const { assignments } = this.#deps;
    const series = new Map(messages.map(({ sequence, data }) => [sequence, seriesOf(data)]));
    const found = await assignments.of(partition, [
      ...new Set([...series.values()].flatMap((nodeIds) => nodeIds ?? [])),
    ]);
    const isNeeded = (nodeId: string, sequence: number) => {
      const owner = ownerAt(found.get(nodeId), sequence);
      return owner === undefined || shards.includes(owner);
    };
    return new Set(
      [...series].flatMap(([sequence, nodeIds]) =>
        nodeIds?.every((nodeId) => !isNeeded(nodeId, sequence)) ? [] : [sequence],
      ),
    );
  }
}

/** @returns undefined for a message that cannot be read: its writers put it aside */
function seriesOf(data: Uint8Array): readonly string[] | undefined {
  let entries: readonly LogEntry[];
  try {
    entries = decodeBatch(data);
  } catch {
    return undefined;
  }
  return entries.flatMap(seriesIn);
}
