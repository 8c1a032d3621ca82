import { Acquisition } from '@catchment/contracts/ingest';
import { unavailable } from '@catchment/errors';
import { encodeEntries, fillingGaps, hasBit, type LogEntry } from '@catchment/ingest-log';
import {
  applyToModel,
  columnOf,
  type Model,
  type ModeName,
  randomFrom,
  randomWrite,
  SEED,
  sorted,
  type Updates,
} from '@catchment/testkit/write-model';
import { memoryWriter } from '../../../test/memory-records.ts';
import type { ApplyDeps, LogMessage } from './apply-batch.ts';

const SERIES = ['a'.repeat(24), 'b'.repeat(24)] as const;
const IDS = { ownerId: 'c'.repeat(24), workspaceId: 'd'.repeat(24), username: 'jo', timeMs: 5 };

function setUp(deps: Partial<ApplyDeps> = {}) {
  const { applier, ...made } = memoryWriter(deps);
  let sequence = 0;
  const messageOf = (entries: readonly LogEntry[]) =>
    encodeEntries(entries, 1_000_000, () => 'k')[0] ?? new Uint8Array();
  return {
    ...made,
    /** @returns the message's sequence */
    apply: async (data: Uint8Array, at = ++sequence) => {
      await applier.apply(0, [{ sequence: at, data }], AbortSignal.timeout(10_000));
      return at;
    },
    applyGroup: (group: readonly LogMessage[]) => applier.apply(0, group, AbortSignal.timeout(10_000)),
    nextSequence: () => ++sequence,
    messageOf,
  };
}

const written = (mode: ModeName, updates: Updates, nodeId: string = SERIES[0], modifiedMs = 1_000): LogEntry => ({
  kind: 'column',
  column: columnOf(mode, updates, { nodeId, modifiedMs }),
});
const acquisition = (nodeId: string, change: object = {}): LogEntry => ({
  kind: 'acquisition',
  acquisition: Acquisition.fromPartial({ ...IDS, nodeId, rows: 1, parameters: 1, origin: 'API', ...change }),
});
const seriesDelete = (nodeId: string): LogEntry => ({
  kind: 'seriesDelete',
  seriesDelete: { ...IDS, nodeId, sourceId: 'e'.repeat(24), valueType: 1, recomputing: false },
});
const at = (time: number, v = 1): Updates => new Map([[time, { v }]]);

test('what is stored is of the time at which its message came to the log, whatever the clocks of writers said, in every mode', async () => {
  const stored: [number, number][] = [];
  const { store, messageOf, applyGroup, nextSequence } = setUp();
  const writeColumns = store.writeColumns.bind(store);
  store.writeColumns = async (columns) => {
    for (const { timestamps, modifiedMs } of columns) for (const time of timestamps) stored.push([time, modifiedMs]);
    return writeColumns(columns);
  };
  const modes: [ModeName, number][] = [
    ['MERGE_OVERWRITE_EXISTING', 9_000],
    ['MERGE_UPDATE_EXISTING', 1_000],
    ['MERGE_PRESERVE_EXISTING', 5_000],
    ['INSERT_DELETE_EXISTING', 10],
  ];
  const messages = modes.map(([mode, modifiedMs], n) => ({
    sequence: nextSequence(),
    data: messageOf([written(mode, at(n + 1), SERIES[0], modifiedMs)]),
    timeMs: 2_000 + n,
  }));
  await applyGroup(messages);
  expect(stored).toEqual([
    [1, 2_000],
    [2, 2_001],
    [3, 2_002],
    [4, 2_003],
  ]);
});

