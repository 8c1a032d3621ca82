import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { orderOf, TURNS } from './test-order.ts';

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
    'e2e/thread.e2e.test.ts',
    'a/a.test.ts',
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

test('files that have the same installation one after the other begin far apart', () => {
  const folder = path.resolve(import.meta.dirname, '../e2e');
  const borrowers = (call: RegExp) =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.e2e.test.ts') && call.test(readFileSync(path.join(folder, file), 'utf8')))
      .map((file) => `e2e/${file}`);
  const [each = [], messages = []] = TURNS;
  expect(borrowers(/borrowInstallation\('(?:each|spread)'/)).toEqual(each);
  expect(borrowers(/borrowInstallation\('messages'|borrowWithMessages\(/)).toEqual(messages);
  const others = Array.from({ length: 600 }, (_, n) => `a/${n}.int.test.ts`);
  const order = orderOf([...each, ...messages, ...others]);
  for (const files of TURNS) {
    const places = files.map((file) => order.indexOf(file)).toSorted((a, b) => a - b);
    const gaps = places.slice(1).map((place, n) => place - (places[n] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(30);
  }
});
