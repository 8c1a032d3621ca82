import type { HistoricRecord } from '@catchment/contracts/historic';
import { applyAlarms, applyBatches } from '../src/values/index.ts';
import { decoded, number, T, text, written } from './applied.ts';
import { everyClass } from './every-class.ts';
import { type Fixture, type Json, openFixture } from './fixture.ts';
import { ownerClient } from './owner-client.ts';

let f: Fixture;
let logSequence = 0;
beforeAll(async () => {
  f = await openFixture();
});
afterAll(() => f.close());

type Api = Awaited<ReturnType<Fixture['account']>>;
const NO_STORE = { readEdges: async () => new Map(), acquisitionEventMs: 60_000 };
const apply = (api: Api, nodeId: string, ...newest: HistoricRecord[]) => {
  const batch = decoded({
    partition: 0,
    logSequence: ++logSequence,
    ...written(nodeId, api.ownerId, ...newest),
  } as object);
  return applyBatches({ database: f.database, ...NO_STORE }, 0, batch, new AbortController().signal);
};
const idsOf = async (api: Api, filter: string) => (await api.list({ filter, attr: '_id' })).list.map(({ _id }) => _id);

async function point(cls = 'point.NumberPoint', more: object = {}) {
  const api = await f.account();
  const { source } = await f.source(api);
  const { _id } = await api.create(cls, 'P', source._id, more);
  return { api, nodeId: _id, change: (body: object) => api.update(_id, body), show: () => api.get(_id) };
}

describe('qualities', () => {
  const mapped = { name: 'Fine', code: 10, type: 'GOOD', color: '#00ff00', sourceQuality: [192, 0] };

  test('nodes show, filter and sort by the codes of the account’s settings, as soon as these change', async () => {
    const { api, nodeId, show } = await point();
    const owner = await ownerClient(f, api.caller);
    const { codes } = await owner.quality();
    await apply(api, nodeId, number(T + 2, 3, 192), number(T + 1, 2, 0), number(T, 1, 7));
    const stored = { currentQuality: 192, previousQuality: 0, oldestQuality: 7 };
    expect(await show()).toMatchObject(stored);
    const before = (await api.list()).revision;

    await owner.setQuality({ codes: [...codes, mapped] });
    const shown = { currentQuality: 10, previousQuality: 10, oldestQuality: 7 };
    expect(await show()).toMatchObject(shown);
    const { list, revision } = await api.list({ filter: 'currentQuality($eq:10)' });
    expect(list).toMatchObject([shown]);
    expect(revision).not.toBe(before);
    const [tree] = (await api.list({ type: 'TREE' })).list;
    expect(JSON.stringify(tree)).toContain('"currentQuality":10,');
    expect(await idsOf(api, 'currentQuality($eq:192)')).toEqual([]);
    expect(await idsOf(api, 'previousQuality($lt:11),oldestQuality($eq:7)')).toEqual([nodeId]);
    const sorted = (await api.list({ sort: 'currentQuality(DESC)', limit: 1 })).list;
    expect(sorted).toMatchObject([shown]);

    await owner.setQuality({ codes: null });
    expect(await show()).toMatchObject(stored);
    expect(await idsOf(api, 'currentQuality($eq:192)')).toEqual([nodeId]);
  });

  test('types that reads leave out do not hide the newest record of a node', async () => {
    const { api, nodeId, show } = await point();
    await (await ownerClient(f, api.caller)).setQuality({ excluded: ['BAD'] });
    await apply(api, nodeId, number(T + 1, 2, 155), number(T, 1));
    expect(await show()).toMatchObject({ currentValue: 2, currentQuality: 155, previousValue: 1 });
    expect(await show()).not.toHaveProperty('previousQuality');
  });

  test('another account’s settings change nothing', async () => {
    const [mine, other] = [await point(), await point()];
    const owner = await ownerClient(f, other.api.caller);
    await owner.setQuality({ codes: [...(await owner.quality()).codes, mapped] });
    await apply(mine.api, mine.nodeId, number(T, 1, 192));
    expect((await mine.show()).currentQuality).toBe(192);
  });
});