test(`messages that break off anywhere and come again, in any groups, end as if each came once (seed ${SEED})`, async () => {
  const random = randomFrom(SEED + 1);
  for (let run = 0; run < 250; run += 1) {
    const { store, observations, messageOf, applyGroup, nextSequence, published } = setUp();
    const models = new Map<string, Model>(SERIES.map((nodeId) => [nodeId, new Map()]));
    const steps: string[] = [];
    const messages: { sequence: number; data: Uint8Array; failures: string[] }[] = [];
    for (let message = 0; message < 4; message += 1) {
      const entries: LogEntry[] = [];
      const failures: string[] = [];
      for (let n = Math.floor(random() * 6); n >= 0; n -= 1) {
        const nodeId = SERIES[random() < 0.7 ? 0 : 1];
        const model = models.get(nodeId) as Model;
        if (random() < 0.05) {
          entries.push(seriesDelete(nodeId));
          steps.push(`${message}: ${nodeId[0]} delete`);
          model.clear();
          continue;
        }
        const { mode, updates: near } = randomWrite(random, 1);
        // Each message of half of the runs has times that no other has, and the store is asked for several together.
        const updates: Updates = new Map(
          [...near].map(([time, update]) => [time + (run % 2) * message * 1_000, update]),
        );
        // All is written in one millisecond: times of writing distinguish nothing.
        entries.push(written(mode, updates, nodeId));
        steps.push(`${message}: ${nodeId[0]} ${mode} ${JSON.stringify([...updates])}`);
        const failure = applyToModel(model, mode, updates);
        if (failure) failures.push(failure);
      }
      messages.push({ sequence: nextSequence(), data: messageOf(entries), failures });
    }
    // The loop does as the reader: a group that broke off comes again, with all that follow it.
    for (let done = 0; done < messages.length; ) {
      const group = messages.slice(done, done + 1 + Math.floor(random() * 3));
      let left = Math.floor(random() * 30);
      const breakOff = () => {
        left -= 1;
        if (left < 0) throw new Error('broken off');
      };
      store.before = breakOff;
      observations.before = breakOff;
      await applyGroup(group).then(
        () => {
          done += group.length;
        },
        () => {},
      );
    }
    const failures = new Map(
      published.map((batch) => [batch.logSequence, batch.columnFailures.map(({ message }) => message)]),
    );
    expect({ steps, failures: messages.map(({ sequence }) => failures.get(sequence)) }).toEqual({
      steps,
      failures: messages.map((message) => message.failures),
    });
    for (const [nodeId, model] of models) {
      expect({ steps, records: store.read(nodeId) }).toEqual({ steps, records: sorted(model) });
    }
  }
});

test('of two edits of what both have read the first is written, the second refused as a whole, however often they come', async () => {
  const { store, messageOf, apply, applyGroup, nextSequence, published } = setUp();
  await apply(messageOf([written('MERGE_OVERWRITE_EXISTING', new Map([[1, { v: 1 }]]))]));
  const both = Float64Array.of(1, 2);
  const expected = store.sumAt(SERIES[0], both);
  const edit = (v: number): LogEntry => {
    const updates: Updates = new Map([
      [1, { v }],
      [2, { q: v }],
    ]);
    const column = columnOf('MERGE_UPDATE_EXISTING', updates, { nodeId: SERIES[0], modifiedMs: 1_000 });
    return { kind: 'column', column: { ...column, expected, isEdit: true } };
  };
  const [mine, theirs] = [messageOf([edit(10)]), messageOf([edit(20)])];
  const [first, second] = [nextSequence(), nextSequence()];
  await applyGroup([
    { sequence: first, data: mine },
    { sequence: second, data: theirs },
  ]);
  await apply(mine, first);
  await apply(theirs, second);
  expect(store.read(SERIES[0])).toEqual([
    [1, { v: 10 }],
    [2, { q: 10 }],
  ]);
  const outcomes = published.map(({ columnFailures, seriesEdited, columnsSettled }) => [
    columnFailures.map(({ message }) => message),
    seriesEdited.length,
    columnsSettled.map(({ written: bits }) => hasBit(bits, 0)),
  ]);
  const [done, refused] = [
    [[], 1, [true]],
    [['Update failed: records have changed'], 0, [false]],
  ];
  expect(outcomes.slice(1)).toEqual([done, refused, done, refused]);
});

