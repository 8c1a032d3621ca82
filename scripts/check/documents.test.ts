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
  [
    'another place',
    '[there](https://example.org/nothing.md#here), <https://example.org>, [mail](mailto:a@example.org)',
  ],
  ['a document that has a name here', '[b][the other], [the other]\n\n[the other]: ../b/README.md "B"'],
  ['a document with a title', '[b](../b/README.md "The other")'],
  ['a picture and a document, in HTML', '<a href="../b/README.md"><img src=../../scripts/run.ts></a>'],
  ['nothing, in code', '`[b](gone.md)`\n\n```md\n[b](gone.md)\n<a href="gone.md">\n```\n'],
  ['nothing, in a comment', '<!-- <a href="gone.md">b</a> -->'],
  ['nothing: a place in a list', 'See table[0][1] and [1 HIGH][2 NORMAL].'],
])('allowed: a link to %s', async (_what, text) => {
  await write('services/b/README.md', '# B\n## The second\n');
  await write('services/a/README.md', text);
  expect(await checkDocuments(root)).toEqual([]);
});

test.each([
  ['a document that is gone', '[b](../b/README.md)', 'no file ../b/README.md'],
  ['a heading that is gone', '[x](../../docs/x.md#third)', 'no ../../docs/x.md#third'],
  ['a heading of its own that is gone', '# First\n[here](#second)', 'no #second'],
  ['a document that is gone, with a title', '[b](gone.md "The other")', 'no file gone.md'],
  ['a picture that is gone', '![b](gone.png)', 'no file gone.png'],
  ['a picture that is gone, with a title', "![b](gone.png 'The other')", 'no file gone.png'],
  ['a picture that is gone, in a link', '[![b](gone.png)](../../docs/x.md)', 'no file gone.png'],
  ['a document that is gone, by a name', '[b][other]\n\n[other]: gone.md', 'no file gone.md'],
  ['a document that is gone, by a name and with a title', '[b][]\n\n[b]: gone.md "The other"', 'no file gone.md'],
  ['a name that nothing defines', 'See [b][other].', 'no target of \\[b\\]\\[other\\]'],
  ['a document that is gone, between angle brackets', '[b](<gone too.md>)', 'no file gone too.md'],
  ['a document that is gone, in HTML', 'See <a class="x" href="gone.md">b</a>.', 'no file gone.md'],
  ['a picture that is gone, in HTML', '<p>\n  <img src=gone.png>\n</p>', 'no file gone.png'],
  ['a heading that is gone, in HTML', "<a href='../../docs/x.md#third'>b</a>", 'no ../../docs/x.md#third'],
  ['a program that is gone', 'Start `npm run gone -w web`.', 'no program gone in a package.json'],
  ['a document that is gone, as a name', 'See `gone.md`.', 'no file gone.md'],
  ['a document that is gone, in a table', '| a |\n|---|\n| [b](gone.md) |', 'no file gone.md'],
])('refused: a link to %s', async (_what, text, problem) => {
  await write('docs/x.md', '# X\n');
  await write('services/a/README.md', text);
  expect(await checkDocuments(root)).toEqual([expect.stringMatching(`^services/a/README.md:\\d: ${problem}$`)]);
});

test('a link is reported at its line', async () => {
  await write('docs/x.md', '# X\n\n- one\n- two\n  - [gone](a.md)\n\n> quoted [gone](b.md)\n\n[c][c]\n\n[c]: c.md\n');
  expect(await checkDocuments(root)).toEqual([
    'docs/x.md:11: no file c.md',
    'docs/x.md:5: no file a.md',
    'docs/x.md:7: no file b.md',
  ]);
});

test('the beginning of another document has the links of that one', async () => {
  await write('deploy/chart/README.head.md', '[values](values.yaml)');
  expect(await checkDocuments(root)).toEqual([]);
});
