import { DEFAULT_SHARD } from '../../records/index.ts';

/** Returns the part of a durable consumer's name; `default` has those that every installation has. */
export const writerPart = (shard: string): string | undefined => (shard === DEFAULT_SHARD ? undefined : shard);

export type PortionState = 'preparing' | 'copying' | 'cutting' | 'left' | 'moved' | 'cancelling' | 'cancelled';

/** The writers of one partition see this of a series' move from one shard to another. */
export type AssignmentPortion = {
  readonly portionId: number;
  readonly fromShard: string;
  readonly toShard: string;
  readonly state: PortionState;
  /** Up to this sequence the partition is from_shard's. */
  readonly boundary: number;
  /** It has only just changed hands: reads may still be looking at from_shard. */
  readonly isFresh: boolean;
};

/** A series has this place, and came there in this way. */
export type ShardAssignment = {
  readonly shard: string;
  /** The portions in their order. */
  readonly portions: readonly AssignmentPortion[];
};

const HAS_BOUNDARY: readonly PortionState[] = ['cutting', 'left', 'moved'];

/**
 * Finds the shard that has a message of a partition, as far as the message is about a series.
 * @param assignment absent: nothing is known, so `default`
 * @returns undefined while that is being decided
 */
export function ownerAt(assignment: ShardAssignment | undefined, sequence: number): string | undefined {
  if (!assignment) return DEFAULT_SHARD;
  for (const { state, boundary, fromShard } of assignment.portions) {
    if (!HAS_BOUNDARY.includes(state)) continue;
    if (sequence <= boundary) return fromShard;
    if (state === 'cutting') return undefined;
  }
  return assignment.shard;
}

/** Returns whether a series is about to change hands from this shard, or to it: whose it is, is undecided between the two alone. */
export const isHandedOverBetween = (assignment: ShardAssignment | undefined, shard: string): boolean =>
  assignment?.portions.some(
    ({ state, fromShard, toShard }) => state === 'cutting' && (fromShard === shard || toShard === shard),
  ) ?? false;

/** Returns whether the new shard of a series must not be written yet: a read that began before would miss what is written. */
export const isFreshAt = (assignment: ShardAssignment | undefined): boolean =>
  assignment?.portions.at(-1)?.isFresh ?? false;

/** Returns whether a series is changing hands, or has only just done so: somebody may look at either shard. */
export const isChangingHands = (assignment: ShardAssignment | undefined): boolean =>
  assignment?.portions.some(({ state, isFresh }) => state === 'cutting' || isFresh) ?? false;

const MOVING: readonly PortionState[] = ['preparing', 'copying', 'cutting'];

/** Returns whether records of a series that are written to a shard are to be copied to another one. */
export const isMovedFrom = (assignment: ShardAssignment | undefined, shard: string | undefined): boolean =>
  assignment?.portions.some(({ state, fromShard }) => fromShard === shard && MOVING.includes(state)) ?? false;