test('columns on different series or at other times are asked for at once, those that meet in turn, default ones never', async () => {
  const { store, messageOf, apply } = setUp();
  await apply(
    messageOf([
      written('MERGE_OVERWRITE_EXISTING', at(1)),
      written('MERGE_FAIL_ON_EXISTING', at(1), SERIES[1]),
      written('MERGE_FAIL_ON_EXISTING', at(1)),
      written('INSERT_FAIL_ON_EXISTING', at(2)),
      written('INSERT_DELETE_EXISTING', at(3)),
    ]),
  );
  expect(store.asked).toEqual(['presenceAt', 'hasAny', 'presenceAt', 'timesIn']);
  expect(store.read(SERIES[0]).map(([time]) => time)).toEqual([1, 2, 3]);
});

test('what many messages ask at different times is asked, kept and written together', async () => {
  const { store, observations, messageOf, applyGroup, nextSequence } = setUp();
  const writes: number[] = [];
  const writeColumns = store.writeColumns.bind(store);
  store.writeColumns = async (columns) => {
    writes.push(columns.length);
    return writeColumns(columns);
  };
  const group = Array.from({ length: 100 }, (_, n) => ({
    sequence: nextSequence(),
    data: messageOf([written('MERGE_PRESERVE_EXISTING', at(n))]),
  }));
  await applyGroup(group);
  expect({ writes, kept: observations.kept, asked: store.asked.length }).toEqual({
    writes: [100],
    kept: 1,
    asked: 100,
  });
  expect(store.read(SERIES[0])).toHaveLength(100);
});

test('what a message asks about times that one before it writes is asked once that is stored', async () => {
  const { store, observations, messageOf, applyGroup, nextSequence, published } = setUp();
  const messages = [at(1), at(2), at(1, 9), at(3)].map((updates) => ({
    sequence: nextSequence(),
    data: messageOf([written('MERGE_FAIL_ON_EXISTING', updates)]),
  }));
  await applyGroup(messages);
  expect(published.map(({ columnFailures }) => columnFailures.length)).toEqual([0, 0, 1, 0]);
  expect(observations.kept).toBe(2);
  expect(store.read(SERIES[0]).map(([time, { v }]) => [time, v])).toEqual([
    [1, 1],
    [2, 1],
    [3, 1],
  ]);
});

test('a message of default writes and deletes neither asks nor keeps anything', async () => {
  const { store, observations, messageOf, apply } = setUp();
  observations.before = () => {
    throw new Error('kept');
  };
  await apply(
    messageOf([written('MERGE_OVERWRITE_EXISTING', at(1)), written('DELETE', at(1)), written('DELETE_RANGE', at(2))]),
  );
  expect(store.asked).toEqual([]);
});

test('the edges of every series are published, however many they are; a store that does not say them is asked again', async () => {
  const ids = Array.from({ length: 500 }, (_, n) => n.toString(16).padStart(24, '0'));
  const asked = { isAway: true };
  const { store, messageOf, apply, published } = setUp({
    edgesOf: async ({ nodeId }) => {
      if (asked.isAway) throw unavailable('INFLUX_UNAVAILABLE');
      return store.edges(nodeId);
    },
  });
  const message = messageOf(ids.map((nodeId) => written('MERGE_UPDATE_EXISTING', at(1, 2), nodeId)));
  await expect(apply(message, 1)).rejects.toMatchObject({ kind: 'unavailable' });
  asked.isAway = false;
  await apply(message, 1);
  expect(published.map(({ series }) => series.filter(({ edges }) => edges?.newest.length === 1).length)).toEqual([500]);
});

