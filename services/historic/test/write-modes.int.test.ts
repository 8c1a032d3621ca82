import { partitionOf } from '@catchment/ids';
import type { LogEntry } from '@catchment/ingest-log';
import { HANGS_AFTER_MS } from '@catchment/testkit';
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
import { MAX_TIMES } from '../src/records/store/influx-presence.ts';
import type { SeriesNode } from '../src/series/domain/series-node.ts';
import { type Field, type Historic, jts, startHistoric } from './fixture.ts';
import { TYPES } from './series.ts';

const T0 = Date.UTC(2024, 0, 1);
const MIN = 60_000;
const SIGNAL = () => AbortSignal.timeout(HANGS_AFTER_MS);

let historic: Historic;
beforeAll(async () => {
  historic = await startHistoric();
});
afterAll(() => historic?.close());

type Node = ReturnType<Historic['parameter']>;
/** `[minute, field]` of every record. */
const records = async (node: Node) => {
  const { text } = await historic.readText(node, { startTime: '1800-01-01', endTime: '2262-01-01' });
  return JSON.parse(text).data.map(({ ts, f }: { ts: string; f: { 0: object } }) => [
    (Date.parse(ts) - T0) / MIN,
    f[0],
  ]);
};
const write = (node: Node, writeMode: string, rows: readonly (readonly [number, Field])[]) =>
  historic.write(node, jts(rows.map(([minute, field]) => [T0 + minute * MIN, field])), { writeMode });
const entryOf = (node: SeriesNode, mode: ModeName, updates: Updates): LogEntry => {
  const { nodeId, ownerId, workspaceId, sourceId, series } = node;
  const times = new Map([...updates].map(([minute, update]) => [T0 + minute * MIN, update]));
  const facts = { nodeId, ownerId, workspaceId, sourceId, valueType: series.valueType, modifiedMs: T0 };
  return { kind: 'column', column: columnOf(mode, times, facts) };
};
const failuresOf = (node: Node) =>
  historic.applied.flatMap(({ columnFailures }) => columnFailures.filter(({ nodeId }) => nodeId === node.nodeId));

test(`any sequence of writes reads back from the store as a map would (seed ${SEED})`, async () => {
  const random = randomFrom(SEED + 2);
  const runs = Array.from({ length: 24 }, (_, n) => {
    const isText = n % 4 === 0;
    const node = historic.parameter(isText ? { valueType: TYPES.TEXT } : {});
    const writes = Array.from({ length: 6 }, () => randomWrite(random, 1, isText));
    return { node, writes };
  });
  await Promise.all(
    runs.map(({ node, writes }) =>
      historic.append(
        node,
        writes.map(({ mode, updates }) => entryOf(node, mode, updates)),
      ),
    ),
  );
  await historic.idle();
  for (const { node, writes } of runs) {
    const model: Model = new Map();
    const failures = writes.flatMap(({ mode, updates }) => applyToModel(model, mode, updates) ?? []);
    const history = writes.map(({ mode, updates }) => `${mode} ${JSON.stringify([...updates])}`);
    expect({ history, records: await records(node) }).toEqual({ history, records: sorted(model) });
    expect(failuresOf(node).map(({ message }) => message)).toEqual(failures);
  }
});

test('a message that comes again after all of it was done decides as the first time', async () => {
  const node = historic.parameter();
  const writes: [ModeName, Updates][] = [
    [
      'MERGE_FAIL_ON_EXISTING',
      new Map([
        [1, { v: 1 }],
        [2, { v: 2, a: 'two' }],
      ]),
    ],
    [
      'MERGE_UPDATE_EXISTING',
      new Map([
        [2, { q: 5 }],
        [3, { q: 6 }],
      ]),
    ],
    [
      'MERGE_PRESERVE_EXISTING',
      new Map([
        [3, { v: 3 }],
        [4, { v: 4 }],
      ]),
    ],
    [
      'INSERT_FAIL_ON_EXISTING',
      new Map([
        [8, { v: 8 }],
        [9, { v: 9 }],
      ]),
    ],
    [
      'MERGE_UPDATE_EXISTING',
      new Map([
        [3, { q: null }],
        [9, { v: null }],
      ]),
    ],
    [
      'INSERT_FAIL_ON_EXISTING',
      new Map([
        [7, { v: 7 }],
        [9, { v: 9 }],
      ]),
    ],
  ];
  const from = historic.messages.length;
  await historic.append(
    node,
    writes.map(([mode, updates]) => entryOf(node, mode, updates)),
  );
  await historic.idle();
  const expected = [
    [1, { v: 1 }],
    [2, { v: 2, q: 5, a: 'two' }],
    [4, { v: 4 }],
    [8, { v: 8 }],
  ];
  expect(await records(node)).toEqual(expected);
  const [message] = historic.messages.slice(from);
  if (!message) throw new Error('no message');
  await historic.applier.apply(message.partition, [message], SIGNAL());
  expect(await records(node)).toEqual(expected);
  await historic.idle();
  expect(failuresOf(node)).toHaveLength(1);
});

