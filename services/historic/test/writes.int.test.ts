import { newObjectId } from '@catchment/ids';
import { FLAG } from '@catchment/ingest-log';
import { HANGS_AFTER_MS, until } from '@catchment/testkit';
import { column } from '@catchment/testkit/columns';
import { caller, type Historic, jts, SERVICE, startHistoric } from './fixture.ts';
import { TYPES } from './series.ts';

const TS = '2024-01-01T00:00:00.000Z';
const ALL = { startTime: '1800-01-01', endTime: '2262-01-01' };
const ONE = jts([[TS, { v: 1 }]]);

let historic: Historic;
beforeAll(async () => {
  historic = await startHistoric();
});
afterAll(() => historic?.close());

type Series = { nodeId: string; ownerId: string };
const data = async (node: Series) => JSON.parse((await historic.readText(node, ALL)).text).data;
const sourceDocument = (columns: object, rows: object[]) => ({
  docType: 'jts',
  header: { columns },
  data: rows.map((f) => ({ ts: TS, f })),
});

describe('data sources', () => {
  test('known columns by id, customId and series, new ones are created, all stored', async () => {
    const source = historic.source();
    const byId = historic.child(source, { name: 'A' });
    const byCustomId = historic.child(source, { name: 'B', customId: 'b-1' });
    const bySeries = historic.child(source, { name: 'C', series: { seriesKey: 'c', valueType: TYPES.TEXT } });
    const columns = {
      0: { id: byId.nodeId },
      1: { id: '@b-1' },
      2: { series: 'c' },
      3: { id: newObjectId(), name: 'New' },
    };
    const rows = await historic.write(
      source,
      sourceDocument(columns, [{ 0: { v: 1 }, 1: { v: 2 }, 2: { v: 'x' }, 3: { v: 4 } }]),
    );
    expect(rows).toBe(1);
    const made = historic.nodes.parametersOf(source.nodeId).find(({ name }) => name === 'New');
    await historic.idle();
    const stored = await Promise.all([byId, byCustomId, bySeries, made!].map(data));
    expect(stored.map(([row]) => row.f[0].v)).toEqual([1, 2, 'x', 4]);
  });

  test('a parameter made a moment ago is checked by its own type and gets the quality of its states', async () => {
    const source = historic.source();
    await historic.write(source, sourceDocument({ 0: { name: 'First' } }, [{ 0: { v: 1 } }]));
    const state = {
      stateId: newObjectId(),
      name: 'WET',
      textThreshold: 'rain',
      qualityCode: 9,
      occurrences: 1,
      isAlarm: false,
    };
    const text = historic.child(source, {
      name: 'Weather',
      series: { valueType: TYPES.TEXT, statesType: 'DISCRETE', states: [state as never] },
    });
    await historic.write(source, sourceDocument({ 0: { id: text.nodeId } }, [{ 0: { v: 'rain' } }]));
    await historic.idle();
    expect((await data(text))[0].f[0]).toEqual({ v: 'rain', q: 9 });
  });

  test('columns without data create parameters and append nothing to the log', async () => {
    const source = historic.source();
    await historic.idle();
    const before = historic.messages.length;
    expect(await historic.write(source, sourceDocument({ 0: { name: 'Later', dataType: 'TIME' } }, []))).toBe(0);
    expect(historic.nodes.parametersOf(source.nodeId)[0]?.series?.valueType).toBe(TYPES.TIME);
    await historic.idle();
    expect(historic.messages).toHaveLength(before);
  });

  test('what was done is reported once, with rows and parameters', async () => {
    const source = historic.source();
    const columns = { 0: { name: 'A' }, 1: { name: 'B' }, 2: { name: 'Empty' } };
    await historic.write(source, sourceDocument(columns, [{ 0: { v: 1 }, 1: { v: 2 } }]), { origin: 'file.txt' });
    await historic.idle();
    const reported = historic.applied.flatMap(({ acquisitions }) => acquisitions);
    expect(reported.filter(({ nodeId }) => nodeId === source.nodeId)).toMatchObject([
      { isSource: true, rows: 1, parameters: 2, origin: 'file.txt', username: 'jo@example.org' },
    ]);
  });

  test('a bad value creates and stores nothing', async () => {
    const source = historic.source();
    const known = historic.child(source, { name: 'Known', series: { seriesKey: 'k' } });
    const columns = { 0: { name: 'New' }, 1: { series: 'k' } };
    const bad = sourceDocument(columns, [{ 0: { v: 1 }, 1: { v: 2 } }, { 1: { v: 'text' } }]);
    await expect(historic.write(source, bad)).rejects.toMatchObject({ message: 'data[1].f.1.v: must be a number' });
    expect(historic.nodes.parametersOf(source.nodeId)).toEqual([known]);
    await historic.idle();
    expect(await data(known)).toEqual([]);
  });

  test('a parameter of another source, an unknown id alone and a read-only parameter are refused', async () => {
    const [source, other] = [historic.source(), historic.parameter()];
    const elsewhere = historic.parameter({}, { ownerId: source.ownerId });
    await historic.readText(elsewhere, ALL);
    historic.child(source, { series: { seriesKey: 'rating', writable: false } });
    const write = (column: object) => historic.write(source, sourceDocument({ 0: column }, [{ 0: { v: 1 } }]));
    await expect(write({ id: elsewhere.nodeId })).rejects.toMatchObject({ kind: 'invalid_argument' });
    await expect(write({ id: other.nodeId })).rejects.toMatchObject({ kind: 'invalid_argument' });
    await expect(write({ series: 'rating' })).rejects.toMatchObject({ reason: 'NODE_READ_ONLY' });
  });
});