test('of a column whose node is gone it is said that nothing was written', async () => {
  const { messageOf, apply, published } = setUp();
  const { ownerId, timeMs } = IDS;
  await apply(messageOf([{ kind: 'nodesDelete', nodesDelete: { ownerId, nodeIds: [SERIES[0]], timeMs } }]));
  await apply(messageOf([written('MERGE_PRESERVE_EXISTING', at(1)), written('MERGE_OVERWRITE_EXISTING', at(1))]));
  expect(published.at(-1)?.columnsSettled.map(({ entry, written: bits }) => [entry, bits.length])).toEqual([[0, 0]]);
});

test('another message of the same sequence, in a stream made anew, is decided by itself', async () => {
  const { messageOf, apply, published } = setUp();
  const first = await apply(messageOf([written('MERGE_FAIL_ON_EXISTING', at(1))]));
  await apply(messageOf([written('MERGE_FAIL_ON_EXISTING', at(1), SERIES[0], 2_000)]), first);
  expect(published.at(-1)?.columnFailures).toHaveLength(1);
});

test('a failing column reports its event and nothing else; other columns proceed', async () => {
  const { messageOf, apply, published } = setUp();
  const source = 'e'.repeat(24);
  await apply(messageOf([written('MERGE_OVERWRITE_EXISTING', at(1))]));
  await apply(
    messageOf([
      written('MERGE_FAIL_ON_EXISTING', at(1, 2)),
      written('MERGE_FAIL_ON_EXISTING', at(1, 3), SERIES[1]),
      acquisition(source, { isSource: true, rows: 1, parameters: 2 }),
    ]),
  );
  expect(published.at(-1)).toMatchObject({
    columnFailures: [
      { nodeId: SERIES[0], timeMs: 1_000, username: 'jo@example.org', message: 'Merge failed: existing records' },
    ],
    series: [{ nodeId: SERIES[1], recompute: false }],
    acquisitions: [{ nodeId: source, rows: 1, parameters: 1 }],
  });
  expect(published.at(-1)?.columnsSettled.map(({ nodeId, entry, written }) => [nodeId, entry, ...written])).toEqual([
    [SERIES[0], 0],
    [SERIES[1], 1, 0b1],
  ]);
});

test('of a request whose columns all failed a source counts the contact, a node reports nothing', async () => {
  const { messageOf, apply, published } = setUp();
  await apply(messageOf([written('MERGE_OVERWRITE_EXISTING', at(1))]));
  const failing = written('INSERT_FAIL_ON_EXISTING', at(1, 2));
  await apply(messageOf([failing, acquisition('e'.repeat(24), { isSource: true }), failing, acquisition(SERIES[0])]));
  expect(published.at(-1)?.acquisitions).toMatchObject([{ isSource: true, rows: 0, parameters: 0 }]);
});

test.each<[ModeName, boolean]>([
  ['MERGE_OVERWRITE_EXISTING', false],
  ['MERGE_PRESERVE_EXISTING', false],
  ['MERGE_FAIL_ON_EXISTING', false],
  ['MERGE_UPDATE_EXISTING', true],
  ['INSERT_DELETE_EXISTING', true],
  ['DELETE_RANGE', true],
  ['DELETE', true],
])('%s: current values are taken from the store: %s', async (mode, recompute) => {
  const { messageOf, apply, published } = setUp();
  await apply(messageOf([written(mode, at(1))]));
  expect(published.at(-1)?.series[0]?.recompute).toBe(recompute);
});

test('a column in parts is decided as a whole, also when its last message comes twice', async () => {
  const { store, messageOf, apply, published, nextSequence } = setUp();
  const updates: Updates = new Map(Array.from({ length: 400 }, (_, n) => [n, { v: n }]));
  const messages = encodeEntries([written('INSERT_FAIL_ON_EXISTING', updates)], 2_000, () => 'key');
  expect(messages.length).toBeGreaterThan(2);
  let last = 0;
  for (const message of messages) {
    last = nextSequence();
    await apply(message, last);
  }
  await apply(messages.at(-1) ?? messageOf([]), last);
  expect(store.read(SERIES[0])).toHaveLength(400);
  expect(published.every(({ columnFailures }) => columnFailures.length === 0)).toBe(true);
});

