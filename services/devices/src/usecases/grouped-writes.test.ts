import { GroupedWrites } from './grouped-writes.ts';

function fixture() {
  const groups: (readonly string[])[] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  const grouped = new GroupedWrites<string>((rows) => {
    groups.push(rows);
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    return gate.promise;
  });
  return { groups, gates, save: grouped.save };
}

test('what comes while a group is being written goes with the next one', async () => {
  const { groups, gates, save } = fixture();
  const all = ['a', 'b', 'c', 'b'].map(save);
  gates[0]?.resolve();
  await all[0];
  await Promise.resolve();
  gates[1]?.resolve();
  await Promise.all(all);
  expect(groups).toEqual([['a'], ['b', 'c', 'b']]);
});

test('a group that fails fails for those of it alone', async () => {
  const { gates, save } = fixture();
  const [first, second] = [save('a'), save('b')];
  gates[0]?.reject(new Error('away'));
  await expect(first).rejects.toThrow('away');
  await Promise.resolve();
  gates[1]?.resolve();
  await expect(second).resolves.toBeUndefined();
});
