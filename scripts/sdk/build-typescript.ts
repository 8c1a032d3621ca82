// `npm run build -w sdk/typescript` makes the client as it is published, in dist/: ES modules, their types, what a package has. `npm pack
// ./dist` there packs it.
import { copyFile, glob, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { run } from '../tools/run.ts';

const root = path.resolve(import.meta.dirname, '../..');
const sdk = path.join(root, 'sdk/typescript');
const dist = path.join(sdk, 'dist');

await rm(dist, { recursive: true, force: true });
const { code, output } = await run(path.join(root, 'node_modules/.bin/tsc'), ['-p', 'sdk/typescript'], { cwd: root });
if (code !== 0) throw new Error(output);
// The compiler rewrites the names of files in code only.
for await (const file of glob('**/*.d.ts', { cwd: dist })) {
  const declared = await readFile(path.join(dist, file), 'utf8');
  await writeFile(path.join(dist, file), declared.replaceAll(/(from '\.[^']+)\.ts'/g, "$1.js'"));
}
const { name, version, license, type, description, dependencies } = JSON.parse(
  await readFile(path.join(sdk, 'package.json'), 'utf8'),
);
const published = {
  name,
  version,
  license,
  type,
  description,
  sideEffects: false,
  engines: { node: '>=20' },
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
  dependencies,
};
await writeFile(path.join(dist, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
await copyFile(path.join(sdk, 'README.md'), path.join(dist, 'README.md'));
await copyFile(path.join(root, 'LICENSE'), path.join(dist, 'LICENSE'));
