import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Ended, inTurn, run } from '../tools/run.ts';
import type { Place, Step } from './step.ts';

const root = path.resolve(import.meta.dirname, '../..');
const SDK = path.join(root, 'sdk/typescript');
const bin = (name: string) => path.join(root, 'node_modules/.bin', name);

export const typescriptSteps = (place: Place): Step[] => [
  { what: 'tests of the TypeScript client', run: () => run(bin('vitest'), ['run', 'sdk/typescript'], { cwd: root }) },
  {
    what: 'the TypeScript client with a server',
    run: () =>
      run(bin('vitest'), ['run', 'e2e/sdk'], {
        cwd: root,
        env: {
          CATCHMENT_URL: place.url,
          CATCHMENT_KEY: place.key,
          CATCHMENT_OTHER_KEY: place.otherKey,
          CATCHMENT_EXAMPLES: place.examples,
        },
      }),
  },
  { what: 'the tarball in an empty folder, and the README', run: () => tarballWorks(place) },
];

/** The tarball is packed, installed where nothing else is, and the examples of its README compiled and run as a user's program is. */
async function tarballWorks({ url, key }: Place): Promise<Ended> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-tarball-'));
  const here = { cwd: folder, env: { CATCHMENT_URL: url, CATCHMENT_KEY: key } };
  const npm = (...args: string[]) => run('npm', [...args, '--no-audit', '--no-fund'], here);
  try {
    await writeFile(
      path.join(folder, 'package.json'),
      JSON.stringify({ name: 'empty', private: true, type: 'module' }),
    );
    const readme = await readFile(path.join(SDK, 'README.md'), 'utf8');
    const examples = [...readme.matchAll(/<!-- run -->\n```ts\n([\s\S]*?)```/g)].map(([, code]) => code ?? '');
    if (examples.length === 0) return { code: 1, output: 'the README has no example that is run' };
    await writeFile(path.join(folder, 'readme.ts'), examples.join('\n'));
    return await inTurn(
      () => run(process.execPath, ['scripts/sdk/build-typescript.ts'], { cwd: root }),
      () => run('npm', ['pack', './dist', '--pack-destination', folder], { cwd: SDK }),
      async () => npm('install', `./${(await readdir(folder)).find((name) => name.endsWith('.tgz'))}`),
      () => run(bin('tsc'), [...STRICT, 'readme.ts'], here),
      ...(await nodes()).map((node) => () => run(node, ['readme.js'], here)),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const STRICT = [
  '--strict',
  '--exactOptionalPropertyTypes',
  '--noUncheckedIndexedAccess',
  '--module',
  'nodenext',
  '--target',
  'es2024',
  '--lib',
  'es2024,dom,dom.iterable,dom.asynciterable',
  '--types',
  '',
];

/** Finds our Node, and another one from 20 on that the machine has. */
async function nodes(): Promise<string[]> {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => !folder.includes('node_modules'));
  const others = folders.map((folder) => path.join(folder, 'node')).filter((file) => existsSync(file));
  for (const other of others) {
    const { output } = await run(other, ['--version'], { cwd: root });
    if (Number(/^v(\d+)/.exec(output)?.[1]) >= 20) return [other, process.execPath];
  }
  return [process.execPath];
}