describe('ids of states', () => {
  const RANGE = {
    states: [
      { name: 'LOW', threshold: -1 },
      { name: 'NORMAL' },
      { name: 'HIGH', threshold: 5 },
      { name: 'TOP', threshold: 9 },
    ],
  };
  const DISCRETE = {
    statesType: 'DISCRETE',
    states: [
      { name: 'A', threshold: 0.3 },
      { name: 'B', threshold: -4e12 },
      { name: 'C', threshold: 0 },
    ],
  };
  const TEXTS = {
    states: [
      { name: 'RAIN', threshold: 'rain' },
      { name: 'ALL', threshold: 'a' },
    ],
  };
  const REGEX = {
    states: [
      { name: 'RAIN', threshold: 'Rain' },
      { name: 'WORD', threshold: '/^\\p{L}+$/' },
    ],
  };
  const EDGES = ['currentStateId', 'previousStateId', 'oldestStateId'] as const;

  test.each<[string, string, object, (number | string)[], (string | null)[]]>([
    ['RANGE', 'point.NumberPoint', RANGE, [9, 5, 4.9], ['TOP', 'HIGH', 'NORMAL']],
    ['RANGE, low', 'point.NumberPoint', RANGE, [-1, -7, 1e308], ['LOW', 'LOW', 'TOP']],
    [
      'RANGE, transformed',
      'point.NumberPoint',
      { ...RANGE, multiplier: 2, offset: 1 },
      [4, 2, 1.9],
      ['TOP', 'HIGH', 'NORMAL'],
    ],
    ['no finite number', 'point.NumberPoint', { ...RANGE, multiplier: 10 }, [1e308, -1e308, 1], [null, null, 'TOP']],
    [
      'a product of nothing',
      'point.NumberPoint',
      { ...RANGE, multiplier: 1e-200, offset: 5 },
      [1e-200, 1, 0],
      ['HIGH', 'HIGH', 'HIGH'],
    ],
    ['DISCRETE', 'point.NumberPoint', DISCRETE, [0.1 + 0.2, -4e12 - 1, 0], ['A', 'B', 'C']],
    ['DISCRETE, none', 'point.NumberPoint', DISCRETE, [0.3000001, 1e308, -1e-300], [null, null, null]],
    ['the default states of a number', 'point.NumberPoint', {}, [1, 2, 3], ['NORMAL', 'NORMAL', 'NORMAL']],
    ['text', 'point.TextPoint', TEXTS, ['some rain', 'snap', 'dry'], ['RAIN', 'ALL', null]],
    ['text, case', 'point.TextPoint', TEXTS, ['RAIN', '', 'b'], [null, null, null]],
    ['regular expressions', 'point.TextPoint', REGEX, ['Äther', 'no Rain', 'b 1'], ['WORD', 'RAIN', null]],
  ])('%s: filters go by what is shown', async (_what, cls, config, values, names) => {
    const { api, nodeId, change, show } = await point(cls);
    await change(config);
    const record = (value: number | string, at: number) =>
      typeof value === 'number' ? number(T - at, value) : text(T - at, value);
    await apply(api, nodeId, ...values.map(record));
    const shown = (await show()) as Json & { states: { _id: string; name: string }[] };
    const nameOf = (id: unknown) => shown.states.find(({ _id }) => _id === id)?.name ?? null;
    expect(EDGES.map((edge) => nameOf(shown[edge]))).toEqual(names);
    for (const edge of EDGES) {
      const none = shown[edge] === undefined;
      expect(await idsOf(api, `${edge}($eq:${none ? null : shown[edge]}),_id($eq:${nodeId})`)).toEqual([nodeId]);
      expect(await idsOf(api, `${edge}($ne:${none ? null : shown[edge]}),_id($eq:${nodeId})`)).toEqual([]);
      for (const { _id } of shown.states.filter((state) => state._id !== shown[edge]))
        expect(await idsOf(api, `${edge}($eq:${_id})`)).toEqual([]);
    }
  });

  test('what alarms has said of the current state counts, until that state is gone', async () => {
    const { api, nodeId, change, show } = await point();
    const [low] = (await change(RANGE)).states as { _id: string }[];
    await apply(api, nodeId, number(T, 7));
    let revision = 0;
    const say = (stateId: string) =>
      applyAlarms(f, [{ kind: 'state', nodeId, ownerId: api.ownerId, stateId, revision: ++revision }]);
    await say(low!._id);
    expect(await idsOf(api, `currentStateId($eq:${low!._id})`)).toEqual([nodeId]);
    await change({ states: null });
    const { currentStateId } = await show();
    expect(await idsOf(api, `currentStateId($eq:${currentStateId})`)).toEqual([nodeId]);
    await change(DISCRETE);
    await say('');
    expect(await show()).not.toHaveProperty('currentStateId');
    expect(await idsOf(api, `currentStateId($eq:null),_id($eq:${nodeId})`)).toEqual([nodeId]);
  });

  test('lists can be sorted by them, regular expressions included', async () => {
    const { api, nodeId, change } = await point('point.TextPoint');
    await change(REGEX);
    await apply(api, nodeId, text(T, 'word'), text(T - 1, 'word'), text(T - 2, 'word'));
    const { list } = await api.list({ sort: 'oldestStateId(DESC)', limit: 1 });
    expect(list).toMatchObject([{ _id: nodeId }]);
  });
});

