import { cp, glob, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { GENERATED, GENERATED_FILES, generate } from './generate.ts';

/** Generates into a copy and compares: the files that are missing, changed or left over, a line each. */
export async function checkGenerated(root: string): Promise<string[]> {
  const copy = await mkdtemp(path.join(os.tmpdir(), 'catchment-generated-'));
  try {
    for (const name of ['proto', 'buf.gen.yaml', 'package.json']) {
      await cp(path.join(root, name), path.join(copy, name), { recursive: true });
    }
    await symlink(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
    const problem = await generate(copy);
    if (problem) return [problem];
    const differences = await compareFolders(path.join(copy, GENERATED), path.join(root, GENERATED));
    for (const page of GENERATED_FILES) {
      const [wanted, present] = await Promise.all([copy, root].map((of) => textOf(path.join(of, page))));
      if (present !== wanted) differences.push(`changed: ${page}`);
    }
    return differences;
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** Returns how `actual` differs from `expected`, a line for each file. */
export async function compareFolders(expected: string, actual: string): Promise<string[]> {
  const [wanted, present] = await Promise.all([filesOf(expected), filesOf(actual)]);
  const differences: string[] = [];
  for (const [file, text] of wanted) {
    if (!present.has(file)) differences.push(`missing: ${file}`);
    else if (present.get(file) !== text) differences.push(`changed: ${file}`);
  }
  for (const file of present.keys()) if (!wanted.has(file)) differences.push(`left over: ${file}`);
  return differences.sort();
}

const textOf = (file: string) => readFile(file, 'utf8').catch(() => undefined);

async function filesOf(folder: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for await (const entry of glob('**/*.ts', { cwd: folder })) {
    files.set(entry, await readFile(path.join(folder, entry), 'utf8'));
  }
  return files;
}