test('a question that takes longer than one attempt goes on where that one stopped, for this message only', async () => {
  const { store, messageOf, apply, nextSequence } = setUp();
  const seen: number[] = [];
  store.presenceAt = async (_nodeId, timestamps, _signal, progress) => {
    seen.push(progress?.done ?? -1);
    if (!progress) throw new Error('nothing to keep');
    progress.done += 1;
    if (progress.done < timestamps.length) throw new Error('too slow');
    return progress.presence;
  };
  const writing = (v: number) =>
    messageOf([written('MERGE_FAIL_ON_EXISTING', new Map([1, 2, 3].map((time) => [time, { v }])))]);
  const sequence = nextSequence();
  for (let attempt = 0; attempt < 2; attempt += 1)
    await expect(apply(writing(1), sequence)).rejects.toThrow('too slow');
  await apply(writing(1), sequence);
  await apply(writing(1), sequence);
  await expect(apply(writing(2))).rejects.toThrow('too slow');
  expect(seen).toEqual([0, 1, 2, 0]);
});

test(`a message that was put aside and comes late replaces nothing, and fills what nobody has written since (seed ${SEED})`, async () => {
  const random = randomFrom(SEED + 3);
  for (let run = 0; run < 50; run += 1) {
    const [late, inTime] = [setUp(), setUp()];
    const messages = Array.from({ length: 3 }, (_, n) =>
      Array.from({ length: 3 }, () => written('MERGE_OVERWRITE_EXISTING', at(Math.floor(random() * 8), n))),
    );
    for (const entries of messages) await inTime.apply(inTime.messageOf(entries));
    const [first = [], ...others] = messages;
    for (const entries of others) await late.apply(late.messageOf(entries));
    await late.apply(late.messageOf(fillingGaps(first) ?? []));
    expect(late.store.read(SERIES[0])).toEqual(inTime.store.read(SERIES[0]));
  }
});

test('an edit is reported with what it has found, the same when its message comes again', async () => {
  const { apply, messageOf, published } = setUp();
  await apply(messageOf([written('MERGE_OVERWRITE_EXISTING', at(1)), written('MERGE_OVERWRITE_EXISTING', at(2))]));
  const updates: Updates = new Map([
    [1, { q: 100 }],
    [2, null],
    [3, { v: 3 }],
  ]);
  const column = (mode: ModeName, of: Updates): LogEntry => ({
    kind: 'column',
    column: columnOf(mode, of, { nodeId: SERIES[0], modifiedMs: 2_000, isEdit: true }),
  });
  const edit = messageOf([column('MERGE_UPDATE_EXISTING', updates)]);
  const sequence = await apply(edit);
  await apply(edit, sequence);
  const none = { records: 0, values: 0, qualities: 0, annotations: 0 };
  const expected = {
    nodeId: SERIES[0],
    inserted: { ...none, records: 1, values: 1 },
    modified: { ...none, records: 1, qualities: 1 },
    deleted: 1,
  };
  expect(published.slice(1).map(({ seriesEdited }) => seriesEdited)).toMatchObject([[expected], [expected]]);
  const gone = messageOf([column('DELETE', new Map([...at(1), ...at(9)]))]);
  const last = await apply(gone);
  await apply(gone, last);
  expect(published.slice(3).map(({ seriesEdited }) => seriesEdited[0]?.deleted)).toEqual([1, 1]);
});

test('writes that nobody edits by, and edits that change nothing, are not reported', async () => {
  const { apply, messageOf, published } = setUp();
  await apply(messageOf([written('MERGE_UPDATE_EXISTING', at(1)), written('DELETE', at(1))]));
  const column = columnOf('DELETE', at(5), { nodeId: SERIES[0], modifiedMs: 2_000, isEdit: true });
  await apply(messageOf([{ kind: 'column', column }]));
  expect(published.flatMap(({ seriesEdited }) => seriesEdited)).toEqual([]);
});

