import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { checkDocuments } from './documents.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'catchment-documents-'));
  for (const file of ['services/a/src/store/pg-a.ts', 'services/b/src/store/pg-b.ts', 'scripts/run.ts'])
    await write(file, '');
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(root, file)), { recursive: true });
  await writeFile(path.join(root, file), text);
}

test.each([
  ['the end of a path in its workspace', 'services/a/README.md', 'store/pg-a.ts'],
  ['a path from the root', 'services/a/README.md', 'scripts/run.ts'],
  ['a path from its folder', 'services/a/test/README.md', '../src/store/pg-a.ts'],
  ['any end of a path, in a document of the repository', 'docs/architecture.md', 'pg-b.ts'],
  ['a place on a machine', 'docs/x.md', '/usr/bin/run.sh'],
  ['a file of its time, in a decision', 'docs/adr/0001-x.md', 'gone.ts'],
])('allowed: %s', async (_what, document, name) => {
  await write(document, `See \`${name}\`.`);
  expect(await checkDocuments(root)).toEqual([]);
});

test.each([
  ['a file that is gone', 'docs/x.md', 'gone.ts'],
  ['a file in another folder', 'services/a/README.md', 'usecases/pg-a.ts'],
  ['a file of another workspace', 'services/a/README.md', 'store/pg-b.ts'],
  ['the end of a name', 'services/a/README.md', 'a.ts'],
])('refused: %s', async (_what, document, name) => {
  await write(document, `# A\n\nSee \`${name}\`.`);
  expect(await checkDocuments(root)).toEqual([`${document}:3: no file ${name}`]);
});

test.each([
  ['another document', '[b](../b/README.md)'],
  ['a heading of it', '[b](../b/README.md#the-second)'],
  ['a heading of its own', '# First\n[here](#first)'],
  ['a folder, and code', '[b](../b), [run](../../scripts/run.ts)'],
  ['another place', '[there](https://example.org/nothing.md#here)'],
])('allowed: a link to %s', async (_what, text) => {
  await write('services/b/README.md', '# B\n## The second\n');
  await write('services/a/README.md', text);
  expect(await checkDocuments(root)).toEqual([]);
});

test.each([
  ['a document that is gone', '[b](../b/README.md)', 'no file ../b/README.md'],
  ['a heading that is gone', '[x](../../docs/x.md#third)', 'no ../../docs/x.md#third'],
  ['a heading of its own that is gone', '# First\n[here](#second)', 'no #second'],
])('refused: a link to %s', async (_what, text, problem) => {
  await write('docs/x.md', '# X\n');
  await write('services/a/README.md', text);
  expect(await checkDocuments(root)).toEqual([expect.stringMatching(`^services/a/README.md:\\d: ${problem}$`)]);
});

test('the beginning of another document has the links of that one', async () => {
  await write('deploy/chart/README.head.md', '[values](values.yaml)');
  expect(await checkDocuments(root)).toEqual([]);
});
