import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { checkFileNames } from './file-names.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'catchment-names-'));
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
  expect(await checkFileNames(root)).toEqual([]);
});

test.each([
  ['a file that is gone', 'docs/x.md', 'gone.ts'],
  ['a file in another folder', 'services/a/README.md', 'usecases/pg-a.ts'],
  ['a file of another workspace', 'services/a/README.md', 'store/pg-b.ts'],
  ['the end of a name', 'services/a/README.md', 'a.ts'],
])('refused: %s', async (_what, document, name) => {
  await write(document, `# A\n\nSee \`${name}\`.`);
  expect(await checkFileNames(root)).toEqual([`${document}:3: no file ${name}`]);
});
