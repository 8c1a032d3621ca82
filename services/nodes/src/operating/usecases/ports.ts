import type { BrokerReport, DeadLetters, ProcessVersion } from '@catchment/bus';
import type { Shard } from '@catchment/contracts/shards';

/** These questions are about the installation as a whole. Each rejects while the part that it asks is away. */
export type Installation = {
  readonly broker: () => Promise<BrokerReport>;
  readonly versions: () => Promise<readonly ProcessVersion[]>;
  readonly shards: () => Promise<readonly Shard[]>;
  /** Opens the dead letters for the time of some work. */
  readonly letters: <T>(work: (letters: DeadLetters) => Promise<T>) => Promise<T>;
};
