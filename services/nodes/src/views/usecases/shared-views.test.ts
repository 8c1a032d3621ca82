import type { Queryable } from '@catchment/pg';
import { SharedViews } from './shared-views.ts';

/** A row of VIEW has id, class and configuration in their places, and nothing else. */
const rowOf = (nodeId: string) => ({
  shown: JSON.stringify(Object.assign(Array(40).fill(null), { 0: nodeId, 4: 'Workspace', 12: {} })),
});

/** Makes a database that answers each statement on command. */
function fakeDatabase() {
  const statements: { ids: readonly string[]; ownerId: string; answer: () => void; fail: (error: Error) => void }[] =
    [];
  const query = (_text: string, [ids, ownerId]: readonly unknown[] = []) => {
    const result = Promise.withResolvers<{ rows: never[]; rowCount: number }>();
    const nodeIds = ids as readonly string[];
    const found = nodeIds.filter((id) => id !== 'gone');
    const rows = found.map(rowOf) as never[];
    const answer = () => result.resolve({ rows, rowCount: rows.length });
    statements.push({ ids: nodeIds, ownerId: ownerId as string, answer, fail: result.reject });
    return result.promise;
  };
  return { statements, views: new SharedViews({ query } as Queryable) };
}
const arrived = () => new Promise((resolve) => setImmediate(resolve));

test('calls that come together share a statement, and those that come while two are under way the next one', async () => {
  const { statements, views } = fakeDatabase();
  const first = ['a', 'b', 'gone'].map((id) => views.find('owner', id));
  await arrived();
  const second = views.find('owner', 'c');
  await arrived();
  const third = ['d', 'e', 'd'].map((id) => views.find('owner', id));
  await arrived();
  expect(statements.map(({ ids }) => ids)).toEqual([['a', 'b', 'gone'], ['c']]);
  statements[0]?.answer();
  expect((await Promise.all(first)).map((node) => node?.nodeId)).toEqual(['a', 'b', undefined]);
  await arrived();
  expect(statements[2]?.ids).toEqual(['d', 'e', 'd']);
  statements[1]?.answer();
  statements[2]?.answer();
  expect((await Promise.all([second, ...third])).map((node) => node?.nodeId)).toEqual(['c', 'd', 'e', 'd']);
});

test('accounts share nothing, and a statement that fails ends only its own calls', async () => {
  const { statements, views } = fakeDatabase();
  const [mine, other] = [views.find('mine', 'a'), views.find('other', 'a')];
  await arrived();
  expect(statements.map(({ ownerId }) => ownerId)).toEqual(['mine', 'other']);
  statements[0]?.fail(new Error('away'));
  statements[1]?.answer();
  await expect(mine).rejects.toThrow('away');
  await expect(other).resolves.toMatchObject({ nodeId: 'a' });
});
