import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { findViolations, type Import } from './boundary-rules.ts';
import { importsOf } from './imports.ts';

const SOURCES = ['packages/*/{src,test}/**/*.ts', 'services/*/{src,test}/**/*.ts', '{cli,e2e,bench,scripts}/**/*.ts'];
const NOT_OURS = /(^|\/)(node_modules|generated|\.catchment)(\/|$)/;

/** Every import between files of the repository at `root` that its rules forbid, a line each. */
export async function checkBoundaries(root: string): Promise<{ files: number; violations: string[] }> {
  const workspaces = await workspaceFolders(root);
  const imports: Import[] = [];
  const unknown: string[] = [];
  let files = 0;
  for await (const file of glob(SOURCES, { cwd: root, exclude: (name) => NOT_OURS.test(name) })) {
    files++;
    for (const name of await importsOf(await readFile(path.join(root, file), 'utf8'))) {
      if (name.startsWith('.')) {
        imports.push({ from: file, to: path.posix.normalize(path.posix.join(path.posix.dirname(file), name)) });
      } else if (name.startsWith('@catchment/')) {
        const workspace = workspaces.get(name.split('/').slice(0, 2).join('/'));
        if (workspace !== undefined) imports.push({ from: file, to: workspace });
        else unknown.push(`unknown-workspace: ${file} imports ${name}`);
      }
    }
  }
  return { files, violations: [...unknown, ...findViolations(imports)].sort() };
}

/** Package name → folder. */
async function workspaceFolders(root: string): Promise<Map<string, string>> {
  const folders = new Map<string, string>();
  for await (const file of glob(['{packages,services}/*/package.json', '{cli,e2e,bench}/package.json'], {
    cwd: root,
  })) {
    const { name } = JSON.parse(await readFile(path.join(root, file), 'utf8')) as { name: string };
    folders.set(name, path.dirname(file));
  }
  return folders;
}
