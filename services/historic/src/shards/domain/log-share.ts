/** Messages for shards that are behind may take this part of the ingest log. The others need the rest while they wait. */
const FOR_SHARDS_BEHIND = 0.5;
/** The log is searched for messages that have nothing for a shard once the shard uses this part of its share. */
const SEARCHED_FROM = 0.75;

/** How full the log is. */
export type LogUse = {
  /** This share of its room is taken, 0 to 1. */
  readonly taken: number;
  readonly messages: number;
  /** The writers of each shard have this many messages to finish. All shards are there, also those without any. */
  readonly backlogs: ReadonlyMap<string, number>;
};

export type LogShares = {
  /** Each shard takes this part of its room. A shard with 1 or more is over. */
  readonly used: ReadonlyMap<string, number>;
  /** These shards wait with so much that the log is searched. */
  readonly searched: readonly string[];
  /** Shards whose writes are refused. */
  readonly refused: ReadonlySet<string>;
};

/**
 * Divides the room for those that are behind among all shards but one, so that this one can go on whatever the others do. Where all of them
 * are over there is nobody to keep room for: the log may get full.
 */
export function logSharesOf({ taken, messages, backlogs }: LogUse): LogShares {
  const most = FOR_SHARDS_BEHIND / Math.max(1, backlogs.size - 1);
  const used = new Map(
    [...backlogs].map(([shard, backlog]) => [shard, messages === 0 ? 0 : ((backlog / messages) * taken) / most]),
  );
  const from = (part: number) => [...used].flatMap(([shard, share]) => (share >= part ? [shard] : []));
  const butNotAll = (shards: readonly string[]) => (shards.length === used.size ? [] : shards);
  return { used, searched: butNotAll(from(SEARCHED_FROM)), refused: new Set(butNotAll(from(1))) };
}
