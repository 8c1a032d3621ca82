import { orderOf } from './test-order.ts';

test('the longest files begin first, and end-to-end files are spread among the others by what they take', () => {
  const files = [
    'a/a.test.ts',
    'e2e/thread.e2e.test.ts',
    'b/b.int.test.ts',
    'c/c.int.test.ts',
    'e2e/backup.e2e.test.ts',
  ];
  expect(orderOf(files)).toEqual([
    'e2e/backup.e2e.test.ts',
    'b/b.int.test.ts',
    'c/c.int.test.ts',
    'a/a.test.ts',
    'e2e/thread.e2e.test.ts',
  ]);
});

test('every file has its turn once, of one kind as of both', () => {
  for (const files of [
    [],
    ['a.test.ts'],
    ['e2e/x.e2e.test.ts', 'e2e/y.e2e.test.ts'],
    ['b.test.ts', 'e2e/x.e2e.test.ts'],
  ])
    expect(orderOf(files).toSorted()).toEqual(files.toSorted());
});
