import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { API_SCHEMAS } from '@catchment/contracts/api-schemas';

const TRANSPORT = path.resolve(import.meta.dirname, '..');
const FILES = globSync(['openapi/*.ts', '*/*-docs.ts'], { cwd: TRANSPORT })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => ({ name: path.basename(file), text: readFileSync(path.join(TRANSPORT, file), 'utf8') }))
  .toSorted((a, b) => a.name.localeCompare(b.name));

/** The description does not have the tables of these limits yet. */
const LIMITS_BY_HAND = [
  'alarms-docs.ts maxLength: COMMENT_MAX = 500',
  'asyncapi.ts maxItems: 1_000',
  'exports-docs.ts maxItems: 500',
  'processing-docs.ts maximum: 10_000',
];

test('a limit stands in the table by which it is checked, not in the description', () => {
  const found = FILES.flatMap(({ name, text }) =>
    [...text.matchAll(/\b(?:maxLength|maxItems|maximum): [1-9][\d_]*|\b\w+_MAX = [\d_]+/g)].map(
      ([limit]) => `${name} ${limit}`,
    ),
  );
  expect(found).toEqual(LIMITS_BY_HAND.map((limit) => limit.replace(/maxLength: (\w+_MAX)/, '$1')));
});

test('words and patterns of a table are not written a second time', () => {
  const known = new Set<string>();
  JSON.stringify(API_SCHEMAS, (name, value) => {
    if (name === 'enum' && value.length > 2) known.add(wordsOf(value));
    if (name === 'pattern') known.add(value);
    return value;
  });
  const copies = FILES.flatMap(({ name, text }) => [
    ...[...text.matchAll(/enum: \[([^\]]*)\]/g)]
      .map(([, words = '']) => wordsOf(words.match(/(?<=')[^',]+(?=')/g) ?? []))
      .filter((words) => known.has(words))
      .map((words) => `${name} ${words}`),
    ...[...text.matchAll(/pattern: '([^']+)'/g)]
      .filter(([, pattern = '']) => known.has(pattern))
      .map(([pattern]) => `${name} ${pattern}`),
  ]);
  expect(copies).toEqual([]);
});

const wordsOf = (words: readonly (string | null)[]): string =>
  words
    .filter((word) => word !== null)
    .toSorted()
    .join();
