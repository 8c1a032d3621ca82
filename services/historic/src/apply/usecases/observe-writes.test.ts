import { randomUUID } from 'node:crypto';
import { encodeEntries, type LogEntry } from '@catchment/ingest-log';
import { columnOf, randomFrom, randomWrite, SEED, type Updates } from '@catchment/testkit/write-model';
import { memoryWriter } from '../../../test/memory-records.ts';
import type { LogMessage } from './apply-batch.ts';

const SERIES = ['a', 'b', 'f'].map((letter) => letter.repeat(24));
const IDS = { ownerId: 'c'.repeat(24), workspaceId: 'd'.repeat(24), username: 'jo', timeMs: 5 };

function setUp() {
  const { applier, ...made } = memoryWriter();
  return {
    ...made,
    apply: (group: readonly LogMessage[]) => applier.apply(0, group, AbortSignal.timeout(10_000)),
  };
}
type Writer = ReturnType<typeof setUp>;

type Given = { readonly shift: number; readonly isLong: boolean; readonly goes: boolean };

/** Makes entries of a request: writes of all modes, edits that say what they have seen, deletions. */
function randomEntry(random: () => number, { store }: Writer, { shift, isLong, goes }: Given): LogEntry {
  const nodeId = SERIES[Math.floor(random() * 3)] ?? '';
  const dice = random();
  if (dice < 0.04)
    return {
      kind: 'seriesDelete',
      seriesDelete: { ...IDS, nodeId, sourceId: 'e'.repeat(24), valueType: 1, recomputing: false },
    };
  if (goes && dice < 0.06) return { kind: 'nodesDelete', nodesDelete: { ...IDS, nodeIds: [nodeId] } };
  const { mode, updates: near } = randomWrite(random, 1);
  const long = isLong && random() < 0.3 ? Array.from({ length: 60 }, (_, n) => [n, { v: n }] as const) : [];
  const updates: Updates = new Map([...near, ...long].map(([time, update]) => [time + shift, update]));
  if (dice < 0.1) return { kind: 'column', column: columnOf(mode, new Map(), { nodeId, modifiedMs: 1_000 }) };
  if (dice < 0.2)
    return { kind: 'column', column: columnOf('DELETE', updates, { nodeId, modifiedMs: 1_000, isEdit: true }) };
  if (dice < 0.35) {
    const column = columnOf('MERGE_UPDATE_EXISTING', updates, { nodeId, modifiedMs: 1_000, isEdit: true });
    return { kind: 'column', column: { ...column, expected: store.sumAt(nodeId, column.timestamps) } };
  }
  return { kind: 'column', column: columnOf(mode, updates, { nodeId, modifiedMs: 1_000 }) };
}

const outcomeOf = ({ published, store }: Writer, goes: boolean) => ({
  records: SERIES.map((nodeId) => store.read(nodeId)),
  // A batch that broke off may have published before.
  published: [...(goes ? [] : new Map(published.map((applied) => [applied.logSequence, applied])).values())]
    .sort((a, b) => a.logSequence - b.logSequence)
    .map(({ logSequence, columnFailures, columnsSettled, seriesEdited }) => ({
      logSequence,
      columnFailures,
      columnsSettled: columnsSettled.map(({ nodeId, entry, written }) => [nodeId, entry, ...written]),
      seriesEdited,
    })),
});

test(`a batch that broke off comes one by one and in other groups, and ends as its messages do by themselves (seed ${SEED})`, async () => {
  const random = randomFrom(SEED + 11);
  for (let run = 0; run < 200; run += 1) {
    const [plain, writer] = [setUp(), setUp()];
    // The writer publishes that nothing was written, where the nodes are gone when a message comes again.
    const [isLong, goes] = [run % 4 === 0, run % 5 === 0];
    const messages: LogMessage[] = [];
    for (let request = 0; request < 6; request += 1) {
      const shift = (run % 3) * request * 7;
      const entries = Array.from({ length: 1 + Math.floor(random() * 4) }, () =>
        randomEntry(random, plain, { shift, isLong, goes }),
      );
      for (const data of encodeEntries(entries, isLong ? 900 : 1_000_000, randomUUID)) {
        messages.push({ sequence: messages.length + 1, data });
        await plain.apply(messages.slice(-1));
      }
    }
    let alone = 0;
    for (let done = 0; done < messages.length; ) {
      const group = messages.slice(done, done + (alone > 0 ? 1 : 1 + Math.floor(random() * 6)));
      let left = random() < 0.3 ? Number.POSITIVE_INFINITY : Math.floor(random() * 60);
      const breakOff = () => {
        left -= 1;
        if (left < 0) throw new Error('broken off');
      };
      writer.store.before = breakOff;
      writer.observations.before = breakOff;
      const isDone = await writer.apply(group).then(
        () => true,
        (error: Error) => {
          if (error.message !== 'broken off') throw error;
          return false;
        },
      );
      // An acknowledgement may be lost: the whole group comes again.
      if (isDone && random() < 0.8) [done, alone] = [done + group.length, Math.max(0, alone - group.length)];
      else if (!isDone) alone = random() < 0.5 ? Math.max(alone, group.length) : 0;
    }
    expect({ run, ...outcomeOf(writer, goes) }).toEqual({ run, ...outcomeOf(plain, goes) });
  }
});

test('what was found for a message that was given up is not taken for a later one with the same content', async () => {
  const { store, published, apply } = setUp();
  const { presenceAt } = store;
  store.presenceAt = async (_nodeId, _timestamps, _signal, progress) => {
    if (progress) progress.done += 1;
    throw new Error('too slow');
  };
  const column = (mode: 'MERGE_OVERWRITE_EXISTING' | 'MERGE_FAIL_ON_EXISTING', times: readonly number[]) =>
    columnOf(mode, new Map(times.map((time) => [time, { v: 1 }])), { nodeId: SERIES[0] ?? '', modifiedMs: 1_000 });
  const dataOf = (...columns: ReturnType<typeof column>[]) =>
    encodeEntries(
      columns.map((column) => ({ kind: 'column', column })),
      1_000_000,
      () => 'k',
    )[0] ?? new Uint8Array();
  const failing = dataOf(column('MERGE_FAIL_ON_EXISTING', [1, 2]));
  await expect(apply([{ sequence: 1, data: failing }])).rejects.toThrow('too slow');
  await apply([{ sequence: 2, data: dataOf(column('MERGE_OVERWRITE_EXISTING', [1])) }]);
  store.presenceAt = async (nodeId, timestamps, signal, progress) => {
    const found = await presenceAt(nodeId, timestamps, signal);
    if (!progress) return found;
    for (; progress.done < timestamps.length; progress.done += 1)
      progress.presence[progress.done] = found[progress.done] ?? 0;
    return progress.presence;
  };
  await apply([{ sequence: 3, data: failing }]);
  expect(published.findLast(({ logSequence }) => logSequence === 3)?.columnFailures).toHaveLength(1);
});
