import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { compareFolders } from './generated.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'catchment-compare-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function folder(name: string, files: Record<string, string>): Promise<string> {
  for (const [file, text] of Object.entries({ ...files })) {
    const target = path.join(root, name, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, text);
  }
  return path.join(root, name);
}

test.each([
  ['equal folders', { 'a/b.ts': '1' }, { 'a/b.ts': '1' }, []],
  ['a changed file', { 'a/b.ts': '1' }, { 'a/b.ts': '2' }, ['changed: a/b.ts']],
  ['a file not generated yet', { 'a.ts': '1', 'b.ts': '1' }, { 'a.ts': '1' }, ['missing: b.ts']],
  ['a file whose proto is gone', { 'a.ts': '1' }, { 'a.ts': '1', 'b.ts': '1' }, ['left over: b.ts']],
])('%s', async (_what, expected, actual, differences) => {
  expect(await compareFolders(await folder('expected', expected), await folder('actual', actual))).toEqual(differences);
});
