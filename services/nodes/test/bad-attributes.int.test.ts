import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@catchment/testkit';
import { ALL_CLASSES, isUpdatable, UPDATABLE_NAMES } from '../src/domain/classes/class-table.ts';
import type { NodeClass } from '../src/domain/classes/node-class.ts';
import { everyClass } from './every-class.ts';
import { type Fixture, openFixture } from './fixture.ts';

type Case = { readonly classes: string; readonly attribute: string; readonly body: string };

const CASES: readonly Case[] = readFileSync(join(import.meta.dirname, 'bad-attributes.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| classes') && !line.startsWith('| ---'))
  .map((line) => {
    const [classes = '', attribute = '', ...body] = line.slice(2, -2).split(' | ');
    return { classes, attribute, body: body.join(' | ') };
  });

const fits = (pattern: string, { name }: NodeClass): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
/** A line about all sources says nothing of the attributes that some of them lack: those are refused by their name too. */
const classesOf = (pattern: string): NodeClass[] => ALL_CLASSES.filter((cls) => fits(pattern, cls));
const short = (name: string): string => name.split('.').at(-1)!;

let f: Fixture;
let api: Awaited<ReturnType<Fixture['account']>>;
let ids: Map<string, string>;

beforeAll(async () => {
  f = await openFixture();
  api = await f.account();
  const nodes = await everyClass(api);
  ids = new Map([...nodes].map(([name, node]) => [name, node._id]));
  await api.create('Group', 'Sibling', ids.get('Workspace'), { customId: 'taken' });
  const elsewhere = await f.source(api);
  ids.set('Elsewhere', (await api.create('point.NumberPoint', 'P', elsewhere.source._id))._id);
  const stranger = await f.account();
  const theirs = await f.source(stranger);
  ids.set('Foreign', (await stranger.create('point.NumberPoint', 'P', theirs.source._id))._id);
  const rating = { inputNodeId: ids.get('NumberRatingPoint'), ratings: [] };
  const between = await api.create('point.NumberRatingPoint', 'Between', ids.get('Jts'), { rating });
  const fed = { rating: { inputNodeId: between._id, ratings: [] } };
  ids.set('Fed', (await api.create('point.NumberRatingPoint', 'Fed', ids.get('Jts'), fed))._id);
});
afterAll(() => f.close());

function bodyOf(text: string): unknown {
  return JSON.parse(text, (_key, value) => {
    if (typeof value === 'string' && value.startsWith('$long ')) return 'x'.repeat(Number(value.slice(6)));
    if (typeof value === 'string' && value.startsWith('$')) return ids.get(value.slice(1));
    if (value?.$times) return Array.from({ length: value.$times[0] }, () => value.$times[1]);
    return value;
  });
}

const begins = (attribute: string): RegExp => new RegExp(`^${RegExp.escape(attribute)}:? `);
const refused = (attribute: string) => ({
  kind: 'invalid_argument',
  message: expect.stringMatching(begins(attribute)),
});
const snapshot = async () => JSON.stringify((await api.list()).list);

test('every line is refused by the attribute’s name and changes nothing, for every class that it names', async () => {
  const before = await snapshot();
  const wrong: string[] = [];
  let tried = 0;
  for (const { classes, attribute, body } of CASES) {
    const matching = classesOf(classes);
    if (matching.length === 0) wrong.push(`${classes}: no such class`);
    for (const cls of matching) {
      tried += 1;
      const outcome = await api.update(ids.get(short(cls.name))!, bodyOf(body) as object).then(
        () => 'was taken',
        (error: { kind: string; message: string }) =>
          error.kind === 'invalid_argument' && begins(attribute).test(error.message)
            ? undefined
            : `${error.kind}: ${error.message}`,
      );
      if (outcome) wrong.push(`${cls.name} ${attribute} ${body.slice(0, 120)} → ${outcome}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThan(600);
  expect(await snapshot()).toBe(before);
  // A change after all of them: whatever had been recorded would have come before it.
  await api.update(ids.get('Workspace')!, { name: 'Renamed' });
  const events = () => f.published.events.filter(({ ownerId }) => ownerId === api.ownerId);
  await until(() => events().some(({ message }) => message.startsWith('Rename node')));
  expect(events().filter(({ message }) => !/^(Created|Rename) node/.test(message))).toEqual([]);
});

test('every attribute of every class has a line', () => {
  const root = (attribute: string) => attribute.split(/[.[]/)[0];
  const missing = ALL_CLASSES.flatMap((cls) =>
    [...Object.keys(cls.attributes), ...cls.specials, 'name', 'customId']
      .filter((name) => !CASES.some((row) => root(row.attribute) === name && sameAttribute(row, cls, name)))
      .map((name) => `${cls.name} ${name}`),
  );
  expect(missing).toEqual([]);
});

/** A line of another class counts where both share the rule. */
const sameAttribute = (row: Case, cls: NodeClass, name: string): boolean =>
  classesOf(row.classes).some(
    (other) => other === cls || other.specials.includes(name as never) || sameRule(other, cls, name),
  );
const sameRule = (a: NodeClass, b: NodeClass, name: string): boolean =>
  a.attributes[name] !== undefined &&
  JSON.stringify(a.attributes[name]?.rule) === JSON.stringify(b.attributes[name]?.rule);

test('an attribute that the class does not have is refused, whatever its value', async () => {
  for (const cls of ALL_CLASSES)
    for (const name of UPDATABLE_NAMES)
      if (!isUpdatable(cls, name))
        await expect(api.update(ids.get(short(cls.name))!, { [name]: 1 })).rejects.toMatchObject(refused(name));
});