test.each<[string, string, [number, Field][], unknown[]]>([
  ['update keeps the value', 'MERGE_UPDATE_EXISTING', [[0, { q: 8, a: null }]], [[0, { v: 1, q: 8 }]]],
  [
    'preserve keeps all of it',
    'merge_preserve_existing',
    [
      [0, { v: 9 }],
      [1, { v: 1 }],
    ],
    [
      [0, { v: 1, q: 7, a: 'x' }],
      [1, { v: 1 }],
    ],
  ],
  [
    'delete',
    'DELETE',
    [
      [0, { v: 1 }],
      [1, { v: 1 }],
    ],
    [],
  ],
  [
    'delete range',
    'DELETE_RANGE',
    [
      [-5, { v: 1 }],
      [5, { v: 1 }],
    ],
    [],
  ],
  [
    'fail',
    'MERGE_FAIL_ON_EXISTING',
    [
      [0, { v: 9 }],
      [1, { v: 9 }],
    ],
    [[0, { v: 1, q: 7, a: 'x' }]],
  ],
])('%s, written as a document', async (_what, mode, rows, after) => {
  const node = historic.parameter();
  await write(node, '', [[0, { v: 1, q: 7, a: 'x' }]]);
  await historic.idle();
  await write(node, mode, rows);
  await historic.idle();
  expect(await records(node)).toEqual(after);
});

test('a failed column is announced with user and time; its request is no acquisition of the node', async () => {
  const node = historic.parameter();
  await write(node, '', [[0, { v: 1 }]]);
  await write(node, 'INSERT_FAIL_ON_EXISTING', [
    [-1, { v: 9 }],
    [1, { v: 9 }],
  ]);
  await historic.idle();
  expect(failuresOf(node)).toMatchObject([
    { ownerId: node.ownerId, username: 'jo@example.org', message: 'Insert failed: existing records' },
  ]);
  const acquisitions = historic.applied
    .flatMap((batch) => batch.acquisitions)
    .filter(({ nodeId }) => nodeId === node.nodeId);
  expect(acquisitions).toHaveLength(1);
  expect(await records(node)).toEqual([[0, { v: 1 }]]);
});

test('a source that is sent nothing but what it has has stored no rows', async () => {
  const source = historic.source();
  const level = historic.child(source, { name: 'Level', series: { seriesKey: 'level' } });
  const rows = { '0': { id: level.nodeId } };
  const document = (count: number) => ({
    docType: 'jts',
    header: { columns: rows },
    data: Array.from({ length: count }, (_, n) => ({ ts: `2024-01-01T0${n}:00:00Z`, f: { '0': { v: n } } })),
  });
  for (const count of [2, 2, 3]) {
    await historic.write(source, document(count), { writeMode: 'MERGE_PRESERVE_EXISTING' });
    await historic.idle();
  }
  const reported = historic.applied
    .flatMap((batch) => batch.acquisitions)
    .filter(({ nodeId }) => nodeId === source.nodeId);
  expect(reported.map(({ rows, parameters }) => [rows > 0, parameters])).toEqual([
    [true, 1],
    [false, 0],
    [true, 1],
  ]);
});

test('values of every type survive an update of their quality', async () => {
  const coordinates = historic.parameter({ valueType: TYPES.COORDINATES }, { class: 'location.Location' });
  const time = historic.parameter({ valueType: TYPES.TIME });
  const cases: [Node, unknown][] = [
    [coordinates, { $coords: [-33.5, 151.25] }],
    [time, { $time: '2024-01-01T00:00:00.000Z' }],
  ];
  for (const [node, v] of cases) {
    await write(node, '', [[0, { v }]]);
    await write(node, 'MERGE_UPDATE_EXISTING', [[0, { q: 3 }]]);
    await historic.idle();
    expect(await records(node)).toEqual([[0, { v, q: 3 }]]);
  }
});

