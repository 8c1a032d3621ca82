import { type DeadLetter, DeadLetters } from '@catchment/bus';
import { IngestBatch } from '@catchment/contracts/ingest';
import { newObjectId, partitionOf } from '@catchment/ids';
import { decodeBatch, encodeEntries, fillingGaps, type LogEntry } from '@catchment/ingest-log';
import { columnOf, type ModeName, type Updates } from '@catchment/testkit/write-model';
import { type Historic, startHistoric } from './fixture.ts';

const T0 = Date.UTC(2024, 0, 1);
const SOON_MS = 20_000;
let historic: Historic;
let letters: DeadLetters;
beforeAll(async () => {
  historic = await startHistoric();
  letters = await DeadLetters.open({ url: historic.nats.url, prefix: historic.nats.prefix, name: 'test' });
});
afterAll(async () => {
  await letters?.close();
  await historic?.close();
});

type Node = ReturnType<Historic['parameter']>;
const columnWrite = ({ nodeId, ownerId, workspaceId, sourceId }: Node, mode: ModeName, updates: Updates): LogEntry => {
  const times = new Map([...updates].map(([minute, update]) => [T0 + minute * 60_000, update]));
  return { kind: 'column', column: columnOf(mode, times, { nodeId, ownerId, workspaceId, sourceId, modifiedMs: T0 }) };
};
const values = async (node: Node) => {
  const { text } = await historic.readText(node, { startTime: '1800-01-01', endTime: '2262-01-01' });
  return JSON.parse(text).data.map(({ f }: { f: { 0: { v: number } } }) => f[0].v);
};

/** Puts a write into the log that this version cannot read, as one of a newer version would be. @returns its letter, and what it says */
async function poison(node: Node, mode: ModeName, updates: Updates): Promise<{ letter: DeadLetter; data: Uint8Array }> {
  const [data = new Uint8Array()] = encodeEntries([columnWrite(node, mode, updates)], 1_000_000, newObjectId);
  const newer = IngestBatch.encode({ ...IngestBatch.decode(data), version: 99 }).finish();
  await historic.bus.publish(`ingest.${partitionOf(node.sourceId, 2)}`, newer, { msgId: newObjectId() });
  await historic.idle();
  const letter = (await Array.fromAsync(letters.list())).find(({ reader }) => reader.startsWith('writer-'));
  if (!letter) throw new Error('there is no dead letter');
  return { letter, data };
}

test('a write that could not be read is stored once it can be, and leaves what was written since', async () => {
  const node = historic.parameter();
  await historic.append(node, [columnWrite(node, 'MERGE_OVERWRITE_EXISTING', new Map([[1, { v: 1 }]]))]);
  const late: Updates = new Map([
    [1, { v: 10 }],
    [2, { v: 20 }],
    [3, { v: 30 }],
  ]);
  const { letter, data } = await poison(node, 'MERGE_OVERWRITE_EXISTING', late);
  expect(letter.reason).toContain('LAYOUT_UNKNOWN');
  await historic.append(node, [columnWrite(node, 'MERGE_OVERWRITE_EXISTING', new Map([[2, { v: 2 }]]))]);
  await historic.idle();
  expect(await values(node)).toEqual([1, 2]);

  const [gentle] = encodeEntries(fillingGaps(decodeBatch(data)) ?? [], 1_000_000, newObjectId);
  const outcome = await letters.outcome(letter, await letters.retry(letter.number, gentle), SOON_MS);
  expect(outcome).toEqual({ kind: 'handled' });
  await historic.idle();
  expect(await values(node)).toEqual([1, 2, 30]);
  const published = historic.applied.at(-1)?.series.map(({ nodeId, newest }) => [nodeId, newest[0]?.timestampMs]);
  expect(published).toEqual([[node.nodeId, T0 + 180_000]]);
});

test('with its own content it is applied as if it was written now', async () => {
  const node = historic.parameter();
  const { letter, data } = await poison(
    node,
    'DELETE_RANGE',
    new Map([
      [1, { v: 0 }],
      [5, { v: 0 }],
    ]),
  );
  await historic.append(node, [
    columnWrite(
      node,
      'MERGE_OVERWRITE_EXISTING',
      new Map([
        [3, { v: 3 }],
        [6, { v: 6 }],
      ]),
    ),
  ]);
  await historic.idle();
  expect(await values(node)).toEqual([3, 6]);
  await letters.outcome(letter, await letters.retry(letter.number, data), SOON_MS);
  await historic.idle();
  expect(await values(node)).toEqual([6]);
});
