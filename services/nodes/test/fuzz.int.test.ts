import { amount } from '@catchment/testkit';
import { seedOf } from '@catchment/testkit/amount';
import { ALL_CLASSES } from '../src/domain/classes/class-table.ts';
import { everyClass } from './every-class.ts';
import { type Fixture, type Json, openFixture } from './fixture.ts';

/** FUZZ_SEED repeats a run, FUZZ_CASES makes it longer or shorter. */
const SEED = seedOf('FUZZ_SEED');
const CASES = Number(process.env.FUZZ_CASES ?? amount(2_000, 10_000));
const AT_ONCE = 8;

let f: Fixture;
let mine: Awaited<ReturnType<Fixture['account']>>;
let own: Set<string>;
let foreign: Json[];

beforeAll(async () => {
  f = await openFixture();
  mine = await f.account();
  const nodes = await everyClass(mine);
  await mine.update(nodes.get('NumberPoint')!._id, { metadata: [{ name: 'Site ID', value: 7 }], customId: 'air' });
  own = new Set([...nodes.values()].map(({ _id }) => _id));
  const theirs = await f.account();
  foreign = [...(await everyClass(theirs)).values()];
  await theirs.update(foreign[0]!._id, { customId: 'foreign' });
});
afterAll(() => f.close());

/** Mulberry32. */
function random(seed: number) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function writer(next: () => number) {
  const below = (n: number) => Math.floor(next() * n);
  const pick = <T>(of: readonly T[]): T => of[below(of.length)]!;
  const some = (make: () => string, max: number, by: string) => Array.from({ length: 1 + below(max) }, make).join(by);
  const attributes = [
    ...new Set(ALL_CLASSES.flatMap(({ attributes: table }) => Object.keys(table))),
    '_id',
    '_class',
    'name',
    'customId',
    'parentId',
    'workspaceId',
    'ownerId',
    'createdTime',
    'publicId',
    'isPublic',
    'currentValue',
    'currentTime',
    'oldestQuality',
    'rawValue',
    'states',
    'states.threshold',
    'states.name',
    'metadata.name',
    'metadata.value',
    'alarms.stateAlarm.status.alarmState',
    'alarms.outdatedAlarm.config',
    'alarms.outdatedAlarm.status.dataTime',
    'transport._class',
    'transport.password',
    'fileUrl',
    'children',
    'chart.lineWidth',
    'links.nodeId',
    'tiles.links.nodeId',
    'rating.ratings.table',
    'process.code',
    '__proto__',
    'constructor',
    'a.b.c.d.e',
    '',
  ];
  const texts = [
    '',
    'Jts',
    'null',
    'true',
    'FALSE',
    '0',
    '-0',
    '1e400',
    'NaN',
    'Infinity',
    '9'.repeat(400),
    '1e-400',
    '0x10',
    '2015-01-01T00:00:00Z',
    '+275760-09-13T00:00:00.001Z',
    '-000001-01-01',
    '2015-02-30',
    'NOW-7D',
    "'",
    '"',
    "x'; DROP TABLE nodes; --",
    '$1',
    '\\',
    '\\\\',
    '\\)',
    '%',
    '_',
    '*',
    '**',
    '(',
    ')',
    '((',
    '|',
    ',',
    '\0',
    '\ud800',
    '😀',
    'ß',
    '\u202e',
    'x'.repeat(300),
    '@air',
    '@foreign',
    ...[...own].slice(0, 3),
    ...foreign.slice(0, 3).map(({ _id }) => _id),
  ];
  const types = ['Number', 'Boolean', 'String', 'Text', 'Time', 'ObjectId', 'number', 'Foo', ''];
  const operators = ['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$match', '$in', 'eq', ''];
  const operand = () => (below(3) === 0 ? `${pick(types)}(${pick(texts)})` : pick(texts));
  const criterion = () => `${pick(attributes)}(${pick(operators)}:${operand()})`;
  const spoilt = (text: string) => {
    if (below(4) > 0 || text === '') return text;
    const at = below(text.length);
    return (
      text.slice(0, at) +
      pick(['', '(', ')', ',', '|', '$', ':', '\\', ' ', '\0', pick(texts)]) +
      text.slice(at + below(3))
    );
  };
  return {
    filter: () => spoilt(some(() => some(criterion, 3, ','), 2, '|')),
    sort: () => spoilt(some(() => pick(attributes) + pick(['', '(ASC)', '(DESC)', '(UP)', '()', ' ']), 4, ',')),
    attr: () => spoilt(some(() => pick(attributes), 6, ',')),
    reference: () =>
      spoilt(pick([...texts, `@${pick(texts)}`, pick([...own]), pick(foreign)._id, pick(foreign)._id.toUpperCase()])),
    kind: () => pick(['filter', 'sort', 'attr', 'reference', 'both'] as const),
  };
}

const REFUSALS = new Set(['invalid_argument', 'not_found', 'permission_denied']);

test(`${CASES} filters, sorts, selections and ids never fail by themselves nor show another account’s data (seed ${SEED})`, async () => {
  const write = writer(random(SEED));
  const wrong: string[] = [];
  const counts = { answered: 0, refused: 0 };
  const isOwn = ({ _id }: Json) => own.has(_id);
  const check = async (what: object, ask: () => Promise<{ nodes: readonly Json[]; text: string }>) => {
    try {
      const { nodes, text } = await ask();
      counts.answered += 1;
      if (!nodes.every(isOwn) || foreign.some(({ _id }) => text.includes(_id)))
        wrong.push(`foreign: ${JSON.stringify(what)}`);
    } catch (error) {
      counts.refused += 1;
      const { kind, message } = error as { kind: string; message: string };
      if (!REFUSALS.has(kind)) wrong.push(`${kind} ${message}: ${JSON.stringify(what)}`);
    }
  };
  const list = (query: object) => async () => {
    const { list: nodes } = await mine.list({ attr: '_id', limit: 3, ...query });
    return { nodes, text: JSON.stringify(nodes) };
  };
  const get = (nodeRef: string, attr: string) => async () => {
    const node = await mine.get(nodeRef, attr);
    return { nodes: [], text: JSON.stringify(node) };
  };
  const [someId] = own;
  for (let done = 0; done < CASES; done += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, CASES - done) }, () => {
        const kind = write.kind();
        if (kind === 'reference') {
          const nodeRef = write.reference();
          return check({ nodeRef }, get(nodeRef, ''));
        }
        if (kind === 'attr') {
          const attr = write.attr();
          return check({ attr }, get(someId!, attr));
        }
        const query = {
          ...(kind !== 'sort' && { filter: write.filter() }),
          ...(kind !== 'filter' && { sort: write.sort() }),
        };
        return check(query, list(query));
      }),
    );
  expect(wrong.slice(0, 20)).toEqual([]);
  expect(counts.answered).toBeGreaterThan(CASES / 10);
  expect(counts.refused).toBeGreaterThan(CASES / 10);
});
