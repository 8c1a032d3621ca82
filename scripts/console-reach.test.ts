import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Description, operationsOf } from './check/sdk-operations.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const PAGE = 'docs/console-operations.md';
const operations = operationsOf(JSON.parse(await readFile(path.join(ROOT, 'sdk/openapi.json'), 'utf8')) as Description);
const rows = [...(await readFile(path.join(ROOT, PAGE), 'utf8')).matchAll(/^\| `(\w+)` \| (.+?) \| (.+) \|$/gm)].map(
  ([, id = '', screen = '', where = '']) => ({ id, screen, where }),
);

test(`${PAGE} has each operation of the API once`, () => {
  expect(rows.map(({ id }) => id).sort()).toEqual(operations.map(({ id }) => id).sort());
});

test.each(rows.filter(({ screen }) => screen !== '–'))(
  '$id is called by the file that is named',
  async ({ id, where }) => {
    const [, file = ''] = /\]\(\.\.\/(web\/src\/[^)]+)\)/.exec(where) ?? [];
    const called = operations.find((operation) => operation.id === id)?.path ?? '';
    // A file writes the end of the address that is no argument.
    const name = called.split('/').findLast((part) => part !== '' && !part.startsWith('{'));
    expect(await readFile(path.join(ROOT, file), 'utf8')).toContain(name);
  },
);

test.each(rows.filter(({ screen }) => screen === '–'))('$id has a reason why no screen calls it', ({ where }) => {
  expect(where.split(' ').length).toBeGreaterThan(2);
});
