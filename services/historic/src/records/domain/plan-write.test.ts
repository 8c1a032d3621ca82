import { WriteMode } from '@catchment/contracts/ingest';
import { FLAG, rangeOf } from '@catchment/ingest-log';
import {
  applyToModel,
  columnOf,
  MODES,
  type Model,
  type ModelRecord,
  type ModeName,
  randomFrom,
  randomWrite,
  SEED,
  sorted,
  type Update,
} from '@catchment/testkit/write-model';
import { MemoryRecords } from '../../../test/memory-records.ts';
import { TYPES } from '../../../test/series.ts';
import { type Existing, planWrite, questionOf, UNASKED } from './plan-write.ts';

async function existingFor(store: MemoryRecords, column: ReturnType<typeof columnOf>): Promise<Existing> {
  switch (questionOf(column)) {
    case 'nothing':
      return UNASKED;
    case 'presence':
      return { presence: await store.presenceAt(column.nodeId, column.timestamps, AbortSignal.timeout(1_000)) };
    case 'any':
      return { presence: Uint8Array.of((await store.hasAny(column.nodeId, rangeOf(column))) ? 1 : 0) };
    case 'times':
      return { ...UNASKED, times: await store.timesIn(column.nodeId, rangeOf(column)) };
  }
}

/** Plans and carries out one write. @returns the text of a failure */
async function apply(store: MemoryRecords, column: ReturnType<typeof columnOf>): Promise<string | undefined> {
  const plan = planWrite(column, await existingFor(store, column));
  if (plan.kind === 'failed') return plan.message;
  if (plan.clears) await store.deleteRange(column.nodeId, plan.clears);
  await store.writeColumns(plan.columns);
  return undefined;
}

/** The table is that of docs/reference/writing.md#write-modes: 1, 3 and 5 exist; the write has 3, 4 and 5 or a marker there. */
const BEFORE: [number, ModelRecord][] = [
  [1, { v: 1 }],
  [3, { v: 3, q: 30, a: 'three' }],
  [5, { v: 5 }],
  [7, { v: 7 }],
];
const V4: [number, ModelRecord] = [4, { v: 40 }];
const [first, three, five, seven] = BEFORE as [
  [number, ModelRecord],
  [number, ModelRecord],
  [number, ModelRecord],
  [number, ModelRecord],
];
type Case = [what: string, mode: ModeName, writes: Record<number, Update>, after: [number, ModelRecord][] | string];
test.each<Case>([
  [
    'replaces whole records',
    'MERGE_OVERWRITE_EXISTING',
    { 3: { v: 9 }, 4: { v: 40 } },
    [first, [3, { v: 9 }], V4, five, seven],
  ],
  ['deletes by marker', 'MERGE_OVERWRITE_EXISTING', { 3: null, 4: null }, [first, five, seven]],
  ['keeps what exists', 'MERGE_PRESERVE_EXISTING', { 3: { v: 9 }, 4: { v: 40 } }, [first, three, V4, five, seven]],
  ['ignores markers', 'MERGE_PRESERVE_EXISTING', { 3: null, 4: null, 5: { v: 9 } }, BEFORE],
  [
    'changes what is sent',
    'MERGE_UPDATE_EXISTING',
    { 3: { q: 8 }, 4: { v: 40 } },
    [first, [3, { v: 3, q: 8, a: 'three' }], V4, five, seven],
  ],
  ['clears what is null', 'MERGE_UPDATE_EXISTING', { 3: { v: null, a: null } }, [first, [3, { q: 30 }], five, seven]],
  ['deletes what has nothing left', 'MERGE_UPDATE_EXISTING', { 4: { v: null }, 5: { v: null } }, [first, three, seven]],
  ['deletes by marker', 'MERGE_UPDATE_EXISTING', { 3: null, 4: null }, [first, five, seven]],
  [
    'inserts where nothing is',
    'MERGE_FAIL_ON_EXISTING',
    { 2: { v: 2 }, 4: { v: 40 }, 6: null },
    [first, [2, { v: 2 }], three, V4, five, seven],
  ],
  [
    'fails on one that exists',
    'MERGE_FAIL_ON_EXISTING',
    { 2: { v: 2 }, 5: { v: 9 } },
    'Merge failed: existing records',
  ],
  [
    'fails on a marker of one that exists',
    'MERGE_FAIL_ON_EXISTING',
    { 2: { v: 2 }, 5: null },
    'Merge failed: existing records',
  ],
  [
    'replaces the range',
    'INSERT_DELETE_EXISTING',
    { 2: { v: 2 }, 4: { v: 40 }, 5: null },
    [first, [2, { v: 2 }], V4, seven],
  ],
  ['inserts into an empty range', 'INSERT_FAIL_ON_EXISTING', { 4: { v: 40 } }, [first, three, V4, five, seven]],
  [
    'fails on any in the range',
    'INSERT_FAIL_ON_EXISTING',
    { 2: { v: 2 }, 4: { v: 40 } },
    'Insert failed: existing records',
  ],
  [
    'fails on a marker’s own record',
    'INSERT_FAIL_ON_EXISTING',
    { 4: { v: 40 }, 5: null },
    'Insert failed: existing records',
  ],
  ['deletes the range', 'DELETE_RANGE', { 2: { v: 2 }, 5: { v: 5 } }, [first, seven]],
  ['deletes what is named', 'DELETE', { 1: { v: 1 }, 2: { v: 2 }, 7: null }, [three, five]],
  ['stores nothing', 'DISCARD', { 1: { v: 9 }, 3: null }, BEFORE],
])('%s (%s)', async (_what, mode, writes, after) => {
  const store = new MemoryRecords();
  await apply(store, columnOf('MERGE_OVERWRITE_EXISTING', new Map(BEFORE)));
  const updates = new Map(Object.entries(writes).map(([time, update]) => [Number(time), update]));
  const column = columnOf(mode, updates);
  const failure = await apply(store, column);
  expect(failure).toBe(typeof after === 'string' ? after : undefined);
  expect(store.read(column.nodeId)).toEqual(typeof after === 'string' ? BEFORE : after);
  // The model of the property tests says the same.
  const model: Model = new Map(BEFORE);
  expect(applyToModel(model, mode, updates)).toBe(failure);
  expect(sorted(model)).toEqual(store.read(column.nodeId));
});