test.each<[string, unknown, object, string]>([
  ['no JSON', '{', {}, 'body: must be JSON'],
  ['no document', { data: [] }, {}, 'docType: must be jts'],
  [
    'a bad time after a good record',
    jts([
      [TS, { v: 1 }],
      ['x', { v: 2 }],
    ]),
    {},
    'data[1].ts: must be an ISO',
  ],
  [
    'a bad value after a good record',
    jts([
      [TS, { v: 1 }],
      ['2024-01-02', { v: 'x' }],
    ]),
    {},
    'data[1].f.0.v: must be',
  ],
  ['an unknown writeMode', ONE, { writeMode: 'SOME' }, 'writeMode: must be one of'],
  ['an unknown notifyOn', ONE, { notifyOn: 'SOME' }, 'notifyOn: must be one of'],
])('%s is 400 and stores nothing', async (_what, body, given, message) => {
  const node = historic.parameter();
  await expect(historic.write(node, body, given)).rejects.toMatchObject({
    kind: 'invalid_argument',
    message: expect.stringContaining(message),
  });
  await historic.idle();
  expect(await data(node)).toEqual([]);
});

test('the kinds of node that take no writes', async () => {
  const workspace = historic.source({ class: 'Workspace' });
  const rating = historic.parameter({ writable: false });
  await expect(historic.write(workspace, ONE)).rejects.toMatchObject({ reason: 'NODE_KIND' });
  await expect(historic.writeNow(historic.source(), { value: 1 })).rejects.toMatchObject({ reason: 'NODE_KIND' });
  await expect(historic.deleteHistoric(historic.source())).rejects.toMatchObject({ reason: 'NODE_KIND' });
  await expect(historic.readText(workspace, ALL)).rejects.toMatchObject({ reason: 'NODE_KIND' });
  await expect(historic.write(rating, ONE)).rejects.toMatchObject({ reason: 'NODE_READ_ONLY' });
  await expect(historic.deleteHistoric(rating)).resolves.toMatchObject({ rows: 0 });
});

test('a deletion of history answers where the log has it, and that the records are gone once they are', async () => {
  const node = historic.parameter();
  await historic.write(node, ONE);
  const { parts } = await historic.deleteHistoric(node);
  expect(parts.map(({ nodeIds }) => nodeIds)).toEqual([[node.nodeId]]);
  const state = await historic.writeState(parts, 20_000, caller(node.ownerId));
  expect([state, await data(node)]).toEqual([{ isDurable: true, isReadable: true }, []]);
});