test('a column of which nothing is written counts for the acquisition of its own request, also where another writer reports that', async () => {
  const share: ApplyDeps['share'] = {
    of: async (_partition, messages) =>
      messages.map((message) => ({ ...message, entries: message.entries.filter(([index]) => index !== 1) })),
    isShared: () => true,
    done: async () => 0,
  };
  const { apply, messageOf, published } = setUp({ share });
  await apply(messageOf([written('MERGE_OVERWRITE_EXISTING', at(1))]));
  const [source, other] = ['1'.repeat(24), SERIES[1]];
  await apply(
    messageOf([
      written('MERGE_PRESERVE_EXISTING', at(1)),
      acquisition(source, { isSource: true }),
      written('MERGE_PRESERVE_EXISTING', at(2), other),
      acquisition(other),
    ]),
  );
  expect(published.at(-1)?.acquisitions).toMatchObject([{ nodeId: other, parameters: 1, rows: 1 }]);
});

/** Makes two writers of a partition that share one table of how far they are. */
function twoWriters() {
  const finished = [0, 0];
  const steps: string[] = [];
  const writers = ['a', 'b'].map((name, writer) =>
    setUp({
      share: {
        of: async (_partition, messages) => messages,
        isShared: () => true,
        done: async (_partition, messages) => {
          finished[writer] = messages.at(-1)?.sequence ?? 0;
          return Math.min(...finished);
        },
      },
      publishApplied: async (_partition, applied, settled) => {
        steps.push(`${name} publishes ${applied.map(({ sequence }) => sequence)}, settled ${settled}`);
        // Another writer finishes while this writer publishes.
        if (name === 'a') await writers[1]?.apply(message, applied.at(-1)?.sequence);
      },
      publishSettled: async (_partition, sequence, settled) =>
        void steps.push(`${name} at ${sequence}, settled ${settled}`),
    }),
  );
  const message = writers[0]?.messageOf([written('MERGE_PRESERVE_EXISTING', at(1))]) ?? new Uint8Array();
  return { steps, apply: (sequence: number) => writers[0]?.apply(message, sequence) };
}

test('of several writers none counts as finished before it has published, and the last one says so without a further message', async () => {
  const { steps, apply } = twoWriters();
  await apply(1);
  await apply(2);
  expect(steps).toEqual([
    'a publishes 1, settled 0',
    'b publishes 1, settled 0',
    'a at 1, settled 1',
    'a publishes 2, settled 1',
    'b publishes 2, settled 0',
    'b at 2, settled 1',
    'a at 2, settled 2',
  ]);
});

test('how far all writers are is said again when it could not be said', async () => {
  let isFaulty = true;
  const said: number[] = [];
  const { apply, messageOf } = setUp({
    share: { of: async (_partition, messages) => messages, isShared: () => true, done: async () => 1 },
    publishSettled: async (_partition, _sequence, settled) => {
      if (isFaulty) throw new Error('away');
      said.push(settled);
    },
  });
  const message = messageOf([written('MERGE_OVERWRITE_EXISTING', at(1))]);
  await expect(apply(message, 1)).rejects.toThrow('away');
  isFaulty = false;
  await apply(message, 1);
  await apply(message, 1);
  expect(said).toEqual([1]);
});

test('a single writer says nothing of others, and asks for nothing', async () => {
  const seen: unknown[] = [];
  const refuse = () => Promise.reject(new Error('asked'));
  const { apply, messageOf } = setUp({
    share: { of: async (_partition, messages) => messages, isShared: () => false, done: refuse },
    publishApplied: async (_partition, _applied, settled) => void seen.push(settled),
    publishSettled: refuse,
  });
  await apply(messageOf([written('MERGE_OVERWRITE_EXISTING', at(1))]));
  expect(seen).toEqual([undefined]);
});
