import type { LogEntry } from '@catchment/ingest-log';
import { columnOf } from '@catchment/testkit/write-model';
import type { AssignmentPortion, PortionState, ShardAssignment } from '../domain/shard-assignment.ts';
import type { WriterAssignments } from './ports.ts';
import { ShardShare } from './writer-share.ts';

const NODE = 'a'.repeat(24);
const { signal } = new AbortController();

const portion = (state: PortionState, change: Partial<AssignmentPortion> = {}): AssignmentPortion => ({
  portionId: 1,
  fromShard: 'b',
  toShard: 'c',
  state,
  boundary: 100,
  isFresh: false,
  ...change,
});
const at = (shard: string, ...portions: AssignmentPortion[]): ShardAssignment => ({ shard, portions });

/** Makes the late writer of `b`, of which a message is tried again; it finds these assignments, one after the other, then the last one. */
function lateWriter(...found: readonly ShardAssignment[]) {
  const left = [...found];
  let noted = 0;
  const share = new ShardShare({
    shard: 'b',
    isLate: true,
    isSpread: () => true,
    assignments: {
      of: async () => new Map([[NODE, (left.length > 1 ? left.shift() : left[0]) as ShardAssignment]]),
      goOn: async () => {},
      noteChanges: async () => {
        noted += 1;
      },
      finish: async () => 200,
    },
  });
  const entry: LogEntry = {
    kind: 'column',
    column: columnOf('MERGE_OVERWRITE_EXISTING', new Map([[1, { v: 1 }]]), { nodeId: NODE, modifiedMs: 1 }),
  };
  const messages = [{ sequence: 200, firstSequence: 50, data: new Uint8Array(), entries: [[0, entry] as const] }];
  return {
    /** @returns the number of entries that are its own */
    async write() {
      const own = await share.of(0, messages, signal);
      await share.done(0, own, signal);
      return own.flatMap(({ entries }) => entries).length;
    },
    isElsewhere: () => share.isElsewhere(0),
    get left() {
      return left.length;
    },
    get noted() {
      return noted;
    },
  };
}

describe('a dead letter that is tried again', () => {
  test.each([
    ['is being handed over', portion('cutting')],
    ['has only just been handed over', portion('left', { isFresh: true })],
  ])('waits while a series %s', async (_what, changing) => {
    const writer = lateWriter(at('b', changing), at('b', changing), at('c', portion('left')));
    expect(await writer.write()).toBe(1);
    expect([writer.left, writer.isElsewhere()]).toEqual([1, true]);
  });

  test.each([
    ['has gone', at('c', portion('left'))],
    ['is going', at('b', portion('cutting'))],
  ])('is written again where a series %s meanwhile', async (_what, after) => {
    const writer = lateWriter(at('b', portion('copying')), after);
    await expect(writer.write()).rejects.toMatchObject({ kind: 'unavailable', reason: 'SERIES_MOVING' });
    // The records that the write had stored are copied where that is still done.
    expect(writer.noted).toBe(1);
  });

  test('is written at once where nothing changes hands, and noted where it is copied', async () => {
    const writer = lateWriter(at('b', portion('copying')));
    expect(await writer.write()).toBe(1);
    expect([writer.noted, writer.isElsewhere()]).toEqual([1, false]);
  });
});

const column = columnOf('MERGE_OVERWRITE_EXISTING', new Map([[1, { v: 1 }]]), { nodeId: NODE });
const message = { sequence: 11, data: new Uint8Array(), entries: [[0, { kind: 'column', column }]] as const };

/**
 * Returns the share of a shard during the switchover of the series from `a` to `b`, for two looks at the map; then it has been handed over.
 */
function shareOf(shard: string) {
  const switchover = { portionId: 1, fromShard: 'a', toShard: 'b', boundary: 10, isFresh: false };
  let looks = 0;
  const assignments: WriterAssignments = {
    goOn: async () => {},
    noteChanges: async () => {},
    finish: async () => 0,
    of: async () => {
      looks += 1;
      const isUnderWay = looks <= 2;
      const assignment: ShardAssignment = {
        shard: isUnderWay ? 'a' : 'b',
        portions: [{ ...switchover, state: isUnderWay ? 'cutting' : 'left' }],
      };
      return new Map([[NODE, assignment]]);
    },
  };
  const share = new ShardShare({ shard, assignments, isSpread: () => true });
  return { share, looks: () => looks };
}

test.each([
  ['the old shard', 'a', 0, 3],
  ['the new shard', 'b', 1, 3],
  ['a third one', 'c', 0, 1],
  ['`default`', 'default', 0, 1],
])('behind a boundary the writer of %s takes what is its own, and waits where that may be its own', async (...row) => {
  const [, shard, entries, looks] = row;
  const own = shareOf(shard);
  const [taken] = await own.share.of(0, [message], signal);
  expect([taken?.entries.length, own.looks()]).toEqual([entries, looks]);
});