test.each([false, true])(
  `any sequence of writes reads back as a map would (seed ${SEED}, texts %s)`,
  async (isText) => {
    const random = randomFrom(SEED);
    const change = isText ? { valueType: TYPES.TEXT } : {};
    for (let run = 0; run < 300; run += 1) {
      const store = new MemoryRecords();
      const model: Model = new Map();
      const history: string[] = [];
      for (let n = 0; n < 8; n += 1) {
        const { mode, updates } = randomWrite(random, 1, isText);
        const column = columnOf(mode, updates, { ...change, modifiedMs: 1_000 + n });
        history.push(`${mode} ${JSON.stringify([...updates])}`);
        const expected = applyToModel(model, mode, updates);
        const failure = await apply(store, column);
        expect({ history, failure, records: store.read(column.nodeId) }).toEqual({
          history,
          failure: expected,
          records: sorted(model),
        });
      }
    }
  },
);

test('a default write and deletes ask nothing; the others ask once', () => {
  const asking = MODES.filter((mode) => questionOf({ writeMode: WriteMode[`WRITE_MODE_${mode}`] }) !== 'nothing');
  expect(asking).toEqual([
    'MERGE_PRESERVE_EXISTING',
    'MERGE_UPDATE_EXISTING',
    'MERGE_FAIL_ON_EXISTING',
    'INSERT_DELETE_EXISTING',
    'INSERT_FAIL_ON_EXISTING',
  ]);
});

test.each(MODES)('%s of no records does nothing', (mode) => {
  expect(planWrite(columnOf(mode, new Map()), UNASKED)).toMatchObject({
    kind: 'write',
    columns: [],
    clears: undefined,
  });
});

test('one flag for all records stays one, and dense arrays stay dense, where records are left out', () => {
  const updates = new Map([1, 2, 3].map((time) => [time, { v: `v${time}`, q: time, a: `a${time}` }]));
  const column = {
    ...columnOf('MERGE_PRESERVE_EXISTING', updates, { valueType: TYPES.TEXT }),
    flags: Uint8Array.of(FLAG.value | FLAG.quality | FLAG.annotation),
  };
  const plan = planWrite(column, { presence: Uint8Array.of(0, 1, 0) });
  expect(plan).toMatchObject({
    kind: 'write',
    recompute: false,
    columns: [
      {
        timestamps: Float64Array.of(1, 3),
        flags: Uint8Array.of(7),
        texts: ['v1', 'v3'],
        qualities: Uint16Array.of(1, 3),
        annotations: new Map([
          [0, 'a1'],
          [1, 'a3'],
        ]),
      },
    ],
  });
});
