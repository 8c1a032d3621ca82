import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { checkWords } from './words.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'catchment-words-'));
  await write(
    'docs/reference/time.md',
    '# Time\n\n## Relative time\n\nSee [below](#relative-time), [README](README.md).\n',
  );
  await write('docs/reference/README.md', '# Reference\n\n[Time](time.md), [relative](time.md#relative-time)\n');
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(root, file)), { recursive: true });
  await writeFile(path.join(root, file), text);
}

const check = () => checkWords(root);

test.each([
  ['a page', 'packages/a/src/a.ts', '/** docs/reference/time.md */'],
  ['a heading, at the end of a sentence', 'packages/a/src/a.ts', '/** See docs/reference/time.md#relative-time. */'],
  ['a comment that goes on with «of»', 'packages/a/src/a.ts', '// The sum\n// Of all.\n/** The sum of all. */'],
  ['… in SQL', 'services/a/schema.sql', '-- The sum\n-- Of all.'],
  ['what names a rule of one line', 'a.ts', '// biome-ignore lint/a11y/useSemanticElements: no set of fields'],
  ['an address', 'a.ts', "const to = 'somebody@public.example';"],
  ['ordinary words', 'packages/a/src/a.ts', '// the OpenAPI document; the semantics of a word; a design of 3 parts'],
])('allowed: %s', async (_what, file, text) => {
  await write(file, text);
  expect(await check()).toEqual([]);
});

test.each([
  ['a page of another folder', 'a/b.ts', '// docs/operations/space.md', 'a/b.ts:1: no docs/operations/space.md'],
  ['a page that does not exist', 'a/b.sql', '-- docs/reference/space.md', 'a/b.sql:1: no docs/reference/space.md'],
  [
    'a heading that does not exist',
    'a/b.proto',
    '\n// docs/reference/time.md#absolute',
    'a/b.proto:2: no docs/reference/time.md#absolute',
  ],
])('refused: %s', async (_what, file, text, wrong) => {
  await write(file, text);
  expect(await check()).toEqual([wrong]);
});

test.each([
  ['a.ts', 'const a = 1;\n/** Of a source. */', 2, 'Of'],
  ['a.tsx', '/**\n * Whether it is there.\n */', 2, 'Whether'],
  ['a.proto', '  // Of the node.', 1, 'Of'],
  ['a.sql', 'a text,\n  -- Of the node.', 2, 'Of'],
])('refused: a comment without a subject, in %s', async (file, text, line, word) => {
  await write(file, text);
  expect(await check()).toEqual([`${file}:${line}: a comment begins with «${word}»: it needs a subject`]);
});

test.each([
  ['a.ts', '/** A sum.\n * @public for later\n */\nexport const sum = 1;', 2, '@public'],
  ['a.ts', '/** @internal */', 1, '@internal'],
  ['a.ts', 'const a = 1; // @ts-ignore', 1, '@ts-ignore'],
  ['a.ts', '// @ts-nocheck', 1, '@ts-nocheck'],
  ['a.ts', '// biome-ignore lint/style/noRestrictedImports: once', 1, 'biome-ignore lint/style/noRestrictedImports'],
  ['a.ts', '// biome-ignore-all lint/a11y/useSemanticElements: all of them', 1, 'biome-ignore-all'],
])(
  'refused: a comment that silences a check for a whole file, or hides an export: %s, %s',
  async (file, text, line, word) => {
    await write(file, text);
    expect(await check()).toEqual([`${file}:${line}: ${word} silences a check`]);
  },
);

test.each([
  ['semantics 3.3', 'semantics 3'],
  ['Semantics 20.', 'Semantics 2'],
  ['SEMANTICS\n * 3.3', 'SEMANTICS * 3'],
  ['spec/semantics.md', 'semantics.md'],
  ['the API document', 'API document'],
  ['the api doc', 'api doc'],
  ['(design, item 14)', 'design, item 1'],
  ['(design 4)', 'design 4'],
  ['design, «Tenancy»', 'design, «'],
])('refused: a citation of a document that is not here: %s', async (text, cited) => {
  await write('packages/a/src/a.ts', `/* ${text} */`);
  expect(await check()).toEqual([`packages/a/src/a.ts:1: «${cited}» must be a link to docs/reference`]);
});
