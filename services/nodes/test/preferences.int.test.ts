// People keep preferences in an account (docs/reference/people-and-security.md#preferences).
import { type Fixture, openFixture } from './fixture.ts';

type Account = Awaited<ReturnType<Fixture['account']>>;
let f: Fixture;
let mine: Account;
beforeAll(async () => {
  f = await openFixture();
  mine = await f.account();
});
afterAll(() => f.close());

const textOf = async (answer: Promise<{ json: Uint8Array }>) => Buffer.from((await answer).json).toString();
const of = ({ options }: Pick<Account, 'options'>) => ({
  all: () => textOf(f.people.listPreferences({}, options)),
  get: (key: string) => textOf(f.people.getPreference({ key }, options)),
  put: (key: string, value: string) => textOf(f.people.putPreference({ key, value: Buffer.from(value) }, options)),
  remove: (key: string) => f.people.deletePreference({ key }, options),
});

test('a value of any kind is kept as it was given, replaced and forgotten', async () => {
  const preferences = of(mine);
  expect(await preferences.all()).toBe('{}');
  await expect(preferences.get('columns')).rejects.toMatchObject({ kind: 'not_found' });
  for (const value of ['{"b":1,"a":[true,null,"\u00e4"]}', '[]', '"x"', '0.5', 'null']) {
    expect(await preferences.put('columns', value)).toBe(value);
    expect(await preferences.get('columns')).toBe(value);
  }
  await preferences.put('map.Zoom_1-2', ' { "at" : 7 } ');
  expect(await preferences.all()).toBe('{"columns":null,"map.Zoom_1-2":{"at":7}}');
  await preferences.remove('columns');
  await expect(preferences.remove('columns')).rejects.toMatchObject({ kind: 'not_found' });
  expect(await preferences.all()).toBe('{"map.Zoom_1-2":{"at":7}}');
});

test('belongs to one person in one account', async () => {
  const [other, above] = [await f.account(), await f.account()];
  await of(mine).put('shared', '1');
  const colleague = await f.as({ ...mine.caller, userId: other.caller.userId });
  const elsewhere = await f.as({ ...above.caller, userId: mine.caller.userId });
  for (const stranger of [other, colleague, elsewhere]) {
    await expect(of(stranger).get('shared')).rejects.toMatchObject({ kind: 'not_found' });
    await expect(of(stranger).remove('shared')).rejects.toMatchObject({ kind: 'not_found' });
    expect(await of(stranger).all()).not.toContain('shared');
  }
  await of(elsewhere).put('shared', '2');
  expect([await of(mine).get('shared'), await of(elsewhere).get('shared')]).toEqual(['1', '2']);
});

test.each([
  ['', 'key: must be'],
  ['Columns', 'key: must be'],
  ['a b', 'key: must be'],
  ['__proto__', 'key: must be'],
  ['a'.repeat(65), 'key: must be'],
])('the key %j is refused', async (key, message) => {
  await expect(of(mine).put(key, '1')).rejects.toThrow(message);
  await expect(of(mine).get(key)).rejects.toThrow(message);
});

test('a value has at most 16 KiB, and must be JSON', async () => {
  const preferences = of(await f.account());
  const text = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2));
  await preferences.put('large', text(16 * 1024));
  await expect(preferences.put('large', text(16 * 1024 + 1))).rejects.toThrow('body: must be at most 16 KiB of JSON');
  await expect(preferences.put('large', '{')).rejects.toThrow('body: must be JSON');
  expect(await preferences.get('large')).toBe(text(16 * 1024));
});

test('a person has at most 100 in an account, also by requests at once; those there are may change', async () => {
  const preferences = of(await f.account());
  const tries = Array.from({ length: 104 }, (_one, n) => preferences.put(`k${n}`, String(n)));
  const ended = await Promise.allSettled(tries);
  const refused = ended.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(4);
  expect(refused[0]).toMatchObject({ reason: { kind: 'failed_precondition', reason: 'TOO_MANY_PREFERENCES' } });
  const kept = Object.keys(JSON.parse(await preferences.all()) as object);
  expect(kept).toHaveLength(100);
  await preferences.put(kept[0] ?? '', '"new"');
  await preferences.remove(kept[1] ?? '');
  await preferences.put('one.more', '1');
});