describe('what the store is asked', () => {
  const fill = async (node: Node, minutes: readonly number[]) => {
    await historic.append(node, [
      entryOf(node, 'MERGE_OVERWRITE_EXISTING', new Map(minutes.map((minute) => [minute, { v: minute }]))),
    ]);
    await historic.idle();
  };

  test('records far apart, and scattered over many others, are found exactly', async () => {
    const node = historic.parameter();
    await fill(
      node,
      Array.from({ length: 20_000 }, (_, n) => n),
    );
    await historic.append(node, [entryOf(node, 'DELETE', new Map([[15_000, null]]))]);
    await historic.idle();
    // Two timestamps so far apart are read one by one after a page of 12 000 rows.
    const cases: [number[], number[]][] = [
      [
        [-500_000, 0, 1, 9_999.5, 15_000, 19_999, 20_000],
        [0, 1, 1, 0, 0, 1, 0],
      ],
      [
        [-500_000, 19_999],
        [0, 1],
      ],
      [
        [0, 15_000],
        [1, 0],
      ],
      [
        [0, 14_999.5],
        [1, 0],
      ],
      [
        [19_999, 500_000],
        [1, 0],
      ],
    ];
    for (const [minutes, expected] of cases) {
      const times = Float64Array.from(minutes, (minute) => T0 + minute * MIN);
      expect([...(await historic.existing.presenceAt(node.nodeId, times, SIGNAL()))]).toEqual(expected);
    }
    const dense = Float64Array.from({ length: 5_000 }, (_, n) => T0 + n * 2 * MIN);
    expect((await historic.existing.presenceAt(node.nodeId, dense, SIGNAL())).every((parts) => parts === 1)).toBe(true);
  });

  test('a range with more records than can be named is deleted as a whole', async () => {
    const node = historic.parameter();
    for (let from = 0; from <= MAX_TIMES; from += 50_000)
      await fill(
        node,
        Array.from({ length: 50_000 }, (_, n) => from + n),
      );
    await write(node, 'INSERT_DELETE_EXISTING', [
      [1, { v: 1 }],
      [149_998, { v: 2 }],
    ]);
    await historic.idle();
    expect(await records(node)).toEqual([
      [0, { v: 0 }],
      [1, { v: 1 }],
      [149_998, { v: 2 }],
      [149_999, { v: 149_999 }],
    ]);
  });

  test('deleted records are none', async () => {
    const node = historic.parameter();
    await fill(
      node,
      Array.from({ length: 3_000 }, (_, n) => n),
    );
    await historic.append(node, [entryOf(node, 'DELETE', new Map(Array.from({ length: 3_000 }, (_, n) => [n, null])))]);
    await historic.idle();
    const range = { fromMs: T0, toMs: T0 + 3_000 * MIN };
    expect(await historic.existing.hasAny(node.nodeId, range, SIGNAL())).toBe(false);
    expect(await historic.existing.timesIn(node.nodeId, range, SIGNAL())).toEqual(new Float64Array(0));
  });
});

const keptOf = async (node: { sourceId: string }) => {
  const { rows } = await historic.database.query<{ partition: number }>('SELECT partition FROM write_observations', []);
  return rows.filter(({ partition }) => partition === partitionOf(node.sourceId, 2)).length;
};

test('what was seen is kept for the newest message of the partition only, and for older ones while a backup is made', async () => {
  const node = historic.parameter();
  const writeOne = async (minute: number) => {
    await write(node, 'MERGE_FAIL_ON_EXISTING', [[minute, { v: 1 }]]);
    await historic.idle();
  };
  for (const minute of [1, 2, 3]) await writeOne(minute);
  expect(await keptOf(node)).toBe(1);
  await historic.database.query(
    `INSERT INTO backup_holds VALUES ('ended', now() - interval '1 second'), ('made', now() + interval '1 hour')`,
    [],
  );
  for (const minute of [4, 5]) await writeOne(minute);
  expect(await keptOf(node)).toBe(3);
  await historic.database.query(`UPDATE backup_holds SET held_until = now()`, []);
  await writeOne(6);
  expect(await keptOf(node)).toBe(1);
});

const was = (rows: readonly (readonly [number, Field])[], before: readonly (readonly [number, Field])[]) => {
  const inTime = (some: typeof rows) => jts(some.map(([minute, field]) => [T0 + minute * MIN, field]));
  return { ...inTime(rows), was: inTime(before).data };
};
const update = { writeMode: 'MERGE_UPDATE_EXISTING' };

