import type { LogEntry } from '@catchment/ingest-log';
import { columnOf, type ModeName } from '@catchment/testkit/write-model';
import { MAX_RECORD_MS, MIN_RECORD_MS } from '../../series/domain/store-range.ts';
import { changesOf } from './shard-changes.ts';

const BUCKET = 2 ** 30;
const nodeId = 'a'.repeat(24);
const column = (mode: ModeName, ...times: number[]): LogEntry => ({
  kind: 'column',
  column: columnOf(mode, new Map(times.map((time) => [time, { v: 1 }])), { nodeId }),
});
const everything = { bucket: -1, fromMs: MIN_RECORD_MS, toMs: MAX_RECORD_MS, clears: true };

test.each<[string, LogEntry, object[]]>([
  ['records', column('MERGE_OVERWRITE_EXISTING', 5, 9), [{ bucket: 0, fromMs: 5, toMs: 9, clears: false }]],
  [
    'records over the end of a bucket',
    column('MERGE_OVERWRITE_EXISTING', 5, BUCKET + 3),
    [
      { bucket: 0, fromMs: 5, toMs: BUCKET - 1, clears: false },
      { bucket: 1, fromMs: BUCKET, toMs: BUCKET + 3, clears: false },
    ],
  ],
  [
    'records of decades',
    column('MERGE_OVERWRITE_EXISTING', 5, 100 * BUCKET),
    [{ bucket: -1, fromMs: 5, toMs: 100 * BUCKET, clears: false }],
  ],
  [
    'records before 1970',
    column('MERGE_OVERWRITE_EXISTING', -9, 5),
    [{ bucket: -1, fromMs: -9, toMs: 5, clears: false }],
  ],
  ['no records', column('MERGE_OVERWRITE_EXISTING'), []],
  ['what may remove records', column('DELETE_RANGE', 5, 9), [{ bucket: 0, fromMs: 5, toMs: 10, clears: true }]],
  ['deleted nodes', { kind: 'nodesDelete', nodesDelete: { ownerId: '', nodeIds: [nodeId], timeMs: 0 } }, [everything]],
])('%s are copied again where they were written', (_what, entry, changes) => {
  expect(changesOf(entry)).toEqual(changes.map((change) => ({ nodeId, ...change })));
});
