import { execFile } from 'node:child_process';
import { cp, glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const ROOT = path.join(import.meta.dirname, '../..');
const run = promisify(execFile);
let folder: string;

/** Copies the manifests that the image is made of, as its Dockerfile leaves them. */
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'image-dependencies-'));
  const manifests = glob(
    ['package.json', 'package-lock.json', '{packages,services}/*/package.json', '{cli,sdk/typescript}/package.json'],
    {
      cwd: ROOT,
      exclude: ['packages/testkit'],
    },
  );
  for await (const file of manifests) await cp(path.join(ROOT, file), path.join(folder, file));
  const dockerfile = await readFile(path.join(ROOT, 'deploy/Dockerfile'), 'utf8');
  const removed = /AS manifests\n[\s\S]*?&& rm -rf ([\w/ ]+)/.exec(dockerfile)?.[1]?.trim().split(' ') ?? [];
  for (const place of removed) await rm(path.join(folder, place), { recursive: true, force: true });
  const script = /AS manifests\n[\s\S]*?RUN node -e '([^']+)'/.exec(dockerfile)?.[1];
  if (script === undefined)
    throw new Error('the Dockerfile has no script that leaves out what is for development only');
  await run(process.execPath, ['--eval', script.replaceAll('\\\n', '')], { cwd: folder });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

it('the dependencies of the image satisfy each other, so that npm can list them for its SBOM', async () => {
  const sbom = ['sbom', '--package-lock-only', '--omit', 'dev', '--sbom-format', 'cyclonedx'];
  const { stdout } = await run('npm', sbom, { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
  expect(JSON.parse(stdout)).toMatchObject({ bomFormat: 'CycloneDX' });
});

it('the packages of ours that something in the image needs are in it', async () => {
  const manifests = [];
  for await (const file of glob('**/package.json', { cwd: folder }))
    manifests.push(JSON.parse(await readFile(path.join(folder, file), 'utf8')));
  const names = manifests.map(({ name }) => name);
  const needed = manifests.flatMap(({ dependencies = {} }) => Object.keys(dependencies));
  expect(names).toEqual(expect.arrayContaining(needed.filter((name) => name.startsWith('@catchment/'))));
});

it('the packages of ours that the console is built of, and those that they need, are copied for its build', async () => {
  const dockerfile = await readFile(path.join(ROOT, 'deploy/Dockerfile'), 'utf8');
  const stage = /AS web\n([\s\S]*?)\nFROM /.exec(dockerfile)?.[1] ?? '';
  const copied = [...stage.matchAll(/^COPY ((?:packages|sdk)\/[\w-]+) /gm)].map(([, place]) => place);
  const byName = new Map<string, { place: string; dependencies: string[] }>();
  for await (const file of glob('{packages/*,sdk/typescript,web}/package.json', { cwd: ROOT })) {
    const { name, dependencies = {} } = JSON.parse(await readFile(path.join(ROOT, file), 'utf8'));
    byName.set(name, { place: path.dirname(file), dependencies: Object.keys(dependencies) });
  }
  const needed = new Set<string>();
  const add = (name: string) => {
    const found = byName.get(name);
    if (!found || needed.has(found.place)) return;
    needed.add(found.place);
    for (const other of found.dependencies) add(other);
  };
  add('@catchment/web');
  needed.delete('web');
  expect(copied.sort()).toEqual([...needed].sort());
});