test('an edit that says what was there is written while that is so, and refused by its first other record afterwards', async () => {
  const node = historic.parameter({ multiplier: 0.1, offset: 1 });
  await write(node, '', [
    [1, { v: 30 }],
    [2, { v: 7, q: 5, a: 'ice' }],
    [3, { v: 3 }],
  ]);
  await historic.idle();
  const [shown] = await records(node);
  const read: [number, Field][] = [shown, [2, { v: 7 * 0.1 + 1, q: 5, a: 'ice' }]];
  const edits: [number, Field][] = [
    [1, { v: 40 }],
    [2, null],
    [4, { v: 4 }],
  ];
  for (const [what, before] of [
    ['another value', [shown, [2, { v: 1.8, q: 5, a: 'ice' }]]],
    ['another quality', [shown, [2, { v: 7 * 0.1 + 1, q: 6, a: 'ice' }]]],
    ['another note', [shown, [2, { v: 7 * 0.1 + 1, q: 5 }]]],
    ['a record that is not there', [...read, [4, { v: 1 }]]],
    ['no record where there is one', [[2, { v: 7 * 0.1 + 1, q: 5, a: 'ice' }]]],
  ] as [string, [number, Field][]][]) {
    const refusal = historic.write(node, was(edits, before), update);
    await expect(refusal, what).rejects.toMatchObject({ kind: 'changed', reason: 'RECORDS_CHANGED' });
  }
  expect(await historic.write(node, was(edits, read), update)).toBe(3);
  await historic.idle();
  expect(await records(node)).toEqual([
    [1, { v: 40 * 0.1 + 1 }],
    [3, { v: 3 * 0.1 + 1 }],
    [4, { v: 4 * 0.1 + 1 }],
  ]);
  await expect(historic.write(node, was(edits, read), update)).rejects.toThrow(
    'was: 3 records are not as given, the first at 2024-01-01T00:01:00.000Z',
  );
});

test('of edits at one time that say the same was there, one is written as a whole and the others not at all', async () => {
  const node = historic.parameter();
  await write(node, '', [[1, { v: 1 }]]);
  await historic.idle();
  const edit = (v: number) =>
    was(
      [
        [1, { v }],
        [2, { v }],
      ],
      [[1, { v: 1 }]],
    );
  const answers = await Promise.allSettled([11, 12, 13, 14].map((v) => historic.write(node, edit(v), update)));
  const taken = answers.filter(({ status }) => status === 'fulfilled').length;
  await historic.idle();
  const [[, first], [, second]] = await records(node);
  expect(first.v).toBeGreaterThan(10);
  expect(second).toEqual(first);
  expect(failuresOf(node).map(({ message }) => message)).toEqual(
    Array.from({ length: taken - 1 }, () => 'Update failed: records have changed'),
  );
});

test.each([
  ['another mode', { writeMode: '' }, was([[1, { v: 1 }]], []), 'was: needs writeMode=MERGE_UPDATE_EXISTING'],
  ['no array', update, { ...jts([[T0, { v: 1 }]]), was: {} }, 'was: must be an array'],
  ['a wrong time', update, { ...jts([[T0, { v: 1 }]]), was: [{ ts: 'soon', f: {} }] }, 'was[0].ts: must be an ISO'],
  ['another time', update, was([[1, { v: 1 }]], [[2, { v: 1 }]]), 'was: has a record at 2024-01-01T00:02:00.000Z'],
  ['a wrong value', update, was([[1, { v: 1 }]], [[1, { v: 'x' }]]), 'was[0].f.0.v: must be a number'],
])('what was there is refused: %s', async (_what, given, body, message) => {
  await expect(historic.write(historic.parameter(), body, given)).rejects.toThrow(message);
});

test.each([
  [TYPES.TEXT, 'open', 'opne'],
  [TYPES.TIME, { $time: '2024-01-01T00:00:00.000Z' }, { $time: '2024-01-01T00:00:01.000Z' }],
  [TYPES.COORDINATES, { $coords: [1, 2] }, { $coords: [1, 3] }],
])('values of type %s are compared, too', async (valueType, value, other) => {
  const node = historic.parameter({ valueType });
  await write(node, '', [[1, { v: value }]]);
  await historic.idle();
  const edit = (before: unknown) => historic.write(node, was([[1, { q: 9 }]], [[1, { v: before }]]), update);
  await expect(edit(other)).rejects.toMatchObject({ reason: 'RECORDS_CHANGED' });
  expect(await edit(value)).toBe(1);
});
