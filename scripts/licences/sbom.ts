// `npm run sbom -w deploy > sbom.cdx.json` lists the packages and fonts of others in the image, as CycloneDX. That of an image has Debian's
// packages too: deploy/README.md.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { bundledComponents, type Component } from '../../deploy/image/sbom/components.ts';
import { FONT_PACKAGES } from './font-packages.ts';
import { imagePackages, type Lock } from './image-packages.ts';

type Bom = {
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
};

const root = path.resolve(import.meta.dirname, '../..');
const lock = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8')) as Lock;
const wanted = new Set(
  imagePackages(lock).map(({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`),
);
const { stdout } = await promisify(execFile)(
  'npm',
  ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'],
  { cwd: root, maxBuffer: 256 * 1024 * 1024 },
);
const bom = JSON.parse(stdout) as Bom;
// npm lists every workspace, benchmarks and tests included.
const components = bom.components.filter(({ purl }) => wanted.has(purl));
const refs = new Set(components.map((component) => component['bom-ref']));
const dependencies = bom.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((name) => refs.has(name)) }));
components.push(...bundledComponents('fonts', FONT_PACKAGES));
process.stdout.write(`${JSON.stringify({ ...bom, components, dependencies }, null, 2)}\n`);