describe('tenancy', () => {
  const calls = (node: ReturnType<Historic['parameter']>, who: Parameters<Historic['writeNow']>[2]) => ({
    write: () => historic.write(node, ONE, {}, who),
    writeNow: () => historic.writeNow(node, { value: 1 }, who),
    deleteHistoric: () => historic.deleteHistoric(node, who),
    read: () => historic.readText(node, ALL, who),
    readSeries: () => historic.readSeries(node, {}, who),
  });
  const kindOf = (call: Promise<unknown>) =>
    call.then(
      () => 'done',
      (error: { kind: string }) => error.kind,
    );
  const outcomes = async (node: ReturnType<Historic['parameter']>, who: Parameters<Historic['writeNow']>[2]) => {
    const results: Record<string, string> = {};
    for (const [name, call] of Object.entries(calls(node, who))) results[name] = await kindOf(call());
    return results;
  };
  const each = (kind: string) => ({ write: kind, writeNow: kind, deleteHistoric: kind, read: kind, readSeries: kind });

  test.each(['never heard of', 'known'])('another account finds nothing of a node %s here', async (how) => {
    const node = historic.parameter();
    if (how === 'known') await historic.write(node, ONE);
    expect(await outcomes(node, caller(newObjectId()))).toEqual(each('not_found'));
    await historic.idle();
    expect(await data(node)).toHaveLength(how === 'known' ? 1 : 0);
  });

  test('outside its workspaces a limited key is not permitted, inside it is', async () => {
    const node = historic.parameter();
    const limited = (workspaceIds: string[]) =>
      caller(node.ownerId, { accessLevel: 'LIMITED_WORKSPACES', workspaceIds });
    expect(await outcomes(node, limited([newObjectId()]))).toEqual(each('permission_denied'));
    expect(await outcomes(node, limited([node.workspaceId]))).toEqual(each('done'));
    expect(await outcomes(node, limited([]))).toEqual(each('permission_denied'));
  });

  test('a READ_ONLY key reads', async () => {
    const node = historic.parameter();
    const reader = caller(node.ownerId, { permission: 'READ_ONLY' });
    const refused = { write: 'permission_denied', writeNow: 'permission_denied', deleteHistoric: 'permission_denied' };
    expect(await outcomes(node, reader)).toEqual({ ...refused, read: 'done', readSeries: 'done' });
  });

  describe('of workspace users', () => {
    const user = (node: ReturnType<Historic['parameter']>, ...permissions: string[]) =>
      caller(node.ownerId, {
        accessLevel: 'WORKSPACES',
        rights: { grants: [{ permissions: ['VIEW', ...permissions], workspaceIds: [node.workspaceId] }] },
      });
    const denied = 'permission_denied';
    // Later tests count what is applied.
    afterAll(() => historic.idle());

    test.each([
      ['VIEW', { write: denied, writeNow: denied, deleteHistoric: denied, read: denied, readSeries: 'done' }],
      ['EXPORT_DATA', { write: denied, writeNow: denied, deleteHistoric: denied, read: 'done', readSeries: 'done' }],
      ['EDIT_QUALITY', { write: denied, writeNow: denied, deleteHistoric: denied, read: denied, readSeries: 'done' }],
      ['EDIT_DATA', { write: 'done', writeNow: 'done', deleteHistoric: 'done', read: denied, readSeries: 'done' }],
    ])('%s decides what is done', async (permission, expected) => {
      const node = historic.parameter();
      await historic.write(node, ONE);
      expect(await outcomes(node, user(node, permission))).toEqual(expected);
    });

    test('a workspace without access does not exist', async () => {
      const [node, elsewhere] = [historic.parameter(), historic.parameter()];
      const who = { ...user(elsewhere, 'EDIT_DATA', 'EXPORT_DATA'), ownerId: node.ownerId };
      expect(await outcomes(node, who)).toEqual(each('not_found'));
    });

    test.each([
      ['quality', { q: 192 }, 'MERGE_UPDATE_EXISTING', 'done'],
      ['annotation', { a: 'checked' }, 'MERGE_UPDATE_EXISTING', 'done'],
      ['quality, replacing the record', { q: 192 }, 'MERGE_OVERWRITE_EXISTING', denied],
      ['value', { v: 2, q: 192 }, 'MERGE_UPDATE_EXISTING', denied],
      ['no value', { v: null }, 'MERGE_UPDATE_EXISTING', denied],
      ['a deletion', null, 'MERGE_UPDATE_EXISTING', denied],
      ['a range', { q: 192 }, 'DELETE_RANGE', denied],
    ])('EDIT_QUALITY alone, %s: %p in mode %s is %s', async (_what, field, writeMode, expected) => {
      const node = historic.parameter();
      await historic.write(node, ONE);
      const written = historic.write(node, jts([[TS, field]]), { writeMode }, user(node, 'EDIT_QUALITY'));
      expect(await kindOf(written)).toBe(expected);
    });

    test('what nodes says to be closed is asked for each time, though it is known here', async () => {
      const node = historic.parameter();
      await historic.write(node, ONE);
      const who = user(node, 'EDIT_DATA', 'EXPORT_DATA');
      const closing = { ...who, rights: { ...who.rights!, closedAsOfMs: 1 } };
      expect(await outcomes(node, closing)).toEqual(each('done'));
      historic.closeNode(node.nodeId);
      expect(await outcomes(node, closing)).toEqual(each('not_found'));
      expect(await outcomes(node, who)).toEqual(each('done'));
    });
  });

  test('a customId means the node of the own account', async () => {
    const [mine, theirs] = [historic.parameter({}, { customId: 'same' }), historic.parameter({}, { customId: 'same' })];
    const ref = (node: typeof mine) => ({ ...node, nodeId: '@same' });
    await historic.write(ref(mine), jts([[TS, { v: 1 }]]), {}, caller(mine.ownerId));
    await historic.write(ref(theirs), jts([[TS, { v: 2 }]]), {}, caller(theirs.ownerId));
    await historic.idle();
    expect([(await data(mine))[0].f[0].v, (await data(ref(theirs)))[0].f[0].v]).toEqual([1, 2]);
  });

  test('edges are for services, of the account that they name', async () => {
    const node = historic.parameter();
    await historic.write(node, ONE);
    await historic.idle();
    await expect(historic.edges(node.ownerId, [node.nodeId], 2, caller(node.ownerId))).rejects.toMatchObject({
      kind: 'permission_denied',
    });
    expect((await historic.edges(newObjectId(), [node.nodeId]))[0]?.newest).toEqual([]);
    await expect(historic.edges('', [node.nodeId])).rejects.toMatchObject({ reason: 'OWNER_NEEDED' });
  });

  test('a service writes into the account that it names', async () => {
    const node = historic.parameter();
    await expect(historic.write(node, ONE, {}, SERVICE)).rejects.toMatchObject({ reason: 'OWNER_NEEDED' });
    await expect(historic.write(node, ONE, { ownerId: newObjectId() }, SERVICE)).rejects.toMatchObject({
      kind: 'not_found',
    });
    expect(await historic.write(node, ONE, { ownerId: node.ownerId }, SERVICE)).toBe(1);
  });
});

