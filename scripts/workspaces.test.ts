import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';

type Manifest = {
  readonly name: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
};

const root = path.resolve(import.meta.dirname, '..');
const manifests = await Array.fromAsync(
  glob(['{packages,services}/*/package.json', '{web,cli,e2e,bench,deploy,sdk/typescript}/package.json'], { cwd: root }),
);
const workspaces = manifests.map((file) => path.dirname(file));
const manifestOf = async (folder: string) =>
  JSON.parse(await readFile(path.join(root, folder, 'package.json'), 'utf8')) as Manifest;
const sourcesOf = (folder: string) =>
  Array.fromAsync(
    glob('**/*.ts', { cwd: path.join(root, folder), exclude: (name) => /node_modules|generated/.test(name) }),
  );

/** The testkit is made of it, and nothing may depend on itself: its tests run when itself or the testkit's own users change. */
const CIRCULAR = ['packages/servers @catchment/testkit'];

test.each(workspaces)('%s declares what it imports, and runs its own tests', async (folder) => {
  const { name, scripts, dependencies, devDependencies } = await manifestOf(folder);
  const files = await sourcesOf(folder);
  const up = path.posix.relative(`/${folder}`, '/');
  expect(scripts?.test).toBe(
    files.some((file) => file.endsWith('.test.ts')) ? `node ${up}/scripts/test.ts` : undefined,
  );
  const declared = new Set([name, ...Object.keys({ ...dependencies, ...devDependencies })]);
  const texts = await Promise.all(files.map((file) => readFile(path.join(root, folder, file), 'utf8')));
  const imported = texts.flatMap((text) =>
    [...text.matchAll(/from '(@catchment\/[a-z-]+)/g)].map(([, name]) => name ?? ''),
  );
  const missing = [...new Set(imported)].filter(
    (name) => !declared.has(name) && !CIRCULAR.includes(`${folder} ${name}`),
  );
  expect(missing).toEqual([]);
});
