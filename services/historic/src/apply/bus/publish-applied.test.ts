import { AppliedGroup } from '@catchment/contracts/ingest';
import { ValueType } from '@catchment/contracts/nodes';
import { FLAG } from '@catchment/ingest-log';
import { columnOf } from '@catchment/testkit/write-model';
import { AppliedSummary } from '../domain/applied-summary.ts';
import { groupsOf, messageOf } from './publish-applied.ts';

const MAX = 10_000;

function written(texts: Readonly<Record<string, string>>, sequence: number) {
  const summary = new AppliedSummary();
  for (const [nodeId, text] of Object.entries(texts)) {
    const column = columnOf('MERGE_OVERWRITE_EXISTING', new Map([[1, { v: 1 }]]), { nodeId });
    const flags = Uint8Array.of(FLAG.value);
    summary.addColumn({
      ...column,
      valueType: ValueType.VALUE_TYPE_TEXT,
      numbers: new Float64Array(0),
      texts: [text],
      flags,
    });
  }
  return summary.toMessage(0, sequence);
}
const recordsOf = (groups: ReturnType<typeof groupsOf>) =>
  groups.map((group) =>
    AppliedGroup.decode(messageOf(group)).batches.map(({ series }) =>
      series.map(({ nodeId, newest, recompute }) => [nodeId, newest.length, recompute]),
    ),
  );

test('what fits goes together, in order', () => {
  const all = [1, 2, 3].map((sequence) => written({ a: 'x'.repeat(2_000) }, sequence));
  expect(groupsOf(all, MAX).map((group) => group.map(({ logSequence }) => logSequence))).toEqual([[1, 2], [3]]);
});

test('the message of a group is that of all its batches', () => {
  const batches = [1, 2, 3].map((sequence) => ({ ...written({ a: 'x', b: 'y' }, sequence), settledSequence: 7 }));
  const [group = []] = groupsOf(batches, MAX);
  expect(Buffer.from(messageOf(group))).toEqual(Buffer.from(AppliedGroup.encode({ batches }).finish()));
});

test('a long text of one series does not cost others their records', () => {
  const groups = groupsOf([written({ a: 'short', b: 'x'.repeat(MAX), c: 'short' }, 1)], MAX);
  expect(recordsOf(groups)).toEqual([
    [
      [
        ['a', 1, false],
        ['b', 0, true],
        ['c', 1, false],
      ],
    ],
  ]);
});