test('values that multiplier and offset take beyond all numbers fail no filter', async () => {
  const { api, nodeId } = await point('point.NumberPoint', { multiplier: 1e10, offset: -1 });
  await apply(api, nodeId, number(T, 1e308), number(T - 1, 1e-320), number(T - 2, 1));
  expect(await idsOf(api, 'currentValue($gt:Number(1))')).toEqual([]);
  expect(await idsOf(api, `currentValue($eq:null),_id($eq:${nodeId})`)).toEqual([nodeId]);
  expect(await api.get(nodeId)).not.toHaveProperty('currentValue');
  expect(await idsOf(api, 'oldestValue($eq:Number(9999999999))')).toEqual([nodeId]);
});

/** Leaves of a document by dotted path; elements of arrays under the path of the array. */
function* leaves(value: unknown, path = ''): Generator<[string, string | number | boolean]> {
  if (Array.isArray(value)) for (const item of value) yield* leaves(item, path);
  else if (typeof value === 'object' && value !== null)
    for (const [name, below] of Object.entries(value)) yield* leaves(below, path === '' ? name : `${path}.${name}`);
  else if (value !== null && value !== undefined && value !== '') yield [path, value as string];
}
const escaped = (value: unknown) => String(value).replaceAll(/[(),|\\]/g, '\\$&');
const VARIABLE = /^(current|previous|oldest)Value$|^(states\.threshold|metadata\.value)$/;

/** Made for the caller of each answer: permissions are of who asks, addresses of when. */
const OF_THE_ANSWER = /^(file(Preview)?Url|permissions)$/;

test('every attribute that is shown is found by its value, on every class', async () => {
  const api = await f.account();
  const made = await everyClass(api);
  for (const [name, { _id }] of made) {
    if (name.startsWith('Number')) await apply(api, _id, number(T, 3, 7), number(T - 1, 2, 8), number(T - 2, 1, 9));
    if (name.startsWith('Text')) await apply(api, _id, text(T, 'c'), text(T - 1, 'b'), text(T - 2, 'a'));
  }
  const missed: string[] = [];
  for (const [name, { _id }] of made) {
    const shown = await api.get(_id);
    const asked = [...leaves(shown)].filter(([path]) => !OF_THE_ANSWER.test(path));
    const typed = ([path, value]: [string, unknown]) =>
      VARIABLE.test(path) ? `${typeof value === 'number' ? 'Number' : 'Text'}(${escaped(value)})` : escaped(value);
    for (const leaf of asked) {
      const filter = `${leaf[0]}($eq:${typed(leaf)}),_id($eq:${_id})`;
      const found = await idsOf(api, filter).catch((error: Error) => [error.message]);
      if (found[0] !== _id) missed.push(`${name}: ${filter} → ${found}`);
    }
  }
  expect(missed).toEqual([]);
});