describe('deleted nodes', () => {
  test('their records go, and writes that were in flight are dropped', async () => {
    const source = historic.source();
    const [gone, stays] = [historic.child(source, { name: 'Gone' }), historic.child(source, { name: 'Stays' })];
    const both = sourceDocument({ 0: { id: gone.nodeId }, 1: { id: stays.nodeId } }, [{ 0: { v: 1 }, 1: { v: 1 } }]);
    await historic.write(source, both);
    await historic.idle();
    await historic.nodesDeleted(gone);
    await until(async () => (await historic.readText(gone, ALL).catch((error) => error.kind)) === 'not_found');
    await historic.idle();
    const points = () =>
      historic.records.scan(
        { nodeId: gone.nodeId, valueType: TYPES.NUMBER },
        { fromMs: 0, toMs: Date.now(), order: 'ascending', limit: undefined },
        AbortSignal.timeout(HANGS_AFTER_MS),
        () => {
          throw new Error('a record of a deleted node');
        },
      );
    await points();
    // Another replica appended this entry behind the delete.
    const late = (nodeId: string) => ({
      kind: 'column' as const,
      column: column([1_000], { nodeId, flags: Uint8Array.of(FLAG.value) }),
    });
    await historic.append(source, [late(gone.nodeId), late(stays.nodeId)]);
    await historic.idle();
    await points();
    expect(await data(stays)).toHaveLength(2);
    await expect(historic.write(gone, ONE)).rejects.toMatchObject({ kind: 'not_found' });
  });

  test('no late change brings a deleted node back', async () => {
    const node = historic.parameter();
    await historic.write(node, ONE);
    await historic.nodesDeleted(node);
    await historic.nodeChanged({ ...node, revision: 99 });
    await historic.idle();
    await expect(historic.write(node, ONE)).rejects.toMatchObject({ kind: 'not_found' });
  });
});

test('a changed node rules the next write', async () => {
  const node = historic.parameter();
  await historic.write(node, ONE);
  await historic.nodeChanged({ ...node, revision: 2, series: { ...node.series, multiplier: 100 } });
  await until(async () => (await data(node))[0]?.f[0].v === 100);
});

test('messages that come twice change nothing', async () => {
  const node = historic.parameter();
  const from = historic.messages.length;
  await historic.write(
    node,
    jts([
      [TS, { v: 1, q: 5 }],
      ['2024-01-02', null],
    ]),
  );
  await historic.deleteHistoric(node);
  await historic.write(node, jts([[TS, { v: 2 }]]));
  await historic.idle();
  const again = historic.messages.slice(from);
  // Published again in another group, which the log sequence gives away: nodes takes each once.
  const announced = () => new Set(historic.applied.map((batch) => `${batch.partition}-${batch.logSequence}`)).size;
  const before = announced();
  for (const { partition, sequence, data: bytes } of again)
    await historic.applier.apply(partition, [{ sequence, data: bytes }], AbortSignal.timeout(HANGS_AFTER_MS));
  await historic.idle();
  expect((await data(node)).map(({ f }: { f: object }) => f)).toEqual([{ 0: { v: 2 } }]);
  expect(announced()).toBe(before);
});
