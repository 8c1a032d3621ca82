import type { ListAlarmsRequest, ListNodesRequest } from '@catchment/contracts/nodes';
import { FairQueue, listWork } from '@catchment/fair-queue';

/** The gateway gives a call 30 s. */
const WAIT_MS = 25_000;

/** Lists and trees at a time; a tree also holds the text of 5000 nodes. */
export const READING_SLOTS = 8;

/** A list or a tree waits in the queue that its request names. */
export const nodesWork = ({ type, ...asked }: Pick<ListNodesRequest, 'type' | 'filter' | 'sort' | 'attr' | 'limit'>) =>
  type.toUpperCase() === 'TREE'
    ? { cost: 1, lane: 'trees', isBulk: true }
    : listWork(asked, [asked.filter, asked.sort, asked.attr].join('&'));

/**
 * A list of alarms waits like this: its pages one after another, and a page of the usual length beside all that are
 * long.
 */
export const alarmsWork = ({ arguments: { limit, after: _place, ...question } }: ListAlarmsRequest) =>
  listWork({ limit: Number(limit || 0) }, `alarms ${JSON.stringify(question)}`);

/**
 * Changes of the tree. Those of one account are done one after another, under a lock: more of them at once would only hold
 * connections. A clone may be of 5000 nodes and holds all of them.
 */
export const changingQueue = (): FairQueue =>
  new FairQueue({
    reason: 'TOO_MANY_CHANGES',
    capacity: 8,
    perAccount: 2,
    waitingPerAccount: 1_000,
    waiting: 4_000,
    waitMs: WAIT_MS,
  });

/** Changes cost this; a clone takes all that an account may use at a time. */
export const CHANGE_COSTS = {
  createNode: 1,
  updateNode: 1,
  putRatingFile: 1,
  ensureParameters: 1,
  activateParameters: 1,
  deleteNode: 2,
  moveNode: 2,
  unlinkNode: 2,
} as const;
export const CLONE_COST = 3;
